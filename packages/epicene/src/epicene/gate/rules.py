"""Whether a candidate may be released: what it lost, how far groups lie apart, how well each does, what is unread.

Where nobody's gender is told no answer is right: what counts then is the share of the gender that is written less.

Every judgement follows from the printed 95 % interval: it passes where all of the interval is allowed, fails where none
of it is, and is unclear in between. Several groups share the error of calling one a regression (Holm).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from epicene.compare.paired import Change, p_drops
from epicene.measures.quality import QualityChange
from epicene.types import Measure

ORDER = ("regression", "unclear", "improved", "ok")  # which answer wins where groups differ
# What is asked, as messages call it.
NAMES = {
    "drop": "drop",
    "gap": "gap",
    "rate": "rate",
    "unread": "unread",
    "rarer": "drop of the rarer gender",
    "half": "women, from 50 %",
    "quality": "quality",
    "quality-drop": "quality drop",
}
FLOORS = ("rate", "quality")  # what must be at least so much; all else, at most
PERCENT = ("rate", "unread")  # what is no difference
_HALF = 50.0
_TAIL = 0.025  # of the 95 % interval on one side


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
        return {name: getattr(self, name) for name in Judgement.__dataclass_fields__}


def worst(judgements: Sequence[Judgement]) -> str:
    """One answer for all: a regression anywhere, else doubt anywhere, else whether anything improved."""
    return min((each.answer for each in judgements), key=ORDER.index, default="unclear")


def judge_drops(changes: Sequence[Change], allowed: float, what: str = "drop") -> list[Judgement]:
    """Whether each group lost more than it may."""
    found = []
    for change, p in zip(changes, p_drops(changes, allowed), strict=True):
        low, high = (None, None) if change.low is None or change.high is None else (-change.high, -change.low)
        drop = 0.0 - change.difference
        answer = _drop(change, allowed, p)
        found.append(Judgement(what, change.group, drop, low, high, allowed, answer, change.n, p, change.why))
    return found


def _drop(change: Change, allowed: float, p: float | None) -> str:
    if p is None or change.low is None:
        return "unclear"
    if p < _TAIL:
        return "regression"
    if change.difference > 0 and change.said == "better":
        return "improved"
    # Who did better passes, however little is known of how much.
    return "ok" if change.low >= -allowed or change.difference > 0 else "unclear"


def judge_gap(measure: Measure, allowed: float) -> Judgement:
    """Whether two groups lie further apart than they may, in whichever direction."""
    ends = measure.value, measure.low, measure.high
    return _apart("gap", measure.name, ends, allowed, measure)


def judge_half(women: Measure, allowed: float) -> Judgement:
    """Whether the share of women among women and men lies further from half than it may, in whichever direction."""
    ends = tuple(None if each is None else each - _HALF for each in (women.value, women.low, women.high))
    return _apart("half", women.group, ends, allowed, women)


def _apart(what: str, group: str, ends: tuple[float | None, ...], allowed: float, measure: Measure) -> Judgement:
    value, low, high = ends
    answer = "unclear"
    if low is not None and high is not None:
        if low > allowed or high < -allowed:
            answer = "regression"
        elif low >= -allowed and high <= allowed:
            answer = "ok"
    return Judgement(what, group, value, low, high, allowed, answer, measure.n, why=measure.why or "")


def judge_rate(measure: Measure, least: float, what: str = "rate") -> Judgement:
    """Whether a rate, or the score of a metric of quality, reaches its floor."""
    answer = "unclear"
    if measure.low is not None and measure.high is not None:
        answer = "ok" if measure.low >= least else "regression" if measure.high < least else "unclear"
    group = measure.group if what == "rate" else measure.unit
    ends = measure.value, measure.low, measure.high
    return Judgement(what, group, *ends, least, answer, measure.n, why=measure.why or "")


def judge_quality(change: QualityChange, allowed: float) -> Judgement:
    """Whether a score fell by more than it may."""
    answer, why = "unclear", ""
    low, high = (None, None) if change.low is None or change.high is None else (-change.high, -change.low)
    if low is None or high is None:
        why = "too few independent units for an interval"
    elif low > allowed:
        answer = "regression"
    elif high <= allowed:
        answer = "improved" if high < 0 else "ok"
    drop = 0.0 - change.difference
    return Judgement("quality-drop", change.unit, drop, low, high, allowed, answer, change.n, why=why)


def judge_unread(measure: Measure, most: float) -> Judgement:
    """Whether more could not be read than may be."""
    answer = "unclear"
    if measure.low is not None and measure.high is not None:
        answer = "ok" if measure.high <= most else "regression" if measure.low > most else "unclear"
    why = measure.why or ""
    return Judgement(
        "unread", measure.group, measure.value, measure.low, measure.high, most, answer, measure.n, why=why
    )
