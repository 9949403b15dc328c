"""The share that people would have found, from the sample that they read of each layer."""

from __future__ import annotations

import pytest

from epicene.review.corrected import Layer, weigh_layers


def test_the_share_is_that_of_the_layers_by_their_size() -> None:
    # 54 of 60 among the 600 that count as read, 8 of 40 among the 400 others: 0.6 · 0.9 + 0.4 · 0.2.
    layers = [Layer(600, True, 60, 54, 54, 54), Layer(400, False, 40, 8, 8, 8)]
    value, below, above = weigh_layers(layers)
    assert value == pytest.approx(0.62)
    # Cochran's stratified variance with its finite correction, here 1 − 60/600 and 1 − 40/400.
    cochran = 1.96 * (0.9 * (0.6**2 * 0.9 * 0.1 / 60 + 0.4**2 * 0.8 * 0.2 / 40)) ** 0.5
    assert below == above == pytest.approx(cochran, abs=2e-4)


def test_what_was_read_to_the_last_sentence_is_known() -> None:
    assert weigh_layers([Layer(30, True, 30, 20, 20, 20)]) == pytest.approx((2 / 3, 0, 0))


def test_a_layer_without_an_error_is_not_taken_to_be_without_errors() -> None:
    few, many = (weigh_layers([Layer(10_000, True, read, read, read, read)]) for read in (30, 300))
    assert few.value == many.value == 1
    assert few.below > 3 * many.below > 0


def test_a_layer_errs_as_others_do_until_its_own_errors_say_more() -> None:
    alone = weigh_layers([Layer(1000, True, 5, 5, 5, 5)])
    beside = weigh_layers([Layer(1000, True, 5, 5, 5, 5), Layer(1000, True, 200, 200, 200, 200)])
    assert beside.below < alone.below / 2


def test_divided_sentences_reach_from_one_answer_to_the_other() -> None:
    settled = weigh_layers([Layer(1000, True, 100, 90, 90, 90)])
    divided = weigh_layers([Layer(1000, True, 100, 80, 90, 100)])
    assert divided.value == settled.value
    assert (divided.below, divided.above) == pytest.approx((settled.below + 0.1, settled.above + 0.1))
