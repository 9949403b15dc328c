"""A service that fails in every way loses no sentence, and none that is stored is asked for again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from epicene import systems
from epicene.errors import BudgetError, ServiceError
from epicene.flow import ask
from epicene.store.cache import Cache
from epicene.systems.network.money import Budget
from tests.conftest import Start
from tests.servers.deepl import DeepLServer
from tests.servers.loopback import FAULTS
from tests.systems.remote import PAIR, SPEC, right, sentences


def test_many_faults_of_every_kind(deepl: Start, cache: Cache) -> None:
    # Each kind twice: without an end, one sentence in thousands would meet nothing else as often as it is asked for.
    server = deepl(*FAULTS, rate=0.5, times=2 * len(FAULTS), hang=1.2, retry_after=0.1)
    sources = sentences(3000)
    assert ask.translate(systems.load(SPEC), sources, PAIR, cache) == right(sources)
    assert {fault for _, fault in server.requests} >= set(FAULTS)
    asked = server.asked.total()
    assert ask.translate(systems.load(SPEC), sources, PAIR, cache) == right(sources)
    assert server.asked.total() == asked


def test_two_runs_at_once_pay_for_no_sentence_twice(deepl: Start, tmp_path: Path) -> None:
    server = deepl(latency=0.02)
    sources = sentences(300)

    def run(_: int) -> list[str]:
        return ask.translate(systems.load(SPEC), sources, PAIR, Cache(tmp_path / "cache.sqlite"))

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(run, range(3))) == [right(sources)] * 3
    assert max(server.asked.values()) == 1


def test_a_dead_service_is_probed_and_given_up_and_the_next_run_goes_on(deepl: Start, cache: Cache) -> None:
    server = deepl()
    ask.translate(systems.load(SPEC), sentences(100), PAIR, cache)
    server.faults = ["503"]
    before = len(server.requests)
    with pytest.raises(ServiceError, match=r"many times in a row\. 0 of 200 missing .* run the same command again"):
        ask.translate(systems.load(SPEC), sentences(300), PAIR, cache)
    assert len(server.requests) - before < 25
    server.mend()
    assert ask.translate(systems.load(SPEC), sentences(300), PAIR, cache) == right(sentences(300))
    assert max(server.asked.values()) == 1


class TestBudget:
    """A pro key, whose characters cost 20 EUR a million."""

    @pytest.fixture(autouse=True)
    def pro(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(DeepLServer, "key", "279a2e9d-83b3-c416-7e2d-f721593e42a0")

    def test_the_budget_is_used_and_never_exceeded(self, deepl: Start, cache: Cache) -> None:
        server = deepl(*FAULTS, rate=0.1, hang=1.2, retry_after=0.1)
        sources = sentences(1000)
        budget = 0.6 * sum(map(len, sources)) * 20 / 1_000_000
        with pytest.raises(BudgetError, match=r"would be exceeded .* of 1,000 missing .* raise|raise --budget"):
            ask.translate(systems.load(SPEC), sources, PAIR, cache, budget=Budget(budget))
        assert 0.9 * budget < server.billed * 20 / 1_000_000 <= budget
        assert ask.translate(systems.load(SPEC), sources, PAIR, cache, budget=Budget(10)) == right(sources)
