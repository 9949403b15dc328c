"""A sample keeps the shares of its strata and says what it can tell."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epicene.flow.sample import Sample, draw_stratified, half_width
from epicene.sets import files as store
from epicene.sets import load
from epicene.stats.rates import wilson
from epicene.types import Pair


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=200), st.integers(1, 250), st.integers(0, 5))
def test_each_stratum_has_its_share(strata: list[str], size: int, seed: int) -> None:
    items = list(enumerate(strata))
    found = draw_stratified(items, lambda item: item[1], size, seed)
    assert len(found) == min(size, len(items))
    assert found == sorted(set(found))
    everything, drawn = Counter(strata), Counter(stratum for _, stratum in found)
    for stratum, count in everything.items():
        assert abs(drawn[stratum] - count * len(found) / len(items)) < 1


def test_a_seed_gives_the_same_sample_and_another_seed_another() -> None:
    items = list(range(1000))
    draw = [draw_stratified(items, lambda item: item % 3, 100, seed) for seed in (1, 1, 2)]
    assert draw[0] == draw[1] != draw[2]


@pytest.mark.parametrize("n", [1, 2, 97, 500])
def test_no_rate_of_a_sample_has_a_wider_interval(n: int) -> None:
    widths = [50 * (high - low) for low, high in (wilson(count, n) for count in range(n + 1))]
    assert half_width(n) == pytest.approx(max(widths))


def test_five_hundred_sentences_tell_a_rate_to_less_than_five_points() -> None:
    assert half_width(500) == pytest.approx(4.37, abs=0.01)


def test_both_sentences_of_a_pair_are_drawn_together(published: Path) -> None:
    store.add("mt-geneval", published / "mt-geneval.tar.gz")
    test = load("mt-geneval")
    drawn = Sample(101).of(test.items(Pair("en", "de")), test.measures)
    assert len(drawn) == 100
    assert set(Counter(item.labels["pair"] for item in drawn).values()) == {2}
