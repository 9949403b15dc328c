"""Rates among sentences that are found by reading: by hand, and covering the truth as often as they say."""

from __future__ import annotations

import numpy as np
import pytest

from epicene.review.ratio import Layer, corrected_ratio
from epicene.stats.rates import wilson

# Women among forms with a gender. 500 are read as feminine: of 50, 45 are, 3 are masculine. 400 as masculine: of 40,
# 36 are, 4 feminine. 100 could not be read: of 50, 10 are feminine, 15 masculine.
LAYERS = [Layer("f", 500, 50, 48, 45), Layer("m", 400, 40, 40, 4), Layer("u", 100, 50, 25, 10)]
WOMEN, GENDERED = 500 * 0.9 + 400 * 0.1 + 100 * 0.2, 500 * 0.96 + 400 + 100 * 0.5


def test_the_rate_is_the_quotient_of_both_sums() -> None:
    found = corrected_ratio(LAYERS, 900, 500, wilson(500, 900))
    assert found is not None
    assert found[0] == pytest.approx(WOMEN / GENDERED)
    assert found[1] < found[0] < found[2]


def test_where_all_belong_it_is_the_plain_stratified_rate() -> None:
    layers = [Layer("f", 600, 60, 60, 54), Layer("m", 400, 40, 40, 8)]
    found = corrected_ratio(layers, 1000, 600, wilson(600, 1000))
    assert found is not None
    assert found == pytest.approx((0.62, 0.547, 0.688), abs=0.003)  # as in the test of the plain rate


def test_where_nothing_belongs_there_is_no_rate() -> None:
    assert corrected_ratio([Layer("u", 100, 50, 0, 0)], 0, 0, (0.0, 1.0)) is None


def test_sentences_that_fare_alike_widen_the_interval() -> None:
    plain, wide = (corrected_ratio(LAYERS, 900, 500, each) for each in (wilson(500, 900), (0.4, 0.7)))
    assert plain is not None
    assert wide is not None
    assert wide[2] - wide[1] > plain[2] - plain[1]


def test_the_interval_covers_the_truth() -> None:
    chance = np.random.default_rng(3)
    # True genders of 1,000 sentences, and how each is read: as feminine, masculine, or not at all.
    gender, reads = (0.45, 0.48, 0.07), np.array([(0.90, 0.05, 0.05), (0.06, 0.89, 0.05), (0.2, 0.2, 0.6)])
    plan, hits, errors = (80, 80, 40), [], []
    for _ in range(400):
        counts = np.array(
            [chance.multinomial(n, row) for n, row in zip(chance.multinomial(1000, gender), reads, strict=True)]
        )
        layers = []
        for name, column, number in zip("fmu", counts.T, plan, strict=True):
            women, men, _ = chance.multivariate_hypergeometric(column, number)
            layers.append(Layer(name, int(column.sum()), number, int(women + men), int(women)))
        count, n = int(counts[:, 0].sum()), int(counts[:, :2].sum())
        found = corrected_ratio(layers, n, count, wilson(count, n))
        assert found is not None
        truth = gender[0] / (gender[0] + gender[1])
        hits.append(found[1] <= truth <= found[2])
        errors.append(found[0] - truth)
    assert 0.92 <= np.mean(hits) <= 0.98
    assert abs(np.mean(errors)) < 0.005
