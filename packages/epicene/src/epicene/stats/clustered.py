"""The one rule of inference: rates, gaps and differences over clusters that are drawn within strata.

Sentences about one occupation stand or fall together, so the occupation (the category, the pair) is what varies by
chance, and each stratum keeps its own number of them. All that is printed is a ratio of sums over clusters, or one such
ratio less another. Its variance is that of the clusters' residuals around their stratum (linearised, with the bias
correction CR2 of Bell and McCaffrey 2002), and its interval is Student's: on the logit scale for a rate, which stays
within 0 and 100 %, and plain for a gap. Degrees of freedom shrink where few clusters make up the variance, and what is
rare may reach further (``stats.concentrated``).

Sentences made of templates vary by template as well, whatever the occupation. Their variance is that by occupation and
that by template, less that of single sentences, which is in both (Cameron, Gelbach and Miller 2011); it is at least the
larger of the two, has the fewer degrees of freedom, and what is rare reaches as far as either lets it.

Arrays end in the axis of clusters, or of clusters by template where these are crossed; the axes before it are
independent repetitions, as simulations need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from epicene.stats.concentrated import bound_difference, bound_strata
from epicene.stats.designs import Design as Design
from epicene.stats.designs import Ratio, Way, estimate_variance, explain_too_few, part_sentences, smooth
from epicene.stats.designs import Share as Share
from epicene.stats.rates import holm, wilson_ends
from epicene.stats.student import student_cdf, student_quantile

Array = npt.NDArray[np.float64]
Strata = npt.NDArray[np.int_]

# Beyond either end of an interval lie 2.5 %.
_TAIL = 0.025
# How alike sentences of a cluster are taken to be where all of them came out the same, so that nothing tells.
WORKING_ICC = 0.1
# An interval is never narrower than the 90 % interval of as many independent sentences.
_LEAST_Z = 1.6448536269514722
# A share so small, or so large, may rest on few clusters, and others like them may not have been drawn.
_RARE = 0.2
# A mean whose standard error is larger than itself is that of its largest cluster.
_MOST_RELATIVE = 1.0


class Estimate(NamedTuple):
    """A value, its interval, and what a test against another value needs; no interval where ``why`` says so."""

    value: Array
    low: Array | None = None
    high: Array | None = None
    error: Array | None = None  # of a gap: standard error
    df: Array | None = None
    why: str = ""

    def ends(self, scale: float = 100.0) -> tuple[float | None, float | None]:
        """Both ends of a single estimate's interval, in per cent or points."""
        if self.low is None or self.high is None:
            return None, None
        return scale * float(self.low), scale * float(self.high)

    def p_value(self) -> Array | None:
        """Two-sided, against no gap: under .05 exactly where the interval leaves out 0."""
        if self.error is None or self.df is None:
            return None
        return 2 * student_cdf(self.df, -abs(self.value) / self.error)

    def p_below(self, bound: float) -> Array | None:
        """One-sided: how surely a gap lies below a bound."""
        if self.error is None or self.df is None:
            return None
        return student_cdf(self.df, (self.value - bound) / self.error)

    def of_row(self, row: int) -> Estimate:
        """One of several repetitions."""
        columns = (self.low, self.high, self.error, self.df)
        low, high, error, df = (None if column is None else column[row] for column in columns)
        return Estimate(self.value[row], low, high, error, df, self.why)


class Adjusted(NamedTuple):
    """A p-value and an interval that agree, adjusted for the number of tests; neither where there is no interval."""

    p: float | None = None
    low: float | None = None
    high: float | None = None


def adjust(estimates: Sequence[Estimate], bound: float | None = None) -> list[Adjusted]:
    """Gaps that share the error of calling one of them different (Holm): each interval widens as its p-value rises.

    Against no gap from both sides, or with a bound against lying below it; the interval leaves out 0, or lies below
    the bound, exactly where p is less than both tails, or than one.
    """
    tests = [estimate.p_value() if bound is None else estimate.p_below(bound) for estimate in estimates]
    plain = [float(p) for p in tests if p is not None]
    raised = iter(holm(plain))
    adjusted = []
    for estimate, p in zip(estimates, tests, strict=True):
        if p is None or estimate.error is None or estimate.df is None:
            adjusted.append(Adjusted())
            continue
        p_holm = next(raised)
        # So small a p that it is 0 is the first of all, which Holm multiplies by their number.
        tail = _TAIL * (float(p) / p_holm if p > 0 else 1 / len(plain))
        half = float(student_quantile(estimate.df, 1 - tail) * estimate.error)
        adjusted.append(Adjusted(p_holm, float(estimate.value) - half, float(estimate.value) + half))
    return adjusted


def rate(share: Share, design: Design | None = None) -> Estimate:
    """A proportion with Student's interval on the logit scale, for as many independent sentences as vary as much."""
    ways = part_sentences([share], design)
    ratio = Ratio.of(ways, 0)
    if why := explain_too_few(ways[0]):
        return Estimate(ratio.value, why=why)
    variance, df = estimate_variance(ways, ratio.residuals, ratio.binomial(ratio.n))
    value, student = ratio.value, student_quantile(df, 1 - _TAIL)
    least = _LEAST_Z * _logit_error(smooth(value, ratio.n), ratio.n)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        independent = value * (1 - value) / variance
        middle = smooth(value, independent)
        half = np.maximum(student * _logit_error(middle, independent), least)
        logit = np.log(middle / (1 - middle))
        low, high = 1 / (1 + np.exp(half - logit)), 1 / (1 + np.exp(-half - logit))
    # Where all came out the same the variance says nothing, and Wilson's interval knows what to do with 0 and 100 %.
    plain = (np.clip(end, 0.0, 1.0) for end in wilson_ends(value, ratio.working(WORKING_ICC), student))
    low, high = (np.where(variance > 0, *ends) for ends in zip((low, high), plain, strict=True))
    for way in ways[:2]:
        low, high = _reach_rare_rate(way, (low, high))
    return Estimate(value, np.minimum(value, low), np.maximum(value, high))


def mean(share: Share, design: Design | None = None, skewed: bool = False) -> Estimate:
    """A ratio that may be any number, as a word error rate, with Student's interval.

    ``skewed``: never below 0 with a few large values, as a mean bias; the interval is then made on the log scale.
    """
    ways = part_sentences([share], design)
    ratio = Ratio.of(ways, 0)
    if why := explain_too_few(ways[0]):
        return Estimate(ratio.value, why=why)
    variance, df = estimate_variance(ways, ratio.residuals, 0.0)
    if not variance.all():
        return Estimate(ratio.value, why="all clusters are alike, so nothing tells how much they vary")
    if not skewed:
        return _student_interval(ratio.value, variance, df)
    relative = np.sqrt(variance) / ratio.value
    if (relative > _MOST_RELATIVE).any():
        return Estimate(
            ratio.value, why="a few clusters make up nearly all of the mean, so no interval can be estimated"
        )
    factor = np.exp(student_quantile(df, 1 - _TAIL) * relative)
    return Estimate(ratio.value, ratio.value / factor, ratio.value * factor)


def gap(
    first: Share, second: Share, design: Design | None = None, icc: float = WORKING_ICC, reach: bool = True
) -> Estimate:
    """The first proportion less the second, over the same clusters or others, with Student's interval.

    ``reach``: whether an interval of rare things allows for clusters that were not drawn.
    """
    ways = part_sentences([first, second], design)
    one, other = (Ratio.of(ways, place) for place in (0, 1))
    value = one.value - other.value
    if why := explain_too_few(ways[0]):
        return Estimate(value, why=why)
    independent = one.binomial(one.n) + other.binomial(other.n)
    residuals = [mine - others for mine, others in zip(one.residuals, other.residuals, strict=True)]
    variance, df = estimate_variance(ways, residuals, independent)
    least = (_LEAST_Z / student_quantile(df, 1 - _TAIL)) ** 2 * independent
    nothing = one.binomial(one.working(icc)) + other.binomial(other.working(icc))
    variance = np.where(variance > 0, np.maximum(variance, least), nothing)
    estimate = _student_interval(value, variance, df, most=1.0)
    for way in ways[:2] if reach else ():
        estimate = _reach_rare_gap(way.shares, (one.value, other.value), estimate)
    return estimate


def difference(gained: Array, lost: Array, of: Array, design: Design | None = None, reach: bool = True) -> Estimate:
    """How the share of right sentences changed between two systems: those gained less those lost."""
    return gap(Share(gained, of), Share(lost, of), design, icc=0.0, reach=reach)


def _reach_rare_rate(way: Way, ends: tuple[Array, Array]) -> tuple[Array, Array]:
    """The ends of a rate, that towards one half as far off as clusters that were not drawn may bring it."""
    share, *_ = way.shares
    low, high = np.array(ends[0]), np.array(ends[1])
    value = share.counted.sum(axis=-1) / share.of.sum(axis=-1)
    few = value <= _RARE
    for row in np.argwhere((value > 0) & (value < 1) & (few | (value >= 1 - _RARE))) if share.size is None else ():
        at = tuple(row.tolist())
        counted, of = share.counted[at] if few[at] else (share.of - share.counted)[at], share.of[at]
        bound = bound_strata(counted, of, way.layers, _TAIL)
        if few[at]:
            high[at] = max(high[at], bound)
        else:
            low[at] = min(low[at], 1 - bound)
    return low, high


def _reach_rare_gap(parts: Sequence[Share], values: tuple[Array, Array], estimate: Estimate) -> Estimate:
    """The same of a gap between two rates near the same end; an end that lies beyond 0 stays, as its p-value does."""
    low, high = np.array(estimate.low), np.array(estimate.high)
    few = np.maximum(*values) <= _RARE
    for row in (
        np.argwhere(few | (np.minimum(*values) >= 1 - _RARE)) if all(part.size is None for part in parts) else ()
    ):
        at = tuple(row.tolist())
        one, other = ((part.counted[at] if few[at] else (part.of - part.counted)[at], part.of[at]) for part in parts)
        least, greatest = bound_difference(one, other, _TAIL)
        if not few[at]:  # what was counted are the others, whose difference is turned round
            least, greatest = -greatest, -least
        low[at] = min(low[at], least) if low[at] <= 0 else low[at]
        high[at] = max(high[at], greatest) if high[at] >= 0 else high[at]
    return estimate._replace(low=low, high=high)


def _student_interval(value: Array, variance: Array, df: Array, most: float = float("inf")) -> Estimate:
    error = np.sqrt(variance)
    half = student_quantile(df, 1 - _TAIL) * error
    return Estimate(value, np.maximum(value - half, -most), np.minimum(value + half, most), error, df)


def _logit_error(middle: Array, n: Array) -> Array:
    return np.asarray(1 / np.sqrt(n * middle * (1 - middle)))
