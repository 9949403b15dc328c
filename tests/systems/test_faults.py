"""Every service against every fault that a service may show: what its request says, and that no sentence is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from epicene.errors import KeyRefusedError, QuotaError, RefusedError, TryLaterError
from epicene.flow import ask
from epicene.store.cache import Cache
from epicene.systems.network import http as _http
from epicene.systems.network.service import Service
from epicene.types import Pair
from tests.servers.cases import CASES, Case
from tests.servers.loopback import ENDS, FAULTS, STATUS, TRANSPORT, Loopback, translation

PAIR = Pair("en", "de")
each_service = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


@contextmanager
def opened(case: Case, monkeypatch: pytest.MonkeyPatch, *faults: str) -> Iterator[tuple[Loopback, Service]]:
    """A server with faults and the service that asks it."""
    if {"timeout", "drops"} & set(faults):
        monkeypatch.setenv("EPICENE_SERVICE_TIMEOUT", "0.4")
    if "huge" in faults:
        monkeypatch.setattr(_http, "_MOST", 2 << 20)
    with case.server(faults, hang=0.6, retry_after=7.0) as server:
        server.huge = 3 << 20
        yield server, case.open(server, monkeypatch)


def faults_of_cases() -> list[ParameterSet]:
    """Each service with each fault that its protocol lets us see."""
    return [
        pytest.param(case, fault, id=f"{name}-{fault}")
        for name, case in CASES.items()
        for fault in FAULTS
        if fault not in case.unseen
    ]


def ends_of_cases() -> list[ParameterSet]:
    """Each service with what may end a run; one without a quota of its own is only ever too busy."""
    return [
        pytest.param(case, end, id=f"{name}-{end}")
        for name, case in CASES.items()
        for end in ENDS
        if end == "expired" or case.quota is QuotaError
    ]


def sentences(service: Service, count: int = 3) -> list[str]:
    """As many as fit into a request, each of another length."""
    return [f"She is a doctor{'!' * number}" for number in range(min(count, service.limits.texts))]


@each_service
def test_a_request_is_answered_in_order(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(case, monkeypatch) as (server, service):
        sources = sentences(service)
        assert [answer.text for answer in service.ask(sources, PAIR)] == [translation(each, "de") for each in sources]
        assert server.billed == sum(map(len, sources))


@each_service
@pytest.mark.parametrize("fault", [*STATUS, *TRANSPORT])
def test_what_may_pass_is_to_be_tried_later(case: Case, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(case, monkeypatch, fault) as (server, service):
        sources = sentences(service)
        with pytest.raises(TryLaterError) as caught:
            service.ask(sources, PAIR)
        named = {"429-seconds": 7.0, "429-date": pytest.approx(7.0, abs=3.0)}
        assert caught.value.after == named.get(fault)
        assert caught.value.billed == (fault in TRANSPORT)  # refused outright, or lost on its way back
        assert server.key not in str(caught.value)


@each_service
def test_an_expired_key_is_said_to_be_refused(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(case, monkeypatch) as (server, service):
        service.ask(sentences(service), PAIR)
        server.expired = True
        with pytest.raises(KeyRefusedError) as caught:
            service.ask(sentences(service), PAIR)
        assert server.key not in str(caught.value)


@each_service
def test_a_quota_that_is_used_up_is_said_to_be(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(case, monkeypatch, "quota") as (_, service), pytest.raises(case.quota):
        service.ask(sentences(service), PAIR)


@each_service
def test_a_sentence_that_is_not_taken_is_refused(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(case, monkeypatch) as (_, service), pytest.raises(RefusedError):
        service.ask([*sentences(service, 2)[1:], "REFUSED"], PAIR)


@pytest.mark.parametrize(("case", "fault"), faults_of_cases())
def test_the_engine_loses_no_sentence(case: Case, fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0.01")
    sources = [f"He {'very ' * number}much likes her & them." for number in range(24)]
    quiet = 60 if fault == "empty" else 9  # nothing twice over is taken for an answer
    with opened(case, monkeypatch, fault, *[""] * quiet) as (server, service):
        server.retry_after = 0.02
        service.limits = replace(service.limits, per_second=1000)
        cache = Cache(tmp_path / "cache.sqlite")
        found = ask.translate(service, sources, PAIR, cache)
        assert found == [translation(source, "de") for source in sources]
        asked = server.asked.total()
        assert ask.translate(service, sources, PAIR, cache) == found
        assert server.asked.total() == asked  # what is stored is never asked for again
    assert cache.known(service.identity, PAIR, sources) == dict(zip(sources, found, strict=True))


@pytest.mark.parametrize(("case", "end"), ends_of_cases())
def test_what_came_before_the_end_is_kept(
    case: Case, end: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0.01")
    sources = [f"Sentence number {number}" for number in range(250)]
    with opened(case, monkeypatch) as (server, service):
        server.faults = [*[""] * (2 * service.limits.concurrent + 1), end]  # some answers are back by then
        service.limits = replace(service.limits, per_second=1000, texts=min(service.limits.texts, 20))
        cache = Cache(tmp_path / "cache.sqlite")
        with pytest.raises(
            (KeyRefusedError, QuotaError), match="missing sentences were translated and are kept"
        ) as caught:
            ask.translate(service, sources, PAIR, cache)
        assert server.key not in str(caught.value)
        kept = cache.known(service.identity, PAIR, sources)
        assert kept == {source: translation(source, "de") for source in kept} != {}
        server.mend()
        assert ask.translate(service, sources, PAIR, cache) == [translation(source, "de") for source in sources]
        assert set(server.asked.values()) == {1}
    assert not any(server.key.encode() in file.read_bytes() for file in tmp_path.iterdir())
