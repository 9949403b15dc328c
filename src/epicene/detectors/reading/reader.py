"""Reads the gender of any person of a sentence from one translation."""

from __future__ import annotations

from typing import NamedTuple

from epicene.detectors.reading.alignment import Aligner
from epicene.detectors.reading.finding import find
from epicene.detectors.reading.forms import forms
from epicene.detectors.reading.nouns import Nouns
from epicene.detectors.reading.sentence import cut
from epicene.detectors.reading.translations import base
from epicene.languages.folder import load
from epicene.types import Evidence, Gender


class Reading(NamedTuple):
    """The gender of a person, by which step and on which words, how surely, and what spoke against it."""

    gender: Gender
    step: str
    evidence: tuple[Evidence, ...] = ()
    confidence: float = 0.0
    against: tuple[Evidence, ...] = ()


_UNREAD = Reading(Gender.UNKNOWN, "none")


class OpenReader:
    """Reads nouns, names and pronouns of English sentences in translations into a language."""

    def __init__(self, language: str) -> None:
        self.language = load(language)
        self._forms = forms(language)
        self._aligner = Aligner(language)
        self._nouns = Nouns(self.language)

    def read(self, source: str, person: str, start: int, kind: str, translation: str) -> Reading:
        """The gender of the person whom the source names at an offset."""
        if kind == "pronoun":
            return _UNREAD
        original = cut(source)
        places = original.at(start, start + len(person))
        target = cut(translation, self._forms.shows, capitals=self.language.writing.nouns_capitalised)
        if not places or not target.words:
            return _UNREAD
        while len(places) > 1 and original.words[places[-1]].lower in ("'s", "'"):
            places = places[:-1]
        translated = self._aligner.align(original, target)
        found = find(translated, places, self.language.writing.nouns_capitalised)
        if found is None:
            return _UNREAD
        head = original.words[places[-1]].lower
        plural = base(head) != head and not head.endswith(("our", "ours"))
        read = self._nouns.read(target, found.place, plural, found.strength)
        return Reading(
            read.gender,
            f"{found.how} {read.step}",
            tuple(Evidence(translation[first:last], first, last) for first, last in read.spans),
            read.confidence,
            tuple(Evidence(translation[first:last], first, last) for first, last in read.against),
        )
