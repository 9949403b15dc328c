"""Protocol ``paper`` of SimpleGEN: the authors' dictionary look-up, quirks included.

Both sides are lower-cased. Every dictionary key that stands in the source as a whole word is tried, in dictionary
order: a masculine form that stands in the translation as a whole word decides first, a feminine one only if there is
none. Anything else is unknown, which the paper calls inconclusive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from epicene.errors import UnknownNameError
from epicene.files import checksum
from epicene.tables import resource, table
from epicene.types import Evidence, Gender, Output, Verdict

_WORD = re.compile(r"\w+")
_LANGUAGES = ("de", "es")


class Forms:
    """Alternatives, searched for as whole words; most are ruled out by a plain look at the text."""

    __slots__ = ("_forms", "_pattern")

    def __init__(self, forms: str) -> None:
        self._forms = forms.lower().split("|")
        self._pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, self._forms))})\b")

    def search(self, text: str) -> re.Match[str] | None:
        """The first whole word that is one of the forms."""
        for form in self._forms:
            if form in text:
                return self._pattern.search(text)
        return None


class Entry:
    """A dictionary row, ready to be searched for."""

    __slots__ = ("feminine", "key", "masculine", "order")

    def __init__(self, order: int, key: str, masculine: str, feminine: str) -> None:
        self.order = order
        # A key of one word is known to stand in the source once its word does.
        self.key = re.compile(rf"\b{re.escape(key)}\b") if _WORD.fullmatch(key) is None else None
        self.masculine = Forms(masculine)
        self.feminine = Forms(feminine)


class Dictionary:
    """The authors' scorer for one target language."""

    def __init__(self, target: str) -> None:
        if target not in _LANGUAGES:
            hint = "The authors published dictionaries for these; --protocol epicene reads more languages."
            raise UnknownNameError("language of protocol 'paper'", target, _LANGUAGES, hint)
        name = f"dictionary.{target}.tsv"
        self.identity = f"dictionary@{checksum(resource('sets/simplegen/tables', name).read_bytes())}"
        self._by_first_word: dict[str, list[Entry]] = {}
        for order, row in enumerate(table("sets/simplegen/tables", name)):
            key = row["english"].lower()
            entry = Entry(order, key, row["masculine"], row["feminine"])
            self._by_first_word.setdefault(_WORD.findall(key)[0], []).append(entry)

    def _entries(self, source: str) -> list[Entry]:
        """The entries whose key stands in a source, in dictionary order."""
        source = source.lower()
        known = self._by_first_word
        near = [entry for word in _words(source) if word in known for entry in known[word]]
        if len(near) == 1 and near[0].key is None:
            return near
        near = sorted(set(near), key=lambda entry: entry.order)
        return [entry for entry in near if entry.key is None or entry.key.search(source)]

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


def _words(source: str) -> list[str]:
    """The words of a source; where nothing but these marks stands between them, cutting it is much faster."""
    words = source.replace(".", " ").replace(",", " ").replace("!", " ").split()
    return words if "".join(words).isalpha() else _WORD.findall(source)


def _verdict(output: Output, gender: Gender, match: re.Match[str]) -> Verdict:
    start, end = match.span()
    return Verdict(output, gender, "dictionary", (Evidence(output.text[start:end], start, end),))
