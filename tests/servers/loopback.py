"""A server on loopback: authentication, quota, a bill, and faults as real services show them.

A service's own server inherits from ``Loopback`` and writes ``reply`` and ``error``; the faults come for free.
"""

from __future__ import annotations

import json
import random
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, urlsplit

# How a request may go wrong: refused with a status, broken on its way, or answered wrongly.
STATUS = ("429", "429-seconds", "429-date", "429-absurd", "500", "503")
TRANSPORT = ("reset", "timeout", "truncated", "drops", "huge")
GARBLED = ("page", "types", "nothing", "packed")
ANSWERS = ("fewer", "more", "duplicated", "reordered", "empty", "escaped", "lines", "header")
FAULTS = STATUS + TRANSPORT + GARBLED + ANSWERS
# Where the service did the work but the answer was lost, it bills again.
PAID_TWICE = frozenset({*TRANSPORT, *GARBLED, "fewer", "more", "duplicated", "reordered"})
_SHARE = 3  # faults that a sentence meets by chance where a server tells its sentences; the engine gets over more
# The two that end a run; they stay until ``mend`` is called.
ENDS = ("expired", "quota")


@dataclass(slots=True)
class Request:
    """A request as it came in, and the fault that it shall meet."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    fault: str = ""

    def json(self) -> Any:
        """The body, as JSON."""
        return json.loads(self.body)

    def form(self) -> dict[str, list[str]]:
        """The body, as a form."""
        return parse_qs(self.body.decode())


@dataclass(slots=True)
class Reply:
    """What is sent back; anything but text and bytes is sent as JSON."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)


class Translated(NamedTuple):
    """A source and the translation that goes back for it."""

    source: str
    text: str


def translation(source: str, target: str) -> str:
    """What every server answers: a marked copy, so that a test knows the right answer to any sentence."""
    return f"[{target.lower()}] {source} ‹é'&ß›"


class Loopback:
    """A service on a port of its own, for a ``with`` block."""

    key = "loopback-secret-key-0123456789"

    def __init__(
        self,
        faults: Sequence[str] = (),
        rate: float = 1.0,
        times: int = 10**9,
        seed: int = 1,
        quota: int = 10**12,
        latency: float = 0.0,
        hang: float = 3.0,
        retry_after: float = 1.0,
        per_second: int = 10**9,
    ) -> None:
        self.faults = list(faults)  # drawn in turn, so that each kind comes up
        self.rate = rate  # how often a request for translations meets one
        self.times = times  # how many requests in all
        self.quota = quota  # characters
        self.huge = 40 << 20  # bytes of an answer that has too many
        self.latency, self.hang, self.retry_after = latency, hang, retry_after
        self.per_second = per_second  # requests that are answered; more of them meet 429
        self.expired = False
        self.billed = 0  # characters
        self.asked = Counter[str]()  # sources that were translated, and so paid for
        self.requests: list[tuple[float, str]] = []  # for translations: when, and which fault
        self.under_way = 0  # requests for translations
        self.most_under_way = 0
        self.texts_under_way = 0
        self.most_texts_under_way = 0
        self._chance = random.Random(seed)
        self._turn = 0
        self._met = Counter[str]()  # faults, by sentence
        self._blank: set[str] = set()  # sentences that were answered with nothing
        self._emptied: set[str] = set()  # the same, where a server does not tell its sentences before
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))

    # What a service's own server writes.

    def reply(self, request: Request) -> Reply:
        """The answer to a request, faults of transport and status aside."""
        raise NotImplementedError

    def error(self, status: int, message: str) -> Reply:
        """The service's own error body for a status."""
        return Reply(status, {"message": message})

    def is_translation(self, request: Request) -> bool:
        """Whether a request asks for translations; only such ones meet faults."""
        return request.method == "POST"

    def texts(self, request: Request) -> list[str]:
        """The sentences that a request holds; who tells them spares each one more chance faults than can be got over."""
        return []

    # What it is made of.

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def mend(self) -> None:
        """No faults from now on."""
        with self._lock:
            self.faults, self.expired, self.quota = [], False, 10**12

    def translated(self, request: Request, sources: Sequence[str], target: str) -> list[Translated]:
        """The translations, billed, with the fault of the request worked in."""
        with self._lock:
            self.billed += sum(map(len, sources))
            self.asked.update(sources)
            self.texts_under_way += len(sources)
            self.most_texts_under_way = max(self.most_texts_under_way, self.texts_under_way)
        time.sleep(self.latency)
        with self._lock:
            self.texts_under_way -= len(sources)
        found = [Translated(source, translation(source, target)) for source in sources]
        with self._lock:
            if request.fault == "empty" or (request.fault == "fewer" and len(sources) == 1):
                if sources[0] in self._emptied:
                    return found  # nothing twice over is an answer
                self._emptied.add(sources[0])
        return _spoilt(found, request.fault)

    def over_quota(self, sources: Sequence[str]) -> bool:
        """Whether these texts are more than what is left."""
        return self.billed + sum(map(len, sources)) > self.quota

    @contextmanager
    def counted(self, request: Request) -> Iterator[None]:
        """Draws the fault that a request for translations shall meet, and counts the request until it has its answer.

        No longer, since who has read the answer may send the next request before the thread of this one goes on.
        """
        with self._lock:
            now = time.monotonic()
            request.fault = self._drawn(now, self.texts(request))
            self.requests.append((now, request.fault))
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            yield
        finally:
            with self._lock:
                self.under_way -= 1

    def _drawn(self, now: float, texts: Sequence[str]) -> str:
        if sum(at > now - 1 and not fault for at, fault in self.requests[-self.per_second :]) >= self.per_second:
            return "429"
        if self._turn >= self.times or not self.faults or self._chance.random() >= self.rate:
            return ""
        fault = self.faults[self._turn % len(self.faults)]
        if texts and self.rate < 1 and self._too_much(fault, texts):
            return ""
        self._turn += 1
        self._met.update(texts)
        if fault in ("empty", "fewer"):
            self._blank.update(texts[:1])
        if fault == "expired":
            self.expired = True
        if fault == "quota":
            self.quota = 0
        return fault

    def _too_much(self, fault: str, texts: Sequence[str]) -> bool:
        """Whether nobody could get over a fault: a sentence had its share, or the wrong answer looks right."""
        lengths = [len(text) for text in texts]
        match fault:
            case "empty" | "fewer" if texts[0] in self._blank:
                return True  # nothing twice over is an answer
            case "duplicated" if len(texts) > 1 and lengths[0] == lengths[-1]:
                return True
            case "reordered" if len(texts) > 1 and lengths == lengths[::-1]:
                return True
        return any(self._met[text] >= _SHARE for text in texts)


def _spoilt(found: list[Translated], fault: str) -> list[Translated]:
    match fault:
        case "fewer":
            return found[:-1]
        case "more":
            return [*found, found[-1]]
        case "duplicated" if len(found) > 1:
            return [*found[:-1], found[0]]
        case "reordered":
            return found[::-1]
        case "empty":
            return [Translated(found[0].source, ""), *found[1:]]
        case "escaped":
            return [Translated(source, text.replace("&", "&amp;").replace("'", "&#39;")) for source, text in found]
        case "lines":
            return [Translated(source, text.replace(" ", "\n", 1)) for source, text in found]
    return found


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed is no news."""


def _handler(service: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_: object) -> None:
            """Silent."""

        def do_GET(self) -> None:
            self._serve()

        def do_POST(self) -> None:
            self._serve()

        def _serve(self) -> None:
            address = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            request = Request(self.command, address.path, parse_qs(address.query), self.headers, body)
            if not service.is_translation(request):
                self._send(service.reply(request))
                return
            with service.counted(request):
                reply = _refusal(service, request.fault) if request.fault in STATUS else service.reply(request)
                if request.fault == "timeout":
                    time.sleep(service.hang)
            if request.fault in GARBLED:
                self._send(_garbled(reply, request.fault))
            elif request.fault == "header":
                self._send(replace(reply, headers={**reply.headers, "X-Served-By": "caf\xe9"}))
            elif request.fault in TRANSPORT:
                self._break(reply, request.fault)
            else:
                self._send(reply)

        def _send(self, reply: Reply, cut: bool = False) -> None:
            raw = _raw(reply)
            if cut:
                raw = raw[: len(raw) // 2]
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def _break(self, reply: Reply, fault: str) -> None:
            if fault == "truncated":
                self._send(reply, cut=True)
                return
            if fault in ("drops", "huge"):
                self._send_slowly(reply) if fault == "drops" else self._send_much()
            if fault == "reset":
                raw = _raw(reply)
                self.send_response(reply.status)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw[: len(raw) // 2])
                self.wfile.flush()
            self._reset()

        def _send_slowly(self, reply: Reply) -> None:
            raw = _raw(reply)
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            for each in range(10):
                self.wfile.write(raw[each : each + 1])
                time.sleep(service.hang / 10)

        def _send_much(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(service.huge))
            self.end_headers()
            for _ in range(service.huge >> 20):
                self.wfile.write(b" " * (1 << 20))

        def _reset(self) -> None:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True

    return Handler


def _refusal(service: Loopback, fault: str) -> Reply:
    status, _, how = fault.partition("-")
    reply = service.error(int(status), f"fault {fault}")
    if how == "seconds":
        reply.headers["Retry-After"] = f"{service.retry_after:g}"
    if how == "absurd":
        reply.headers["Retry-After"] = "9" * 20
    if how == "date":
        reply.headers["Retry-After"] = formatdate(time.time() + service.retry_after, usegmt=True)
    return reply


def _garbled(reply: Reply, fault: str) -> Reply:
    """An answer that is none, under a status that says that all is well."""
    match fault:
        case "page":
            return Reply(200, "<html><body>Please log in.</body></html>")
        case "types":
            return Reply(200, {"translations": 7, "choices": {"0": None}, "data": ["x"], "translatedText": {}})
        case "packed":
            return Reply(200, reply.body, {"Content-Encoding": "gzip, gzip"})
    return Reply(200, "")


def _raw(reply: Reply) -> bytes:
    if isinstance(reply.body, bytes):
        return reply.body
    text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body, ensure_ascii=False)
    return text.encode()
