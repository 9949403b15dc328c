"""A Ray cluster gives what this machine gives, whoever dies or joins in the middle of it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")

from epicene import systems
from epicene.errors import InputError, SystemFailure
from epicene.flow import ask
from epicene.flow.plan import open_set
from epicene.flow.ray import Cluster
from epicene.registry import Options
from epicene.sets.simplegen.paper import Dictionary
from epicene.store.cache import Cache
from epicene.types import Output, Pair, System
from epicene_models import BUNDLED as FOLDER

pytestmark = pytest.mark.ray
PAIR = Pair("en", "de")
# Notes the process that asked for each line: the worker, of which it is a child. Where there is a file "hold" with a
# number of lines, it waits from that line on until the file is gone.
TRANSLATOR = """
import os, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
log = (folder / "log").open("a", buffering=1)
hold = folder / "hold"
def held():
    try:
        return (folder / "log").read_text().count("\\n") >= int(hold.read_text())
    except FileNotFoundError:
        return False
for line in sys.stdin:
    log.write(f"{os.getppid()} {line}")
    while held():
        time.sleep(0.02)
    print(line.strip()[::-1], flush=True)
"""
SOURCES = [f"sentence number {number} of the text" for number in range(1500)]
SHARD = 256


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of one machine with one core, in processes of its own; drivers join it from theirs."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster as Machines

    machines = Machines(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False},
    )
    yield machines
    machines.shutdown()


@pytest.fixture
def start(tmp_path: Path, cluster: Any) -> Callable[[], subprocess.Popen[bytes]]:
    """Starts a driver that translates SOURCES on the cluster into text.de."""
    (tmp_path / "translator.py").write_text(TRANSLATOR, encoding="utf-8")
    (tmp_path / "text.en").write_text("".join(f"{source}\n" for source in SOURCES), encoding="utf-8")
    system = f"command:{sys.executable} {tmp_path / 'translator.py'} {tmp_path}"
    arguments = ["-i", tmp_path / "text.en", "-l", "en-de", "-o", tmp_path / "text.de", "-s", system]
    command = [sys.executable, "-m", "epicene", "translate", *map(str, arguments), "--engine", f"ray:{cluster.address}"]
    return lambda: subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def until(there: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    patience = time.monotonic() + 600
    while not there():
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        assert time.monotonic() < patience
        time.sleep(0.02)


def finished(process: subprocess.Popen[bytes], folder: Path) -> Counter[str]:
    """How often each sentence was sent, once the driver is done and every line is there."""
    printed, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors.decode()
    assert printed == b""  # where translations may go, nothing else does
    assert lines(folder / "text.de") == [source[::-1] for source in SOURCES]
    sent = Counter(line.split(" ", 1)[1] for line in lines(folder / "log"))
    assert set(sent) == set(SOURCES)
    return sent


def test_a_machine_joins_and_a_worker_dies(
    tmp_path: Path, start: Callable[[], subprocess.Popen[bytes]], cluster: Any
) -> None:
    (tmp_path / "hold").write_text("20", encoding="utf-8")
    process, log = start(), tmp_path / "log"
    until(lambda: len(lines(log)) >= 20, process)
    joined = cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    until(lambda: len({line.split()[0] for line in lines(log)}) > 1, process)
    os.kill(int(lines(log)[-1].split()[0]), signal.SIGKILL)
    (tmp_path / "hold").unlink()
    sent = finished(process, tmp_path)
    again = sum(sent.values()) - len(SOURCES)
    assert 0 < again <= SHARD  # what the dead worker had in hand, and nothing else
    cluster.remove_node(joined)


def test_a_driver_that_was_killed_goes_on(
    tmp_path: Path, start: Callable[[], subprocess.Popen[bytes]], own_home: Path
) -> None:
    (tmp_path / "hold").write_text(str(SHARD + 40), encoding="utf-8")
    process, log = start(), tmp_path / "log"

    def stored() -> set[str]:
        try:
            database = sqlite3.connect(f"file:{own_home / 'translations.sqlite'}?mode=ro", uri=True)
            return {source for (source,) in database.execute("SELECT source FROM translations")}
        except sqlite3.OperationalError:
            return set()  # not there yet

    until(lambda: len(stored()) >= SHARD, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    (tmp_path / "hold").unlink()
    kept, before = stored(), len(lines(log))
    assert not (tmp_path / "text.de").exists()
    finished(start(), tmp_path)
    assert not kept & {line.split(" ", 1)[1] for line in lines(log)[before:]}


def placed(engine: Cluster, spec: str) -> System:
    return engine.place(systems.load(spec), spec)


@pytest.fixture
def engine(cluster: Any) -> Iterator[Cluster]:
    with ask.open_engine(f"ray:{cluster.address}") as found:
        yield found


def test_a_real_model_and_verdicts_are_the_same_byte_for_byte(engine: Cluster) -> None:
    challenge = open_set("simplegen")
    items = list(challenge.items(PAIR))
    few = [item.source for item in items[:2000:50]]
    assert ask.translate(placed(engine, "bundled?beam=1&batch=2"), few, PAIR) == ask.translate(
        systems.load("bundled?beam=1&batch=2"), few, PAIR
    )
    outputs = [Output(item, "echo", "de", f"Der {item.person.text} und die Ärztin, {item.id}") for item in items]
    build = partial(Dictionary, "de")
    assert list(engine.detect(build(), build, iter(outputs))) == list(build().detect(outputs))


def test_what_a_worker_cannot_do_is_said_in_one_line(engine: Cluster, tmp_path: Path) -> None:
    table = tmp_path / "answers.tsv"
    table.write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(SystemFailure, match=r"scripted@\w+ has no answer for 'c'"):
        ask.translate(placed(engine, f"scripted:{table}"), ["a", "c"], PAIR)
    remote = placed(engine, f"scripted:{table}")
    table.write_text("a\tanother\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"put the same epicene and the same model on every machine"):
        ask.translate(remote, ["a"], PAIR)


def test_what_a_worker_warns_of_is_heard_here(engine: Cluster, caplog: pytest.LogCaptureFixture) -> None:
    spec = f"ctranslate2:{FOLDER}?source_prefix=<2{{target}}>&max_tokens=2"
    ask.translate(placed(engine, spec), ["The doctor asked the nurse to help her."], PAIR)
    assert "a translation was cut off after 2 tokens, that of 'The doctor asked" in caplog.text


def test_a_shard_that_kills_every_worker_ends_the_run(engine: Cluster, tmp_path: Path) -> None:
    killer = tmp_path / "killer.py"
    killer.write_text("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n", encoding="utf-8")
    with pytest.raises(SystemFailure, match="workers died 4 times over shard 0"):
        ask.translate(placed(engine, f"command:{sys.executable} {killer}"), ["a"], PAIR)


def test_answers_that_are_stored_are_not_sent_to_the_cluster(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite")
    cache.add("echo", PAIR, [("a", "kept")])
    unreachable = Cluster("", Options("ray"))
    assert ask.translate(placed(unreachable, "echo"), ["a", ""], PAIR, cache) == ["kept", ""]


def test_the_settings_of_the_process_are_given_back(cluster: Any) -> None:
    import ray.data

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = True
    with ask.open_engine(f"ray:{cluster.address}") as engine:
        assert ask.translate(placed(engine, "echo"), ["a"], PAIR) == ["a"]
        assert not context.enable_progress_bars
    assert context.enable_progress_bars


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ray:127.0.0.1:1", "no Ray cluster at 127.0.0.1:1"),
        ("ray:ray://head:10001", "run epicene on a machine of the cluster"),
        ("ray:head", "head is no HOST:PORT of a head node"),
        ("ray?cores=2", "has no option cores; it knows: workers, cpus, gpus"),
        ("spark", "unknown engine 'spark'"),
        ("local:x", "engine local takes no argument"),
    ],
)
def test_an_engine_that_cannot_be_is_refused(name: str, said: str) -> None:
    with pytest.raises((InputError, SystemFailure), match=said):
        ask.load_engine(name)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:1", "no Ray cluster at 127.0.0.1:1"),
        ("ray://head:10001", "RAY_ADDRESS: ray://head:10001 is no HOST:PORT"),
        ("head", "RAY_ADDRESS: head is no HOST:PORT"),
    ],
)
def test_an_address_of_the_environment_is_looked_at_as_well(
    monkeypatch: pytest.MonkeyPatch, address: str, said: str
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises((InputError, SystemFailure), match=said):
        ask.load_engine("ray")


def test_a_cluster_that_is_not_there_is_one_line_and_exit_code_4(epicene: Any) -> None:
    done = epicene("audit", "-t", "simplegen", "-s", "echo", "--engine", "ray:127.0.0.1:1", "-o", "never")
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1
    assert "start one with 'ray start --head'" in done.stderr
