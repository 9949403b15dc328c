"""The detector of WiBeMT: only a word that names the occupation counts, whatever gender other words show.

The authors of the set call a translation wrong that is no word for the occupation, however clear its gender. So the
cascade's steps for such words (``other-word``, ``alignment``) do not count, and two kinds of listed words are set
aside: ``untranslated``, the English word left as it stood, and ``near-word``, one of ``data/wibemt/near_words.tsv``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from epicene.files import checksum
from epicene.reader.english import Pronoun
from epicene.reader.reader import Reader
from epicene.tables import resource, table
from epicene.types import Detector, Gender, Output, Verdict

_VERSION = 1
_FIRST_LETTER = re.compile(r"\b\w")
_TABLES = ("loans.tsv", "near_words.tsv")


class Naming(Reader):
    """Reads the gender of words for the focus itself; the rest is unknown, with the words that stood there."""

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
            verdict = self.read_listed(output) or self._in_capitals(output)
            reason = self._doubt(verdict)
            yield verdict._replace(gender=Gender.UNKNOWN, step=reason) if reason else verdict

    def _in_capitals(self, output: Output) -> Verdict:
        """The verdict, had every word a capital: translators leave nouns small after an adjective they do not know."""
        unknown, text = Verdict(output, Gender.UNKNOWN, "none"), output.text
        raised = _FIRST_LETTER.sub(lambda match: match[0].upper(), text)
        if not self.language.writing.nouns_capitalised or raised == text or len(raised) != len(text):
            return unknown
        again = self.read_listed(replace(output, text=raised))
        if again is None or again.step == "other-word":
            return unknown
        evidence = tuple(each._replace(text=text[each.start : each.end]) for each in again.evidence)
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


def build(target: str) -> Detector:
    """The detector of a language: the pronoun alone where the target is English."""
    return Pronoun() if target == "en" else Naming(target)
