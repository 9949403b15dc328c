"""A service is asked as often as it allows, for as much at once as it takes, and no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, wait
from itertools import combinations
from typing import Any

import pytest

from epicene import systems
from epicene.errors import ServiceError
from epicene.flow import ask
from epicene.store.cache import Cache
from epicene.systems.network.pace import Clock
from epicene.systems.network.remote import RemoteRun
from epicene.systems.network.service import Limits
from tests.conftest import Start
from tests.servers.loopback import Request, Translated
from tests.systems.remote import PAIR, SPEC, Noted, OneByOne, Together, right, sentences


def test_at_most_one_batch_is_under_way_in_several_requests(
    deepl: Start, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = deepl(latency=0.05)
    sources = sentences(400)
    together, translated = Together(4), server.translated

    def met(request: Request, sources: Sequence[str], target: str) -> list[Translated]:
        together.meet()
        return translated(request, sources, target)

    monkeypatch.setattr(server, "translated", met)
    assert ask.translate(systems.load(SPEC), sources, PAIR, cache) == right(sources)
    assert server.most_under_way == 4
    assert server.most_texts_under_way <= 50


def test_a_service_that_takes_one_sentence_is_asked_for_several_at_once() -> None:
    service = OneByOne()
    assert ask.translate(service, list("abcdefghij"), PAIR) == list("ABCDEFGHIJ")
    assert service.most == 4


class Ideal(Clock):
    """A clock on which answers take no time, so that the rate is the engine's own, however busy the machine is."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds

    def wait_for_any(self, asked: Iterable[Future[Any]], seconds: float | None) -> set[Future[Any]]:
        return wait(asked).done


def test_the_rate_limit_is_kept_and_used() -> None:
    clock, rate, sources = Ideal(), 10, sentences(5000)
    service, kept = Noted(clock, Limits(50, 100_000, 1000, per_second=rate, concurrent=4)), list[str]()
    RemoteRun(service, sources, PAIR, lambda found: kept.extend(source for source, _ in found), clock=clock).run()
    assert sorted(kept) == sorted(sources)
    times = sorted(service.times)
    for first, last in combinations(range(len(times)), 2):
        # At first as many as in a second may come at once.
        assert last - first + 1 <= rate * (times[last] - times[first]) + rate + 1e-6
    # None of the time is wasted, and the limit is in requests: once it is felt, each is as large as may be.
    assert len(times) >= rate * times[-1] + rate - 1
    assert len(times) < 1.2 * len(sources) / 50


def test_a_service_that_takes_less_than_we_thought_is_asked_less_often(deepl: Start, cache: Cache) -> None:
    server = deepl(per_second=20)
    sources = sentences(2000)
    assert ask.translate(systems.load("deepl?rate=500"), sources, PAIR, cache) == right(sources)
    refused = [fault for _, fault in server.requests].count("429")
    assert refused < len(server.requests) / 2
    assert max(server.asked.values()) == 1


@pytest.mark.parametrize("fault", ["429-seconds", "429-date"])
def test_retry_after_is_honoured(fault: str, deepl: Start, cache: Cache) -> None:
    server = deepl(fault, times=1, retry_after=2)
    ask.translate(systems.load("deepl?rate=1000&concurrent=1"), sentences(3), PAIR, cache)
    first, second = (at for at, _ in server.requests)
    # A date has whole seconds, and the first of them has begun.
    assert second - first >= (2 if fault == "429-seconds" else 1)


def test_a_service_that_wants_hours_is_not_waited_for(deepl: Start, cache: Cache) -> None:
    deepl("429-seconds", retry_after=7200)
    with pytest.raises(ServiceError, match=r"left alone for 7,200 s\. 0 of 3 missing sentences .* run the same"):
        ask.translate(systems.load(SPEC), sentences(3), PAIR, cache)
