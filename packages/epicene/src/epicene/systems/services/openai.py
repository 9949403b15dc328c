"""``openai:MODEL``: a language model behind OpenAI's chat protocol.

OpenAI, vLLM, llama.cpp and Ollama speak it. Over httpx: it is one POST, and the official library brings 29 MB for it.
OPENAI_BASE_URL names another server than OpenAI's; the key is in OPENAI_API_KEY, without which your own may do.
Options: temperature (0) and seed (1), either of which ``none`` leaves to the model, max_tokens, prompt (a file with
{source} and {target} in it), url; rate and concurrent, which change no answer. A request has one sentence.
"""

from __future__ import annotations

import copy
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from epicene.errors import EpiceneError, InputError, QuotaError, RefusedError, ServiceError, TryLaterError
from epicene.files import checksum
from epicene.registry import Options, build_identity
from epicene.systems import SystemFactory
from epicene.systems.network import chat as _chat
from epicene.systems.network.answers import dig, dig_list, dig_text, make_answers
from epicene.systems.network.http import Reply, error_message, let_pass, malformed_error
from epicene.systems.network.keys import ServiceKey, address, is_own, warn_in_the_clear, without_password
from epicene.systems.network.service import Answer, Limits, Service
from epicene.types import Candidate, Pair, Request

URL_VARIABLE = "OPENAI_BASE_URL"
_OPENAI = "https://api.openai.com/v1"
_CHAT = "/chat/completions"
_SENTENCE = 4_000
_OWN_RATE, _OWN_CONCURRENT = 10_000, 32  # of a server on this machine or in this house
_UNWANTED = re.compile(r"\b(?:unsupported|unexpected|unused|unrecognized|unknown|extra|not permitted)\b", re.IGNORECASE)
SETTINGS = {"temperature": "0", "seed": "1", "max_tokens": "none"}  # what is sent unless the user says otherwise


class OpenAI(Service):
    """A model that is told to translate."""

    name = "openai"
    key = ServiceKey("openai", ["OPENAI_API_KEY"], "at https://platform.openai.com/api-keys")

    def __init__(self, model: str, options: Options) -> None:
        self._model = model
        self._contextual = False
        self.url = address("openai", options.text("url", os.environ.get(URL_VARIABLE) or _OPENAI), f"url={_OPENAI}")
        self.price = "" if is_own(self.url) else f"openai:{model}"
        self._prompt = _prompt(options)
        self._settings = _settings(options)
        own = is_own(self.url)  # has no limit but its own speed, and answers many requests together
        self.limits = Limits(
            texts=1,
            characters=_SENTENCE,
            sentence=_SENTENCE,
            per_second=_OWN_RATE if own else 10,
            concurrent=_OWN_CONCURRENT if own else 8,
        ).chosen(options)
        self.identity = self._identity()

    def _identity(self) -> str:
        chosen = {
            "at": "" if self.url == _OPENAI else without_password(self.url),
            **self._settings,
            "prompt": checksum(self._build_prompt()),
        }
        return build_identity(f"openai:{self._model}", chosen)

    def with_instruction(self, instruction: str) -> OpenAI:
        """The same model with a line more in its prompt, and an identity of its own."""
        other = copy.copy(self)
        other._prompt = f"{self._prompt}\n{instruction}"
        other.identity = other._identity()
        return other

    def with_context(self) -> OpenAI:
        """The same model, told what stands before each sentence."""
        other = copy.copy(self)
        other._contextual = True
        other.identity = f"{self.identity}&context={checksum(_chat.CONTEXT)}"
        return other

    @cached_property
    def _headers(self) -> dict[str, str]:
        # Another server gets the key only where the user has set it for this run, not the one kept for OpenAI.
        (variable,) = self.key.variables
        if self.url != _OPENAI and not os.environ.get(variable):
            return {}
        warn_in_the_clear("openai", self.url, variable)
        return {"Authorization": f"Bearer {self.key.require().reveal()}"}

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One conversation of one turn about one sentence."""
        (source,) = sources
        request = Request.parse(source) if self._contextual else Request(source)
        reply = self._converse("\n\n".join(filter(None, (request.context, request.text))), pair, self._settings)
        return self._make_answers([_chat.clean_answer(_read_text(reply), request.text, pair)], reply)

    def candidates(self, sources: Sequence[str], pair: Pair, n: int) -> Iterator[list[Candidate]]:
        """At most n different answers for each source, the one that the model gave most often first; no scores."""
        for source in sources:
            yield [Candidate(answer.text) for answer in self.ask_several(source, pair, n)]

    def ask_several(self, source: str, pair: Pair, n: int) -> list[Answer]:
        """One request for n answers to a sentence; what the model draws is drawn at temperature 1, unless told."""
        settings = self._settings if self._settings.get("temperature") else {**self._settings, "temperature": 1}
        reply = self._converse(source, pair, {**settings, "n": n})
        choices = [{"choices": [choice]} for choice in dig_list(reply, "choices")] or [reply]
        texts = (_chat.clean_answer(_read_text(choice), source, pair) for choice in choices)
        counted = Counter(texts).most_common()  # of equals the first comes first
        return self._make_answers([text for text, _ in counted], reply)

    def _converse(self, user: str, pair: Pair, settings: Mapping[str, float]) -> Any:
        """What the server answers to the prompt and what a user writes."""
        messages = [
            {"role": "system", "content": _chat.fill_prompt(self._build_prompt(), pair)},
            {"role": "user", "content": user},
        ]
        return self.http.post(_CHAT, {"model": self._model, "messages": messages, **settings}, headers=self._headers)

    def _make_answers(self, texts: Sequence[str], reply: Any) -> list[Answer]:
        """Answers with the model's full name and, where the server has one, the fingerprint of what runs it."""
        model = dig_text(reply, "model") or self._model
        first, *others = make_answers(texts, " ".join(filter(None, (model, dig_text(reply, "system_fingerprint")))))
        return [first._replace(used=_count_used(reply)), *others]

    def check(self, pair: Pair) -> list[str]:
        """The list of models, where there is one, and a request for nothing; neither costs anything."""
        listed: list[str] = []
        with let_pass():
            listed = [dig_text(one, "id") for one in dig_list(self.http.get("/models", headers=self._headers), "data")]
        return [
            f"server: {without_password(self.url)}",
            f"key: {self._describe_key(bool(listed))}",
            f"model: {self._model}, {self._describe_offer(listed)}",
            f"prompt: {_chat.fill_prompt(self._build_prompt(), pair)}",
        ]

    def explain(self, reply: Reply) -> EpiceneError | None:
        """What a code means, by which too fast and nothing left to spend differ under one status."""
        error = dig(reply.body, "error")
        if {dig_text(error, "code"), dig_text(error, "type")} & {"insufficient_quota", "billing_hard_limit_reached"}:
            return QuotaError("openai: the account has nothing left to spend; see https://platform.openai.com/usage")
        if reply.status in {400, 422} and (setting := _refused_setting(dig_text(error, "param"), reply.text)):
            return InputError(f"openai: the model refuses {setting} ({reply.message}); leave it out: {setting}=none")
        if reply.status == 404:
            return NotThereError(f"openai: {reply.message}; is the model's name right, and {URL_VARIABLE}?")
        return None

    def _describe_key(self, listed: bool) -> str:
        """Whether the key is accepted: it is looked at before a conversation without a word is refused."""
        try:
            self.http.post(_CHAT, {"model": self._model, "messages": [], "max_tokens": 1}, headers=self._headers)
        except NotThereError:
            if not listed:
                raise
        except TryLaterError as error:
            return f"not known, since the server cannot say: {error}"
        except (InputError, RefusedError):
            pass  # as it should be
        return "accepted" if self._headers else "none sent, none wanted"

    def _describe_offer(self, listed: list[str]) -> str:
        """Whether the model is among those listed; a server of a single model may take any name for it."""
        if {self._model, f"{self._model}:latest"} & set(listed):
            return "offered"
        if len(listed) > 1:
            some = ", ".join(sorted(listed)[:20])
            raise InputError(f"openai: the server has no model {self._model!r}; it has: {some}")
        return f"which the server does not list{(listed and f'; it lists {listed[0]}') or ''}"

    def _build_prompt(self) -> str:
        """What the model is told before a sentence."""
        return self._prompt + _chat.CONTEXT if self._contextual else self._prompt

    def billed(self, source: str) -> int:
        """The sentence with its prompt."""
        return len(source) + len(self._build_prompt())


def _read_text(body: Any) -> str:
    """What the model said, if it said all of it and did not decline."""
    choice = dig(body, "choices", 0)
    text, end = dig(choice, "message", "content"), dig(choice, "finish_reason")
    if refusal := dig(choice, "message", "refusal"):
        raise RefusedError(f"openai: the model declined: {error_message(str(refusal))}", billed=True)
    if end == "content_filter":
        raise RefusedError("openai: the answer was held back by a content filter", billed=True)
    if end == "length":
        why = "max_tokens, or the model's context, is too small for it"
        raise RefusedError(f"openai: the answer was cut off; {why}", billed=True)
    if not isinstance(text, str):
        raise malformed_error("openai", json.dumps(body, ensure_ascii=False), "choices.0.message.content")
    return text


def _count_used(body: Any) -> tuple[int, int] | None:
    """The tokens of a request and of its answer, as the server counts them: a model that thinks uses many more."""
    asked, answered = (dig(body, "usage", f"{part}_tokens") for part in ("prompt", "completion"))
    counted = all(isinstance(count, int) and count >= 0 for count in (asked, answered))
    return (asked, answered) if counted else None


def _settings(options: Options) -> dict[str, float | int]:
    """What is sent along with the messages; ``none`` leaves a setting out, since some models refuse it."""
    settings: dict[str, float | int] = {}
    for name, default in SETTINGS.items():
        value = options.text(name, default)
        try:
            if value != "none":
                settings[name] = float(value) if "." in value else int(value)
        except ValueError:
            raise InputError(f"system openai: option {name}={value!r} must be a number or none") from None
    return settings


def _prompt(options: Options) -> str:
    name = options.text("prompt", "")
    if not name:
        return _chat.PROMPT
    try:
        text = Path(name).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"system openai: the prompt {name!r} cannot be read: {error}") from None
    if "{target}" not in text:
        raise InputError(f"{name}: a prompt must have {{target}} where the name of the language goes")
    return text


def _refused_setting(named: str, text: str) -> str:
    """The setting that the server does not take: the one that it names, or the one that its message speaks of."""
    if named in SETTINGS:
        return named
    return next((name for name in SETTINGS if _UNWANTED.search(text) and name in text), "")


class NotThereError(ServiceError):
    """The server has no such page or model."""


SYSTEM = SystemFactory(OpenAI, __doc__, needs="a model, as in openai:gpt-4o-mini")
