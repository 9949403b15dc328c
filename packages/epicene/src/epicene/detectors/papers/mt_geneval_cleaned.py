"""The authors' rule for MT-GenEval as their script applies it: in small letters, and ASCII punctuation as blanks."""

from __future__ import annotations

from epicene.detectors import DetectorFactory
from epicene.detectors.papers.mt_geneval import UniqueWords


def build(target: str) -> UniqueWords:  # noqa: ARG001
    """The rule, which is the same in every language."""
    return UniqueWords("mt-geneval-cleaned", cleaned=True)


DETECTOR = DetectorFactory(build)
