"""Runs to review, and the review as a program of its own that can be killed."""

from __future__ import annotations

import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest

import epicene
from epicene.result import Result
from epicene.store import runs
from tests.output.conftest import SENTENCES, table

# German for each of the occupations of SENTENCES: as a woman, as a man, and so that nobody can be made out.
WORDS = {
    "nurse": ("Die Krankenschwester", "Der Krankenpfleger"),
    "doctor": ("Die Ärztin", "Der Arzt"),
    "teacher": ("Die Lehrerin", "Der Lehrer"),
    "engineer": ("Die Ingenieurin", "Der Ingenieur"),
    "secretary": ("Die Sekretärin", "Der Sekretär"),
}


def write_run(folder: Path, results: Sequence[Result]) -> Path:
    """A folder as an audit writes it."""
    runs.write(folder, results, ["epicene", "audit"], datetime.now(UTC))
    return folder


def scored(folder: Path, number: int, system: str = "") -> Result:
    """So many sentences of a set of one's own; one of six cannot be read, one of six is read by another word."""
    rows, lines = [], []
    for place in range(number):
        focus = list(WORDS)[place % 5]
        expected = ("feminine", "masculine")[place // 5 % 2]
        rows.append((str(place), f"The {focus} waited for train {place}.", focus, expected, f"g{place % 2}", focus))
        said = (WORDS[focus][place // 7 % 2], "Die Chirurgin", "Blorp")[(0, 0, 0, 0, 1, 2)[place % 6]]
        lines.append(f"{said} wartete auf Zug {place}.")
    folder.mkdir(parents=True, exist_ok=True)
    return epicene.score(f"custom:{table(folder / 'set.tsv', rows)}", "en-de", lines, anyway=True)


class Reviewing:
    """``epicene review`` as a user starts it."""

    def __init__(self, run: Path, *options: str, reviewer: str = "anna") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "epicene", "review", str(run), "--as", reviewer, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        parts = urlsplit(self.address)
        self.origin, self.base = f"{parts.scheme}://{parts.netloc}", f"{parts.scheme}://{parts.netloc}{parts.path}"

    def of(self, reviewer: str) -> str:
        """The address for a person."""
        return f"{self.base}?as={quote(reviewer)}"

    def client(self) -> httpx.Client:
        """A client that says where it comes from, as the page does."""
        return httpx.Client(
            base_url=self.base,
            headers={"Origin": self.origin},
            trust_env=False,
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        )

    def kill(self) -> None:
        """End it without a word of warning."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> tuple[int, str, str]:
        """End it with Ctrl-C; the exit code, and what it printed."""
        self.process.send_signal(signal.SIGINT)
        out, error = self.process.communicate(timeout=120)
        return self.process.returncode, out, error


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of 300 sentences in German."""
    return write_run(tmp_path / "run", [scored(tmp_path, 300)])


@pytest.fixture
def reviewing() -> Iterator[Any]:
    """Starts reviews, and ends those that a test leaves running."""
    started: list[Reviewing] = []

    def start(*arguments: Any, **options: Any) -> Reviewing:
        started.append(Reviewing(*arguments, **options))
        return started[-1]

    yield start
    for each in started:
        if each.process.poll() is None:
            each.kill()


@pytest.fixture
def languages(tmp_path: Path) -> Path:
    """A run in Hebrew, Arabic and German, and one that is out to do harm."""
    rows = [(str(n), source, focus, expected, "g", focus) for n, (source, focus, expected, *_) in enumerate(SENTENCES)]
    own = f"custom:{table(tmp_path / 'set.tsv', rows)}"
    found = [
        epicene.score(own, f"en-{code}", [row[place] for row in SENTENCES]) for code, place in (("he", 3), ("ar", 4))
    ]
    return write_run(tmp_path / "run", found)
