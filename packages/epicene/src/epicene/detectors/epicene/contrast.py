"""``contrast``: a person's gender by what only the feminine or only the masculine reference says, and by reading it.

The references decide where they can, since people made them for this sentence; the reader of the language, where there
is one, decides the rest. Where the two disagree the words that the other one read stand in ``against``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee

from epicene.detectors import DetectorFactory
from epicene.detectors.contrast import Contrast, both_told, read
from epicene.detectors.epicene import reading
from epicene.errors import InputError
from epicene.types import Detector, Gender, Output, Verdict

_VERSION = 1  # of the rules
_TOLD = (Gender.FEMININE, Gender.MASCULINE)
_UNSURE = 0.5  # of a verdict that the other way of reading contradicts


class Contrasting:
    """Contrasts references and asks the reader of the language, if it has one."""

    def __init__(self, target: str) -> None:
        self._reader = _reader(target)
        self.identity = f"contrast{_VERSION}" + (f"+{self._reader.identity}" if self._reader else "")

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        if self._reader is None:
            for output in outputs:
                yield _alone(output)
            return
        first, second = tee(outputs)
        for output, verdict in zip(first, self._reader.detect(second), strict=True):
            yield _both(output, verdict)


def _reader(target: str) -> Detector | None:
    try:
        return reading.build(target)
    except InputError:  # a language that has references but no reader
        return None


def _contrast(output: Output) -> Contrast:
    if not output.item.references:
        return Contrast(Gender.UNKNOWN, "nothing")
    if not both_told(output.item.references):
        item = output.item
        raise InputError(f"sentence {item.id} has no reference of each gender; detector contrast needs both")
    return read(output.item.references, output.text)


def _alone(output: Output) -> Verdict:
    found = _contrast(output)
    return Verdict(output, found.gender, found.step, found.evidence, confidence=found.confidence, against=found.against)


def _both(output: Output, verdict: Verdict) -> Verdict:
    """The contrast where it tells, else what was read; a disagreement is kept as words against the verdict."""
    found = _alone(output)
    told = verdict.gender in _TOLD and not verdict.on_other_word
    if found.gender is Gender.UNKNOWN:
        if found.step == "nothing" and verdict.gender is not Gender.UNKNOWN and not verdict.on_other_word:
            return verdict._replace(step=f"reading: {verdict.step}")
        return found
    if told and verdict.gender is not found.gender:
        against = tuple(dict.fromkeys((*found.against, *verdict.evidence)))
        return found._replace(against=against, confidence=min(found.confidence, _UNSURE), step="contrast, not reading")
    return found._replace(step="contrast and reading") if told else found


DETECTOR = DetectorFactory(Contrasting)
