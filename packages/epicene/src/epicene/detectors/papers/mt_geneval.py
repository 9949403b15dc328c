"""Protocol ``paper`` of MT-GenEval: the authors' rule on the words as they stand between blanks.

A translation is wrong if it holds a word that the reference of the other gender has and that of its own gender lacks;
all else is right, also what holds no such word of either gender. So were the published decisions on Google made.
"""

from __future__ import annotations

from epicene.detectors import DetectorFactory
from epicene.detectors.unique_words import UniqueWords


def build(target: str) -> UniqueWords:  # noqa: ARG001
    """The rule, which is the same in every language."""
    return UniqueWords("mt-geneval", cleaned=False)


DETECTOR = DetectorFactory(build)
