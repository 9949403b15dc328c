"""Protocol ``paper`` of SimpleGEN: the authors' dictionary look-up, quirks included.

Both sides are lower-cased. Every dictionary key that stands in the source as a whole word is tried, in dictionary
order: a masculine form that stands in the translation as a whole word decides first, a feminine one only if there is
none. Anything else is unknown, which the paper calls inconclusive.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from epicene.data import resource, table
from epicene.errors import UnknownNameError
from epicene.types import Evidence, Gender, Output, Verdict

_WORD = re.compile(r"\w+")
_LANGUAGES = ("de", "es")


class Entry:
    """A dictionary row, ready to be searched for."""

    __slots__ = ("feminine", "key", "masculine")

    def __init__(self, key: str, masculine: str, feminine: str) -> None:
        self.key = re.compile(rf"\b{re.escape(key)}\b")
        self.masculine = _alternatives(masculine)
        self.feminine = _alternatives(feminine)


def _alternatives(forms: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(re.escape(form) for form in forms.lower().split('|'))})\b")


class Dictionary:
    """The authors' scorer for one target language."""

    def __init__(self, target: str) -> None:
        if target not in _LANGUAGES:
            hint = "The authors published dictionaries for these; --protocol epicene reads more languages."
            raise UnknownNameError("language of protocol 'paper'", target, _LANGUAGES, hint)
        name = f"dictionary.{target}.tsv"
        self.identity = f"dictionary@{hashlib.sha256(resource('simplegen', name).read_bytes()).hexdigest()[:8]}"
        self._by_first_word: dict[str, list[tuple[int, Entry]]] = {}
        for order, row in enumerate(table("simplegen", name)):
            key = row["english"].lower()
            entry = Entry(key, row["masculine"], row["feminine"])
            self._by_first_word.setdefault(_WORD.findall(key)[0], []).append((order, entry))
        self._entries = lru_cache(maxsize=65536)(self._entries_of)

    def _entries_of(self, source: str) -> tuple[Entry, ...]:
        """The entries whose key stands in a source, in dictionary order; sources recur, so this is cached."""
        source = source.lower()
        words = dict.fromkeys(_WORD.findall(source))
        near = [found for word in words for found in self._by_first_word.get(word, ())]
        return tuple(entry for _, entry in sorted(near, key=lambda found: found[0]) if entry.key.search(source))

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        for output in outputs:
            text = output.text.lower()
            for entry in self._entries(output.item.source):
                if match := entry.masculine.search(text):
                    yield _verdict(output, Gender.MASCULINE, match)
                    break
                if match := entry.feminine.search(text):
                    yield _verdict(output, Gender.FEMININE, match)
                    break
            else:
                yield Verdict(output, Gender.UNKNOWN, "dictionary")


def _verdict(output: Output, gender: Gender, match: re.Match[str]) -> Verdict:
    evidence = Evidence(output.text[match.start() : match.end()], match.start(), match.end())
    return Verdict(output, gender, "dictionary", (evidence,))
