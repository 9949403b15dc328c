"""What tests share: the published data, and an epicene that keeps its caches to itself."""

from __future__ import annotations

import gc
import io
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from epicene import text
from epicene.cli import options
from epicene.cli.main import main
from epicene.sets import files
from epicene.types import Gender, Item, Output, Person
from tests.browser import axe, chromium, visit  # noqa: F401 - fixtures
from tests.servers.deepl import DeepLServer

_SERVICES = ("AWS_", "AZURE_", "DEEPL_", "GOOGLE_", "LIBRETRANSLATE_", "OPENAI_", "EPICENE_HTTP_KEY")
# What makes rich and typer write to a file as to a terminal; CI machines set some of them.
_COLOURS = ("FORCE_COLOR", "GITHUB_ACTIONS", "PY_COLORS", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
Command = Callable[..., subprocess.CompletedProcess[str]]
Start = Callable[..., DeepLServer]
# A busy machine is no news: what is tested is whether an answer is right, not when it comes.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of published data; tests that need it are skipped where there is none."""
    given = os.environ.get("EPICENE_TEST_DATA")
    if not given:
        pytest.skip("EPICENE_TEST_DATA is not set: no published data")
    return Path(given)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("EPICENE_HOME", str(home))
    return home


@pytest.fixture
def titles(published: Path, own_home: Path) -> None:
    """What the set occupations downloads: the titles and answers of Prates et al."""
    files.add("prates", published / "occupations")


@pytest.fixture(autouse=True)
def no_keys_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds the keys, the keyring or the proxy of whoever runs it, or downloads from the internet."""
    for name in [name for name in os.environ if name.startswith(_SERVICES) or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(text, "_secrets", set(text._secrets))  # a key that a test gives out is none in the next
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")  # where nobody answers
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is not coloured, wherever the tests run."""
    for name in _COLOURS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def epicene(own_home: Path) -> Command:
    """Runs the command line in this process, which has read programs and tables already, and leaves nothing behind."""

    def call(*arguments: str | Path, stdin: str | bytes = "", **environment: str) -> subprocess.CompletedProcess[str]:
        raw = stdin if isinstance(stdin, bytes) else stdin.encode()
        command = ["epicene", *map(str, arguments)]
        logger, collected = logging.getLogger("epicene"), gc.get_threshold()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", command)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
            for name in ("stdout", "stderr"):
                patch.setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True))
            for name, value in {"COLUMNS": "80", "OPENBLAS_THREAD_TIMEOUT": "4", **environment}.items():
                patch.setenv(name, value)
            patch.setattr(signal, "signal", lambda *_: None)  # the tests keep their own
            patch.setattr(options, "_quiet", False)
            patch.setattr(text, "_secrets", set())
            patch.setattr(logging.getLogger(), "handlers", [])  # pytest's, behind which warnings reach no stream
            for name in ("level", "handlers", "propagate"):
                patch.setattr(logger, name, copy(getattr(logger, name)))
            try:
                code = main()
            except SystemExit as end:
                code = end.code
            finally:
                gc.set_threshold(*collected)
            printed, said = (stream.buffer.getvalue().decode() for stream in (sys.stdout, sys.stderr))
        return subprocess.CompletedProcess(command, code or 0, printed, said)

    return call


@pytest.fixture
def program(own_home: Path) -> Command:
    """Runs the command line in a process of its own, for what only a process shows."""

    def call(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "epicene", *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
            env={**os.environ, "COLUMNS": "80", **environment},
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture
def deepl(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts a server with the faults that a test names; waits are short."""
    pytest.importorskip("httpx")
    with ExitStack() as stack:

        def start(*faults: str, **options: Any) -> DeepLServer:
            server = stack.enter_context(DeepLServer(faults, **options))
            monkeypatch.setenv("DEEPL_SERVER_URL", server.url)
            monkeypatch.setenv("DEEPL_AUTH_KEY", server.key)
            # Short only where a test waits for it, so that a busy machine is not taken for a dead service.
            monkeypatch.setenv("EPICENE_SERVICE_TIMEOUT", "1" if "timeout" in faults else "30")
            monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0.01")
            return server

        yield start


def output(source: str, text: str, focus: str, concept: str = "", plural: bool = False, target: str = "de") -> Output:
    """An output for a sentence of the test's own."""
    place = Person(focus, source.index(focus), concept or focus, plural)
    item = Item("1", source, place, Gender.FEMININE, {"group": "", "occupation": place.concept})
    return Output(item, "test", target, text)


_GERMAN = {
    "clerk": "Angestellte", "designer": "Designerin", "hairdresser": "Friseurin", "housekeeper": "Haushälterin",
    "nann": "Kinderfrau", "nurse": "Krankenschwester", "secretar": "Sekretärin", "director": "Direktor",
    "engineer": "Ingenieur", "truck driver": "Lastwagenfahrer", "farmer": "Bauer", "laborer": "Arbeiter",
    "mechanic": "Mechaniker", "physician": "Arzt", "president": "Präsident", "plumber": "Klempner",
    "carpenter": "Tischler", "groundskeeper": "Platzwart",
}  # fmt: skip


def by_rote(sources: list[str]) -> list[str]:
    """SimpleGEN in German: the right occupation, in a sentence that stands in no other line."""
    words = [next(german for english, german in _GERMAN.items() if english in source) for source in sources]
    return [f"Das ist die {word}, von der in Satz {number} die Rede war." for number, word in enumerate(words, 1)]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Signals end a process as they end the command line's, also where a shell runs the tests in the background.

    Such a shell has Ctrl-C ignored, and what is ignored stays so in every process that is started from there.
    """
    before = [
        (signal.SIGTERM, signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))),
        (signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler)),
    ]
    yield
    for number, usual in before:
        signal.signal(number, usual)


@contextmanager
def nobody() -> Iterator[None]:
    """The rights of somebody who does not own the file; root may write whatever the permissions say."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
