"""``naming``: a person's gender from words for the person only, and the pronoun where the target is English."""

from __future__ import annotations

from epicene.detectors import DetectorFactory
from epicene.detectors.english import Pronoun
from epicene.detectors.lexicon.naming import Naming
from epicene.types import Detector


def build(target: str) -> Detector:
    """The reader of a language."""
    return Pronoun() if target == "en" else Naming(target)


DETECTOR = DetectorFactory(build)
