"""A small version of the simulation of ``benchmarks/review.py``: intervals cover the truth as they say."""

from __future__ import annotations

import pytest

from benchmarks.review import CELLS, GAPS, SYSTEMS, covered, fared

REVIEWS = 100


@pytest.mark.parametrize("right", [0.8, 0.97])
def test_corrected_rates_and_gaps_cover_the_truth(right: float) -> None:
    found = covered(SYSTEMS[1]._replace(share=0.25), right, REVIEWS, seed=1)
    # Of 100 intervals that cover in 95 %, fewer than 88 do so but once in 600 times.
    for name in ("all", *CELLS, "pro", "anti", *GAPS):
        assert found[name].covers >= 88, name
    # The correction takes the bias out, which is that of the reader's errors.
    assert abs(found["all"].bias) < 0.6 < 1 < abs(found["all"].plain)
    assert found["all"].width < 12.5


def test_two_people_cover_the_truth_before_and_after_adjudication() -> None:
    found = fared(SYSTEMS[1]._replace(share=0.15), 0.9, 20, seed=1)
    # Of 20 intervals that cover in 95 %, fewer than 16 do so but once in 400 times.
    assert found["open"].covers >= 80
    assert found["closed"].covers >= 80
    assert found["open"].width > found["half"].width > found["closed"].width
    assert found["open"].divided > found["half"].divided > found["closed"].divided == 0
