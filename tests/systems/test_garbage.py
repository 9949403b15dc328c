"""Whatever a server sends back in place of what it should, a run ends with an error of ours, never with a traceback."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, cast

import pytest

from epicene import systems
from epicene.errors import EpiceneError
from epicene.flow import ask
from epicene.systems.network.answers import make_answers
from epicene.systems.network.service import Service
from epicene.systems.services.libretranslate import LibreTranslate
from epicene.types import Pair
from tests.servers.cases import CASES, Case
from tests.servers.loopback import Reply, Request

PAIR = Pair("en", "de")
WRONG = (None, 7, 1e400, "\ud83d", [[]], {"a": []})
DEEP = "[" * 100_000
each_service = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def spoilt(body: Any) -> Iterator[Any]:
    """The body with one of its parts replaced by something else, for each part and each other thing."""
    yield from WRONG
    parts = body.items() if isinstance(body, dict) else enumerate(body[:1]) if isinstance(body, list) else ()
    for place, part in parts:
        for other in spoilt(part):
            copy = body.copy()
            copy[place] = other
            yield copy


def spoiling(case: Case, status: int) -> Any:
    """A server that spoils what it answers to one kind of request, differently each time, and then no more."""

    class Server(case.server):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.seen: dict[str, Iterator[Any]] = {}
            self.spoils = ""

        def reply(self, request: Request) -> Reply:
            found = super().reply(request)
            kind = f"{request.method} {request.path} {request.headers.get('X-Amz-Target')}"
            body = found.body if status == 200 else self.error(429, "no").body
            ways = self.seen.setdefault(kind, chain(spoilt(body), [DEEP]))
            if kind != self.spoils:
                return found
            wrong = next(ways)
            self.spoils = "" if wrong is DEEP else kind
            return Reply(status, wrong)

    return Server()


def request(service: Service) -> None:
    for answer in service.ask(["She is.", "He is a."][: service.limits.texts], PAIR):
        f"{answer.text} {answer.model}".encode()
        assert answer.characters is None or isinstance(answer.characters, int)


def check(service: Service) -> None:
    ask.check(service, PAIR)


@each_service
@pytest.mark.parametrize("status", [200, 400, 429])
@pytest.mark.parametrize("act", [request, check])
def test_an_answer_of_any_shape_is_no_traceback(
    case: Case, status: int, act: Callable[[Service], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with spoiling(case, status) as server:
        service = case.open(server, monkeypatch)
        act(service)
        for kind in list(server.seen):
            server.spoils = kind
            while server.spoils:
                if isinstance(service, LibreTranslate):
                    service = cast(Service, systems.load(case.name(server)))  # it asks only once what there is
                with contextlib.suppress(EpiceneError):
                    act(service)


def test_half_a_character_is_kept_as_a_mark() -> None:
    assert [each.text for each in make_answers(["a \ud83d b", "\ud83d\ude00"])] == ["a \ufffd b", "😀"]
