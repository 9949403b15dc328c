"""Who obeys: ``bundled``, OpenAI-style servers that take instructions in three ways, and a model that knows tags."""

from __future__ import annotations

import argparse
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol

from epicene import systems
from epicene.act.alternatives import Alternative, find_alternatives
from epicene.act.control import Control, control, find_ways, form_of, last_sentence
from epicene.errors import InputError
from epicene.flow import plan
from epicene.languages.codes import known
from epicene.output.table import format_p as p_value
from epicene.reader.people import person_at
from epicene.systems import for_text
from epicene.types import Candidate, Gender, GuidedSystem, Pair
from epicene_lab.gendered import make_instructed

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
        asked = source if not told else make_instructed(told, source) if self._learned else f"{told} {source}"
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
        self._made: dict[tuple[str, str, Pair], Alternative | None] = {}

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

    def _versions(self, source: str, words: str, pair: Pair) -> Alternative | None:
        """Both versions of a person, worked out once, however often and in whichever words they are asked for."""
        key = (source, words, pair)
        if key not in self._made:
            try:
                person = person_at(source, words)
            except InputError:  # told of somebody who is not in the sentence
                self._made[key] = None
            else:
                listed = self._listed(source, pair)
                self._made[key] = find_alternatives(self._system, [source], [(person,)], [listed], pair)[0]
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


LANGS = ("en-es", "en-de")
PROMPTS = ("context", "prompt-plain", "prompt-strict", "prompt-new", "glossary")


def show(found: Control, name: str) -> None:
    """A line for each way, and one for each two ways that differ."""
    for langs in dict.fromkeys(each.langs for each in found.told):
        print(f"{name} {langs}, n = {found.told[0]['obeyed'].n}")
        for each in found.told:
            if each.langs == langs:
                cells = []
                for kind in ("obeyed", "ignored", "spilled"):
                    rate = each[kind]
                    low, high = (f"{end:z.1f}" if end is not None else "–" for end in (rate.low, rate.high))
                    value = "–" if rate.value is None else f"{rate.value:.1f}"
                    cells.append(f"{kind} {value} [{low}, {high}]")
                by = "women {:.1f}, men {:.1f}".format(*(each["obeyed", g].value for g in ("feminine", "masculine")))
                undetected, spilled = each["obeyed"].undetected, each["spilled"].n
                print(
                    f"  {each.way:<13} {'  '.join(cells)}  obeyed: {by}; undetected {undetected}; n spilled {spilled}"
                )
        for contest in found.contests:
            if contest.langs == langs:
                p = "–" if contest.change.p is None else p_value(contest.change.p)
                print(f"    {contest.first} → {contest.second}: {contest.change.difference:+.1f} points, p {p}")
    print(flush=True)


def over_a_server(chat: Chat, langs: list[str]) -> None:
    """A chat model told by context, prompts and a glossary, over HTTP."""
    with serving(chat) as name:
        show(control(langs, [name], list(PROMPTS), cached=False), f"openai:{chat.model}")


def main() -> None:
    """Print what each system did with what it was told, in each language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("langs", nargs="*", default=list(LANGS))
    parser.add_argument("--tagged", type=Path)
    parser.add_argument("--instructed", type=Path)
    parser.add_argument("--prefix", default="<2{target}>")
    parser.add_argument("--only", choices=("bundled", "prose", "rules", "tagged", "learned"))
    given = parser.parse_args()

    def wanted(name: str) -> bool:
        return given.only in (None, name)

    def model(folder: Path) -> str:
        return f"ctranslate2:{folder}" + (f"?source_prefix={given.prefix}" if given.prefix else "")

    named = [way.name for way in find_ways() if way.kind in ("tag", "context", "glossary")]
    if wanted("bundled"):
        show(control(given.langs, ["bundled"], named), "bundled")
    if wanted("prose"):
        over_a_server(Prose(), given.langs)
    if wanted("rules"):
        over_a_server(Rules(), given.langs)
    if given.tagged and wanted("tagged"):
        show(control(given.langs, [model(given.tagged)], named), f"tagged {given.tagged.name}")
    if given.instructed and wanted("learned"):
        over_a_server(Prose(model(given.instructed), learned=True), given.langs)


if __name__ == "__main__":
    main()
