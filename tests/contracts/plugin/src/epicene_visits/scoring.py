"""A detector that knows one ending."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from epicene.reader import DetectorFactory
from epicene.types import Evidence, Gender, Output, Verdict


class Ending:
    """Reads the second word: a woman's ends in -ino."""

    identity = "ino1"
    together: int | None = 1

    def __init__(self, target: str) -> None:
        self._target = target

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output."""
        for output in outputs:
            word = output.text.split()[1]
            gender = Gender.FEMININE if word.endswith("ino") else Gender.MASCULINE
            yield Verdict(output, gender, "ending", (Evidence(word, 3, 3 + len(word)),))


class Strict(Ending):
    """The paper's own script: whoever is not marked as a woman cannot be told."""

    identity = "strict1"

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output."""
        for verdict in super().detect(outputs):
            yield verdict if verdict.gender is Gender.FEMININE else verdict._replace(gender=Gender.UNKNOWN)


DETECTOR = DetectorFactory(Ending)
