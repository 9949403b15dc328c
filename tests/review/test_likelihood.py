"""Corrected rates against hand computation, and their intervals against what they promise."""

from __future__ import annotations

import numpy as np
import pytest

from epicene.review.likelihood import corrected_rate, recall_and_precision
from epicene.review.rogan_gladen import Part, Stratum
from epicene.stats.rates import wilson

# 1,000 sentences about women. The detector reads 600 as right, of which people read 60 and find 54 right; of the 400
# others they read 40 and find 8 right. So 600 * 0.9 + 400 * 0.2 = 620 are right: 62 %, not 60 %.
STRATA = [Stratum("feminine", 1.0, 600, 60, 54), Stratum("feminine", 0.0, 400, 40, 8)]
TRUE = 0.62
SENSITIVITY, FALSE_ALARMS = 540 / 620, 60 / 380


def of_group(n: int, right: int) -> tuple[float, float, float]:
    found = corrected_rate(STRATA, [Part("feminine", n, right)], wilson(right, n))
    assert found is not None
    return found


def test_the_rate_of_all_sentences_is_the_stratified_one() -> None:
    value, low, high = of_group(1000, 600)
    assert value == pytest.approx(TRUE)
    assert low < TRUE < high


@pytest.mark.parametrize(("n", "right"), [(200, 150), (200, 90), (500, 280)])
def test_the_rate_of_a_group_is_that_of_rogan_and_gladen(n: int, right: int) -> None:
    value, low, high = of_group(n, right)
    assert value == pytest.approx((right / n - FALSE_ALARMS) / (SENSITIVITY - FALSE_ALARMS))
    assert low < value < high


def test_the_interval_of_all_sentences_is_as_wide_as_by_hand() -> None:
    # Two sources: 60 and 40 read sentences; and 1,000 sentences, of which a fourth of the variance lies between strata.
    within = 0.6**2 * 0.9 * 0.1 / 60 + 0.4**2 * 0.2 * 0.8 / 40
    between = (TRUE * (1 - TRUE) - 0.6 * 0.9 * 0.1 - 0.4 * 0.2 * 0.8) / 1000
    _, low, high = of_group(1000, 600)
    assert (high - low) / 2 == pytest.approx(1.96 * np.sqrt(within + between), rel=0.04)


def test_a_perfect_detector_leaves_the_rate_and_about_its_interval() -> None:
    strata = [Stratum("feminine", 1.0, 6000, 6000, 6000), Stratum("feminine", 0.0, 4000, 4000, 0)]
    found = corrected_rate(strata, [Part("feminine", 10000, 6000)], wilson(6000, 10000))
    assert found == pytest.approx((0.6, *wilson(6000, 10000)), abs=0.0005)


def test_no_error_found_is_not_no_error() -> None:
    strata = [Stratum("feminine", 1.0, 10**6, 50, 50), Stratum("feminine", 0.0, 10**6, 50, 0)]
    found = corrected_rate(strata, [Part("feminine", 2 * 10**6, 10**6)], wilson(10**6, 2 * 10**6))
    assert found is not None
    assert found[0] == pytest.approx(0.5)
    assert 0.02 < found[2] - found[1] < 0.08


def test_more_reading_narrows_the_interval() -> None:
    widths = []
    for factor in (1, 4, 16):
        strata = [each._replace(read=factor * each.read, true=factor * each.true) for each in STRATA]
        found = corrected_rate(strata, [Part("feminine", 1000, 600)], wilson(600, 1000))
        assert found is not None
        widths.append(found[2] - found[1])
    assert widths[0] > 1.7 * widths[1] > 2 * widths[2]


def test_sentences_that_fare_alike_widen_the_interval() -> None:
    low, high = wilson(600, 1000)
    plain = of_group(1000, 600)
    wide = corrected_rate(STRATA, [Part("feminine", 1000, 600)], (low - 0.05, high + 0.05))
    assert wide is not None
    assert wide[0] == plain[0]
    assert wide[1] < plain[1] < plain[2] < wide[2]


def test_expected_genders_are_corrected_apart_and_add_up() -> None:
    men = [Stratum("masculine", 1.0, 900, 45, 45), Stratum("masculine", 0.0, 100, 10, 5)]
    parts = [Part("feminine", 1000, 600), Part("masculine", 1000, 900)]
    found = corrected_rate([*STRATA, *men], parts, wilson(1500, 2000))
    assert found is not None
    assert found[0] == pytest.approx((TRUE + 0.95) / 2)


def test_a_detector_that_tells_nothing_cannot_correct_a_group() -> None:
    blind = [Stratum("feminine", 1.0, 600, 60, 30), Stratum("feminine", 0.0, 400, 40, 20)]
    assert corrected_rate(blind, [Part("feminine", 200, 150)], wilson(150, 200)) is None
    whole = corrected_rate(blind, [Part("feminine", 1000, 600)], wilson(600, 1000))
    assert whole is not None
    assert whole[0] == pytest.approx(0.5)


def test_a_rate_never_leaves_nought_to_one() -> None:
    for right in (0, 200):
        value, low, high = of_group(200, right)
        assert 0 <= low <= value <= high <= 1


def test_recall_and_precision_are_those_of_all_sentences() -> None:
    recall, precision = recall_and_precision(STRATA)
    assert recall is not None
    assert precision is not None
    assert recall[0] == pytest.approx(SENSITIVITY)
    assert precision[0] == pytest.approx(0.9)
    # Precision is a plain share of the sentences read in one stratum.
    assert precision[1:] == pytest.approx(wilson(54, 60), abs=0.01)
    assert recall[1] < SENSITIVITY < recall[2]


def test_a_gender_that_the_detector_never_reads_is_never_recalled() -> None:
    strata = [Stratum("", 0.0, 100, 20, 5), Stratum("", 0.0, 50, 20, 20, doubtful=True)]
    recall, precision = recall_and_precision(strata)
    assert precision is None
    assert recall is not None
    assert recall[:2] == (0, 0)
    assert 0.02 < recall[2] < 0.08  # none of some 75


def test_nothing_read_so_and_nothing_so_have_no_precision_and_no_recall() -> None:
    assert recall_and_precision([Stratum("", 0.0, 100, 10, 0)]) == (None, None)
