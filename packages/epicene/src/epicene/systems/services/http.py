"""``http:URL``: any server that takes text by POST.

People write such servers around fairseq, Marian or OpenNMT.
Options: body, a template in JSON, where {text} stands for a sentence, {texts} for the list of all in a request; answer,
the way to the translations in the reply: names and numbers with dots between, * for each of a list (translation);
batch (1); rate and concurrent, which change no answer.
{source} and {target} stand for the languages, in the address too. A key in EPICENE_HTTP_KEY is sent as a bearer token.
Over httpx: there is nothing to have a library for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from epicene.errors import EpiceneError, InputError, ServiceError
from epicene.registry import Options, build_identity
from epicene.systems import SystemFactory
from epicene.systems.network.answers import match_answers, read_answers
from epicene.systems.network.http import Reply
from epicene.systems.network.keys import ServiceKey, address, warn_in_the_clear, without_password
from epicene.systems.network.service import Answer, Limits, Service
from epicene.types import Pair

_EXAMPLE = "http:http://localhost:8080/translate"
_ONE = '{"text": "{text}", "source": "{source}", "target": "{target}"}'
_MANY = '{"text": "{texts}", "source": "{source}", "target": "{target}"}'
_SENTENCE = 10_000
_TRIED = "The doctor finished her work."


class Generic(Service):
    """A server that is described by its options."""

    name = "http"
    key = ServiceKey("http", ["EPICENE_HTTP_KEY"], "from whoever runs the server")

    def __init__(self, url: str, options: Options) -> None:
        self._url = address("http", url, _EXAMPLE)
        batch = options.number("batch", 1)
        limits = Limits(texts=batch, characters=_SENTENCE * batch, sentence=_SENTENCE, per_second=20, concurrent=4)
        self.limits = limits.chosen(options)
        chosen = {name: options.text(name, "") for name in ("body", "answer")}
        self._body = _template(chosen["body"] or (_ONE if batch == 1 else _MANY), batch)
        self._answer = chosen["answer"] or ("translation" if batch == 1 else "translation.*")
        self.identity = build_identity(f"http:{without_password(self._url)}", chosen)

    def address(self) -> str:
        """The server; its path may name languages."""
        return urlunsplit((*urlsplit(self._url)[:2], "", "", ""))

    @cached_property
    def _headers(self) -> dict[str, str]:
        key = self.key.find()
        if not key:
            return {}
        warn_in_the_clear("http", self._url, key.variable)
        return {"Authorization": f"Bearer {key.reveal()}"}

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request."""
        path = _fill_languages(urlsplit(self._url).path or "/", pair)
        reply = self.http.post(path, _fill(self._body, sources, pair), headers=self._headers)
        return read_answers("http", reply, self._answer)

    def check(self, pair: Pair) -> list[str]:
        """Translates a sentence: nothing else tells whether address and options fit the server."""
        sent = json.dumps(_fill(self._body, [_TRIED], pair), ensure_ascii=False)
        ((_, answer),) = match_answers("http", [_TRIED], self.ask([_TRIED], pair))
        return [
            f"server: {without_password(self._url)} answers",
            f"sent for {pair}: {sent}",
            f"translation of {_TRIED!r}: {answer.text}",
        ]

    def explain(self, reply: Reply) -> EpiceneError | None:
        """What the server can never take is told from a sentence that it does not take."""
        if reply.status in {404, 405, 415}:
            return ServiceError(
                f"http: the server answered {reply.status} ({reply.message}); do its address and the options fit it?"
            )
        return None


def _template(body: str, batch: int) -> Any:
    try:
        template = json.loads(body)
    except ValueError as error:
        raise InputError(f"system http: option body is not JSON: {error}") from None
    wanted = "{text}" if batch == 1 else "{texts}"
    if f'"{wanted}"' not in body and "{texts}" not in body:
        raise InputError(f'system http: option body has no "{wanted}" where the text goes: {body}')
    return template


def _fill_languages(text: str, pair: Pair) -> str:
    return text.replace("{source}", pair.source).replace("{target}", pair.target)


def _fill(template: Any, sources: Sequence[str], pair: Pair) -> Any:
    """The template with texts and languages in their places; texts are put in whole, never searched for places."""
    match template:
        case "{text}":
            return sources[0]
        case "{texts}":
            return list(sources)
        case str():
            return _fill_languages(template, pair)
        case list():
            return [_fill(part, sources, pair) for part in template]
        case dict():
            return {name: _fill(part, sources, pair) for name, part in template.items()}
    return template


def build(argument: str, options: Options) -> Generic:
    """The server at an address."""
    return Generic(f"http:{argument}" if argument.startswith("//") else argument, options)


SYSTEM = SystemFactory(build, __doc__, needs=f"an address, as in {_EXAMPLE}")
