"""Whether a candidate may be released: what it lost, how far groups lie apart, how well each does, what is undetected.

Where nobody's gender is told no answer is right: what counts then is the share of the gender that is written less.

Every judgement follows from the printed 95 % interval: it passes where all of the interval is allowed, fails where none
of it is, and is unclear in between. Several groups share the error of calling one a regression (Holm), by which the
lower ends of their drops are lower. A candidate passes only if all groups do, so upper ends need no correction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from epicene.compare.entrants import Entrant
from epicene.compare.pairs import Comparison
from epicene.errors import InputError
from epicene.measures.metrics import QualityChange
from epicene.measures.paired import PairedTest, Shared, adjust_drops, adjust_tests, compare_rarer
from epicene.measures.quality import levels
from epicene.measures.rates import FEMININE, RIGHT, UNDETECTED
from epicene.options import Limits
from epicene.types import Measure

ORDER = ("regression", "unclear", "improved", "ok")  # which answer wins where groups differ
# What is asked, as messages call it.
NAMES = {
    "drop": "drop",
    "gap": "gap",
    "rate": "rate",
    "undetected": "gender not detected",
    "rarer": "drop of the rarer gender",
    "half": "women, from 50 %",
    "quality": "quality",
    "quality-drop": "quality drop",
}
FLOORS = ("rate", "quality")  # what must be at least so much; all else, at most
PERCENT = ("rate", "undetected")  # what is no difference
_EITHER_WAY = ("gap", "half")  # what may be too low as well as too high
_HALF = 50.0
_MOST_NEEDED = 100  # times as many sentences, beyond which it is no use to say how many would decide


@dataclass(frozen=True, slots=True)
class Judgement:
    """One thing that was asked, and the answer."""

    what: str  # one of NAMES
    group: str  # or the metric of quality
    value: float | None  # in points, or per cent for a rate
    low: float | None
    high: float | None
    allowed: float
    answer: str  # ok, improved, regression or unclear
    n: int
    p: float | None = None  # of a drop beyond what is allowed, one-sided, after Holm
    why: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The judgement as JSON has it."""
        return asdict(self)


def worst(judgements: Sequence[Judgement]) -> str:
    """One answer for all: a regression anywhere, else doubt anywhere, else whether anything improved."""
    return min((judgement.answer for judgement in judgements), key=ORDER.index, default="unclear")


def judge_drops(tests: Sequence[PairedTest], allowed: float, what: str = "drop") -> list[Judgement]:
    """Whether each group lost more than it may."""
    judgements = []
    for test, adjusted in zip(tests, adjust_drops(tests, allowed), strict=True):
        # A drop is a difference turned round: the interval lies beyond what is allowed exactly where p is small.
        low, high = (None if end is None else 0.0 - end for end in (adjusted.high, test.low))
        drop, answer = 0.0 - test.difference, _answer(low, high, most=allowed)
        if high is not None and high < 0 and test.verdict == "better":
            answer = "improved"
        why = _say_what_decides(test.n, drop, low, high, allowed) if answer == "unclear" else ""
        judgements.append(
            Judgement(what, test.group, drop, low, high, allowed, answer, test.n, adjusted.p, test.why or why)
        )
    return judgements


def _answer(low: float | None, high: float | None, least: float = -math.inf, most: float = math.inf) -> str:
    """Whether an interval lies within what is allowed, beyond it, or neither."""
    if low is None or high is None:
        return "unclear"
    if low > most or high < least:
        return "regression"
    return "ok" if low >= least and high <= most else "unclear"


def _say_what_decides(n: int, drop: float, low: float | None, high: float | None, allowed: float) -> str:
    """What a gate that does not know could miss, and about how many sentences it lacks."""
    if low is None or high is None:
        return ""
    missed = f"could miss a drop of {high:.1f} points"
    far = allowed - drop  # how far the drop lies within what is allowed; an end beyond it must come so near
    needed = n * (((high if far > 0 else low) - drop) / far) ** 2 - n if far else float("inf")
    if needed > _MOST_NEEDED * n:
        return missed
    step = 10 ** max(0, len(str(int(needed))) - 2)
    return f"{missed}; about {math.ceil(needed / step) * step:,} more sentences of other units would decide"


def judge_measure(what: str, measure: Measure, allowed: float) -> Judgement:
    """Whether a measure reaches its floor, lies no further from 0 or from half than it may, or is low enough."""
    group = {"gap": measure.name, "quality": measure.unit}.get(what, measure.group)
    middle = _HALF if what == "half" else 0.0
    value, low, high = (None if end is None else end - middle for end in (measure.value, measure.low, measure.high))
    if what in FLOORS:
        answer = _answer(low, high, least=allowed)
    else:
        answer = _answer(low, high, -allowed if what in _EITHER_WAY else -math.inf, allowed)
    return Judgement(what, group, value, low, high, allowed, answer, measure.n, why=measure.why or "")


def judge_quality(change: QualityChange, allowed: float) -> Judgement:
    """Whether a score fell by more than it may."""
    low, high = (None if end is None else -end for end in (change.high, change.low))
    answer = "improved" if high is not None and high < 0 else _answer(low, high, most=allowed)
    why = "too few independent units for an interval" if None in (low, high) else ""
    drop = 0.0 - change.difference
    return Judgement("quality-drop", change.unit, drop, low, high, allowed, answer, change.n, why=why)


def choose_changes(comparison: Comparison, candidate: Entrant, groups: Sequence[str]) -> list[PairedTest]:
    """The changes of the named groups, or all: of right answers where there are any, else of who is a woman."""
    counted = [change for change in comparison.changes if change.measure == RIGHT.name]
    changes = counted or list(comparison.changes)
    known = [*(change.group for change in changes), *(gap.name for gap in candidate.gaps)]
    if missing := [group for group in groups if group not in known]:
        raise InputError(f"no group {', '.join(missing)} in {comparison.signature}; known: {', '.join(known)}")
    return [change for change in changes if not groups or change.group in groups]


def judge(
    before: Entrant,
    after: Entrant,
    comparison: Comparison,
    chosen: Sequence[PairedTest],
    limits: Limits,
    groups: Sequence[str],
    metrics: Sequence[str],
) -> list[Judgement]:
    """All that the limits ask of a candidate; ``chosen`` are the changes of the groups that are judged."""
    leaves_open = all(change.measure != RIGHT.name for change in comparison.changes)
    shared = Shared([entrant.judged or entrant.outcomes for entrant in (before, after)])
    judgements = [
        *(_judge_shares(before, after, shared, limits, chosen) if leaves_open else ()),
        *(() if leaves_open else _judge_answers(shared, limits, chosen)),
        *_judge_gaps(comparison.signature, after.gaps, limits, groups, leaves_open),
        *_judge_qualities(after, comparison, limits, metrics),
    ]
    if limits.max_undetected is not None:
        judgements.append(judge_measure("undetected", shared.rate(UNDETECTED), limits.max_undetected))
    if not judgements:
        raise InputError(f"no limit applies to {', '.join(groups)}; --max-gap limits gaps, --max-drop groups")
    return judgements


def _judge_answers(shared: Shared, limits: Limits, chosen: Sequence[PairedTest]) -> Iterable[Judgement]:
    """Groups whose sentences can come out right."""
    if limits.max_drop is not None:
        yield from judge_drops(adjust_tests(chosen), limits.max_drop)
    if limits.min_rate is not None:
        yield from (judge_measure("rate", shared.rate(RIGHT, change.group), limits.min_rate) for change in chosen)


def _judge_shares(
    before: Entrant, after: Entrant, shared: Shared, limits: Limits, chosen: Sequence[PairedTest]
) -> Iterable[Judgement]:
    """Groups whose sentences leave the gender open: who is written as a woman, and who as a man."""
    names = {change.group for change in chosen}
    if limits.min_rate is not None:
        raise InputError(
            f"min-rate counts right answers, and {after.result.set} has none; max-gap = "
            f"{max(0.0, 50 - limits.min_rate):g} asks how far the share of women may lie from 50 %, max-drop how much "
            "rarer the rarer gender may become"
        )
    if limits.max_drop is not None:
        tests = compare_rarer(before.outcomes, after.outcomes, identical=before.wrote_the_same(after))
        drops = [test for test in tests if test.group in names]
        yield from judge_drops(adjust_tests(drops), limits.max_drop, "rarer")
    if limits.max_gap is not None:
        yield from (judge_measure("half", shared.rate(FEMININE, change.group), limits.max_gap) for change in chosen)


def _judge_gaps(
    signature: str, gaps: Sequence[Measure], limits: Limits, groups: Sequence[str], leaves_open: bool
) -> Iterable[Judgement]:
    if limits.max_gap is None:
        return
    if not gaps and not leaves_open:
        raise InputError(f"--max-gap: {signature} has no gap between groups; leave it out")
    by_name = {gap.name: gap for gap in gaps}
    named = [gap for name, gap in by_name.items() if name in groups]
    if leaves_open and groups and not named:
        return  # of groups alone, which have a share of women each
    yield from (judge_measure("gap", gap, limits.max_gap) for gap in named or by_name.values())


def _judge_qualities(
    after: Entrant, comparison: Comparison, limits: Limits, metrics: Sequence[str]
) -> Iterable[Judgement]:
    if not limits.of_quality:
        return
    if not after.segments or (limits.max_quality_drop is not None and not comparison.quality):
        raise InputError(
            f"set {after.result.set} has no references to measure quality by; give them with "
            "reference-text FILE, one a line in the set's order"
        )
    if limits.max_quality_drop is not None:
        yield from (judge_quality(change, limits.max_quality_drop) for change in comparison.quality)
    if limits.min_quality is not None:
        scores = levels(after.segments, after.target, metrics)
        yield from (judge_measure("quality", score, limits.min_quality) for score in scores)
