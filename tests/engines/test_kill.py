"""Killing a run at any moment loses no stored translation and asks for none twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

TRANSLATOR = """
import sys, time
log = open(sys.argv[1], "a", buffering=1)
for line in sys.stdin:
    log.write(line)
    time.sleep(0.002)
    print(line.strip()[::-1], flush=True)
"""
# Notes what the cache holds right before each start, so that a source sent again is seen.
STORED = "SELECT source FROM translations"


def test_ten_kills_give_the_file_of_one_clean_run(tmp_path: Path) -> None:
    translator, log, text = tmp_path / "translator.py", tmp_path / "sent.log", tmp_path / "text.en"
    translator.write_text(TRANSLATOR, encoding="utf-8")
    sources = [f"sentence number {number} of the text" for number in range(1000)]
    text.write_text("\n".join(sources) + "\n", encoding="utf-8")
    result = tmp_path / "text.de"
    command = [sys.executable, "-m", "epicene", "translate", "-i", str(text), "-l", "en-de", "-o", str(result)]
    command += ["-s", f"command:{sys.executable} {translator} {log}"]
    environment = {**os.environ, "EPICENE_HOME": str(tmp_path / "home")}
    chance = random.Random(7)
    sent_after_stored = Counter[str]()
    kills = 0
    while kills < 10:
        stored, already = _stored(tmp_path / "home"), _lines(log)
        process = subprocess.Popen(command, env=environment, start_new_session=True)
        # A random moment after the first sentences were sent, however slow the machine.
        patience = time.monotonic() + 60
        while len(_lines(log)) < len(already) + chance.randint(1, 60) and process.poll() is None:
            assert time.monotonic() < patience
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.2))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        sent_after_stored.update(stored & set(_lines(log)[len(already) :]))
        kills += 1
        assert not result.exists() or len(_lines(result)) == len(sources)
    stored, already = _stored(tmp_path / "home"), _lines(log)
    subprocess.run(command, env=environment, check=True)
    sent_after_stored.update(stored & set(_lines(log)[len(already) :]))
    assert result.read_text(encoding="utf-8").splitlines() == [source[::-1] for source in sources]
    assert not sent_after_stored
    assert len(stored) > 0


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _stored(home: Path) -> set[str]:
    import sqlite3

    path = home / "translations.sqlite"
    if not path.exists():
        return set()
    database = sqlite3.connect(path)
    try:
        return {source for (source,) in database.execute(STORED)}
    except sqlite3.OperationalError:
        return set()  # killed before the table was there
    finally:
        database.close()
