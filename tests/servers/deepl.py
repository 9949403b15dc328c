"""DeepL's API, version 2, as its documentation describes it: texts, quota and languages."""

from __future__ import annotations

from tests.servers.loopback import Loopback, Reply, Request

SOURCES = ("DE", "EN", "ES", "FR", "HU", "IT", "PT", "RU")
TARGETS = ("DE", "EN-GB", "EN-US", "ES", "FR", "HU", "IT", "PT-BR", "PT-PT", "RU")
MOST_TEXTS, MOST_BYTES = 50, 128 * 1024


class DeepLServer(Loopback):
    """Takes JSON with a key in ``Authorization: DeepL-Auth-Key``."""

    key = "279a2e9d-83b3-c416-7e2d-f721593e42a0:fx"
    repeats_key = False  # whether errors repeat the key, as careless services do

    def error(self, status: int, message: str) -> Reply:
        """``message``, as all of DeepL's errors."""
        return Reply(status, {"message": f"{message} {self.key}" if self.repeats_key else message})

    def is_translation(self, request: Request) -> bool:
        """Texts are posted."""
        return request.path == "/v2/translate"

    def texts(self, request: Request) -> list[str]:
        """As they are posted."""
        return list(request.json()["text"])

    def reply(self, request: Request) -> Reply:
        """What the API answers."""
        if self.expired or request.headers.get("Authorization") != f"DeepL-Auth-Key {self.key}":
            return self.error(403, "Wrong endpoint or key")
        if request.path == "/v2/usage":
            return Reply(200, {"character_count": self.billed, "character_limit": self.quota})
        if request.path == "/v2/languages":
            kind = request.query.get("type") or request.form().get("type")  # the library sends it in the body
            codes = TARGETS if kind == ["target"] else SOURCES
            return Reply(200, [{"language": code, "name": code, "supports_formality": False} for code in codes])
        if request.path == "/v2/translate":
            return self._translate(request)
        return self.error(404, "Not found")

    def _translate(self, request: Request) -> Reply:
        if len(request.body) > MOST_BYTES:
            return self.error(413, "Request Entity Too Large")
        body = request.json()
        texts, target = body["text"], body["target_lang"]
        if len(texts) > MOST_TEXTS:
            return self.error(400, "Too many texts")
        if target not in TARGETS:
            return self.error(400, "Value for 'target_lang' not supported.")
        if body.get("source_lang", "EN") not in SOURCES:
            return self.error(400, "Value for 'source_lang' not supported.")
        if any("REFUSED" in text for text in texts):
            return self.error(400, "Bad text")
        if self.over_quota(texts):
            return self.error(456, "Quota Exceeded")
        model = body.get("model_type")
        return Reply(
            200,
            {
                "translations": [
                    {
                        "detected_source_language": "EN",
                        "text": text,
                        "billed_characters": len(source),
                        **({"model_type_used": model.removeprefix("prefer_")} if model else {}),
                    }
                    for source, text in self.translated(request, texts, target)
                ]
            },
        )
