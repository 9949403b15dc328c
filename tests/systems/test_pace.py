"""Rates are kept, waits grow and are random, and a dead service is left alone."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epicene.errors import InputError
from epicene.systems.network.pace import Bucket, Circuit, RetryPolicy


@given(st.floats(0.1, 50), st.lists(st.floats(0, 2), max_size=200))
def test_no_more_requests_than_the_rate_allows(rate: float, waits: list[float]) -> None:
    now, made = 0.0, 0
    bucket = Bucket(rate, now)
    for wait in waits:
        now += wait
        if bucket.tokens(now):
            bucket.take()
            made += 1
    assert made <= rate * now + max(1, rate) + 1e-6


def test_a_request_may_be_made_when_the_bucket_says() -> None:
    bucket = Bucket(4, 0)
    for _ in range(4):
        assert bucket.tokens(0)
        bucket.take()
    assert not bucket.tokens(0)
    assert bucket.wait() == pytest.approx(0.25)
    assert not bucket.tokens(0.24)
    assert bucket.tokens(0.25)


def test_trouble_slows_down_and_answers_recover_the_rate() -> None:
    bucket = Bucket(100, 0)
    for _ in range(50):
        bucket.slow_down()
    bucket.take()
    assert bucket.wait() == pytest.approx(1)  # a hundredth of the limit
    for _ in range(200):
        bucket.recover()
    assert bucket.wait() == pytest.approx(0.01)


@given(st.integers(1, 40), st.integers())
def test_waits_are_random_up_to_a_bound_that_doubles(tries: int, seed: int) -> None:
    policy = RetryPolicy(first=1, longest=60)
    assert 0 <= policy.wait(tries, random.Random(seed)) <= min(60, 2 ** (tries - 1))


def test_full_jitter_uses_the_whole_span() -> None:
    chance = random.Random(1)
    waits = [RetryPolicy(first=1).wait(4, chance) for _ in range(1000)]
    assert min(waits) < 0.1
    assert max(waits) > 7.9
    assert sum(waits) / 1000 == pytest.approx(4, abs=0.3)


def test_a_circuit_opens_is_probed_and_given_up() -> None:
    circuit = Circuit(RetryPolicy(in_a_row=3, pause=10, probes=2))
    assert [circuit.note_failure(probe=False) for _ in range(2)] == [0, 0]
    assert not circuit.probing
    assert circuit.note_failure(probe=False) == 10
    assert circuit.probing
    # What was under way when it opened is no probe.
    assert circuit.note_failure(probe=False) == 10
    assert circuit.note_failure(probe=True) == 20
    assert not circuit.given_up
    circuit.note_failure(probe=True)
    assert circuit.given_up
    circuit.note_success()
    assert not circuit.probing
    assert not circuit.given_up


def test_the_environment_scales_all_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0.5")
    assert RetryPolicy.from_environment() == RetryPolicy(first=0.5, longest=30, pause=5)
    for text in ("much", "-1", "nan", "inf"):
        monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", text)
        with pytest.raises(InputError, match=f"EPICENE_SERVICE_PATIENCE='{text}'"):
            RetryPolicy.from_environment()
