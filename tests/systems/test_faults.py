"""Every service against every fault that a service may show: what its request says, and that no sentence is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import pytest

from epicene import systems
from epicene.errors import KeyRefusedError, RefusedError, TryLaterError
from epicene.systems._service import Service
from epicene.types import Pair
from tests.servers.cases import CASES, Case
from tests.servers.loopback import STATUS, TRANSPORT, Loopback, translation

PAIR = Pair("en", "de")
each_service = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


@contextmanager
def opened(case: Case, monkeypatch: pytest.MonkeyPatch, *faults: str) -> Iterator[tuple[Loopback, Service]]:
    """A server with faults and the service that asks it."""
    monkeypatch.setenv("EPICENE_SERVICE_TIMEOUT", "0.5")
    with case.server(faults, hang=1.0, retry_after=7.0) as server:
        for name, value in case.environment(server).items():
            monkeypatch.setenv(name, value)
        yield server, cast(Service, systems.load(case.name(server)))


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
        with pytest.raises(TryLaterError) as caught:
            service.ask(sentences(service), PAIR)
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
