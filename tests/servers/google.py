"""Google Cloud Translation, Basic (v2) and Advanced (v3), and the server that gives out tokens, as documented."""

from __future__ import annotations

import html
from typing import Any

from google.auth import jwt

from tests.servers.loopback import Loopback, Reply, Request

LANGUAGES = ("ar", "de", "en", "es", "fr", "hu", "iw", "ru", "zh-CN", "zh-TW")
MOST_V2, MOST_V3, MOST_CHARACTERS = 128, 1024, 30_000
_STATUS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"}
_STATUS |= {429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}


class GoogleServer(Loopback):
    """Takes an API key in a header or in the address (v2) and a bearer token for one project (v3)."""

    key = "AIzaSyLoopback-0123456789abcdefghijklmn"
    token = "ya29.loopback-token-0123456789"
    project = "loopback-project"
    public_key = ""  # of the service account that may ask for tokens
    tokens = 0  # how many were given out

    def error(self, status: int, message: str, reason: str = "badRequest") -> Reply:
        """Both versions' body: reasons stand in ``errors`` and in ``details``."""
        info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}
        body = {
            "code": status,
            "message": message,
            "errors": [{"message": message, "domain": "global", "reason": reason}],
            "status": _STATUS[status],
            "details": [info],
        }
        return Reply(status, {"error": body})

    def is_translation(self, request: Request) -> bool:
        """Texts are posted, to the address of either version."""
        return request.path.endswith(("/translate/v2", ":translateText"))

    def reply(self, request: Request) -> Reply:
        """What the API answers."""
        if request.path == "/token":
            return self._token(request)
        if request.path.startswith("/language/translate/v2"):
            return self._basic(request)
        if request.path.startswith(f"/v3/projects/{self.project}/locations/"):
            return self._advanced(request)
        return self.error(404, "The requested URL was not found on this server.")

    def _token(self, request: Request) -> Reply:
        (assertion,) = request.form()["assertion"]
        try:
            jwt.decode(assertion, certs=self.public_key, audience="https://oauth2.googleapis.com/token")
        except ValueError:
            return Reply(400, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."})
        self.tokens += 1
        return Reply(200, {"access_token": self.token, "expires_in": 3600, "token_type": "Bearer"})

    def _basic(self, request: Request) -> Reply:
        given = request.headers.get("X-goog-api-key") or request.query.get("key", [""])[0]
        if self.expired or given != self.key:
            why = "API key expired. Please renew the API key." if self.expired else "API key not valid."
            return self.error(400, why, "API_KEY_INVALID")
        if request.path.endswith("/languages"):
            return Reply(200, {"data": {"languages": [{"language": code} for code in LANGUAGES]}})
        body = request.json()
        refused = self._refused(body["q"], MOST_V2, body.get("source"), body["target"], "Daily Limit Exceeded")
        if refused:
            return refused
        escape = (body.get("format") or "html") == "html"
        found: list[dict[str, Any]] = [
            {"translatedText": html.escape(text) if escape else text, "model": "nmt"}
            | ({} if body.get("source") else {"detectedSourceLanguage": "en"})
            for _, text in self.translated(request, body["q"], body["target"])
        ]
        return Reply(200, {"data": {"translations": found}})

    def _advanced(self, request: Request) -> Reply:
        if self.expired or request.headers.get("Authorization") != f"Bearer {self.token}":
            return self.error(401, "Request had invalid authentication credentials.", "ACCESS_TOKEN_EXPIRED")
        if request.path.endswith("/supportedLanguages"):
            found = [{"languageCode": code, "supportSource": True, "supportTarget": True} for code in LANGUAGES]
            return Reply(200, {"languages": found})
        body = request.json()
        texts, source, target = body["contents"], body.get("sourceLanguageCode"), body["targetLanguageCode"]
        refused = self._refused(texts, MOST_V3, source, target, "Quota exceeded for characters per day")
        if refused:
            return refused
        escape = (body.get("mimeType") or "text/html") == "text/html"
        translations = [
            {"translatedText": html.escape(text) if escape else text, "model": body["model"]}
            | ({} if source else {"detectedLanguageCode": "en"})
            for _, text in self.translated(request, texts, target)
        ]
        return Reply(200, {"translations": translations})

    def _refused(self, texts: list[str], most: int, source: str | None, target: str, used_up: str) -> Reply | None:
        if len(texts) > most:
            return self.error(400, f"Too many text segments (max {most}).")
        if sum(map(len, texts)) > MOST_CHARACTERS:
            return self.error(400, "Text is too long.")
        known = (*LANGUAGES, "he")  # which is not listed
        if target not in known or (source or "en") not in known:
            return self.error(400, f"Bad language pair: {source}|{target}")
        if any("REFUSED" in text for text in texts):
            return self.error(400, "Bad text")
        if self.over_quota(texts):
            return self.error(403, used_up, "dailyLimitExceeded")
        return None
