"""One request over HTTP, and what its end means: answers, or an error of ``epicene.errors``."""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from epicene.archives import gunzip
from epicene.errors import (
    EpiceneError,
    InputError,
    KeyRefusedError,
    MalformedError,
    MissingExtraError,
    QuotaError,
    RefusedError,
    ServiceError,
    TryLaterError,
)
from epicene.registry import parse_number
from epicene.systems.network.keys import ServiceKey
from epicene.text import scrub

if TYPE_CHECKING:
    import ssl

    import httpx

TIMEOUT_VARIABLE = "EPICENE_SERVICE_TIMEOUT"
UNREADABLE = object()
_MOST = 4 << 20  # bytes of a reply, once it is unpacked
# Bytes that a request for translations may be answered with: so many, and so many for each of its own. With the bound
# on values, many replies at once fit into memory, whatever a server sends.
_FIXED, _PER_BYTE = 256 << 10, 32
_MOST_VALUES = 100_000  # in a reply; an empty list takes twenty times its bytes
_LONGEST = 366 * 86_400  # seconds; a header Retry-After that names more means nothing
_CHUNK = 64 << 10  # bytes that are looked at together
_SAID = 300  # characters of an error body that are worth repeating
_CLIENT_ERRORS = range(400, 500)
# Another moment may do: 408 time-out, 425 too early, 429 too many requests.
_LATER = frozenset({408, 425, 429})
_KEY = frozenset({401, 403})
_NOT_THERE = frozenset({404, 405, 410})  # whatever the sentence


def timeout() -> float:
    """How many seconds a service may take for an answer."""
    value = os.environ.get(TIMEOUT_VARIABLE, "30")
    seconds = parse_number(value)
    if not 0 < seconds < math.inf:
        raise InputError(f"{TIMEOUT_VARIABLE}={value!r} is not a number of seconds above 0")
    return seconds


@dataclass(frozen=True)
class Reply:
    """What a server answered, read to its end."""

    status: int
    headers: httpx.Headers
    content: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.content.decode(errors="replace")

    @cached_property
    def body(self) -> Any:
        """The body as JSON, ``UNREADABLE`` if it is none."""
        return parse_body(self.content)

    @property
    def message(self) -> str:
        """What an error's body says, on one line, short and without keys."""
        return error_message(self.text)

    @property
    def wait(self) -> float | None:
        """The seconds of Retry-After; some servers of OpenAI's protocol send milliseconds too, which are more exact."""
        exact = parse_retry_after(self.headers.get("retry-after-ms"))
        return parse_retry_after(self.headers.get("retry-after")) if exact is None else exact / 1000


Explain = Callable[[Reply], EpiceneError | None]


@cache
def _read_authorities() -> ssl.SSLContext:
    """Whose certificates are trusted, which takes longer to read than a request; a client would for each proxy."""
    import httpx

    return httpx.create_ssl_context()


class Http:
    """A service's connection; it may be used from several threads at once.

    ``explain`` says what an error of this service means, and None where the status alone decides. ``key`` is the key
    that a status 401 or 403 refuses.
    """

    def __init__(
        self, service: str, address: str, key: ServiceKey | None = None, explain: Explain | None = None
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingExtraError(f"system {service}", "services") from None
        self._service, self._address = service, scrub(address)
        self._key, self._explain = key, explain
        try:
            headers = {"Accept-Encoding": "gzip"}
            self._client = httpx.Client(
                base_url=address, timeout=timeout(), headers=headers, verify=_read_authorities()
            )
        except (httpx.InvalidURL, ImportError, ValueError) as error:  # the address, or a proxy of the environment
            raise InputError(f"{service}: {scrub(str(error))}") from None

    def get(self, path: str, **request: Any) -> Any:
        """What a GET answers, as JSON."""
        return self.send("GET", path, **request)

    def post(self, path: str, body: Any, **request: Any) -> Any:
        """What a POST of JSON answers, as JSON."""
        return self.send("POST", path, json=body, **request)

    def send(self, method: str, path: str, **request: Any) -> Any:
        """What any request answers, as JSON; every other end is an error of ours."""
        import httpx

        end = time.monotonic() + timeout()
        try:
            with self._client.stream(method, path, **request) as stream:
                reply = Reply(stream.status_code, stream.headers, _read(stream, end))
        except httpx.TimeoutException as error:
            late = not isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout)
            raise TryLaterError(f"{self._service} gave no answer for {timeout():g} s", billed=late) from None
        except httpx.ConnectError as error:
            raise TryLaterError(f"{self._service} cannot be reached at {self._address}: {scrub(str(error))}") from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise InputError(f"{self._service}: {scrub(str(error))}") from None
        except httpx.HTTPError as error:
            why = scrub(str(error)) or type(error).__name__
            raise TryLaterError(f"{self._service} broke off: {why}", billed=True) from None
        if stream.is_redirect:
            raise redirect_error(self._service, reply.headers.get("location", ""))
        if not stream.is_success:
            raise (self._explain and self._explain(reply)) or status_error(self._service, reply, self._key)
        if reply.body is UNREADABLE:
            raise malformed_error(self._service, reply.text)
        return reply.body


def _read(stream: httpx.Response, end: float) -> bytes:
    """The whole of a reply, unpacked; one that has no end, or comes in drops, is broken off."""
    import httpx

    asked = len(stream.request.content)
    most = min(_MOST, _FIXED + _PER_BYTE * asked) if asked else _MOST
    content = bytearray()
    for part in stream.iter_raw(_CHUNK):
        content += part
        if len(content) > most:
            raise httpx.ReadError(f"more than {most >> 10:,} KiB in one answer")
        if time.monotonic() > end:
            raise httpx.ReadTimeout("")
    packing = stream.headers.get("content-encoding", "identity").strip().lower()
    if packing not in {"identity", "gzip"}:
        raise httpx.DecodingError(f"packed as {packing[:_SAID]!r}, which was not asked for")
    try:
        return bytes(content) if packing == "identity" else gunzip(bytes(content), "its answer", most)
    except InputError as error:
        raise httpx.DecodingError(str(error)) from None


@contextmanager
def let_pass() -> Iterator[None]:
    """Lets pass that a server has no such page, or one that is broken; no server and a refused key are raised."""
    try:
        yield
    except (KeyRefusedError, QuotaError):
        raise
    except TryLaterError as error:
        if error.status is None:
            raise
    except ServiceError:
        pass


def status_error(service: str, reply: Reply, key: ServiceKey | None = None) -> ServiceError:
    """The error that a status stands for."""
    what = f"{service} answered {reply.status}: {reply.message}"
    if reply.status in _KEY:
        return key.refused(reply.message) if key else KeyRefusedError(what)
    if reply.status == 402:
        return QuotaError(f"{service}: nothing is left to spend ({reply.message})")
    if reply.status in _NOT_THERE:
        return ServiceError(f"{what}; is its address right?")
    if reply.status in _CLIENT_ERRORS and reply.status not in _LATER:
        return RefusedError(what)
    return TryLaterError(what, reply.wait, status=reply.status)


def redirect_error(service: str, location: str) -> ServiceError:
    """The error for a server that sends one elsewhere: a key goes to the address that it was meant for."""
    server = re.match(r"https?://[^/?#]+", scrub(location))
    there = server[0][:_SAID] if server else "another page of its own"
    return ServiceError(f"{service} sends us on to {there}; if that is right, name it in place of this one")


def malformed_error(service: str, body: str, path: str = "") -> MalformedError:
    """The error for an answer that is no JSON, or has no text at a path."""
    what = f"has no text at {path!r}" if path else "cannot be read"
    return MalformedError(f"{service} sent an answer that {what}: {error_message(body)}")


def parse_retry_after(retry_after: str | None, now: float | None = None) -> float | None:
    """What a header Retry-After asks for: seconds, or a date; None where it names no time, or one beyond reason."""
    if retry_after is None:
        return None
    try:
        wait = float(retry_after)
    except ValueError:
        try:
            wait = parsedate_to_datetime(retry_after).timestamp() - (time.time() if now is None else now)
        except (OverflowError, TypeError, ValueError):
            return None
    return max(0.0, wait) if wait <= _LONGEST else None


def error_message(body: str) -> str:
    """The message in an error's body, on one line, short and without keys."""
    return " ".join(scrub(_find_message(body)).split())[:_SAID] or "no message"


def parse_body(body: str | bytes) -> Any:
    """What a body is as JSON, ``UNREADABLE`` if it is none, or one that is made to make us fall over."""
    packed = body if isinstance(body, bytes) else body.encode(errors="replace")
    if sum(map(packed.count, (b",", b"[", b"{"))) > _MOST_VALUES:
        return UNREADABLE
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return UNREADABLE


def _find_message(body: str) -> str:
    """Looks where services put it: ``message``, ``error``, ``error.message``, ``detail``."""
    value = parse_body(body)
    if value is UNREADABLE:
        return body
    for name in ("error", "message", "Message", "detail"):
        while isinstance(value, dict) and name in value:
            value = value[name]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
