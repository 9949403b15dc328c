"""Killing a run at any moment loses no stored translation and asks for none twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import Start
from tests.killing import kill_once, lines, stored, wait_for
from tests.servers.loopback import translation

TRANSLATOR = """
import sys, time
log = open(sys.argv[1], "a", buffering=1)
for line in sys.stdin:
    log.write(line)
    time.sleep(0.002)
    print(line.strip()[::-1], flush=True)
"""


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
        known, already = stored(tmp_path / "home"), lines(log)
        process = subprocess.Popen(command, env=environment, start_new_session=True)
        sent = len(already) + chance.randint(1, 60)
        kill_once(process, lambda: len(lines(log)), sent, chance.uniform(0, 0.2))
        sent_after_stored.update(known & set(lines(log)[len(already) :]))
        kills += 1
        assert not result.exists() or len(lines(result)) == len(sources)
    known, already = stored(tmp_path / "home"), lines(log)
    subprocess.run(command, env=environment, check=True)
    sent_after_stored.update(known & set(lines(log)[len(already) :]))
    assert result.read_text(encoding="utf-8").splitlines() == [source[::-1] for source in sources]
    assert not sent_after_stored
    assert known


def test_a_kill_costs_at_most_one_batch_of_a_service(deepl: Start, tmp_path: Path) -> None:
    server = deepl(latency=0.02)
    sources = [f"sentence number {number} of the text {'x' * (number % 50)}" for number in range(1500)]
    text, result = tmp_path / "text.en", tmp_path / "text.de"
    text.write_text("\n".join(sources) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "epicene", "translate", "-i", str(text), "-l", "en-de", "-o", str(result)]
    command += ["-s", "deepl?rate=1000"]
    environment = {**os.environ, "EPICENE_HOME": str(tmp_path / "home")}
    chance, kills = random.Random(3), 5
    for done in range(1, kills + 1):
        process = subprocess.Popen(command, env=environment, start_new_session=True)
        kill_once(process, lambda: len(server.requests), len(server.requests) + chance.randint(2, 20))
        # What was stored is not asked for again, and what was lost is one batch.
        assert server.asked.total() - len(stored(tmp_path / "home")) <= 50 * done
    subprocess.run(command, env=environment, check=True)
    assert result.read_text(encoding="utf-8").splitlines() == [translation(source, "de") for source in sources]
    assert 0 < server.asked.total() - len(sources) <= 50 * kills


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_keeps_all_that_was_paid_for(
    sent: signal.Signals, code: int, deepl: Start, tmp_path: Path
) -> None:
    server = deepl(latency=0.1)
    text = tmp_path / "text.en"
    text.write_text("".join(f"sentence {number}\n" for number in range(2000)), encoding="utf-8")
    command = [sys.executable, "-m", "epicene", "translate", "-i", str(text), "-l", "en-de", "-s", "deepl?rate=1000"]
    environment = {**os.environ, "EPICENE_HOME": str(tmp_path / "home")}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    wait_for(lambda: len(server.requests) >= 9)
    process.send_signal(sent)
    _, said = process.communicate(timeout=60)
    assert process.returncode == code
    assert said.decode() == "epicene: stopped; finished work is kept\n"
    assert set(server.asked) == stored(tmp_path / "home")


def test_a_program_ends_with_the_run_that_started_it(tmp_path: Path) -> None:
    endless, log = tmp_path / "endless.py", tmp_path / "pid"
    endless.write_text(f"import os, time\nopen({str(log)!r}, 'w').write(f'{{os.getpid()}}\\n')\ntime.sleep(600)\n")
    command = [sys.executable, "-m", "epicene", "translate", "-i", "-", "-l", "en-de"]
    command += ["-s", f"command:{sys.executable} {endless}"]
    environment = {**os.environ, "EPICENE_HOME": str(tmp_path / "home")}
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert process.stdin
    process.stdin.write("She.\n")
    process.stdin.close()
    wait_for(lambda: bool(lines(log)))
    process.terminate()
    assert process.wait(60) == 143
    with pytest.raises(ProcessLookupError):
        os.kill(int(lines(log)[0]), 0)
