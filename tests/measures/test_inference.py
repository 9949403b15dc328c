"""Rates, gaps and means of shares, whose values follow from the counts alone."""

from __future__ import annotations

import pytest

from epicene.measures.outcomes import Clusters
from epicene.measures.rates import Profile
from epicene.stats.clustered import Share

JOBS = [f"job {number}" for number in range(10)]
CLUSTERS = Clusters.of((job, "") for job in JOBS)


def share(counted: float, among: float) -> Share:
    """So many of so many sentences of every occupation."""
    return CLUSTERS.share((job, counted, among) for job in JOBS)


def test_a_gap_is_the_first_share_less_the_second_in_points() -> None:
    found = CLUSTERS.gap("delta", "pro-anti", share(9, 10), share(3, 20))
    assert found.value == pytest.approx(75)
    assert found.n == 300
    assert found.low is not None and found.high is not None and found.low <= 75 <= found.high


def test_groups_that_share_sentences_say_how_many_there_are() -> None:
    assert CLUSTERS.gap("delta_g", "male-female", share(9, 10), share(3, 20), n=250).n == 250


def test_a_gap_from_nothing_is_not_defined() -> None:
    found = CLUSTERS.gap("delta", "pro-anti", share(9, 10), share(0, 0))
    assert (found.value, found.low, found.n) == (None, None, 100)


def test_a_rate_of_nothing_is_not_defined() -> None:
    found = CLUSTERS.rate("correct", "all", share(0, 0))
    assert (found.value, found.n, found.count) == (None, 0, 0)


def test_a_mean_is_a_ratio_in_its_own_unit() -> None:
    found = CLUSTERS.mean("words", "all", "words", share(30, 20), n=200)
    assert (found.value, found.unit, found.n) == (pytest.approx(1.5), "words", 200)
    assert CLUSTERS.mean("words", "all", "‰", share(30, 20), n=200, scale=1000).value == pytest.approx(1500)
    assert CLUSTERS.mean("words", "all", "words", share(0, 0), n=200).value is None


def test_few_occupations_give_a_value_without_an_interval_and_say_why() -> None:
    few = Clusters.of([("nurse", ""), ("baker", "")])
    found = few.rate("correct", "all", few.share([("nurse", 5, 10), ("baker", 7, 10)]))
    assert (found.value, found.low, found.high) == (60, None, None)
    assert "2 clusters are too few" in (found.why or "")


def test_an_occupation_keeps_the_first_stratum_that_a_sentence_names() -> None:
    found = Clusters.of([("nurse", ""), ("nurse", "FO"), ("nurse", "MO"), ("baker", "MO")])
    assert found.design.strata[found.rows["nurse"]] != found.design.strata[found.rows["baker"]]


def test_units_that_share_templates_are_crossed_with_them() -> None:
    cells = [Profile((), job, "FO", template=template).cell for job in ("nurse", "baker") for template in ("b", "a")]
    found = Clusters.of([*((cell, "FO") for cell in cells), ("clerk", "MO")])
    rows = [found.rows[cell] for cell in cells]
    clusters, templates = found.design.clusters, found.design.templates
    assert clusters is not None and templates is not None
    assert [clusters[row] for row in rows] == [2, 2, 0, 0]  # in the order of their names
    assert [templates[row] for row in rows] == [2, 1, 2, 1]
    assert clusters[found.rows["clerk"]] == 1 and templates[found.rows["clerk"]] == 0  # one of its own
    assert [stratum for _, stratum in found.cells()].count("1") == 1
    assert CLUSTERS.design.templates is None
