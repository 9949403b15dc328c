"""Killing the audit of a cascade while it listens or translates: the same result, and nothing is heard twice."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from epicene.flow.hear import PAIR
from tests.killing import kill_once, lines, stored
from tests.recordings import answering, asked, recorded

KILLS = 6
SENTENCES = {str(number): f"The clerk number {number} said that she was late." for number in range(60)}
HEARD = {key: text.lower().replace("she", "he" if int(key) % 7 == 0 else "she") for key, text in SENTENCES.items()}
TRANSLATOR = """
import sys, time
log = open(sys.argv[1], "a", buffering=1)
for line in sys.stdin:
    log.write(line)
    time.sleep(0.004)
    who = "El empleado" if " he " in line else "La empleada"
    print(f"{who} número {line.split()[3]} dijo que llegaba tarde a la oficina.", flush=True)
"""


def _command(folder: Path, run: Path) -> list[str]:
    rows = "".join(f"{key}\t{text}\tclerk\tfeminine\n" for key, text in SENTENCES.items())
    (folder / "sentences.tsv").write_text("id\tsource\tfocus\texpected\n" + rows, encoding="utf-8")
    (folder / "translator.py").write_text(TRANSLATOR, encoding="utf-8")
    hear = answering(folder, "listener", HEARD, 0.004)
    system = f"cascade:command:{hear}+command:{sys.executable} {folder / 'translator.py'} {folder / 'translator.log'}"
    spoken = f"spoken:custom:{folder / 'sentences.tsv'}@{folder / 'audio'}"
    return [sys.executable, "-m", "epicene", "audit", "-t", spoken, "-l", "en-es", "-s", system, "-o", str(run)]


def test_kills_change_no_result_and_nothing_is_done_twice(tmp_path: Path) -> None:
    recorded(tmp_path / "audio", SENTENCES)
    sums = {}
    for line in (tmp_path / "audio" / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        sums[f"{record['voice']}/{record['id']}"] = record["sha256"]
    killed, clean = tmp_path / "killed", tmp_path / "clean"
    home = {**os.environ, "EPICENE_HOME": str(tmp_path / "home")}
    logs = [tmp_path / "listener.log", tmp_path / "translator.log"]
    chance = random.Random(8)
    again: set[str] = set()
    for kill in range(KILLS + 1):
        known = [stored(tmp_path / "home", f"pair {sign} '{PAIR}'") for sign in ("=", "!=")]
        before = [lines(log) for log in logs]
        process = subprocess.Popen(
            _command(tmp_path, killed), env=home, start_new_session=True, stdout=subprocess.DEVNULL
        )
        if kill < KILLS:
            asked_by_then = sum(map(len, before)) + chance.randint(1, 30)
            kill_once(process, lambda: sum(len(lines(log)) for log in logs), asked_by_then, chance.uniform(0, 0.1))
            assert not (killed / "results.json").exists() or (killed / "run.json").exists()
        else:
            assert process.wait() == 0
        heard, translated = (lines(log)[len(old) :] for log, old in zip(logs, before, strict=True))
        again |= {name for name in heard if sums[name] in known[0]} | (set(translated) & known[1])
    assert not again
    subprocess.run(
        _command(tmp_path, clean),
        env={**home, "EPICENE_HOME": str(tmp_path / "other")},
        check=True,
        capture_output=True,
    )
    first, second = (json.loads((run / "results.json").read_text(encoding="utf-8")) for run in (killed, clean))
    assert first == second
    assert (killed / "verdicts.jsonl").read_bytes() == (clean / "verdicts.jsonl").read_bytes()
    origins = {json.loads(line)["cause"]["origin"] for line in (clean / "verdicts.jsonl").open(encoding="utf-8")}
    assert origins == {"right", "recognition"}
    assert len(asked(tmp_path, "listener")) >= 2 * len(sums)
