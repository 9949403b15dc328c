"""``reading``: a person's gender from all that shows it, and the pronoun alone where the target is English.

The lexicon speaks first where it lists the person's word. Else any word is found by what it usually becomes in the
language and read by its form and by what agrees with it; so are pronouns. The verdict says which step spoke.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from epicene.languages import LANGUAGES
from epicene.languages.english import CODE as ENGLISH
from epicene.languages.english import known as concepts
from epicene.languages.folder import checksum
from epicene.reader import DetectorFactory
from epicene.reader.english import Pronoun
from epicene.reader.listed import LexiconReader
from epicene.reader.open import OpenReader
from epicene.reader.persons import Reading
from epicene.types import Detector, Gender, Kind, Output, Person, Verdict

_VERSION = 2
_AGREEMENT = 1  # the version of the rule of AgreementDetector
_HERE = "agreement: "  # begins the steps that rest on a word at the place
# Steps of the lexicon that rest on an ending alone, or on nothing.
_WEAK = frozenset({"none"})
# How sure a word must be that stands for a listed occupation but is none of its words: most such words are things.
_STRAY = 0.75


class ReadingDetector:
    """Reads any person of an English sentence in translations into a language."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._lexicon = LexiconReader(target)
        self.identity = f"reading{_VERSION}@{checksum(target)}"

    @cached_property
    def _open(self) -> OpenReader:
        return OpenReader(self._target)  # made when the first word comes that the lexicon does not list

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        for verdict in self._lexicon.detect(outputs):
            weak = verdict.step in _WEAK or verdict.output.item.person.kind is not Kind.NOUN
            yield self._read(verdict) if weak else verdict

    def _read(self, listed: Verdict) -> Verdict:
        """What any word shows, else what the lexicon made of it."""
        output, person = listed.output, listed.output.item.person
        found = self._open.read(output.item.source, person.text, person.start, person.kind.value, output.text)
        if found.gender is Gender.UNKNOWN or self._stray(person, found):
            return listed if person.kind is Kind.NOUN else Verdict(output, Gender.UNKNOWN, "none")
        return Verdict(output, found.gender, found.step, found.evidence, None, found.confidence, found.against)

    def _stray(self, person: Person, found: Reading) -> bool:
        """Whether a word was taken for a listed occupation that the lexicon itself did not take for it."""
        if not self._lexicon.language.lexicon or person.kind is not Kind.NOUN or person.concept not in concepts():
            return False
        if any(each.text.casefold() == person.text.casefold() for each in found.evidence):
            return False  # the English word itself, copied
        return found.confidence < _STRAY or found.step.startswith("lexicon")


def build(target: str) -> Detector:
    """The reader of a language."""
    LANGUAGES.find(target)
    return Pronoun() if target == ENGLISH else ReadingDetector(target)


class AgreementDetector:
    """Reads speakers and listeners from what agrees with I and you, and from nothing else.

    The noun or pronoun by which a narrator names the speaker does not count, nor what agrees elsewhere: where no word
    at the place shows a gender, the form is neutral.
    """

    def __init__(self, target: str) -> None:
        self._reader = build(target)
        self.identity = f"agreement{_AGREEMENT}+{self._reader.identity}"

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(_kept, self._reader.detect(outputs))


def _kept(verdict: Verdict) -> Verdict:
    pronoun = verdict.output.item.person.kind is Kind.PRONOUN
    if not pronoun or verdict.gender is Gender.UNKNOWN or verdict.step.startswith(_HERE):
        return verdict
    return Verdict(verdict.output, Gender.NEUTRAL, "nothing agrees")


READING = DetectorFactory(build)
AGREEMENT = DetectorFactory(AgreementDetector)
