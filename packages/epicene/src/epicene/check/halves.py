"""Whether sentences that stand there twice, about a woman and about a man, are translated the right way round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from epicene.types import Gender, Verdict

_OTHER = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}


@dataclass(slots=True)
class Twins:
    """Watches the verdicts of pairs; keeps a number for each pair, however long its sentences."""

    read: Counter[tuple[Gender, Gender]] = field(default_factory=Counter)  # expected and read
    pairs: int = 0
    same: int = 0  # pairs with one translation for both
    _first: dict[str, int] = field(default_factory=dict)

    def add(self, verdict: Verdict) -> None:
        """Look at one verdict, if its sentence has a twin."""
        item = verdict.output.item
        pair, expected = item.labels.get("pair"), item.expected
        if not pair or expected not in _OTHER:
            return
        self.read[expected, verdict.gender] += 1
        text = hash(verdict.output.text.strip())
        if pair in self._first:
            self.pairs += 1
            self.same += self._first.pop(pair) == text
        else:
            self._first[pair] = text

    def refusal(self, bounds: Mapping[str, Any]) -> str:
        """What is wrong with the pairs; nothing where they can be believed."""
        if self.pairs < bounds["pairs"]:
            return ""
        if self.same > bounds["same"] * self.pairs:
            return (
                f"{self.same:,} of {self.pairs:,} pairs have one translation for the woman and the man, "
                "as if the translations of one gender were given twice"
            )
        other = {gender: self.read[gender, opposite] for gender, opposite in _OTHER.items()}
        if all(other[gender] > self.read[gender, gender] for gender in _OTHER):
            return (
                f"women are read as men {other[Gender.FEMININE]:,} times and men as women "
                f"{other[Gender.MASCULINE]:,} times, as if the two halves were swapped; "
                "expected the feminine sentences first"
            )
        return ""
