"""What a change of translations cost: BLEU and chrF against references, the system's own score, how much changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from epicene.act.rerank import Choice
from epicene.errors import InputError, MissingExtraError
from epicene.measures import sacre
from epicene.types import Item


class Cost(NamedTuple):
    """A number before and after."""

    name: str
    before: float
    after: float
    n: int
    signature: str = ""

    @property
    def change(self) -> float:
        """After less before."""
        return self.after - self.before

    def as_dict(self) -> dict[str, Any]:
        """The number as JSON has it."""
        return {**self._asdict(), "change": self.change}


def costs(choices: Sequence[Choice], references: Sequence[str] = ()) -> list[Cost]:
    """Every number that can be had: references are needed for some, scores of the system for others."""
    before, after = [choice.candidates[0].text for choice in choices], [choice.text for choice in choices]
    if references and len(references) != len(choices):
        raise InputError(
            f"{len(references):,} references for {len(choices):,} sentences; expected one a line, in the same order"
        )
    return [*_against(before, after, references), *_own(choices), *_kept(before, after)]


def references_of(items: Sequence[Item]) -> list[str]:
    """The reference of each sentence's own gender, where the set has one for all of them."""
    found = [
        next((text for text, gender in item.references if gender is item.expected), None)
        for item in items
        if item.references
    ]
    whole = [text for text in found if text is not None]
    return whole if len(whole) == len(items) else []


def _against(before: Sequence[str], after: Sequence[str], references: Sequence[str]) -> list[Cost]:
    if not references:
        return []
    found = []
    for name in sacre.NAMES:
        first, second = (_score(name, texts, references) for texts in (before, after))
        found.append(Cost(sacre.UNITS[name], first.value, second.value, first.n, first.signature))
    return found


def _score(name: str, texts: Sequence[str], references: Sequence[str]) -> sacre.Score:
    return sacre.corpus(name, texts, [(reference,) for reference in references], interval=False)


def _own(choices: Sequence[Choice]) -> list[Cost]:
    """The mean score that the system gives to its translations."""
    pairs = [(choice.candidates[0].score, choice.candidates[choice.chosen].score) for choice in choices]
    scored = [(first, second) for first, second in pairs if first is not None and second is not None]
    if not scored:
        return []
    sums = [sum(side) / len(scored) for side in zip(*scored, strict=True)]
    return [Cost("model score", sums[0], sums[1], len(scored))]


def _kept(before: Sequence[str], after: Sequence[str]) -> list[Cost]:
    """How much of the text stayed: BLEU of what was chosen against what would have come without choosing."""
    try:
        score = _score("bleu", after, before)
    except MissingExtraError:
        return []
    return [Cost("BLEU against the first candidates", 100.0, score.value, score.n, score.signature)]
