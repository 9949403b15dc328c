"""Protocol ``paper`` of SimpleGEN: the authors' dictionary look-up, quirks included.

Both sides are lower-cased. Every dictionary key that stands in the source as a whole word is tried, in dictionary
order: a masculine form that stands in the translation as a whole word decides first, a feminine one only if there is
none. Anything else is unknown, which the paper calls inconclusive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from epicene.errors import UnknownNameError
from epicene.files import checksum
from epicene.tables import resource, table
from epicene.types import Evidence, Gender, Output, Verdict

_LANGUAGES = ("de", "es")


class Entry(NamedTuple):
    """A dictionary row, ready to be searched for."""

    key: str  # in small letters: a plain look rules most rows out
    english: re.Pattern[str]
    forms: tuple[tuple[Gender, re.Pattern[str]], ...]  # masculine ones first


class Dictionary:
    """The authors' scorer for one target language."""

    def __init__(self, target: str) -> None:
        if target not in _LANGUAGES:
            hint = "The authors published dictionaries for these; --protocol epicene reads more languages."
            raise UnknownNameError("language of protocol 'paper'", target, _LANGUAGES, hint)
        name = f"dictionary.{target}.tsv"
        self.identity = f"dictionary@{checksum(resource('sets/simplegen/tables', name).read_bytes())}"
        self._entries = [
            Entry(
                row["english"].lower(),
                _whole_words(row["english"]),
                tuple((gender, _whole_words(row[gender])) for gender in (Gender.MASCULINE, Gender.FEMININE)),
            )
            for row in table("sets/simplegen/tables", name)
        ]

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(self._read, outputs)

    def _read(self, output: Output) -> Verdict:
        source, text = output.item.source.lower(), output.text.lower()
        for entry in self._entries:
            if entry.key in source and entry.english.search(source):
                for gender, forms in entry.forms:
                    if match := forms.search(text):
                        start, end = match.span()
                        return Verdict(output, gender, "dictionary", (Evidence(output.text[start:end], start, end),))
        return Verdict(output, Gender.UNKNOWN, "dictionary")


def _whole_words(alternatives: str) -> re.Pattern[str]:
    """Alternatives, between which bars stand, as whole words in small letters."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, alternatives.lower().split('|')))})\b")
