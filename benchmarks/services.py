"""Asking services, played by servers on loopback: nothing lost and nothing paid twice, through faults and kills.

First every service meets every fault that its protocol lets one see, several times over, with a sentence among the
others that it takes at no time: all must be translated rightly, the refusal counted, and none that was stored asked for
again. Then a process is killed at 20 random moments: what the server bills may be above the minimum by one batch per
kill. Servers send as much as they can: memory stays small. Last, DeepL translates while 5 % of all requests go wrong,
and the throughput is compared with what the rate limit allows.
"""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple, cast

from epicene import systems
from epicene.errors import RefusedError, SystemFailure, TryLaterError
from epicene.flow import ask
from epicene.registry import Options
from epicene.store.cache import Cache
from epicene.systems.network.service import Answer, Service
from epicene.systems.services.deepl import DeepL
from epicene.types import Pair
from tests.servers.cases import CASES, Case
from tests.servers.deepl import DeepLServer
from tests.servers.loopback import ANSWERS, FAULTS, PAID_TWICE, translation

PAIR = Pair("en", "de")
SENTENCES = 6_000
KILLED = 10_000  # sentences of the run that is killed
ROUNDS = 2  # times that a service meets each fault
TIMEOUT = 1.5  # seconds
GOOD = 5  # requests between two faults
RATE = 10  # requests a second
TEXTS = 25  # in a request: DeepL takes 50, but then too few requests are made for every fault to come up
LEAST = 350  # faults in all
KILLS = 20
BATCH = 50
MOST_MEMORY = 400  # MiB
MIB = 1 << 20
# A run of the command line that prints its highest memory at the end.
MEASURED = """
import re, sys
from pathlib import Path
from epicene.cli.main import main
try:
    main()
finally:
    print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


class Watched(DeepL):
    """Notes every sentence that is asked for although the cache has it."""

    def __init__(self, cache: Cache) -> None:
        super().__init__(Options("deepl", {"rate": str(RATE)}))
        self.limits = replace(self.limits, texts=TEXTS)
        self.path = cache.path
        self.again = 0

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """Look into the file, as another process would, and ask."""
        cache = Cache(self.path)
        self.again += len(cache.known(self.identity, pair, sources))
        cache.close()
        return super().ask(sources, pair)


def sentences(count: int, seed: int = 7) -> list[str]:
    """Distinct sentences of 30 to 110 characters."""
    chance = random.Random(seed)
    words = ("the", "doctor", "nurse", "baker", "asked", "told", "saw", "her", "his", "to", "help", "work", "today")
    found = []
    for number in range(count):
        text = f"Sentence {number}:"
        length = chance.randint(30, 110)
        while len(text) < length:
            text += " " + chance.choice(words)
        found.append(text + ".")
    return found


def environment(server: DeepLServer, **more: str) -> AbstractContextManager[None]:
    """The variables that lead DeepL to the server."""
    return variables({"DEEPL_SERVER_URL": server.url, "DEEPL_AUTH_KEY": server.key, **more})


@contextmanager
def variables(given: Mapping[str, str]) -> Iterator[None]:
    """Variables for the time of a block."""
    before = dict(os.environ)
    os.environ.update({"NO_PROXY": "127.0.0.1", **given})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


class Met(NamedTuple):
    """What a service went through."""

    faults: Counter[str]
    wrong: int  # sentences without their own translation
    refused: int
    again: int  # sentences asked for although they were stored
    paid_twice: int  # sentences billed more often than answers to them were lost


def one_service(case: Case, folder: Path) -> Met:
    """A service through every fault that can be seen."""
    kinds = [fault for fault in FAULTS if fault not in case.unseen]
    plan = [each for fault in kinds * ROUNDS for each in (fault, *[""] * GOOD)]
    with case.server(plan, times=len(plan), hang=1.3 * TIMEOUT, retry_after=0.1) as server:
        names = {
            **case.environment(server),
            "EPICENE_SERVICE_TIMEOUT": f"{TIMEOUT}",
            "EPICENE_SERVICE_PATIENCE": "0.02",
        }
        with variables(names):
            service = cast(Service, systems.load(case.name(server)))
            texts = min(service.limits.texts, 4)
            service.limits = replace(service.limits, per_second=1000, texts=texts)
            sources = [*sentences(texts * len(plan)), "This one is REFUSED by the service."]
            cache = Cache(folder / f"{case.service}-{len(list(folder.iterdir()))}.sqlite")
            again, lost, ask_service = list[str](), list[str](), service.ask

            def watched(asked: Sequence[str], pair: Pair) -> list[Answer]:
                begun, billed = time.monotonic(), False
                with closing(Cache(cache.path)) as other:  # as another process would look
                    again.extend(other.known(service.identity, pair, asked))
                try:
                    return ask_service(asked, pair)
                except (TryLaterError, RefusedError) as error:  # a model that declines has answered, too
                    billed = error.billed
                    raise
                finally:
                    # A busy machine may be too late with an answer that was whole.
                    lost.extend(asked if billed or time.monotonic() - begun > TIMEOUT else ())

            service.ask = watched  # type: ignore[method-assign]
            found = ask.translate(service, sources, PAIR, cache)
            refused = cache.refused(service.identity, PAIR, sources)
            cache.close()
    wrong = sum(text != translation(source, "de") for source, text in zip(sources[:-1], found, strict=False))
    met = Counter(fault for _, fault in server.requests if fault)
    mixed_up = texts * sum(met[fault] for fault in PAID_TWICE.intersection(ANSWERS)) + met["empty"]
    twice = max(0, server.asked.total() - len(sources) + len(refused) - len(lost) - mixed_up)
    return Met(met, wrong, len(refused), len(again), twice)


def every_service(folder: Path) -> None:
    """Every service through every fault."""
    begun, total = time.perf_counter(), Counter[str]()
    for name, case in CASES.items():
        met = one_service(case, folder)
        total += met.faults
        print(f"{name}: {met.faults.total()} faults, wrong or lost {met.wrong}, refused {met.refused}, ", end="")
        print(f"asked for although stored {met.again}, paid twice without need {met.paid_twice}", flush=True)
        assert (met.wrong, met.refused, met.again, met.paid_twice) == (0, 1, 0, 0)
    print(f"{total.total()} faults of {len(total)} kinds in {time.perf_counter() - begun:.0f} s:")
    print("  " + ", ".join(f"{fault} {count}" for fault, count in sorted(total.items())))
    assert total.total() >= LEAST
    assert set(total) == set(FAULTS), set(FAULTS) - set(total)


def faults(folder: Path) -> None:
    """All translated, none asked for again once stored, and the throughput beside the rate limit."""
    sources = sentences(SENTENCES)
    with (
        DeepLServer(FAULTS, rate=0.05, hang=1.5, retry_after=1) as server,
        environment(server, EPICENE_SERVICE_TIMEOUT="1"),
    ):
        cache = Cache(folder / "faults.sqlite")
        service = Watched(cache)
        start = time.perf_counter()
        found = ask.translate(service, sources, PAIR, cache)
        seconds = time.perf_counter() - start
        cache.close()
    wrong = sum(text != translation(source, "de") for source, text in zip(sources, found, strict=True))
    met = Counter(fault for _, fault in server.requests if fault)
    print(f"{len(sources):,} sentences, {len(server.requests)} requests, {met.total()} of them with a fault:")
    print("  " + ", ".join(f"{fault} {count}" for fault, count in sorted(met.items())))
    print(f"wrong or lost: {wrong}; asked for although stored: {service.again}")
    print(f"billed: {server.billed / sum(map(len, sources)):.3f} x the minimum (answers that were lost on their way)")
    allowed = RATE * TEXTS
    rate = len(sources) / seconds
    print(f"{rate:.0f} sentences a second of {allowed} that the limit allows: {100 * rate / allowed:.0f} %")
    assert not wrong
    assert not service.again
    assert rate >= 0.8 * allowed


def kills(folder: Path) -> None:
    """What 20 kills cost."""
    sources = sentences(KILLED, seed=8)
    text, result = folder / "text.en", folder / "text.de"
    text.write_text("\n".join(sources) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "epicene", "translate", "-i", str(text), "-l", "en-de", "-o", str(result)]
    command += ["-s", "deepl?rate=1000"]
    chance = random.Random(9)
    with DeepLServer(latency=0.03) as server, environment(server, EPICENE_HOME=str(folder / "home")):
        for _ in range(KILLS):
            process = subprocess.Popen(command, start_new_session=True)
            wanted = len(server.requests) + chance.randint(1, 70)
            while len(server.requests) < wanted and process.poll() is None:
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.03))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        killed = len(server.asked)
        subprocess.run(command, check=True)
    lines = result.read_text(encoding="utf-8").splitlines()
    assert lines == [translation(source, "de") for source in sources]
    least = sum(map(len, sources))
    batch = BATCH * least / len(sources)
    above = server.billed - least
    print(f"{KILLS} kills, the last when {killed:,} of {len(sources):,} sentences had been asked for")
    print(f"billed {server.billed:,} characters, {above:,} above the minimum of {least:,}")
    print(f"a kill cost {above / KILLS / batch:.2f} batches of {BATCH} sentences on average (at most 1)")
    assert above <= KILLS * batch


def _pack(size: int) -> bytes:
    """Brackets of so many MiB, gzipped: each would be a list in the next."""
    packer = zlib.compressobj(wbits=31)
    return b"".join(packer.compress(b"[" * MIB) for _ in range(size)) + packer.flush()


def _list_floods() -> dict[str, tuple[bytes, str]]:
    """By what a server sends: its body, and how it says that it is packed."""
    packed = _pack(500)
    return {
        "a text of 32 MiB": (b'{"translation": "' + b"x" * (32 * MIB) + b'"}', "identity"),
        "250 KiB of lists": (b'{"translation": [' + b"[]," * 85_000 + b"[]]}", "identity"),
        "500 MiB, gzipped": (packed, "gzip"),
        "500 MiB, gzipped twice": (gzip.compress(packed), "gzip, gzip"),
    }


class _FloodServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that breaks off is no news."""


@contextmanager
def _flood(body: bytes, packing: str) -> Iterator[str]:
    """The address of a server that answers every request with the same body."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Silent."""

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Encoding", packing)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(OSError):  # the client does not want all of it
                self.wfile.write(body)

    server = _FloodServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/translate"
    finally:
        server.shutdown()
        server.server_close()


def memory(folder: Path) -> None:
    """What servers that send as much as they can make the process that asks hold."""
    text = folder / "flood.en"
    text.write_text("".join(f"{sentence}\n" for sentence in sentences(200)), encoding="utf-8")
    for name, (body, packing) in _list_floods().items():
        with _flood(body, packing) as url:
            command = [sys.executable, "-c", MEASURED, "translate", "-i", str(text), "-l", "en-de"]
            command += ["-o", str(folder / "flood.de"), "-s", f"http:{url}?concurrent=40&rate=1000"]
            variables = {**os.environ, "EPICENE_HOME": str(folder), "EPICENE_SERVICE_PATIENCE": "0.01"}
            done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        highest = int(done.stdout) / 1024
        print(f"{name}: {highest:.0f} MiB at most, exit code {done.returncode}", flush=True)
        assert done.returncode == SystemFailure.exit_code
        assert highest <= MOST_MEMORY


def main() -> None:
    """Print all four; the one that a busy machine may fail comes last."""
    with tempfile.TemporaryDirectory() as folder:
        every_service(Path(folder))
        kills(Path(folder))
        memory(Path(folder))
        faults(Path(folder))


if __name__ == "__main__":
    main()
