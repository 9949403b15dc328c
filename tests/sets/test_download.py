"""Published sets are downloaded on first use: again after a failure, and from where an earlier try stopped."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from epicene.errors import SystemFailure
from epicene.sets.about import PublishedFile
from epicene.sets.download import download
from tests.conftest import Command

_SENTENCES = 3_000
TABLE = "".join(
    ["id\tsource\tfocus\texpected\tgroup\toccupation\n"]
    + [f"{n}\tThe nurse said that she came {n}.\tnurse\tfeminine\t\to{n % 7}\n" for n in range(_SENTENCES)]
).encode()


class Server:
    """Serves one file, part by part if asked; each request meets the next of its faults."""

    def __init__(self, *faults: str | int, content: bytes = TABLE, pause: float = 0.0) -> None:
        self.content, self.faults, self.pause = content, list(faults), pause
        self.ranges: list[str | None] = []  # that were asked for
        self.sent = 0  # bytes
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Silent."""

            def do_GET(self) -> None:
                server.answer(self)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Server:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        asked = request.headers.get("Range")
        self.ranges.append(asked)
        fault = self.faults.pop(0) if self.faults else ""
        if isinstance(fault, int) and 400 <= fault < 600:
            request.send_error(fault)
            return
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and fault != "whole" else 0
        if start and start >= len(self.content):
            request.send_error(416)
            return
        body = self.content[start:]
        request.send_response(206 if start else 200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        ends = fault if isinstance(fault, int) else len(body)
        for place in range(0, ends, 1_000):
            piece = body[place : min(place + 1_000, ends)]
            request.wfile.write(piece)
            request.wfile.flush()
            self.sent += len(piece)
            time.sleep(self.pause)
        if ends < len(body):
            time.sleep(0.2)  # what was sent shall arrive
            request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.connection.close()
            request.close_connection = True

    def file(self) -> PublishedFile:
        return PublishedFile("set.tsv", (), self.url + "set.tsv", hashlib.sha256(TABLE).hexdigest())


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0")


def ignore(*_: object) -> None:
    """No bar is drawn."""


def test_a_dropped_connection_is_taken_up_where_it_broke(tmp_path: Path) -> None:
    with Server(50_000, 503, 20_000) as server:
        seen: list[tuple[int, int | None]] = []
        content = download(server.file(), tmp_path / ".part", lambda done, total: seen.append((done, total)))
    assert content == TABLE
    assert server.ranges == [None, "bytes=50000-", "bytes=50000-", "bytes=70000-"]
    assert server.sent == len(TABLE)  # nothing came twice
    assert seen[-1] == (len(TABLE), len(TABLE))
    assert seen == sorted(seen)


def test_what_a_stopped_run_left_is_used_by_the_next(tmp_path: Path) -> None:
    with (
        Server(*[10_000] * 6, *[0] * 99) as server,
        pytest.raises(SystemFailure, match=r"Connection reset|connection ended"),
    ):
        download(server.file(), tmp_path / ".part", ignore)
    with Server() as server:
        assert download(server.file(), tmp_path / ".part", ignore) == TABLE
    assert server.ranges == ["bytes=60000-"]


@pytest.mark.parametrize("fault", ["whole", ""])
def test_a_server_that_ignores_the_place_and_a_part_of_another_file_do_no_harm(tmp_path: Path, fault: str) -> None:
    (tmp_path / ".part").write_bytes(b"something else " * 100)
    with Server(fault) as server:
        assert download(server.file(), tmp_path / ".part", ignore) == TABLE
    assert server.ranges == ["bytes=1500-"] if fault else ["bytes=1500-", None]


def test_a_part_that_is_longer_than_the_file_is_dropped(tmp_path: Path) -> None:
    (tmp_path / ".part").write_bytes(TABLE + b"more")
    with Server() as server:
        assert download(server.file(), tmp_path / ".part", ignore) == TABLE


def test_a_changed_file_is_not_kept(tmp_path: Path) -> None:
    changed = TABLE.replace(b"nurse", b"baker")
    with Server(content=changed) as server, pytest.raises(SystemFailure, match=r"is not what it was: its SHA-256"):
        download(server.file(), tmp_path / ".part", ignore)
    assert list(tmp_path.iterdir()) == []
    assert len(server.ranges) == 1


def test_what_is_not_there_is_asked_for_once(tmp_path: Path) -> None:
    with Server(404) as server, pytest.raises(SystemFailure, match=r"cannot download .*: HTTP 404 Not Found"):
        download(server.file(), tmp_path / ".part", ignore)
    assert len(server.ranges) == 1


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Server, tuple[str | Path, ...]]]:
    """A set of another package, whose sentences are downloaded, and how its translations are scored."""
    place = tmp_path / "packages"
    package, metadata = place / "afar", place / "afar-1.0.dist-info"
    package.mkdir(parents=True)
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: afar\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text("[epicene.sets]\nafar = afar:SET\n", encoding="utf-8")
    with Server() as server:
        known = server.file()
        (package / "set.toml").write_text(
            'title = "A set from afar"\nlicence = "CC0"\nsources = ["en"]\n'
            f'[data.afar]\ntitle = "afar"\n[data.afar.files]\n'
            f'"set.tsv" = {{ address = "{known.address}", sha256 = "{known.sha256}" }}\n',
            encoding="utf-8",
        )
        (package / "__init__.py").write_text(
            "from dataclasses import replace\n"
            "from epicene.sets import custom, read_about\n"
            "from epicene.sets.files import require\n"
            "def own(): return custom.variant(str(require('afar', 'set.tsv')))\n"
            "SET = replace(custom.SET, about=read_about('afar'), variant=None,\n"
            "    items=lambda pair: own().items(pair), version=lambda: own().version())\n",
            encoding="utf-8",
        )
        hypotheses = tmp_path / "hyp.de"
        hypotheses.write_text(
            "".join(f"Die Krankenschwester sagte, dass sie {n} kam.\n" for n in range(_SENTENCES)), encoding="utf-8"
        )
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(place), os.environ.get("PYTHONPATH")])))
        yield server, ("score", "-t", "afar", "-l", "en-de", "-b", "-i", hypotheses)


def test_a_set_is_downloaded_on_first_use_and_only_then(
    program: Command, task: tuple[Server, tuple[str | Path, ...]], own_home: Path
) -> None:
    server, arguments = task
    done = program(*arguments)
    assert (done.returncode, done.stdout) == (0, "0.0\n"), done.stderr
    assert done.stderr.startswith("afar is not on this machine; downloading it from 127.0.0.1 (licence: epicene sets")
    assert [path.name for path in (own_home / "sets" / "afar").iterdir()] == ["set.tsv"]
    again = program(*arguments)
    assert (again.stdout, again.stderr) == ("0.0\n", "")
    assert len(server.ranges) == 1


def test_of_several_runs_at_once_one_downloads(
    program: Command, task: tuple[Server, tuple[str | Path, ...]], own_home: Path
) -> None:
    server, arguments = task
    server.pause = 0.02
    with ThreadPoolExecutor(3) as pool:
        done = [future.result() for future in [pool.submit(program, *arguments) for _ in range(3)]]
    assert [(run.returncode, run.stdout) for run in done] == [(0, "0.0\n")] * 3, [run.stderr for run in done]
    assert server.sent == len(TABLE)
    assert any("another run is downloading afar; waiting for it" in run.stderr for run in done)


def test_a_killed_download_goes_on_where_it_was(
    program: Command, task: tuple[Server, tuple[str | Path, ...]], own_home: Path
) -> None:
    server, arguments = task
    server.pause = 0.01
    command = [sys.executable, "-m", "epicene", *map(str, arguments)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as run:
        part = own_home / "sets" / "afar" / ".set.tsv.part"
        until = time.monotonic() + 60
        while not (part.is_file() and part.stat().st_size) and time.monotonic() < until:
            time.sleep(0.05)
        run.send_signal(signal.SIGKILL)
    server.pause, arrived = 0.0, part.stat().st_size
    assert 0 < arrived < len(TABLE)
    done = program(*arguments)
    assert (done.returncode, done.stdout) == (0, "0.0\n"), done.stderr
    assert server.ranges == [None, f"bytes={arrived}-"]


def test_without_a_network_one_line_says_what_to_do(
    program: Command, task: tuple[Server, tuple[str | Path, ...]]
) -> None:
    server, arguments = task
    server.__exit__()
    done = program(*arguments, "-q")
    assert done.returncode == 2
    assert done.stderr.startswith("epicene: afar is not on this machine: cannot download http://127.0.0.1:")
    assert "no connection" in done.stderr
    assert done.stderr.endswith(
        "try again with: epicene data get afar (or add it from a file: epicene data add afar PATH)\n"
    )
    assert done.stderr.count("\n") == 1


def test_what_a_set_is_can_be_read_before_anything_is_downloaded(
    program: Command, task: tuple[Server, tuple[str | Path, ...]]
) -> None:
    server, _ = task
    shown = program("sets", "show", "afar").stdout
    assert "Licence: CC0" in shown
    assert "Version: not on this machine" in shown
    assert server.ranges == []
    assert program("data", "get", "afar").returncode == 0
    assert "not on this machine" not in program("sets", "show", "afar").stdout


def test_a_terminal_shows_how_much_has_arrived(task: tuple[Server, tuple[str | Path, ...]]) -> None:
    pty = pytest.importorskip("pty")
    server, arguments = task
    server.pause = 0.02
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "epicene", *map(str, arguments)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as run:
        os.close(theirs)
        shown = b""
        with os.fdopen(ours, "rb", buffering=0) as screen:
            try:
                while piece := screen.read(4096):
                    shown += piece
            except OSError:  # the terminal is closed with its last program
                pass
        run.wait()
    assert b"afar: set.tsv" in shown
    assert f"/{len(TABLE) / 1000:.1f} kB".encode() in shown
