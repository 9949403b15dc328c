"""OpenAI-style servers that take instructions: ``bundled``, or a model of the lab, behind a chat protocol.

No large language model stands behind any of them. Three ways to take what the prompt tells, none of which sees more
than a chat model does:

- ``prose``: ``bundled`` reads the instruction as it stands, as a sentence before the sentence. Nothing but the model
  decides what becomes of it, so it obeys what reads like text and ignores what reads like an order.
- ``rules``: instructions and glossaries of the forms that ``epicene control`` writes are taken from the prompt by rules
  and obeyed by constrained decoding, by the same reader that counts. It shows the path, and what perfect obedience is.
- ``learned``: a model that was trained on ``epicene lab pairs instructed``, which has seen instructions in many words.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from epicene import systems
from epicene.act import alternatives
from epicene.act.control import form_of, last_sentence
from epicene.detectors.reading.mentions import person_at
from epicene.errors import InputError
from epicene.flow import plan
from epicene.languages.codes import known
from epicene.systems import for_text
from epicene.types import Candidate, Gender, GuidedSystem, Pair
from epicene_lab.instructed import instructed

_INTO = re.compile(r"into (\w+)\.")
_SAID = re.compile(r"The ([\w ]+?) is a (woman|man)\.")
_USE = re.compile(r"Use (feminine|masculine) words for the ([\w ]+?),")
_GLOSSARY = re.compile(r"Glossary: ([\w ]+?) = (.+)")
_NOUNS = {"woman": Gender.FEMININE, "man": Gender.MASCULINE}
_N = 4


class Chat(Protocol):
    """What answers a prompt and a sentence."""

    model: str

    def answer(self, prompt: str, source: str) -> str:
        """The translation."""
        ...


def _target(prompt: str) -> Pair:
    """The pair of languages that a prompt names."""
    names = {each.name: code for code, each in known().items()}
    return Pair("en", names[_INTO.findall(prompt)[0]])


class Prose:
    """A model that reads what it is told as text: ``bundled`` as a sentence before, another as it was trained to."""

    def __init__(self, system: str = "bundled", learned: bool = False) -> None:
        self.model = "instructed" if learned else "bundled-prose"
        self._system = for_text(*plan.open_named(system))
        self._learned = learned
        self._lock = threading.Lock()

    def answer(self, prompt: str, source: str) -> str:
        """What the model makes of instruction and sentence; the translation of an instruction is left out."""
        told = prompt.partition("\n")[2].strip()
        asked = source if not told else instructed(told, source) if self._learned else f"{told} {source}"
        with self._lock:
            (text,) = self._system.translate([asked], _target(prompt))
        return text if self._learned or not told else last_sentence(text)


class Rules:
    """Takes what it is told by rules and obeys by constrained decoding, from ``bundled``."""

    model = "bundled-told"

    def __init__(self) -> None:
        found = systems.load("bundled")
        if not isinstance(found, GuidedSystem):
            raise TypeError("bundled is guided")
        self._system = found
        self._lock = threading.Lock()
        self._lists: dict[tuple[str, Pair], list[Candidate]] = {}
        self._made: dict[tuple[str, str, Pair], alternatives.Alternative | None] = {}

    def answer(self, prompt: str, source: str) -> str:
        """The translation, with the person in the gender that the prompt gives."""
        pair = _target(prompt)
        told = self._told(prompt, pair)
        with self._lock:
            if told is None:
                return self._first(source, pair)
            made = self._versions(source, told[0], pair)
        version = made.versions.get(told[1]) if made else None
        return version.text if version else self._first(source, pair)

    def _first(self, source: str, pair: Pair) -> str:
        return self._listed(source, pair)[0].text

    def _listed(self, source: str, pair: Pair) -> list[Candidate]:
        if (source, pair) not in self._lists:
            self._lists[source, pair] = next(iter(self._system.candidates([source], pair, _N)))
        return self._lists[source, pair]

    def _versions(self, source: str, words: str, pair: Pair) -> alternatives.Alternative | None:
        """Both versions of a person, worked out once, however often and in whichever words they are asked for."""
        key = (source, words, pair)
        if key not in self._made:
            try:
                person = person_at(source, words)
            except InputError:  # told of somebody who is not in the sentence
                self._made[key] = None
            else:
                listed = self._listed(source, pair)
                self._made[key] = alternatives.both(self._system, [source], [(person,)], [listed], pair)[0]
        return self._made[key]

    @staticmethod
    def _told(prompt: str, pair: Pair) -> tuple[str, Gender] | None:
        if match := _SAID.search(prompt):
            return match[1], _NOUNS[match[2]]
        if match := _USE.search(prompt):
            return match[2], Gender(match[1])
        if match := _GLOSSARY.search(prompt):
            for gender in _NOUNS.values():
                if form_of(match[1], gender, pair.target) == match[2].strip():
                    return match[1], gender
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that would not wait is no news: it asks again."""


@contextmanager
def serving(chat: Chat) -> Iterator[str]:
    """A system that asks a server, which runs for a ``with`` block."""
    server = _Server(("127.0.0.1", 0), _handler(chat))
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"openai:{chat.model}?url=http://127.0.0.1:{server.server_address[1]}/v1&concurrent=1"
    finally:
        server.shutdown()
        server.server_close()


def _handler(chat: Chat) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Silent."""

        def do_GET(self) -> None:
            self._send({"object": "list", "data": [{"id": chat.model, "object": "model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            prompt, source = (message["content"] for message in body["messages"])
            said = {"role": "assistant", "content": chat.answer(prompt, source)}
            self._send({"model": chat.model, "choices": [{"index": 0, "message": said, "finish_reason": "stop"}]})

        def _send(self, body: Any) -> None:
            raw = json.dumps(body, ensure_ascii=False).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

    return Handler
