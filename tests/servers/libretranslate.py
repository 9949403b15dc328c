"""LibreTranslate's API, as its documentation describes it."""

from __future__ import annotations

from tests.servers.loopback import Loopback, Reply, Request

LANGUAGES = ("de", "en", "es", "fr", "hu", "pt-BR", "zh-Hans")


class LibreTranslateServer(Loopback):
    """Takes JSON with an ``api_key`` where it wants one."""

    key = "00000000-1111-2222-3333-444444444444"
    wants_key = True
    characters, batch = 2_000, 50  # in a request

    def error(self, status: int, message: str) -> Reply:
        """One sentence."""
        return Reply(status, {"error": f"Slowdown: {message}" if status == 429 else message})

    def is_translation(self, request: Request) -> bool:
        """Texts are posted."""
        return request.path == "/translate"

    def reply(self, request: Request) -> Reply:
        """What the API answers."""
        if request.path == "/languages":
            targets = [code for code in LANGUAGES if code != "hu"]
            return Reply(200, [{"code": code, "name": code, "targets": targets} for code in LANGUAGES])
        if request.path == "/frontend/settings":
            return Reply(200, {"charLimit": self.characters, "keyRequired": self.wants_key, "apiKeys": True})
        body = request.json()
        if self.wants_key and "api_key" not in body:
            return self.error(400, "Visit https://portal.libretranslate.com to get an API key")
        if self.wants_key and (self.expired or body["api_key"] != self.key):
            return self.error(403, "Invalid API key")
        if request.path == "/detect":
            return Reply(200, [{"confidence": 100.0, "language": "en"}])
        if request.path == "/translate":
            return self._translate(request)
        return self.error(404, "Not Found")

    def _translate(self, request: Request) -> Reply:
        body = request.json()
        texts, target = body["q"] if isinstance(body["q"], list) else [body["q"]], body["target"]
        size = sum(map(len, texts))
        if len(texts) > self.batch or size > self.characters:
            return self.error(400, f"Invalid request: request ({size}) exceeds text limit ({self.characters})")
        if target not in LANGUAGES or body["source"] not in (*LANGUAGES, "auto"):
            return self.error(400, f"{target} is not supported")
        if any("REFUSED" in text for text in texts):
            return self.error(400, "Cannot translate text")
        if self.over_quota(texts):
            return self.error(429, "30 per 1 minute")
        detected = {"detectedLanguage": {"confidence": 100, "language": "en"}} if body["source"] == "auto" else {}
        found = [text for _, text in self.translated(request, texts, target)]
        return Reply(200, {"translatedText": found if isinstance(body["q"], list) else found[0], **detected})
