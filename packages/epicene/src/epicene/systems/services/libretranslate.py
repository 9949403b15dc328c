"""``libretranslate:URL``: a LibreTranslate server.

As in libretranslate:http://localhost:5000. A server that wants a key finds it in LIBRETRANSLATE_API_KEY.
Over httpx: there is no official library.
Options: batch (20), characters in a request (2000); rate and concurrent. None changes an answer.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from epicene.errors import EpiceneError, ServiceError
from epicene.languages.codes import known
from epicene.registry import Options
from epicene.systems import SystemFactory
from epicene.systems.network.answers import dig, dig_list, dig_text, read_answers
from epicene.systems.network.http import Reply, let_pass
from epicene.systems.network.keys import ServiceKey, address, warn_in_the_clear, without_password
from epicene.systems.network.service import Answer, Limits, Service, spell_pair
from epicene.types import Pair

# Other codes under which a server may have a language of ours.
_ALSO = {"zh": ("zh", "zh-Hans"), "pt": ("pt", "pt-BR")}


class LibreTranslate(Service):
    """A server that says itself which pairs it has."""

    name = "libretranslate"
    key = ServiceKey(
        "libretranslate",
        ["LIBRETRANSLATE_API_KEY"],
        "at https://portal.libretranslate.com, or from whoever runs the server",
    )

    def __init__(self, url: str, options: Options) -> None:
        self.url = address("libretranslate", url, "libretranslate:http://localhost:5000")
        most = options.number("characters", 2_000)
        texts = options.number("batch", 20)
        self.limits = Limits(texts=texts, characters=most, sentence=most, per_second=5).chosen(options)
        self.identity = f"libretranslate:{without_password(self.url)}"
        self._lock = threading.Lock()
        self._offered: dict[str, dict[str, str]] | None = None

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request of plain text."""
        source, target = self._pair(pair)
        body = {"q": list(sources), "source": source, "target": target, "format": "text", **self._key}
        return read_answers("libretranslate", self.http.post("/translate", body), "translatedText.*")

    def check(self, pair: Pair) -> list[str]:
        """The list of languages, the settings, and a language detected, which wants the key where there is one."""
        source, target = self._pair(pair)
        key, longest = "the server does not say whether it is accepted", "the server does not say"
        with let_pass():
            self.http.post("/detect", {"q": "She is a doctor.", **self._key})
            key = "accepted" if self._key else "not needed"
        with let_pass():
            longest = self._limits(dig(self.http.get("/frontend/settings"), "charLimit"))
        return [f"key: {key}", f"pair {pair}: offered, as {source} to {target}", f"limits: {longest}"]

    def _limits(self, most: Any) -> str:
        """What the server takes at once, and how to keep to it."""
        if not isinstance(most, int) or most < 1:
            return "no limit"
        less = f"; use {self.identity}?characters={most}" if most < self.limits.characters else ""
        return f"{most} characters a request{less}"

    @cached_property
    def _key(self) -> dict[str, str]:
        key = self.key.find()
        if not key:
            return {}
        warn_in_the_clear("libretranslate", self.url, key.variable)
        return {"api_key": key.reveal()}

    def explain(self, reply: Reply) -> EpiceneError | None:
        """A server that wants a key and got none answers 400, and tells where to get one."""
        if reply.status == 400 and "API key" in reply.text:
            return self.key.refused(reply.message)
        if reply.status == 404:
            return ServiceError(f"libretranslate: there is no such server at this address ({reply.message})")
        return None

    def _pair(self, pair: Pair) -> tuple[str, str]:
        """Both languages as the server spells them; it is asked once which it has."""
        with self._lock:
            if self._offered is None:
                listed = dig_list(self.http.get("/languages"))
                self._offered = {dig_text(one, "code"): _targets(one, listed) for one in listed}
            offered = self._offered
        sources = {ours: theirs for ours in known() for theirs in _spellings(ours) if theirs in offered}
        source = sources.get(pair.source, "")
        targets = offered.get(source) or sources
        return spell_pair("libretranslate", pair, {pair.source: source, **targets} if source else sources)


def _targets(one: Any, listed: list[Any]) -> dict[str, str]:
    """What a language is translated into, by our code; older servers do not say, and translate into all."""
    theirs = {str(code) for code in dig_list(one, "targets")} or {dig_text(other, "code") for other in listed}
    return {ours: code for ours in known() for code in _spellings(ours) if code in theirs}


def _spellings(language: str) -> tuple[str, ...]:
    return _ALSO.get(language, (language,))


SYSTEM = SystemFactory(LibreTranslate, __doc__, needs="an address, as in libretranslate:http://localhost:5000")
