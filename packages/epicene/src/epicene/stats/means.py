"""Means with their intervals, and effects of many studies made one."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from epicene.stats.rates import Z95
from epicene.stats.student import student_quantile


def students(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Student's 95 % interval of a mean; nothing where there are fewer than two values."""
    if len(values) < 2:
        return None, None
    mean = statistics.fmean(values)
    half = float(student_quantile(len(values) - 1, 0.975)) * statistics.stdev(values) / math.sqrt(len(values))
    return mean - half, mean + half


class Combined(NamedTuple):
    """Effects of many samples as one."""

    value: float
    low: float
    high: float
    p: float
    between: float  # the variance between samples


def random_effects(effects: Sequence[float], variances: Sequence[float]) -> Combined:
    """The random-effects model of DerSimonian and Laird: effects weighted by their own and the common variance."""
    weights = [1 / each for each in variances]
    total = math.fsum(weights)
    fixed = math.fsum(w * e for w, e in zip(weights, effects, strict=True)) / total
    spread = math.fsum(w * (e - fixed) ** 2 for w, e in zip(weights, effects, strict=True))
    scale = total - math.fsum(w * w for w in weights) / total
    between = max(0.0, (spread - (len(effects) - 1)) / scale) if scale > 0 else 0.0
    weights = [1 / (each + between) for each in variances]
    total = math.fsum(weights)
    value = math.fsum(w * e for w, e in zip(weights, effects, strict=True)) / total
    error = math.sqrt(1 / total)
    p = math.erfc(abs(value / error) / math.sqrt(2))
    return Combined(value, value - Z95 * error, value + Z95 * error, p, between)
