"""What the end of a request means."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from email.utils import formatdate
from typing import Any, Self

import httpx
import pytest

from epicene.errors import (
    InputError,
    KeyRefusedError,
    MalformedError,
    QuotaError,
    RefusedError,
    ServiceError,
    TryLaterError,
)
from epicene.systems.network import http as _http
from epicene.systems.network.http import Http, error_message, parse_retry_after, redirect_error, status_error, timeout
from epicene.systems.network.keys import Secret
from tests.servers.loopback import Loopback, Reply, Request


class Plain(Loopback):
    """Answers with what it was sent."""

    def reply(self, request: Request) -> Reply:
        return Reply(200, self.translated(request, request.json(), "de"))


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, RefusedError),
        (401, KeyRefusedError),
        (402, QuotaError),
        (403, KeyRefusedError),
        (404, ServiceError),
        (408, TryLaterError),
        (413, RefusedError),
        (429, TryLaterError),
        (500, TryLaterError),
        (503, TryLaterError),
        (529, TryLaterError),
    ],
)
def test_each_status_is_an_error_of_its_own(status: int, error: type[ServiceError]) -> None:
    assert type(status_error("s", _http.Reply(status, httpx.Headers(), b"no"))) is error


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        (None, None),
        ("7", 7),
        ("0.5", 0.5),
        ("-3", 0),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("7200", 7200),
        ("99999999999999999999", None),
        ("Fri, 31 Dec 9999 23:59:59 +2359", None),
        ("Fri, 31 Dec 99999 23:59:59 GMT", None),
        (formatdate(1000, usegmt=True), 10),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, wait: float | None) -> None:
    assert parse_retry_after(header, now=990) == wait


def test_a_server_that_is_not_there_is_not_billed() -> None:
    with Plain() as server:
        url = server.url
    with pytest.raises(TryLaterError, match=f"s cannot be reached at {url}: ") as caught:
        Http("s", url.replace("//", "//me:hush@")).get("/")
    assert not caught.value.billed


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="s: "):
        Http("s", "htp:/nowhere").get("/")


def test_messages_are_found_shortened_and_scrubbed() -> None:
    Secret("sesame-open-42", "S_KEY")
    body = json.dumps({"error": {"code": 401, "message": "bad key sesame-open-42\n" + "x" * 1000}})
    assert error_message(body).startswith("bad key [key] xxx")
    assert len(error_message(body)) == 300
    assert error_message("") == "no message"


@pytest.mark.parametrize("given", ["soon", "0", "-1", "nan", "inf"])
def test_a_time_out_that_is_none_is_refused(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPICENE_SERVICE_TIMEOUT", given)
    with pytest.raises(InputError, match="EPICENE_SERVICE_TIMEOUT"):
        timeout()


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("https://me:hush@other.org/x?key=1", "https://other.org;"),
        ("/login", "another page of its own;"),
        ("http://[", "http://[;"),
        ("", "another page of its own;"),
    ],
)
def test_a_redirect_says_where_to(location: str, said: str) -> None:
    assert f"s sends us on to {said}" in str(redirect_error("s", location))


@pytest.mark.parametrize("headers", [{"Transfer-Encoding": "chunked"}, {"Content-Encoding": "gzip"}])
def test_bodies_are_read_however_they_are_packed(headers: dict[str, str]) -> None:
    body = json.dumps(["schön"] * 100).encode()
    packed = gzip.compress(body) if "Content-Encoding" in headers else b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    if "Content-Encoding" in headers:
        headers = {**headers, "Content-Length": str(len(packed))}

    class Packed(Plain):
        def __enter__(self) -> Self:
            def get(handler: Any) -> None:
                handler.send_response(200)
                for name, value in headers.items():
                    handler.send_header(name, value)
                handler.end_headers()
                handler.wfile.write(packed)

            self._server.RequestHandlerClass.do_GET = get  # type: ignore[attr-defined]
            return super().__enter__()

    with Packed() as server:
        client = Http("s", server.url)
        assert [client.get("/"), client.get("/")] == [["schön"] * 100] * 2


@pytest.mark.parametrize(
    ("packing", "rounds", "why"),
    [
        ("gzip", 1, "its answer unpacks to more than 262,208 bytes"),
        ("gzip, gzip", 2, "packed as 'gzip, gzip', which was not asked for"),
        ("br", 1, "packed as 'br', which was not asked for"),
    ],
)
def test_an_answer_that_unpacks_without_end_is_broken_off(packing: str, rounds: int, why: str) -> None:
    bomb = bytes(64 << 20)
    for _ in range(rounds):
        bomb = gzip.compress(bomb)
    with Plain() as server:
        server.reply = lambda _: Reply(200, bomb, {"Content-Encoding": packing})  # type: ignore[method-assign]
        tracemalloc.start()
        with pytest.raises(TryLaterError, match=why):
            Http("s", server.url).post("/", [])
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
        tracemalloc.stop()


def test_an_answer_of_very_many_values_is_not_read() -> None:
    with Plain() as server:
        server.reply = lambda _: Reply(200, [[]] * 200_000)  # type: ignore[method-assign]
        with pytest.raises(MalformedError, match="cannot be read"):
            Http("s", server.url).get("/")


@pytest.mark.parametrize("value", [b"caf\xe9", "schön".encode(), b"\xff\xfe"])
@pytest.mark.parametrize("status", [200, 429])
def test_a_header_that_is_not_ascii_loses_no_answer(value: bytes, status: int) -> None:
    with Plain() as server:
        headers = {"X-Served-By": value.decode("latin-1"), "Retry-After": "3"}
        server.reply = lambda _: Reply(status, ["Sie."], headers)  # type: ignore[method-assign]
        if status == 200:
            assert Http("s", server.url).post("/", []) == ["Sie."]
            return
        with pytest.raises(TryLaterError) as caught:
            Http("s", server.url).post("/", [])
    assert caught.value.after == 3


def test_milliseconds_come_before_seconds() -> None:
    with Plain() as server:
        server.reply = lambda _: Reply(429, "slow", {"Retry-After": "2", "Retry-After-Ms": "1250"})  # type: ignore[method-assign]
        with pytest.raises(TryLaterError) as caught:
            Http("s", server.url).post("/", [])
    assert caught.value.after == 1.25
