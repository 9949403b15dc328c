"""N-best lists → the best-scored candidate whose reading fits the gender that the source states.

The source alone says what is stated: nobody who translates a text has labels for it. A sentence that states nothing
keeps its first candidate, and so does one of which no candidate fits better than the first. Whoever selects must not be
the only judge, so a set's outputs are measured before and after by every protocol that it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from epicene.act.candidates import Readings, ask_for_lists, open_task, read_lists
from epicene.act.stated import Stated, find_stated
from epicene.compare.entrants import Scorer
from epicene.compare.pairs import Comparison, compare_entrants
from epicene.compare.tables import comparison_tables
from epicene.errors import InputError
from epicene.flow.translate import open_asker
from epicene.measures.rates import OPPOSITE
from epicene.options import PROTOCOLS, Asking, Reranking, apply_options
from epicene.output.table import Answer, Row, Table
from epicene.sets import TestSet
from epicene.types import Candidate, Item, Pair

_EVEN = 1e-9
_BEFORE, _AFTER = "first candidates", "reranked"


class Choice(NamedTuple):
    """What was chosen of one list, and why."""

    source: str
    candidates: tuple[Candidate, ...]
    stated: tuple[Stated, ...]
    fits: tuple[float, ...] = ()  # of each candidate: how much of what is stated it shows, 1 for each person in full
    chosen: int = 0

    @property
    def text(self) -> str:
        """The translation that was chosen."""
        return self.candidates[self.chosen].text

    @property
    def why(self) -> str:
        """Why this one."""
        if not self.stated:
            return "nothing stated"
        if self.chosen:
            return "changed"
        return "first fits" if self.fits[0] >= len(self.stated) - _EVEN else "none fits better"

    def as_dict(self) -> dict[str, Any]:
        """The choice as JSON has it."""
        return {
            "source": self.source,
            "stated": [str(statement) for statement in self.stated],
            "why": self.why,
            "chosen": self.chosen,
            "candidates": [
                {"text": candidate.text, "score": candidate.score, "fit": fit}
                for candidate, fit in zip(self.candidates, self.fits or (None,) * len(self.candidates), strict=True)
            ],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Reranked(Answer):
    """The chosen candidates, and their scores by every protocol of the set."""

    langs: str
    system: str
    set: str  # "" for a text
    oracle: bool  # whether the set's labels said what to look for, not the sources
    choices: tuple[Choice, ...] = field(repr=False)
    comparisons: tuple[Comparison, ...] = ()  # by each protocol of the set, the one that selected first
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The translations that were chosen."""
        return [choice.text for choice in self.choices]

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences were changed, and why the others were not."""
        reasons = Counter(choice.why for choice in self.choices)
        return {why: reasons[why] for why in ("changed", "first fits", "none fits better", "nothing stated")}

    def tables(self) -> Iterator[Table]:
        """What was done, then the rates before and after by every protocol."""
        yield Table(self.summary)
        for index, comparison in enumerate(self.comparisons):
            protocol = next(part for part in comparison.signature.split("|") if part.startswith("protocol:"))
            chose = "" if index else ", whose detector chose"
            yield Table(f"\nScored with {protocol.replace(':', ' ')}{chose}")
            yield from comparison_tables(comparison)

    @property
    def summary(self) -> str:
        """What was done, in a few lines."""
        how = "gender from the set's labels (oracle)" if self.oracle else "gender stated in the source"
        counted = ", ".join(f"{count:,} {why}" for why, count in self.counts.items())
        named = f"{self.set or 'text'} {self.langs} · {self.system} · {how}"
        return "\n".join([named, f"{len(self.choices):,} sentences: {counted}", *self.notes])

    def rows(self) -> Iterable[Row]:
        """One row per group and protocol; of a text, how many sentences were changed."""
        rows = [row for comparison in self.comparisons for row in comparison.rows()]
        return rows or [{"why": why, "n": count} for why, count in self.counts.items()]

    def as_dict(self) -> dict[str, Any]:
        """All but the sentences, as JSON has it."""
        return {
            "langs": self.langs,
            "system": self.system,
            "set": self.set,
            "oracle": self.oracle,
            "n": len(self.choices),
            "counts": self.counts,
            "judged": [comparison.as_dict() for comparison in self.comparisons],
            "notes": list(self.notes),
        }


def rerank(
    text: str | Iterable[str],
    langs: str,
    system: str = "bundled",
    nbest_file: str | Path | None = None,
    reranking: Reranking = Reranking(),  # noqa: B008 - frozen
    asking: Asking = Asking(),  # noqa: B008 - frozen
    **options: Any,
) -> Reranked:
    """Choose candidates that have the gender stated in the source, for a test set, given by name, or any lines.

    ``nbest_file`` has n-best lists to use instead of a system's. ``options`` are fields of ``Reranking`` and
    ``Asking``: ``oracle`` takes the gender from the set's labels, as published oracles do; ``max_loss`` limits how
    far a score may be below the first candidate's; ``min_confidence`` is the confidence that the detector needs in a
    replacement.
    """
    reranking, asking = apply_options(options, reranking, asking)
    task = open_task(text, langs)
    test_set, pair = task.test_set, task.pair
    if reranking.oracle and test_set is None:
        raise InputError("--oracle takes the gender from a set's labels; a text has none")
    if nbest_file is not None:
        owner = f"set {test_set.name}" if test_set else "the text"
        name, lists = f"file:{Path(nbest_file).name}", read_lists(nbest_file, task.sources, owner)
    else:
        with open_asker(asking) as asker:
            name, lists = system, ask_for_lists(system, task.sources, pair, reranking.n, asker)
    stated = map(_read_labels, task.groups) if reranking.oracle else map(find_stated, task.sources)
    choices = [
        Choice(source, tuple(candidates), statements)
        for source, candidates, statements in zip(task.sources, lists, stated, strict=True)
    ]
    answer = Reranked(str(pair), name, task.name, reranking.oracle, tuple(choose(choices, pair, reranking)))
    return _judge(answer, test_set, reranking.anyway) if test_set else answer


def _judge(answer: Reranked, test_set: TestSet, anyway: bool) -> Reranked:
    """The set's measures before and after, by every protocol that it has."""
    if test_set.open_gender or test_set.references:
        return replace(answer, notes=(f"set {test_set.name} has no right answers, so nothing is scored",))
    texts = {_BEFORE: [choice.candidates[0].text for choice in answer.choices], _AFTER: answer.lines}
    comparisons, notes = list[Comparison](), list[str]()
    for protocol in PROTOCOLS:
        scorer = Scorer(protocol, anyway)
        try:
            task = scorer.open_task(test_set, answer.langs)
        except InputError as error:
            notes.append(f"not scored with protocol {protocol}: {error}")
            continue
        entrants = [scorer.score(task, lines, name) for name, lines in texts.items()]
        comparisons += compare_entrants(entrants)
    return replace(answer, comparisons=tuple(comparisons), notes=tuple(notes))


def _read_labels(items: Iterable[Item]) -> tuple[Stated, ...]:
    """What a set's labels say of the people of a line: an oracle, since a text to be translated has no labels."""
    return tuple(Stated(item.expected, "label", (item.person,)) for item in items if item.expected in OPPOSITE)


def choose(choices: Sequence[Choice], pair: Pair, reranking: Reranking) -> list[Choice]:
    """The best-scored candidate of each list that fits best, where it fits better than the first.

    The reader must be sure of a candidate that takes the place of the first, which gets the benefit of doubt.
    """
    readings = Readings(pair.target)
    readings.read(
        (choice.source, person, candidate.text)
        for choice in choices
        for statement in choice.stated
        for person in statement.people
        for candidate in choice.candidates
    )

    def rate_fit(choice: Choice, text: str, least: float) -> float:
        """One for each person in full; of people one of whom is meant, and the sentence does not say who, the share."""
        fit = 0.0
        for statement in choice.stated:
            verdicts = [readings.find(choice.source, person, text) for person in statement.people]
            shown = [v for v in verdicts if v.gender is statement.gender and not v.on_other_word]
            fit += sum((verdict.confidence or 0) >= least for verdict in shown) / len(statement.people)
        return fit

    chosen = []
    for choice in choices:
        fits = tuple(
            rate_fit(choice, candidate.text, reranking.min_confidence if index else 0)
            for index, candidate in enumerate(choice.candidates if choice.stated else ())
        )
        chosen.append(_choose_one(choice._replace(fits=fits, chosen=0), reranking.max_loss))
    return chosen


def _choose_one(choice: Choice, max_loss: float | None) -> Choice:
    if not choice.fits:
        return choice
    first = choice.candidates[0].score
    allowed = [
        index
        for index, candidate in enumerate(choice.candidates)
        if max_loss is None or first is None or candidate.score is None or first - candidate.score <= max_loss
    ]
    best = max(choice.fits[index] for index in allowed)
    if best <= choice.fits[0] + _EVEN:
        return choice
    fitting = [index for index in allowed if choice.fits[index] >= best - _EVEN]
    scores = [choice.candidates[index].score for index in fitting]
    ranked = [(-score, index) for score, index in zip(scores, fitting, strict=True) if score is not None]
    return choice._replace(chosen=min(ranked)[1] if len(ranked) == len(fitting) else fitting[0])
