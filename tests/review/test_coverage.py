"""A small version of the simulation of ``benchmarks/review.py``: intervals cover the truth as they say."""

from __future__ import annotations

import pytest

from benchmarks.review import CELLS, F1, GAPS, SYSTEMS, covered, fared

REVIEWS = 100


@pytest.mark.parametrize("right", [0.9, 0.97])
def test_the_corrected_accuracy_covers_the_truth(right: float) -> None:
    found = covered(SYSTEMS[1]._replace(share=0.25), right, REVIEWS, seed=1)["all"]
    # Of 100 intervals that cover in 95 %, 89 to 99 do so but once in a hundred times; a wrong one leaves this band.
    assert 89 <= found.covers <= 99
    # The correction takes the bias out, which is that of the detector's errors.
    assert abs(found.bias) < 0.6 < 1 < abs(found.plain)
    assert found.width < 10


def test_groups_gaps_and_f1_cover_the_truth_with_a_detector_that_errs_in_a_fifth() -> None:
    found = covered(SYSTEMS[1]._replace(share=0.25), 0.8, REVIEWS, seed=1)
    for name in (*CELLS, "pro", "anti", *GAPS, *F1):
        # Of 100 intervals that cover in 95 %, fewer than 88 do so but once in 600 times.
        assert found[name].covers >= 88, name
        assert abs(found[name].bias) < abs(found[name].plain), name


def test_two_people_cover_the_truth_before_and_after_adjudication() -> None:
    found = fared(SYSTEMS[1]._replace(share=0.15), 0.9, 20, seed=1)
    # Of 20 intervals that cover in 95 %, fewer than 16 do so but once in 400 times.
    assert found["open"].covers >= 80
    assert found["closed"].covers >= 80
    assert found["open"].width > found["half"].width > found["closed"].width
    assert found["open"].divided > found["half"].divided > found["closed"].divided == 0
