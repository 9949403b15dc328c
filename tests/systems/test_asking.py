"""A service that fails in every way loses no sentence, and none that is stored is asked for again."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from epicene import api, systems
from epicene.engines import local
from epicene.errors import BudgetError, InputError, KeyRefusedError, QuotaError, RefusedError, ServiceError, StoreError
from epicene.store.cache import Cache
from epicene.systems.network.asking import Remote
from epicene.systems.network.money import Budget
from epicene.systems.network.pace import Clock
from epicene.systems.network.service import Answer, Limits, Service
from epicene.types import Pair
from tests.conftest import Start
from tests.servers.deepl import DeepLServer
from tests.servers.loopback import FAULTS, PAID_TWICE, Request, Translated, translation

PAIR = Pair("en", "de")
SPEC = "deepl?rate=1000"


def sentences(count: int) -> list[str]:
    """Distinct sentences of many lengths."""
    return [f"Sentence {number} {'x' * (number % 61)}" for number in range(count)]


def right(sources: Sequence[str]) -> list[str]:
    return [translation(source, "de") for source in sources]


class Together:
    """Holds the first so many requests back until all of them are under way, however slowly a machine starts them."""

    def __init__(self, count: int) -> None:
        self._left = count
        self._lock = threading.Lock()
        self._all = threading.Event()

    def meet(self) -> None:
        with self._lock:
            self._left -= 1
            if self._left == 0:
                self._all.set()
        assert self._all.wait(60), "the others never came"


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache.sqlite")


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_got_over(fault: str, deepl: Start, cache: Cache) -> None:
    server = deepl(fault, times=2, hang=1.2, retry_after=0.2)
    sources = sentences(120)
    assert local.translate(systems.load(SPEC), sources, PAIR, cache) == right(sources)
    assert [fault for _, fault in server.requests].count(fault) == 2
    again = {source for source, count in server.asked.items() if count > 1}
    assert bool(again) == (fault in PAID_TWICE or fault == "empty")


def test_many_faults_of_every_kind(deepl: Start, cache: Cache) -> None:
    # Each kind twice: without an end, one sentence in thousands would meet nothing else as often as it is asked for.
    server = deepl(*FAULTS, rate=0.3, times=2 * len(FAULTS), hang=1.2, retry_after=0.1)
    sources = sentences(1500)
    assert local.translate(systems.load(SPEC), sources, PAIR, cache) == right(sources)
    assert {fault for _, fault in server.requests} >= set(FAULTS)
    asked = server.asked.total()
    assert local.translate(systems.load(SPEC), sources, PAIR, cache) == right(sources)
    assert server.asked.total() == asked


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
    assert local.translate(systems.load(SPEC), sources, PAIR, cache) == right(sources)
    assert server.most_under_way == 4
    assert server.most_texts_under_way <= 50


class Noted(Service):
    """A service that notes what it was asked, and when."""

    identity = "noted"
    price = ""

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self.limits = limits
        self.times: list[float] = []
        self.asked: list[str] = []
        self._clock = clock

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        self.times.append(self._clock.now())
        self.asked += sources
        return [Answer(source.upper()) for source in sources]

    def check(self, pair: Pair) -> list[str]:
        return []


class Ideal(Clock):
    """A clock on which answers take no time, so that the rate is the engine's own, however busy the machine is."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds

    def answered(self, asked: Iterable[Future[Any]], seconds: float | None) -> set[Future[Any]]:
        return wait(asked).done


def test_the_rate_limit_is_kept_and_used() -> None:
    clock, rate, sources = Ideal(), 10, sentences(5000)
    service, kept = Noted(clock, Limits(50, 100_000, 1000, per_second=rate, concurrent=4)), list[str]()
    Remote(service, sources, PAIR, lambda found: kept.extend(source for source, _ in found), clock=clock).run()
    assert sorted(kept) == sorted(sources)
    times = sorted(service.times)
    for first, last in combinations(range(len(times)), 2):
        # At first as many as in a second may come at once.
        assert last - first + 1 <= rate * (times[last] - times[first]) + rate + 1e-6
    # None of the time is wasted, and the limit is in requests: once it is felt, each is as large as may be.
    assert len(times) >= rate * times[-1] + rate - 1
    assert len(times) < 1.2 * len(sources) / 50


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("sent", "end"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
@pytest.mark.parametrize("keeping", [1, 2, 3])
def test_an_interrupt_while_answers_are_stored_loses_none(
    keeping: int, sent: signal.Signals, end: type[BaseException]
) -> None:
    service, kept = Noted(Clock(), Limits(50, 100_000, 1000, per_second=1000, concurrent=4)), list[str]()
    calls = 0

    def keep(found: list[tuple[str, Answer]]) -> None:
        nonlocal calls
        calls += 1
        if calls == keeping:
            signal.raise_signal(sent)
        kept.extend(source for source, _ in found)

    with pytest.raises(end):
        Remote(service, sentences(2000), PAIR, keep).run()
    assert sorted(kept) == sorted(service.asked)
    assert len(kept) < 2000


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_the_last_answers_are_waited_for_loses_none() -> None:
    """The key expires while other requests are under way, and somebody presses Ctrl-C before they are back."""
    waits, kept = threading.Event(), list[str]()

    class Expiring(OneByOne):
        def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
            if sources == ["a"]:
                raise KeyRefusedError("expired")
            assert waits.wait(60)
            return [Answer(source.upper()) for source in sources]

    class Impatient(Remote):
        def _drain(self, seconds: float = 60.0) -> None:
            if not waits.is_set():
                waits.set()
                signal.raise_signal(signal.SIGINT)
            super()._drain(seconds)

    run = Impatient(Expiring(), list("abcd"), PAIR, lambda found: kept.extend(each for each, _ in found))
    with pytest.raises(KeyboardInterrupt):
        run.run()
    assert sorted(kept) == ["b", "c", "d"]


@pytest.mark.parametrize("room_again", [True, False])
def test_answers_for_which_there_is_no_room_are_not_lost_silently(room_again: bool) -> None:
    service, kept = Noted(Clock(), Limits(50, 100_000, 1000, per_second=1000, concurrent=4)), list[str]()
    full = 0

    def keep(found: list[tuple[str, Answer]]) -> None:
        nonlocal full
        if len(kept) > 200 and not (room_again and full):
            full += 1
            raise StoreError("disk is full")
        kept.extend(source for source, _ in found)

    with pytest.raises(StoreError) as caught:
        Remote(service, sentences(2000), PAIR, keep).run()
    lost = len(service.asked) - len(kept)
    assert lost == 0 if room_again else 0 < lost <= 50
    more = f", {lost} more were perhaps paid for and could not be kept" if lost else ""
    assert str(caught.value) == (
        f"disk is full. {len(kept)} of 2,000 missing sentences were translated and are kept{more}; "
        "mend it, then run the same command again to go on"
    )
    assert len(set(kept)) == len(kept)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_does_not_wait_for_a_service_that_hangs(caplog: pytest.LogCaptureFixture) -> None:
    class Hanging(Noted):
        def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            threading.Event().wait(60)
            return super().ask(sources, pair)

    service = Hanging(Clock(), Limits(50, 100_000, 1000, per_second=1000, concurrent=1))
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Remote(service, sentences(3), PAIR, lambda _: None).run()
    assert time.monotonic() - begun < 20
    assert "3 sentences under way are given up; they were perhaps paid for" in caplog.text


def test_a_request_that_hangs_is_given_up_whatever_holds_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server's name that is never found, or headers that come in drops: no client's own deadline ends these."""
    monkeypatch.setenv("EPICENE_SERVICE_TIMEOUT", "0.2")
    monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0")

    class Hanging(Noted):
        def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
            if not self.times:
                self.times.append(0.0)
                threading.Event().wait(60)
            return super().ask(sources, pair)

    service, kept = Hanging(Clock(), Limits(50, 100_000, 1000, per_second=1000, concurrent=1)), list[str]()
    Remote(service, sentences(3), PAIR, lambda found: kept.extend(source for source, _ in found)).run()
    assert sorted(kept) == sorted(sentences(3))


def test_a_service_that_takes_less_than_we_thought_is_asked_less_often(deepl: Start, cache: Cache) -> None:
    server = deepl(per_second=20)
    sources = sentences(2000)
    assert local.translate(systems.load("deepl?rate=500"), sources, PAIR, cache) == right(sources)
    refused = [fault for _, fault in server.requests].count("429")
    assert refused < len(server.requests) / 2
    assert max(server.asked.values()) == 1


class OneByOne(Service):
    """A service that takes a sentence a request."""

    identity = "one-by-one"
    price = ""
    limits = Limits(texts=1, characters=100, sentence=100, per_second=1000, concurrent=4)

    def __init__(self) -> None:
        self.under_way = self.most = 0
        self._lock = threading.Lock()
        self._together = Together(self.limits.concurrent)

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        with self._lock:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        self._together.meet()
        with self._lock:
            self.under_way -= 1
        return [Answer(source.upper()) for source in sources]

    def check(self, pair: Pair) -> list[str]:
        return []


def test_a_service_that_takes_one_sentence_is_asked_for_several_at_once() -> None:
    service = OneByOne()
    assert local.translate(service, list("abcdefghij"), PAIR) == list("ABCDEFGHIJ")
    assert service.most == 4


def test_two_runs_at_once_pay_for_no_sentence_twice(deepl: Start, tmp_path: Path) -> None:
    server = deepl(latency=0.02)
    sources = sentences(300)

    def run(_: int) -> list[str]:
        return local.translate(systems.load(SPEC), sources, PAIR, Cache(tmp_path / "cache.sqlite"))

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(run, range(3))) == [right(sources)] * 3
    assert max(server.asked.values()) == 1


@pytest.mark.parametrize("fault", ["429-seconds", "429-date"])
def test_retry_after_is_honoured(fault: str, deepl: Start, cache: Cache) -> None:
    server = deepl(fault, times=1, retry_after=2)
    local.translate(systems.load("deepl?rate=1000&concurrent=1"), sentences(3), PAIR, cache)
    first, second = (at for at, _ in server.requests)
    # A date has whole seconds, and the first of them has begun.
    assert second - first >= (2 if fault == "429-seconds" else 1)


def test_a_service_that_wants_hours_is_not_waited_for(deepl: Start, cache: Cache) -> None:
    deepl("429-seconds", retry_after=7200)
    with pytest.raises(ServiceError, match=r"left alone for 7,200 s\. 0 of 3 missing sentences .* run the same"):
        local.translate(systems.load(SPEC), sentences(3), PAIR, cache)


def test_a_dead_service_is_probed_and_given_up_and_the_next_run_goes_on(deepl: Start, cache: Cache) -> None:
    server = deepl()
    local.translate(systems.load(SPEC), sentences(100), PAIR, cache)
    server.faults = ["503"]
    before = len(server.requests)
    with pytest.raises(ServiceError, match=r"many times in a row\. 0 of 200 missing .* run the same command again"):
        local.translate(systems.load(SPEC), sentences(300), PAIR, cache)
    assert len(server.requests) - before < 25
    server.mend()
    assert local.translate(systems.load(SPEC), sentences(300), PAIR, cache) == right(sentences(300))
    assert max(server.asked.values()) == 1


@pytest.mark.parametrize(("fault", "error"), [("expired", KeyRefusedError), ("quota", QuotaError)])
def test_a_key_that_expires_and_a_quota_that_ends_stop_the_run(
    fault: str, error: type[ServiceError], deepl: Start, cache: Cache
) -> None:
    server = deepl(fault, rate=0.1, latency=0.01)
    with pytest.raises(error, match=r"of 2,000 missing sentences were translated and are kept; mend it"):
        local.translate(systems.load(SPEC), sentences(2000), PAIR, cache)
    kept = cache.known(f"deepl?at={server.url}", PAIR, sentences(2000))
    assert set(server.asked) == set(kept)
    assert len(kept) > 0
    server.mend()
    assert local.translate(systems.load(SPEC), sentences(2000), PAIR, cache) == right(sentences(2000))
    assert max(server.asked.values()) == 1


def test_a_refused_sentence_is_an_outcome_and_keeps_no_other_from_its_answer(
    deepl: Start, cache: Cache, caplog: pytest.LogCaptureFixture
) -> None:
    server = deepl()
    sources = [*sentences(99), "this is REFUSED by the service"]
    assert local.translate(systems.load(SPEC), sources, PAIR, cache) == [*right(sources[:-1]), ""]
    assert list(cache.refused(f"deepl?at={server.url}", PAIR, sources).items()) == [
        (sources[-1], "deepl answered 400: Bad text")
    ]
    assert "refused 1 sentence: 'this is REFUSED by the service': deepl answered 400" in caplog.text
    assert max(server.asked.values()) == 1
    asked = len(server.requests)
    assert local.translate(systems.load(SPEC), sources, PAIR, cache) == [*right(sources[:-1]), ""]
    assert len(server.requests) == asked  # an outcome is kept like any other


def test_what_an_older_run_could_not_have_does_not_block_the_next(deepl: Start, cache: Cache) -> None:
    server = deepl()
    identity, sources = f"deepl?at={server.url}", [*sentences(30), "this is REFUSED by the service"]
    cache.add(identity, PAIR, zip(sources[:-1], right(sources[:-1]), strict=True))
    assert local.translate(systems.load(SPEC), sources, PAIR, cache)[-1] == ""
    assert set(cache.refused(identity, PAIR, sources)) == {sources[-1]}


def test_a_sentence_is_not_said_to_be_refused_by_a_service_that_never_answered(deepl: Start, cache: Cache) -> None:
    server = deepl()
    with pytest.raises(RefusedError, match=r"1 sentence got no answer: 'REFUSED': deepl answered 400"):
        local.translate(systems.load(SPEC), ["REFUSED"], PAIR, cache)
    assert cache.known(f"deepl?at={server.url}", PAIR, ["REFUSED"]) == {}


def test_a_service_that_takes_nothing_is_not_asked_for_ever(deepl: Start, cache: Cache) -> None:
    server = deepl()
    sources = [f"{source} REFUSED" for source in sentences(500)]
    with pytest.raises(RefusedError, match=r"it took none of 20 sentences in a row"):
        local.translate(systems.load(SPEC), sources, PAIR, cache)
    assert len(server.requests) < 100


def test_an_answer_that_stays_empty_is_kept_as_empty(
    deepl: Start, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(self: DeepLServer, request: Request, sources: Sequence[str], target: str) -> list[Translated]:
        self.asked.update(sources)
        return [Translated(each, "" if "7" in each else translation(each, target)) for each in sources]

    monkeypatch.setattr(DeepLServer, "translated", silent)
    server = deepl()
    sources = sentences(10)
    found = local.translate(systems.load(SPEC), sources, PAIR, cache)
    assert found == ["" if "7" in source else translation(source, "de") for source in sources]
    assert server.asked[sources[7]] == 2
    assert local.translate(systems.load(SPEC), sources, PAIR, cache) == found
    assert server.asked[sources[7]] == 2


def test_a_sentence_that_is_too_long_is_refused_before_anything_is_asked(deepl: Start, cache: Cache) -> None:
    server = deepl()
    with pytest.raises(InputError, match=r"takes 20,000 characters a sentence; one of 20,001 begins 'yyy"):
        local.translate(systems.load(SPEC), ["a", "y" * 20_001], PAIR, cache)
    assert not server.requests


def test_an_unsupported_pair_lists_the_supported_ones_and_bills_nothing(deepl: Start, cache: Cache) -> None:
    server = deepl()
    with pytest.raises(InputError, match="does not translate into ja; it does into: de, en-gb, en-us"):
        local.translate(systems.load(SPEC), sentences(500), Pair("en", "ja"), cache)
    assert server.billed == 0


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
            local.translate(systems.load(SPEC), sources, PAIR, cache, budget=Budget(budget))
        assert 0.9 * budget < server.billed * 20 / 1_000_000 <= budget
        assert local.translate(systems.load(SPEC), sources, PAIR, cache, budget=Budget(10)) == right(sources)

    def test_a_budget_below_one_sentence_is_refused(self, deepl: Start, cache: Cache) -> None:
        server = deepl()
        with pytest.raises(InputError, match=r"does not pay for one sentence: the shortest costs 0\.000220 EUR"):
            local.translate(systems.load(SPEC), sentences(10), PAIR, cache, budget=Budget(0.0001))
        assert not server.requests


def test_a_refusal_is_counted_in_results_and_kept_in_the_run(deepl: Start, tmp_path: Path) -> None:
    deepl()
    sentence = "The doctor said that she is REFUSED here."
    (tmp_path / "own.tsv").write_text(
        "id\tsource\tfocus\texpected\n"
        + "".join(f"{number}\tThe doctor number {number} likes her job.\tdoctor\tfeminine\n" for number in range(30))
        + f"30\t{sentence}\tdoctor\tfeminine\n",
        encoding="utf-8",
    )
    run = api.audit([f"custom:{tmp_path / 'own.tsv'}"], ["en-de"], [SPEC], folder=tmp_path / "run", anyway=True)
    (result,) = run.results
    assert (result.empty, result.refused) == (1, 1)
    assert result.as_dict()["verdicts"]["refused"] == 1
    (again,) = api.open_run(tmp_path / "run", anyway=True).results
    assert again.refused == 1
    (refused,) = (verdict.output for verdict in again.verdicts if verdict.output.refused)
    assert (refused.item.source, refused.refused) == (sentence, "deepl answered 400: Bad text")
