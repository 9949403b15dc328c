"""An OpenAI-style server that follows instructions: ``bundled`` behind a chat protocol, held to what it is told.

No language model stands behind it: instructions and glossaries of the forms that ``epicene control`` writes are taken
from the prompt by rules, and obeyed by constrained decoding. It shows the way that a chat model is asked, told and read
on a machine without one.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from epicene import systems
from epicene.detectors.reading.mentions import person_at
from epicene.errors import InputError
from epicene.languages.codes import known
from epicene.pipeline import alternatives
from epicene.pipeline.control import form_of
from epicene.types import Candidate, Gender, GuidedSystem, Pair

MODEL = "bundled-told"
_INTO = re.compile(r"into (\w+)\.")
_SAID = re.compile(r"The ([\w ]+?) is a (woman|man)\.")
_USE = re.compile(r"Use (feminine|masculine) words for the ([\w ]+?),")
_GLOSSARY = re.compile(r"Glossary: ([\w ]+?) = (.+)")
_NOUNS = {"woman": Gender.FEMININE, "man": Gender.MASCULINE}
_N = 4


class Chat:
    """Answers as a chat model would, from ``bundled``."""

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
        names = {each.name: code for code, each in known().items()}
        pair = Pair("en", names[_INTO.findall(prompt)[0]])
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
def serving() -> Iterator[str]:
    """The address of a server that runs for a ``with`` block."""
    chat = Chat()
    server = _Server(("127.0.0.1", 0), _handler(chat))
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def _handler(chat: Chat) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Silent."""

        def do_GET(self) -> None:
            self._send({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            prompt, source = (message["content"] for message in body["messages"])
            said = {"role": "assistant", "content": chat.answer(prompt, source)}
            self._send({"model": MODEL, "choices": [{"index": 0, "message": said, "finish_reason": "stop"}]})

        def _send(self, body: Any) -> None:
            raw = json.dumps(body, ensure_ascii=False).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

    return Handler
