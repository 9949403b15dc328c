"""Azure Translator, version 3, as its documentation describes it: error numbers of six digits, keys with a region."""

from __future__ import annotations

from tests.servers.loopback import Loopback, Reply, Request

LANGUAGES = ("ar", "de", "en", "es", "fr", "he", "hu", "nb", "ru", "zh-Hans", "zh-Hant")
MOST_TEXTS, MOST_CHARACTERS = 1000, 50_000


class MicrosoftServer(Loopback):
    """Takes the key and the region of a regional resource in headers."""

    key = "0123456789abcdef0123456789abcdef"
    region = "westeurope"

    def error(self, status: int, message: str, detail: int = 0) -> Reply:
        """``error.code`` is the status and three digits more."""
        return Reply(status, {"error": {"code": status * 1000 + detail, "message": message}})

    def is_translation(self, request: Request) -> bool:
        """Texts are posted."""
        return request.path == "/translate"

    def reply(self, request: Request) -> Reply:
        """What the API answers."""
        if request.query.get("api-version") != ["3.0"]:
            return self.error(400, "The API version parameter is missing or invalid.", 21)
        if request.path == "/languages":  # needs no key
            return Reply(200, {"translation": {code: {"name": code, "dir": "ltr"} for code in LANGUAGES}})
        key, region = (request.headers.get(f"Ocp-Apim-Subscription-{name}") for name in ("Key", "Region"))
        if self.expired or (key, region) != (self.key, self.region):
            return self.error(401, "The request is not authorized because credentials are missing or invalid.")
        if request.path == "/detect":
            return Reply(
                200, [{"language": "en", "score": 1.0, "isTranslationSupported": True} for _ in request.json()]
            )
        if request.path == "/translate":
            return self._translate(request)
        return self.error(404, "The requested resource is not found.")

    def _translate(self, request: Request) -> Reply:
        texts = [each.get("Text") or each["text"] for each in request.json()]  # either way, as the service takes it
        source, (target,) = request.query.get("from"), request.query["to"]
        if len(texts) > MOST_TEXTS:
            return self.error(400, "The array of input text has too many elements.", 72)
        if sum(map(len, texts)) > MOST_CHARACTERS:
            return self.error(400, "The maximum request size has been exceeded.", 77)
        if target not in LANGUAGES:
            return self.error(400, "The target language is not valid.", 36)
        if source and source[0] not in LANGUAGES:
            return self.error(400, "The source language is not valid.", 35)
        if any("REFUSED" in text for text in texts):
            return self.error(400, "One of the elements in the array of input text is not valid.", 20)
        if self.over_quota(texts):
            return self.error(403, "The operation is not allowed because the subscription exceeded its free quota.", 1)
        detected = {} if source else {"detectedLanguage": {"language": "en", "score": 1.0}}
        lengths = request.query.get("includeSentenceLength") == ["true"]
        found = [
            {"text": text, "to": target}
            | ({"sentLen": {"srcSentLen": [len(given)], "transSentLen": [len(text)]}} if lengths else {})
            for given, text in self.translated(request, texts, target)
        ]
        return Reply(200, [{**detected, "translations": [each]} for each in found])
