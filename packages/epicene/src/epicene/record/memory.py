"""Verdicts that are kept between two builds of the record, so that nothing is read twice by the same reader."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from epicene.files import locate_cache, read_lines, write_atomically
from epicene.types import Detector, Gender, Output, Verdict


class Remembering:
    """A detector that keeps the gender and the step of each verdict in a file named by all that they depend on."""

    def __init__(self, detector: Detector, folder: Path) -> None:
        self.identity = detector.identity
        self.verbatim = getattr(detector, "verbatim", False)
        self._detector, self._folder = detector, folder

    @classmethod
    def at_home(cls, detector: Detector) -> Remembering:
        """One that keeps verdicts under ``$EPICENE_HOME/record-verdicts``."""
        return cls(detector, locate_cache("record-verdicts"))

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order; of those found again there is no evidence."""
        outputs = list(outputs)
        digest = hashlib.sha256(self.identity.encode())
        for output in outputs:
            digest.update(repr((output.item, output.target, output.text, output.verbatim)).encode())
        path = self._folder / f"{digest.hexdigest()}.tsv"
        if path.exists():
            rows = (line.split("\t") for line in read_lines(path))
            for output, (gender, step) in zip(outputs, rows, strict=True):
                yield Verdict(output, Gender(gender), step)
            return
        verdicts = list(self._detector.detect(outputs))
        with write_atomically(path) as stream:
            stream.writelines(f"{verdict.gender.value}\t{verdict.step}\n" for verdict in verdicts)
        yield from verdicts
