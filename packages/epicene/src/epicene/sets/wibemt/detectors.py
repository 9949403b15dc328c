"""The detectors of WiBeMT, of protocols ``epicene`` (``Naming``) and ``paper`` (``ClassificationList``)."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from epicene.files import checksum
from epicene.languages.folder import load
from epicene.languages.lexicon import Reading
from epicene.reader.reader import Reader
from epicene.sets.wibemt.files import CATEGORIES, classification_list
from epicene.tables import resource, table
from epicene.types import Evidence, Gender, Output, Verdict

_VERSION = 1  # of either
_FIRST_LETTER = re.compile(r"\b\w")
_TABLES = ("loans.tsv", "near_words.tsv")
_READINGS = {
    reading: kind for reading in Reading for kind, gender in CATEGORIES.items() if reading.rstrip("?") == gender
}
# What may follow a word of each category in the extended WinoBias.
_ENDINGS = {"female": ("",), "male": ("", "s"), "neutral": ("", "s"), "wrong": ("", "s", "in")}
_LEFT_IN_ENGLISH = (" Debonair", " Suave")
_PUNCTUATION = str.maketrans("", "", string.punctuation)

Forms = Mapping[str, Mapping[str, tuple[str, ...]]]  # by occupation and category


class Naming(Reader):
    """Only a word that names the occupation counts, whatever gender other words show.

    The authors of the set call a translation wrong that is no word for the occupation, however clear its gender. So a
    word for something else (``other-word``) does not count, nor do two kinds of listed words: ``untranslated``, the
    English word left as it stood, and ``near-word``, one of ``near_words.tsv``. The gender is then unknown, with the
    words as evidence.
    """

    def __init__(self, target: str) -> None:
        super().__init__(target)
        tables = checksum(*(resource("sets/wibemt/tables", name).read_bytes() for name in _TABLES))
        self.identity = f"naming{_VERSION}@{tables}+{self.identity}"
        fold = self.language.writing.fold
        rows = [row for row in table("sets/wibemt/tables", "loans.tsv") if row["language"] == target]
        self._loans = frozenset(fold(word) for row in rows for word in row["words"].split(", "))
        self._near = {
            row["concept"]: tuple(map(fold, row["words"].split(", ")))
            for row in table("sets/wibemt/tables", "near_words.tsv")
            if row["language"] == target
        }

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order; nothing is held."""
        for output in outputs:
            verdict = self.read_listed(output) or self.read_other(output) or self._in_capitals(output)
            reason = self._doubt(verdict)
            yield verdict._replace(gender=Gender.UNKNOWN, step=reason) if reason else verdict

    def _in_capitals(self, output: Output) -> Verdict:
        """The verdict, had every word a capital: translators leave nouns small after an adjective they do not know."""
        unknown, text = Verdict(output, Gender.UNKNOWN, "none"), output.text
        raised = _FIRST_LETTER.sub(lambda match: match[0].upper(), text)
        if not self.language.writing.nouns_capitalised or raised == text or len(raised) != len(text):
            return unknown
        again = self.read_listed(replace(output, text=raised))
        if again is None:
            return unknown
        evidence = tuple(word._replace(text=text[word.start : word.end]) for word in again.evidence)
        return again._replace(output=output, evidence=evidence)

    def _doubt(self, verdict: Verdict) -> str:
        """Why the words that showed a gender do not name the person; nothing if they do."""
        if verdict.step == "other-word":
            return verdict.step
        person, fold = verdict.output.item.person, self.language.writing.fold
        for evidence in verdict.evidence:
            word = fold(evidence.text)
            if word == fold(person.text) and word not in self._loans:
                return "untranslated"
            if word.startswith(self._near.get(person.concept, ())):
                return "near-word"
        return ""


class ClassificationList:
    """The authors' classification list and the rules of their scripts, quirks included.

    A list names for each occupation the words that are feminine, masculine, neutral or wrong. Punctuation is taken out
    and the words are looked for as they are spelled: in verb sentences as the end of a word, in the extended WinoBias
    as a whole word, with a genitive s except for feminine ones. Words of one category decide; none, or words of
    several, are left to people, as the authors did. Adjectival nouns that no list names are told by their article, in
    German.

    The list is the user's (``data add wibemt`` keeps ``occupation_forms_de.tsv``), else made from our tables.
    """

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
            listed = self._find_listed(output)
            kinds = {kind for kind, _ in listed}
            evidence = tuple(_evidence(output.text, [word for _, word in listed]))
            if len(kinds) == 1:
                kind = kinds.pop()
                yield Verdict(output, CATEGORIES[kind], "list-wrong" if kind == "wrong" else "list", evidence)
            else:
                yield Verdict(output, Gender.UNKNOWN, "several" if kinds else "none", evidence)

    def _find_listed(self, output: Output) -> list[tuple[str, str]]:
        """Categories and words of the list that stand in a translation."""
        text = output.text.translate(_PUNCTUATION) + " "
        forms = self._forms.get(output.item.person.concept, {})
        if output.item.labels.get("part") == "verbs":
            listed = [(kind, word) for kind, words in forms.items() for word in words if f"{word} " in text]
            return listed + self._by_article(text, "oblique")
        listed = [
            (kind, word)
            for kind, words in forms.items()
            for word in words
            if any(f" {word}{ending} " in text for ending in _ENDINGS[kind])
        ]
        if forms.get("wrong"):
            listed += [("wrong", word.strip()) for word in _LEFT_IN_ENGLISH if word in text]
        return listed or self._by_article(text, "oblique") + self._by_article(text, "nominative")

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
    by_concept = {occupation.lower(): forms for occupation, forms in rows}
    if "construction" in by_concept:
        by_concept["construction worker"] = by_concept.pop("construction")
    return by_concept


def _ours(target: str) -> Forms:
    """A list from the language's tables: words that tell their gender themselves."""
    by_concept: dict[str, dict[str, tuple[str, ...]]] = {}
    for form in load(target).lexicon.forms():
        spelled = " ".join(form.words)
        for concept, reading in form.readings.items():
            if reading in _READINGS:
                word = spelled.capitalize() if form.capital else spelled
                kinds = by_concept.setdefault(concept, {})
                kinds[_READINGS[reading]] = (*kinds.get(_READINGS[reading], ()), word)
    return by_concept


def _evidence(text: str, words: Iterable[str]) -> Iterator[Evidence]:
    for word in dict.fromkeys(words):
        start = text.find(word)
        if start >= 0:
            yield Evidence(word, start, start + len(word))
