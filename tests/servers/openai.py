"""The chat protocol of OpenAI, as its documentation and the servers that copy it have it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from epicene.languages.codes import known
from tests.servers.loopback import Loopback, Reply, Request

_INTO = re.compile(r" into (\w+)")
_CODES = {429: "rate_limit_exceeded", 500: "server_error", 503: "server_error"}


class OpenAIServer(Loopback):
    """A model that translates what it is told to, and whose manners a test may change."""

    key = "sk-loopback-0123456789abcdefABCDEF"
    model = "loopback-1"
    open = False  # whether it does without a key, as servers of one's own do
    models: tuple[str, ...] = ("embedding-1", model)
    lists_models = True
    refuses = ""  # a setting that the model does not take
    names_setting = True
    thinks = 0  # tokens of thought before each answer
    manners: Callable[[str], str] = staticmethod(lambda text: text)
    choices: tuple[str, ...] = ()  # what it answers, one choice each, in place of a translation
    bodies: list[Any]  # what it was asked

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.bodies = []

    def error(self, status: int, message: str, code: str = "") -> Reply:
        """``error.code`` says what the status does not."""
        found = {"message": message, "type": code or _CODES[status], "param": None, "code": code or _CODES[status]}
        return Reply(status, {"error": found})

    def is_translation(self, request: Request) -> bool:
        """Texts are posted."""
        return request.path == "/v1/chat/completions"

    def reply(self, request: Request) -> Reply:
        """What the API answers."""
        given = request.headers.get("Authorization")
        if self.expired or not (self.open or given == f"Bearer {self.key}"):
            return self.error(401, f"Incorrect API key provided: {given}.", "invalid_api_key")
        if request.path == "/v1/models" and self.lists_models:
            return Reply(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]})
        if self.is_translation(request):
            return self._chat(request)
        return self.error(404, "Not found", "not_found")

    def _chat(self, request: Request) -> Reply:
        body = request.json()
        self.bodies.append(body)
        if body["model"] != self.model:
            return self.error(404, f"The model `{body['model']}` does not exist", "model_not_found")
        if self.refuses in body:
            refused = self.error(400, f"Unsupported parameter: '{self.refuses}'", "unsupported_parameter")
            refused.body["error"]["param"] = self.refuses if self.names_setting else None
            return refused
        if not body["messages"]:
            return self.error(
                400, "Invalid 'messages': empty array. Expected an array with minimum length 1.", "empty_array"
            )
        system, user = (message["content"] for message in body["messages"])
        names = {each.name: code for code, each in known().items()}
        target = names[_INTO.findall(system)[-1]]
        if self.over_quota([user]):
            return self.error(429, "You exceeded your current quota.", "insufficient_quota")
        (_, text), *_ = self.translated(request, [user], target)
        others = [{"message": {"content": each}, "finish_reason": "stop"} for each in self.choices]
        refused = "REFUSED" in user
        said = {"content": None, "refusal": "I can't help with that."} if refused else {"content": self.manners(text)}
        return Reply(
            200,
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "model": f"{self.model}-2026-01-01",
                "system_fingerprint": "fp_0123456789",
                "choices": others
                or [{"index": 0, "message": {"role": "assistant", **said}, "finish_reason": self.end(text)}],
                "usage": {"prompt_tokens": len(system + user), "completion_tokens": self.thinks + len(text)},
            },
        )

    def end(self, text: str) -> str:
        """Why the model stopped: a long answer is cut off."""
        return "length" if "CUT" in text else "content_filter" if "FILTERED" in text else "stop"
