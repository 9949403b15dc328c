"""When nothing more can be written, one line says so, nothing half-written is left, and what was stored is kept."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

SENTENCES = 4000


def small_disk() -> None:
    # A limit on file sizes stands in for a disk that fills up: both fail in the middle of a write.
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def translate(text: Path, result: Path, home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "epicene", "translate", "-i", str(text), "-l", "en-de", "-s", "echo"]
    return subprocess.run(
        [*command, "-o", str(result), *options],
        preexec_fn=small_disk,
        capture_output=True,
        text=True,
        # Half-written byte code, which Python 3.11 takes for whole, would stay behind and break all that comes after.
        env={**os.environ, "EPICENE_HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
    )


def test_a_result_that_does_not_fit_is_not_half_written(tmp_path: Path) -> None:
    text, result = tmp_path / "text.en", tmp_path / "out" / "text.de"
    text.write_text("".join(f"sentence number {n} which is not short\n" for n in range(SENTENCES)), encoding="utf-8")
    done = translate(text, result, tmp_path / "home", "--no-cache")
    assert done.returncode == 4
    assert "cannot write" in done.stderr
    assert "nothing was written there" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(result.parent.iterdir()) == []


def test_a_cache_that_does_not_fit_keeps_what_it_has(tmp_path: Path) -> None:
    text, result = tmp_path / "text.en", tmp_path / "text.de"
    text.write_text("".join(f"sentence number {n} which is not short\n" for n in range(SENTENCES)), encoding="utf-8")
    done = translate(text, result, tmp_path / "home")
    assert done.returncode == 4
    assert "translation cache" in done.stderr
    assert "make room on its disk; what was stored before is kept" in done.stderr
    assert not result.exists()
