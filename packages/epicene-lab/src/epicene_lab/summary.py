"""Means over seeds with intervals, for each way to decode each architecture.

Two or three seeds say little about their own spread, so the spread of seeds is taken from all architectures that were
decoded alike, as in an analysis of variance: means differ between architectures, the spread around them does not.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from epicene_lab.outputs import Run
from epicene_lab.points import LAB, Key, Point, Quality, Timing

Parts = tuple[str, ...]
_GROUPS: dict[str, Parts] = {
    "pro": ("MOMC", "FOFC"),
    "anti": ("MOFC", "FOMC"),
    **{group: (group,) for group in ("FOFC", "MOFC", "MOMC", "FOMC")},
}
_GAPS = {
    "delta": ("pro", "anti"),
    "delta_fc": ("FOFC", "MOFC"),
    "delta_mc": ("MOMC", "FOMC"),
    "delta_read": ("pro_read", "anti_read"),
}
METRICS = (
    "bleu",
    "pro",
    "anti",
    "delta",
    "FOFC",
    "MOFC",
    "delta_fc",
    "MOMC",
    "FOMC",
    "delta_mc",
    "unread",
    "pro_read",  # of the sentences that could be read
    "anti_read",
    "delta_read",
)


class Setting(NamedTuple):
    """An architecture and how it is decoded."""

    model: str
    precision: str
    beam: int


BASELINE = Setting("6-6", "float", 5)


class Estimate(NamedTuple):
    """A mean with half its 95 % interval, where there is one, and the number of seeds."""

    value: float
    half: float | None
    n: int


Summary = Mapping[Setting, Mapping[str, Estimate]]


def read_setting(key: Key | Run) -> Setting:
    """The setting of a point or a run."""
    return Setting(key.model, key.precision, key.beam)


def value(quality: Quality, metric: str, protocol: str) -> float:
    """A metric of a point: BLEU, a rate or gap in correct sentences, or the share that could not be read."""
    if metric == "bleu":
        return quality.bleu
    if metric in _GAPS:
        first, second = _GAPS[metric]
        return value(quality, first, protocol) - value(quality, second, protocol)
    scores = quality.scores[protocol]
    if metric == "unread":
        return 100 * sum(scores.unread.values()) / sum(quality.n.values())
    parts = _GROUPS[metric.removesuffix("_read")]
    n = sum(quality.n[part] for part in parts)
    if metric.endswith("_read"):
        n -= sum(scores.unread[part] for part in parts)
    return 100 * sum(scores.correct[part] for part in parts) / max(1, n)


def summarise(points: Sequence[Point], langs: str, protocol: str) -> Summary:
    """All metrics of all settings of a language pair, and ``time`` in percent of the baseline's."""
    chosen = [point for point in points if point.key.langs == langs and point.key.engine == LAB]
    estimates: dict[Setting, dict[str, Estimate]] = defaultdict(dict)
    for metric in METRICS:
        values: dict[Setting, list[float]] = defaultdict(list)
        for point in chosen:
            if point.quality:
                values[read_setting(point.key)].append(value(point.quality, metric, protocol))
        halves = _half(values)
        for setting, numbers in values.items():
            estimates[setting][metric] = Estimate(sum(numbers) / len(numbers), halves(setting), len(numbers))
    for setting, time in average_times(chosen).items():
        estimates[setting]["time"] = time
    return dict(estimates)


def average_times(points: Sequence[Point]) -> dict[Setting, Estimate]:
    """Time in percent of the baseline's in the same turn; half the spread over repeats stands for the interval."""
    timings: dict[Setting, list[Timing]] = defaultdict(list)
    for point in points:
        if point.time:
            timings[read_setting(point.key)].append(point.time)
    if BASELINE not in timings:
        return {}
    return {
        setting: Estimate(
            _mean([time.percent for time in times]),
            _mean([time.percent_high - time.percent_low for time in times]) / 2,
            len(times),
        )
        for setting, times in timings.items()
    }


def average_errors(points: Sequence[Point]) -> dict[Setting, float]:
    """The standard errors of these times; none of the baseline, of which they are per cent."""
    errors: dict[Setting, list[float]] = defaultdict(list)
    for point in points:
        if point.time and read_setting(point.key) != BASELINE:
            errors[read_setting(point.key)].append(point.time.error)
    return {setting: math.hypot(*own) / len(own) for setting, own in errors.items()}


def spread(values: Mapping[Setting, Sequence[float]], like: Setting) -> tuple[float, int] | None:
    """The standard deviation between seeds over all settings decoded alike, and its degrees of freedom."""
    alike = [numbers for setting, numbers in values.items() if setting[1:] == like[1:] and len(numbers) > 1]
    freedom = sum(len(numbers) - 1 for numbers in alike)
    if not freedom:
        return None
    squares = sum((number - _mean(numbers)) ** 2 for numbers in alike for number in numbers)
    return math.sqrt(squares / freedom), freedom


def _half(values: Mapping[Setting, Sequence[float]]) -> Callable[[Setting], float | None]:
    from scipy.stats import t

    def half(each: Setting) -> float | None:
        seed_spread = spread(values, each)
        if seed_spread is None:
            return None
        deviation, freedom = seed_spread
        return round(float(t.ppf(0.975, freedom)) * deviation / math.sqrt(len(values[each])), 6)

    return half


def drop(summary: Summary, setting: Setting, metric: str) -> Estimate | None:
    """By how many percent a metric lies below the baseline's."""
    if metric not in summary.get(BASELINE, {}) or metric not in summary.get(setting, {}):
        return None
    base, other = summary[BASELINE][metric], summary[setting][metric]
    if not base.value:
        return None
    half = None
    if base.half is not None and other.half is not None:
        half = 100 * math.hypot(other.half / base.value, base.half * other.value / base.value**2)
    return Estimate(100 * (base.value - other.value) / base.value, half, min(base.n, other.n))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
