"""GATE's rule for rewriters: the line is the reference of the wanted gender, or it is wrong, or empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from epicene.types import Gender, Output, Verdict


class Exact:
    """Compares lines with references, blanks at the ends aside."""

    identity = "exact1"
    verbatim = True  # other apostrophes are other letters to the authors' script

    def __init__(self, target: str) -> None:  # the rule is the same in every language
        self.target = target

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """The expected gender for a match, neutral for any other line, unknown for an empty one."""
        for output in outputs:
            text, expected = output.text.strip(), output.item.expected
            wanted = {reference.strip() for reference, gender in output.item.references if gender is expected}
            if not text or expected is None:
                yield Verdict(output, Gender.UNKNOWN, "empty")
            else:
                match = text in wanted
                yield Verdict(output, expected if match else Gender.NEUTRAL, "match" if match else "mismatch")
