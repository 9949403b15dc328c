"""Intervals over clusters: those of independent tools where these have them, and as wide as they have to be."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import t, ttest_1samp, ttest_ind

from benchmarks.intervals import ALLOWED, CORRELATIONS, STRUCTURES, intervals, regressions
from epicene.stats import clustered
from epicene.stats.clustered import Adjusted, Design, Estimate, Share
from epicene.stats.concentrated import bound_difference, bound_rate


def counts(seed: int, clusters: int, size: int, rate: float = 0.6, spread: float = 0.2) -> Share:
    rng = np.random.default_rng(seed)
    rates = np.clip(rng.normal(rate, spread, clusters), 0, 1)
    return Share(rng.binomial(size, rates).astype(float), np.full(clusters, float(size)))


@pytest.mark.parametrize("seed", range(5))
def test_the_variance_is_that_of_statsmodels_with_errors_by_cluster(seed: int) -> None:
    share = counts(seed, 12, 30)
    right = np.concatenate([np.repeat([1.0, 0.0], [int(k), 30 - int(k)]) for k in share.counted])
    groups = np.repeat(np.arange(12), 30)
    fitted = sm.OLS(right, np.ones_like(right)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    found = clustered.mean(share)
    assert found.error is not None
    # statsmodels also multiplies by (N - 1) / (N - 1 parameter), which is one here.
    assert float(found.error) == pytest.approx(float(fitted.bse[0]), rel=1e-6)
    assert float(found.value) == pytest.approx(float(fitted.params[0]))


@pytest.mark.parametrize("seed", range(5))
def test_a_mean_over_clusters_of_one_size_has_students_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(3, 1, 40)
    found, test = clustered.mean(Share(values, np.ones(40))), ttest_1samp(values, 0)
    p = found.p_value()
    assert found.low is not None and found.high is not None and p is not None
    assert (float(found.low), float(found.high)) == pytest.approx(tuple(test.confidence_interval()), rel=0.01)


def test_a_skewed_mean_has_students_interval_on_the_log_scale() -> None:
    values = np.random.default_rng(0).lognormal(0, 1, 40)
    plain = clustered.mean(Share(values, np.ones(40)))
    found = clustered.mean(Share(values, np.ones(40)), skewed=True)
    assert plain.high is not None and found.low is not None and found.high is not None
    half = (float(plain.high) - float(plain.value)) / float(plain.value)
    ends = (float(found.value) * np.exp(-half), float(found.value) * np.exp(half))
    assert (float(found.low), float(found.high)) == pytest.approx(ends)
    assert float(found.value) == pytest.approx(values.mean())


def test_a_gap_between_strata_is_welchs() -> None:
    first, second = counts(1, 20, 50, 0.7, 0.1), counts(2, 30, 50, 0.5, 0.2)
    nothing = [np.zeros(30), np.zeros(20)]
    one = Share(np.append(first.counted, nothing[0]), np.append(first.of, nothing[0]))
    other = Share(np.append(nothing[1], second.counted), np.append(nothing[1], second.of))
    found = clustered.gap(one, other, Design([0] * 20 + [1] * 30))
    test = ttest_ind(first.counted / 50, second.counted / 50, equal_var=False)
    assert found.low is not None and found.high is not None
    assert (float(found.low), float(found.high)) == pytest.approx(tuple(test.confidence_interval()), abs=0.005)


def test_strata_that_lie_apart_do_not_widen_a_gap() -> None:
    """Every male occupation gains 40 points and every female one loses 30: what varies by chance is next to nothing."""
    rng = np.random.default_rng(3)
    pro = Share(rng.binomial(74, [0.9] * 11 + [0.4] * 7).astype(float), np.full(18, 74.0))
    anti = Share(rng.binomial(74, [0.5] * 11 + [0.7] * 7).astype(float), np.full(18, 74.0))
    kept, lost = clustered.gap(pro, anti, Design([0] * 11 + [1] * 7)), clustered.gap(pro, anti)
    assert kept.low is not None and kept.high is not None and lost.low is not None and lost.high is not None
    assert 100 * float(kept.high - kept.low) < 8
    assert 100 * float(lost.high - lost.low) > 25


@pytest.mark.parametrize("count", [0.0, 74.0])
def test_where_all_came_out_the_same_the_interval_has_width(count: float) -> None:
    found = clustered.rate(Share(np.full(11, count), np.full(11, 74.0)))
    assert found.low is not None and found.high is not None
    assert 0.02 < float(found.high - found.low) < 0.06
    gap = clustered.gap(*[Share(np.full(11, count), np.full(11, 74.0))] * 2)
    assert gap.low is not None and gap.high is not None
    few = np.minimum(count, 74 - count) * np.ones(11), np.full(11, 74.0)
    assert (gap.low, gap.high) == pytest.approx(bound_difference(few, few, 0.025))  # 5.2 points either way


def test_rates_of_one_failure_are_not_absurd() -> None:
    failures = np.array([1.0] + [0.0] * 999)
    found = clustered.rate(Share(failures, np.ones(1000)))
    assert found.high is not None and float(found.high) < 0.01


def test_too_few_clusters_have_no_interval() -> None:
    found = clustered.rate(counts(1, 4, 30))
    assert (found.low, found.high) == (None, None)
    assert found.why == "4 clusters are too few for an interval; it takes 5"
    assert clustered.rate(counts(1, 1, 30)).why == "1 cluster is too few for an interval; it takes 5"
    assert clustered.rate(counts(1, 5, 30)).low is not None


SEVEN = np.full(7, 74.0)


@pytest.mark.parametrize("few", [True, False])
def test_a_rate_reaches_as_far_towards_one_half_as_clusters_that_were_not_drawn_may_bring_it(few: bool) -> None:
    errors = np.array([4.0, 1, 0, 0, 0, 0, 0])
    found = clustered.rate(Share(errors if few else SEVEN - errors, SEVEN))
    assert bound_rate(errors, SEVEN, 0.025) > 0.1
    assert (found.high if few else 1 - found.low) == pytest.approx(bound_rate(errors, SEVEN, 0.025))


@pytest.mark.parametrize(("more", "reaches"), [(14.0, True), (15.0, False)])  # of 74: 19.8 and 21.1 %
def test_what_one_in_five_has_is_not_rare(more: float, reaches: bool) -> None:
    counts = np.array([4.0, 1, 0, 0, 0, 0, 0]) * 0.9 + more
    high = clustered.rate(Share(counts, SEVEN)).high
    assert high is not None
    assert (float(high) == pytest.approx(bound_rate(counts, SEVEN, 0.025))) is reaches


@pytest.mark.parametrize("few", [True, False])
def test_a_gap_of_rare_things_reaches_as_far_but_not_to_the_other_side_of_nothing(few: bool) -> None:
    many, none = np.array([4.0, 1, 0, 0, 0, 0, 0]), np.array([0.0] * 6 + [1.0])
    first, second = (many, none) if few else (SEVEN - none, SEVEN - many)
    found = clustered.gap(Share(first, SEVEN), Share(second, SEVEN))
    low, high = bound_difference((many, SEVEN), (none, SEVEN), 0.025)
    assert (found.low, found.high) == pytest.approx((low, high))
    even, nothing = Share(np.array([4.0, 3, 3, 3, 3, 3, 2]), SEVEN), Share(np.zeros(7), SEVEN)
    above, below = clustered.gap(even, nothing), clustered.gap(nothing, even)
    assert above.low is not None and below.high is not None and above.low > 0 > below.high  # as their p-values say
    assert above.p_value() == pytest.approx(below.p_value()) and float(above.p_value()) < 0.05  # type: ignore[arg-type]


def test_distances_of_strata_add_up_in_squares() -> None:
    errors, strata = np.array([4.0, 1, 0, 0, 0, 0, 0, 9, 20, 12, 30, 9, 0]), [0] * 7 + [1] * 6
    of = np.array([74.0] * 7 + [40.0] * 6)
    found = clustered.rate(Share(errors, of), Design(strata))
    square = 0.0
    for own in (slice(0, 7), slice(7, 13)):
        away = bound_rate(errors[own], of[own], 0.025) - errors[own].sum() / of[own].sum()
        square += (of[own].sum() / of.sum() * away) ** 2
    assert found.high == pytest.approx(errors.sum() / of.sum() + square**0.5)
    assert found.high < bound_rate(errors, of, 0.025)


def test_repetitions_are_bounded_each_by_its_own() -> None:
    counts, of = np.array([[3.0] + [0.0] * 10, [40.0] + [2.0] * 10]), np.full((2, 11), 74.0)
    found = clustered.rate(Share(counts, of))
    assert found.high == pytest.approx([clustered.rate(Share(row, of[0])).high for row in counts])


def test_a_stratum_of_one_cluster_joins_another() -> None:
    share = counts(1, 9, 30)
    assert clustered.rate(share, Design([0] * 8 + [1])).low == pytest.approx(clustered.rate(share).low)


def cross(counted: np.ndarray, each: float) -> tuple[Share, Design]:  # type: ignore[type-arg]
    """Cells of clusters (rows) and templates (columns) with so many sentences each."""
    clusters, templates = (places.ravel() for places in np.indices(counted.shape))
    of = np.full(counted.size, each)
    return Share(counted.ravel(), of), Design(np.zeros(counted.size, dtype=int), clusters, templates)


def draw_cells(seed: int, clusters: int, templates: int) -> np.ndarray:  # type: ignore[type-arg]
    """Of 20 sentences each, where clusters and templates vary alike."""
    rng = np.random.default_rng(seed)
    rates = 0.5 + rng.normal(0, 0.15, (clusters, 1)) + rng.normal(0, 0.15, (1, templates))
    return rng.binomial(20, np.clip(rates, 0, 1)).astype(float)


@pytest.mark.parametrize("seed", range(3))
def test_the_variance_of_clusters_crossed_with_templates_is_that_of_statsmodels(seed: int) -> None:
    counted = draw_cells(seed, 12, 9)
    share, design = cross(counted, 20)
    right = np.concatenate([np.repeat([1.0, 0.0], [int(k), 20 - int(k)]) for k in share.counted])
    groups = np.column_stack([np.repeat(design.clusters, 20), np.repeat(design.templates, 20)])  # type: ignore[arg-type]
    fitted = sm.OLS(right, np.ones_like(right)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    found = clustered.mean(share, design)
    assert float(found.error) == pytest.approx(float(fitted.bse[0]), rel=1e-3)  # type: ignore[arg-type]


def test_crossed_templates_never_make_a_variance_less_than_that_of_clusters_or_of_templates() -> None:
    rng = np.random.default_rng(1)
    for counted in rng.binomial(20, 0.5, (8, 12, 9)).astype(float):
        share, design = cross(counted, 20)
        one_way = [
            clustered.mean(Share(counted.sum(axis=axis), np.full(counted.shape[1 - axis], 20.0 * counted.shape[axis])))
            for axis in (0, 1)
        ]
        found = clustered.mean(share, design)
        assert float(found.error) >= max(float(each.error) for each in one_way) - 1e-12  # type: ignore[arg-type]
        assert found.df == min(float(each.df) for each in one_way)  # type: ignore[arg-type]


def test_what_is_rare_reaches_as_far_as_clusters_or_templates_let_it() -> None:
    lost = np.zeros((20, 7))
    lost[3, :3] = 1
    share, design = cross(lost, 1.0)
    of_clusters, of_templates = np.full(20, 7.0), np.full(7, 20.0)
    wide = np.zeros((20, 7))
    wide[[1, 3, 5, 8, 9], [0, 0, 1, 0, 2]] = 1
    by_template = bound_rate(wide.sum(axis=0), of_templates, 0.025)
    assert by_template > 1.5 * bound_rate(wide.sum(axis=1), of_clusters, 0.025)
    assert clustered.rate(cross(wide, 1.0)[0], design).high == pytest.approx(by_template)
    gap = clustered.difference(np.zeros(140), share.counted, share.of, design)
    low, _ = bound_difference((np.zeros(7), of_templates), (lost.sum(axis=0), of_templates), 0.025)
    plain = clustered.difference(np.zeros(140), share.counted, share.of, design, reach=False)
    assert gap.low == pytest.approx(low) and low < float(plain.low)  # type: ignore[arg-type]


def test_few_templates_are_part_of_what_is_measured() -> None:
    counted = draw_cells(1, 12, 5)
    share, design = cross(counted[:, :4], 20)
    alone = clustered.rate(Share(counted[:, :4].sum(axis=1), np.full(12, 80.0)))
    assert clustered.rate(share, design) == alone
    five = clustered.rate(*cross(counted, 20))
    assert five.high - five.low > 1.5 * (alone.high - alone.low)  # type: ignore[operator]


@pytest.mark.parametrize("structure", STRUCTURES, ids=lambda each: each.name)
@pytest.mark.parametrize("icc", CORRELATIONS)
def test_a_drop_that_is_just_allowed_is_seldom_called_a_regression(structure: object, icc: float) -> None:
    assert regressions(structure, icc, ALLOWED) <= 5  # type: ignore[arg-type]


def test_a_gap_is_never_surer_than_that_of_independent_sentences_at_90_percent() -> None:
    """Occupations that happen to fare nearly alike are no better evidence than as many sentences of their own."""
    counted = np.array([5.0] * 19 + [5.1])
    first, second = Share(counted, np.full(20, 10.0)), Share(counted[::-1], np.full(20, 10.0))
    found = clustered.gap(first, second)
    assert found.low is not None and found.high is not None
    least = 1.645 * np.sqrt(2 * 0.25 / 201)
    assert float(found.high - found.low) / 2 == pytest.approx(least, rel=0.01)


def test_a_p_value_is_that_of_students_distribution_from_both_sides_or_from_below() -> None:
    estimate = Estimate(np.float64(-4.0), error=np.float64(2.0), df=np.float64(20.0))
    assert estimate.p_value() == pytest.approx(2 * t.cdf(-2, 20))
    assert Estimate(np.float64(4.0), error=np.float64(2.0), df=np.float64(20.0)).p_value() == estimate.p_value()
    assert estimate.p_below(-1.0) == pytest.approx(t.cdf(-1.5, 20))
    assert estimate.p_below(-5.0) == pytest.approx(t.cdf(0.5, 20))
    for column in ("error", "df"):
        assert estimate._replace(**{column: None}).p_value() is None
        assert estimate._replace(**{column: None}).p_below(0.0) is None


def test_gaps_that_share_their_error_have_wider_intervals_by_holms_rule() -> None:
    clear, less = (Estimate(np.float64(-3.0), error=np.float64(error), df=np.float64(30.0)) for error in (1.0, 1.2))
    plain = [2 * t.cdf(-3 / error, 30) for error in (1.0, 1.2)]
    (alone,) = clustered.adjust([clear])
    assert alone.p == pytest.approx(plain[0])
    assert (alone.low, alone.high) == pytest.approx((-3 - t.ppf(0.975, 30), -3 + t.ppf(0.975, 30)))
    first, nothing, second = clustered.adjust([clear, Estimate(np.float64(-9.0)), less])
    assert nothing == Adjusted(None, None, None)
    assert (first.p, second.p) == pytest.approx((2 * plain[0], plain[1]))
    assert (first.low, first.high) == pytest.approx((-3 - t.ppf(0.9875, 30), -3 + t.ppf(0.9875, 30)))
    assert (second.low, second.high) == pytest.approx((-3 - 1.2 * t.ppf(0.975, 30), -3 + 1.2 * t.ppf(0.975, 30)))
    below, _ = clustered.adjust([clear, less], bound=-1.0)
    assert below.p == pytest.approx(2 * t.cdf(-2, 30))
    assert below.high == pytest.approx(-3 + t.ppf(1 - 0.025 / 2, 30))
    surest, _ = clustered.adjust([Estimate(np.float64(-900.0), error=np.float64(1e-9), df=np.float64(30.0)), less])
    assert surest.p == 0 and surest.high == pytest.approx(-900)


def test_one_of_several_repetitions_keeps_all_that_is_its_own() -> None:
    columns = (np.array([1.0, 2.0]), np.array([0.5, 1.5]), np.array([1.5, 2.5]), np.array([0.2, 0.3]), np.array([7, 8]))
    assert Estimate(*columns, why="few").of_row(1) == (2.0, 1.5, 2.5, 0.3, 8, "few")
    assert Estimate(columns[0], why="few").of_row(0) == (1.0, None, None, None, None, "few")


def test_means_of_which_nothing_or_a_few_clusters_tell_have_no_interval() -> None:
    alike = clustered.mean(Share(np.full(9, 2.0), np.ones(9)))
    assert (alike.value, alike.low) == (2, None) and "all clusters are alike" in alike.why
    share, design = Share(np.array([1000.0] + [1.0] * 11), np.array([1.0, 9.0] + [5.0] * 10)), Design([0, 0] + [1] * 10)
    few = clustered.mean(share, design, skewed=True)
    assert (few.low, few.high) == (None, None) and "a few clusters make up nearly all of the mean" in few.why
    assert clustered.mean(share, design).low is not None
    for found in (
        clustered.mean(Share(np.arange(4.0), np.ones(4))),
        clustered.gap(*[Share(np.arange(4.0), np.full(4, 9.0))] * 2),
    ):
        assert found.low is None and found.why == "4 clusters are too few for an interval; it takes 5"
    in_two = clustered.gap(*[Share(np.arange(5.0), np.full(5, 9.0))] * 2, design=Design([0, 0, 0, 1, 1]))
    assert in_two.why == "5 clusters in 2 strata are too few for an interval; it takes 6"


def test_few_clusters_that_bring_most_of_the_variance_leave_few_degrees_of_freedom() -> None:
    values = np.array([0.9, 0.5, 0.1, 0.2, 0.12, 0.15, 0.18, 0.11, 0.16, 0.14, 0.13, 0.17])
    found = clustered.mean(Share(values, np.ones(12)))
    residuals = (values - values.mean()) / 12 / np.sqrt(1 - 1 / 12)
    assert found.error == pytest.approx(np.sqrt((residuals**2).sum()))
    assert found.df == pytest.approx(max(4, 3 * (residuals**2).sum() ** 2 / (residuals**4).sum() - 1))
    assert found.df is not None and 4 < found.df < 6


def test_where_all_clusters_came_out_the_same_the_interval_is_wilsons() -> None:
    found = clustered.rate(Share(np.full(6, 3.0), np.full(6, 10.0)))
    assert found.low is not None and found.high is not None
    n, z = 60 / 1.9, t.ppf(0.975, 5)  # sentences of a cluster are taken to be alike by a tenth
    for end in (float(found.low), float(found.high)):
        assert (end - 0.3) ** 2 == pytest.approx(z**2 * end * (1 - end) / n)


@pytest.mark.parametrize("structure", STRUCTURES[:2], ids=lambda each: each.name)
@pytest.mark.parametrize("icc", CORRELATIONS)
def test_intervals_cover_the_truth(structure: object, icc: float) -> None:
    for found in intervals(structure, icc, simulations=400):  # type: ignore[arg-type]
        assert 91 <= found.covers <= (100 if found.rare else 97.5), found.name
