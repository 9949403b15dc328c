"""Gaps between groups against hand computation."""

from __future__ import annotations

import pytest

from epicene.review.likelihood import corrected_rate
from epicene.review.rogan_gladen import Part, Stratum, corrected_gap, share_of_group
from epicene.stats.rates import wilson

STRATA = [Stratum("feminine", 1.0, 600, 60, 54), Stratum("feminine", 0.0, 400, 40, 8)]
YOUDEN = 540 / 620 - 60 / 380
FIRST, SECOND = Part("feminine", 300, 240), Part("feminine", 700, 360)
NARROW = (0.0, 0.0)  # an apparent interval that is no wider than chance makes it


def gap(strata: list[Stratum], first: list[Part], second: list[Part]) -> tuple[float, float, float]:
    found = corrected_gap(strata, first, second, NARROW)
    assert found is not None
    return found


def test_a_gap_grows_by_youdens_index() -> None:
    value, low, high = gap(STRATA, [FIRST], [SECOND])
    assert value == pytest.approx((240 / 300 - 360 / 700) / YOUDEN)
    assert low < value < high


def test_a_gap_is_that_of_the_corrected_rates() -> None:
    first, second = (corrected_rate(STRATA, [part], wilson(part.right, part.n)) for part in (FIRST, SECOND))
    assert first
    assert second
    assert gap(STRATA, [FIRST], [SECOND])[0] == pytest.approx(first[0] - second[0])


def test_a_gap_is_known_better_than_two_rates_with_errors_of_their_own() -> None:
    first, second = (share_of_group(STRATA, part, 1.0) for part in (FIRST, SECOND))
    assert first
    assert second
    _, low, high = gap(STRATA, [FIRST], [SECOND])
    assert high - low < (first[2] - first[1]) + (second[2] - second[1])


def test_groups_of_both_genders_add_up() -> None:
    men = [Stratum("masculine", 1.0, 900, 45, 43), Stratum("masculine", 0.0, 100, 10, 2)]
    parts = [Part("masculine", 400, 380), Part("masculine", 600, 520)]
    value, _, _ = gap([*STRATA, *men], [FIRST, parts[0]], [SECOND, parts[1]])
    women, own = gap(STRATA, [FIRST], [SECOND])[0], gap(men, [parts[0]], [parts[1]])[0]
    shares = [share_of_group([*STRATA, *men], part, 1.0) for part in (FIRST, parts[0], SECOND, parts[1])]
    w, m, v, k = (share[0] for share in shares if share)
    assert value == pytest.approx((300 * w + 400 * m) / 700 - (700 * v + 600 * k) / 1300)
    assert min(women, own) < value < max(women, own)


def test_sentences_that_fare_alike_widen_a_gap() -> None:
    plain = gap(STRATA, [FIRST], [SECOND])
    wide = corrected_gap(STRATA, [FIRST], [SECOND], (0.0, 0.6))
    assert wide is not None
    assert wide[0] == plain[0]
    assert wide[1] < plain[1] < plain[2] < wide[2]


def test_a_detector_that_tells_nothing_gives_no_gap() -> None:
    blind = [Stratum("feminine", 1.0, 600, 60, 30), Stratum("feminine", 0.0, 400, 40, 20)]
    assert corrected_gap(blind, [FIRST], [SECOND], NARROW) is None


def test_errors_that_nobody_found_can_only_widen_a_gap() -> None:
    many = 10**6
    perfect = [Stratum("feminine", 1.0, 6 * many, 60, 60), Stratum("feminine", 0.0, 4 * many, 40, 0)]
    first, second = (part._replace(n=10**4 * part.n, right=10**4 * part.right) for part in (FIRST, SECOND))
    value, low, high = gap(perfect, [first], [second])
    assert value == pytest.approx(240 / 300 - 360 / 700)
    assert value - low < 0.001 < 0.01 < high - value
