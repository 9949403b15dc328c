"""``agreement``: the gender of a speaker or listener from what agrees with I and you, and from nothing else.

As ``reading``, but the noun or pronoun by which a narrator names the speaker does not count, nor what agrees elsewhere:
where no word at the place shows a gender, the form is neutral.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from epicene.detectors import DetectorFactory
from epicene.detectors.epicene import reading
from epicene.types import Gender, Kind, Output, Verdict

_VERSION = 1  # of the rule
_HERE = "agreement: "  # begins the steps that rest on a word at the place


class Agreement:
    """Asks the reader, and keeps of speakers and listeners what agrees with them."""

    def __init__(self, target: str) -> None:
        self._reader = reading.build(target)
        self.identity = f"agreement{_VERSION}+{self._reader.identity}"

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(_kept, self._reader.detect(outputs))


def _kept(verdict: Verdict) -> Verdict:
    pronoun = verdict.output.item.person.kind is Kind.PRONOUN
    if not pronoun or verdict.gender is Gender.UNKNOWN or verdict.step.startswith(_HERE):
        return verdict
    return Verdict(verdict.output, Gender.NEUTRAL, "nothing agrees")


DETECTOR = DetectorFactory(Agreement)
