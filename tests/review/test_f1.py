"""Corrected F1 against hand computation."""

from __future__ import annotations

import pytest

from epicene.review.f1 import Written, corrected_f1, corrected_f1_gap
from epicene.review.rogan_gladen import Part, Stratum

# 1,000 sentences about women: 600 read as women, of which 54 of 60 are; 400 as men, of which 32 of 40 are. 1,000 about
# men: 900 read as men, of which all of 45 are; 100 as women, of which 5 of 10 are.
WOMEN = Written(
    "feminine",
    [
        Stratum("feminine", 1.0, 600, 60, 54),
        Stratum("feminine", 0.0, 400, 40, 8),
        Stratum("masculine", 1.0, 100, 10, 5),
        Stratum("masculine", 0.0, 900, 45, 0),
    ],
    [Part("feminine", 1000, 600), Part("masculine", 1000, 100)],
)
MEN = Written(
    "masculine",
    [each._replace(says=1 - each.says, true=each.read - each.true) for each in WOMEN.strata],
    [part._replace(right=part.n - part.right) for part in WOMEN.parts],
)
# Written as women: 620 of the women and 50 of the men.
F1_WOMEN, F1_MEN = 2 * 620 / (1000 + 670), 2 * 950 / (1000 + 1330)
NARROW = (0.0, 0.0)


def test_f1_is_that_of_what_people_read() -> None:
    for written, f1 in ((WOMEN, F1_WOMEN), (MEN, F1_MEN)):
        found = corrected_f1(written, NARROW)
        assert found is not None
        assert found[0] == pytest.approx(f1)
        assert 0 <= found[1] < f1 < found[2] <= 1


def test_the_gap_is_that_of_both_and_reckons_that_they_hang_together() -> None:
    found, women, men = corrected_f1_gap(MEN, WOMEN, NARROW), corrected_f1(WOMEN, NARROW), corrected_f1(MEN, NARROW)
    assert found
    assert women
    assert men
    assert found[0] == pytest.approx(F1_MEN - F1_WOMEN)
    # One more woman found raises both, so the gap moves by less than either.
    apart = ((women[2] - women[1]) ** 2 + (men[2] - men[1]) ** 2) ** 0.5
    assert found[2] - found[1] < 0.8 * apart


def test_occupations_that_fare_alike_widen_it() -> None:
    plain, wide = corrected_f1(WOMEN, NARROW), corrected_f1(WOMEN, (0.5, 0.9))
    assert plain
    assert wide
    assert wide[0] == plain[0]
    assert wide[1] < plain[1] < plain[2] < wide[2]
