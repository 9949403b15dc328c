"""Protocol ``paper`` of WiBeMT: the authors' classification list and the rules of their scripts, quirks included.

A list names for each occupation the words that are feminine, masculine, neutral or wrong. Punctuation is taken out and
the words are looked for as they are spelled: in verb sentences as the end of a word, in the extended WinoBias as a
whole word, with a genitive s except for feminine ones. Words of one kind decide; none, or words of several kinds, are
left to people, as the authors did. Adjectival nouns that no list names are told by their article, in German.

The list is the user's (``data add wibemt`` keeps ``occupation_forms_de.tsv``), else made from the language's tables.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping

from epicene.files import checksum
from epicene.languages.folder import load
from epicene.languages.lexicon import Reading
from epicene.sets.wibemt.files import CATEGORIES, classification_list
from epicene.tables import table
from epicene.types import Evidence, Gender, Output, Verdict

_VERSION = 1
_GENDERS = dict(zip(CATEGORIES, (Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN), strict=True))
_READINGS = {
    Reading.FEMININE: "female",
    Reading.FEMININE_UNLESS: "female",
    Reading.MASCULINE: "male",
    Reading.MASCULINE_UNLESS: "male",
    Reading.NEUTRAL: "neutral",
}
# What may follow a word of each kind in the extended WinoBias.
_ENDINGS = {"female": ("",), "male": ("", "s"), "neutral": ("", "s"), "wrong": ("", "s", "in")}
_LEFT_IN_ENGLISH = (" Debonair", " Suave")
_PUNCTUATION = str.maketrans("", "", string.punctuation)

Forms = Mapping[str, Mapping[str, tuple[str, ...]]]  # by occupation and kind


class ClassificationList:
    """The authors' way to classify, with their list or ours."""

    def __init__(self, target: str) -> None:
        rows = classification_list(target)
        self._forms = _users(rows) if rows else _ours(target)
        self._articles = table("sets/wibemt/tables", "articles.de.tsv") if target == "de" else ()
        forms = checksum(repr(sorted((name, sorted(kinds.items())) for name, kinds in self._forms.items())))
        whose = "authors" if rows else "tables"
        self.identity = f"classification{_VERSION}-{whose}@{forms}"

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        for output in outputs:
            found = self._found(output)
            kinds = {kind for kind, _ in found}
            evidence = tuple(_evidence(output.text, [word for _, word in found]))
            if len(kinds) == 1:
                kind = kinds.pop()
                yield Verdict(output, _GENDERS[kind], "list-wrong" if kind == "wrong" else "list", evidence)
            else:
                yield Verdict(output, Gender.UNKNOWN, "several" if kinds else "none", evidence)

    def _found(self, output: Output) -> list[tuple[str, str]]:
        """Kinds and words of the list that stand in a translation."""
        text = output.text.translate(_PUNCTUATION) + " "
        forms = self._forms.get(output.item.person.concept, {})
        if output.item.labels.get("part") == "verbs":
            found = [(kind, word) for kind, words in forms.items() for word in words if f"{word} " in text]
            return found + self._by_article(text, "oblique")
        found = [
            (kind, word)
            for kind, words in forms.items()
            for word in words
            if any(f" {word}{ending} " in text for ending in _ENDINGS[kind])
        ]
        if forms.get("wrong"):
            found += [("wrong", word.strip()) for word in _LEFT_IN_ENGLISH if word in text]
        return found or self._by_article(text, "oblique") + self._by_article(text, "nominative")

    def _by_article(self, text: str, case: str) -> list[tuple[str, str]]:
        """An adjectival noun with its gender, told by one of the two words before it."""
        words = text.split()
        for row in self._articles:
            if row["case"] != case or row["noun"] not in words:
                continue
            place = words.index(row["noun"])
            before = {word.lower() for word in words[max(0, place - 2) : place]}
            for kind in ("male", "female"):
                if not before.isdisjoint(row[kind].split()):
                    return [(kind, row["noun"])]
        return []


def _users(rows: Iterable[tuple[str, Mapping[str, tuple[str, ...]]]]) -> Forms:
    """The user's list by concept; the authors call a construction worker "construction"."""
    found = {occupation.lower(): forms for occupation, forms in rows}
    if "construction" in found:
        found["construction worker"] = found.pop("construction")
    return found


def _ours(target: str) -> Forms:
    """A list from the language's tables: words that tell their gender themselves."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for form in load(target).lexicon.forms():
        spelled = " ".join(form.words)
        for concept, reading in form.readings.items():
            if reading in _READINGS:
                word = spelled.capitalize() if form.capital else spelled
                kinds = found.setdefault(concept, {})
                kinds[_READINGS[reading]] = (*kinds.get(_READINGS[reading], ()), word)
    return found


def _evidence(text: str, words: Iterable[str]) -> Iterator[Evidence]:
    for word in dict.fromkeys(words):
        start = text.find(word)
        if start >= 0:
            yield Evidence(word, start, start + len(word))
