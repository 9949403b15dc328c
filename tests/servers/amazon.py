"""Amazon Translate: JSON 1.1 with the operation in a header, signed by version 4, as documented."""

from __future__ import annotations

import hashlib
import hmac
import re

from tests.servers.loopback import Loopback, Reply, Request

LANGUAGES = ("ar", "de", "en", "es", "fr", "he", "hu", "ru", "zh", "zh-TW")
MOST_BYTES = 10_000
_TARGET = "AWSShineFrontendService_20170701."
_NAMES = {429: "ThrottlingException", 500: "InternalServerException", 503: "ServiceUnavailableException"}
_SIGNED = re.compile(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(.+), SignedHeaders=(.+), Signature=([0-9a-f]{64})")


class AmazonServer(Loopback):
    """Checks the signature of each request by its own reckoning."""

    key_id = "AKIALOOPBACK00000001"
    key = "loopback/secret+access/key0123456789abcd"
    terminologies = ("people",)

    def error(self, status: int, message: str, name: str = "") -> Reply:
        """``__type`` names the error; too many requests are a 400 here."""
        return Reply(400 if status == 429 else status, {"__type": name or _NAMES[status], "message": message})

    def is_translation(self, request: Request) -> bool:
        """The operation is in a header."""
        return request.headers.get("X-Amz-Target") == _TARGET + "TranslateText"

    def reply(self, request: Request) -> Reply:
        """What the API answers."""
        if self.expired:
            message = "The security token included in the request is expired"
            return self.error(400, message, "ExpiredTokenException")
        if not self._signed(request):
            message = "The request signature we calculated does not match the signature you provided."
            return self.error(400, message, "InvalidSignatureException")
        if self.is_translation(request):
            return self._translate(request)
        return self._languages(request)

    def _languages(self, request: Request) -> Reply:
        half = len(LANGUAGES) // 2
        second = "NextToken" in request.json()
        codes = LANGUAGES[half:] if second else LANGUAGES[:half]
        found = [{"LanguageCode": code, "LanguageName": code} for code in codes]
        return Reply(200, {"Languages": found, "DisplayLanguageCode": "en"} | ({} if second else {"NextToken": "2"}))

    def _translate(self, request: Request) -> Reply:
        body = request.json()
        text, source, target = body["Text"], body["SourceLanguageCode"], body["TargetLanguageCode"]
        if source not in LANGUAGES or target not in LANGUAGES:
            message = f"Unsupported language pair: {source} to {target}."
            return self.error(400, message, "UnsupportedLanguagePairException")
        if len(text.encode()) > MOST_BYTES:
            return self.error(400, "Input text size exceeds limit.", "TextSizeLimitExceededException")
        if "REFUSED" in text:
            return self.error(400, "Bad text", "InvalidRequestException")
        if any(name not in self.terminologies for name in body.get("TerminologyNames", [])):
            return self.error(400, "The resource you are looking for has not been found.", "ResourceNotFoundException")
        if self.over_quota([text]):
            return self.error(400, "The limit of your account is reached.", "LimitExceededException")
        found = self.translated(request, [text], target)
        languages = {"SourceLanguageCode": source, "TargetLanguageCode": target}
        return Reply(200, {"TranslatedText": found[0].text if found else None, **languages})

    def _signed(self, request: Request) -> bool:
        match = _SIGNED.fullmatch(request.headers.get("Authorization") or "")
        if match is None or match[1] != self.key_id:
            return False
        scope, names, signature = match[2], match[3], match[4]
        headers = "".join(f"{name}:{(request.headers[name] or '').strip()}\n" for name in names.split(";"))
        hashed = hashlib.sha256(request.body).hexdigest()
        canonical = "\n".join([request.method, request.path, "", headers, names, hashed])
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        to_sign = "\n".join(["AWS4-HMAC-SHA256", request.headers["X-Amz-Date"], scope, digest])
        secret = f"AWS4{self.key}".encode()
        for part in scope.split("/"):
            secret = hmac.digest(secret, part.encode(), "sha256")
        return hmac.compare_digest(hmac.new(secret, to_sign.encode(), "sha256").hexdigest(), signature)
