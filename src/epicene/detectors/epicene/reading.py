"""``reading``: a person's gender from all that shows it, and the pronoun alone where the target is English."""

from __future__ import annotations

from epicene.detectors import DetectorFactory
from epicene.detectors.english import Pronoun
from epicene.detectors.lexicon.reader import LexiconReader
from epicene.types import Detector


def build(target: str) -> Detector:
    """The reader of a language."""
    return Pronoun() if target == "en" else LexiconReader(target)


DETECTOR = DetectorFactory(build)
