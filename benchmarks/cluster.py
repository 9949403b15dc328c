"""Ray on this machine: two workers against one, a node that dies, and what one core of the driver can do."""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks import run_parts
from epicene import systems
from epicene.flow import ask, plan
from epicene.flow.score import outputs_of_file
from epicene.store.cache import Cache
from epicene.store.hypotheses import TranslationLines
from epicene.types import Pair

PAIR = Pair("en", "de")
TRANSLATED = 6144  # so many that what a cluster still does while it starts weighs little
ROUNDS = 3
ECHOES = 100_000


def seconds(system: str, lines: list[str], cache: Cache) -> float:
    """How long two workers take for lines, their start included."""
    with ask.open_engine("ray?workers=2") as engine:
        start = time.perf_counter()
        assert len(ask.translate(engine.place(systems.load(system), system), lines, PAIR, cache)) == len(lines)
        return time.perf_counter() - start


def translate_a_second(workers: int, system: str, lines: list[str]) -> float:
    """Sentences a second once a quarter is done, when all workers have started."""
    marks: list[tuple[int, float]] = []

    def mark(done: int, total: int) -> None:
        if done >= total / 4:
            marks.append((done, time.perf_counter()))

    with ask.open_engine(f"ray?workers={workers}") as engine:
        ask.translate(engine.place(systems.load(system), system), lines, PAIR, None, mark)
    (first, begun), (last, ended) = marks[0], marks[-1]
    return (last - first) / (ended - begun)


def print_ray() -> None:
    """Ray on this machine: two workers against one on a CPU-bound system, and what the cluster costs for 100,000
    echoes.
    """
    import ray

    distinct = list(dict.fromkeys(item.source for item in plan.open_set("wibemt").items(PAIR)))
    lines = distinct[:: len(distinct) // TRANSLATED][:TRANSLATED]
    system = "bundled?beam=1&batch=16"
    with tempfile.TemporaryDirectory() as place:
        os.environ["EPICENE_HOME"] = place
        echoes = [f"This is sentence {number} of the text." for number in range(ECHOES)]
        taken = seconds("echo", echoes, Cache())
        print(f"{ECHOES} echoes with cache and start of the cluster: {taken:.1f} s", flush=True)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        try:
            again = seconds("echo", [f"{each} Again." for each in echoes], Cache())
            print(f"{ECHOES} echoes with cache, cluster there already: {again:.1f} s", flush=True)
            rounds = [[translate_a_second(count, system, lines) for count in (1, 2)] for _ in range(ROUNDS)]
        finally:
            ray.shutdown()
    print(f"load of the machine over the last 5 minutes: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores")
    ratios = [two / one for one, two in rounds]
    for count, found in zip((1, 2), zip(*rounds, strict=True), strict=True):
        print(f"{system}, {count} worker(s): {statistics.median(found):.0f} sentences/s")
    print(f"two workers / one: {statistics.median(ratios):.2f} (rounds {', '.join(f'{each:.2f}' for each in ratios)})")


DRIVER_PAIR = Pair("en", "de")
STORED = 200_000
REPEATS = 20  # of SimpleGEN's outputs


def count_a_second(work: Callable[[], object], count: int) -> float:
    """How many for each second of a core."""
    start = time.process_time()
    work()
    return count / (time.process_time() - start)


def print_driver() -> None:
    """What one core of the machine that drives a large run can do: translations stored and found again, verdicts."""
    pairs = [(f"This is sentence {number} of the text.", f"Das ist Satz {number}.") for number in range(STORED)]
    sources = [source for source, _ in pairs]
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder) / "cache.sqlite")
        stored = count_a_second(lambda: cache.add("benchmark", DRIVER_PAIR, pairs), STORED)
        found = count_a_second(lambda: cache.known("benchmark", DRIVER_PAIR, sources), STORED)
        cache.close()
        size = sum(path.stat().st_size for path in Path(folder).iterdir()) / STORED
    print(f"cache: {stored:,.0f} stored and {found:,.0f} found per core-second, {size:.0f} bytes each on disk")
    challenge = plan.open_set("simplegen")
    path = Path(os.environ["EPICENE_TEST_DATA"]) / "simplegen" / "opus-mt.en-de.txt"
    outputs = REPEATS * list(outputs_of_file(challenge, DRIVER_PAIR, TranslationLines(path)))
    for protocol in plan.PROTOCOLS:
        detector = plan.open_task(challenge, DRIVER_PAIR, protocol).detector
        speed = count_a_second(lambda each=detector: sum(1 for _ in each.detect(outputs)), len(outputs))  # type: ignore[misc]
        print(f"verdicts, protocol {protocol}: {speed:,.0f} per core-second")


NODES = 3
SHARD = 256  # sentences that a ``command:`` is given at once
SENTENCES = 8 * SHARD
HELD = 40  # lines after which the translators wait until all nodes work and one of them is lost
PATIENCE = 240  # seconds for anything
PORT = 6379
PREFIX = "10.213.77"  # addresses that exist inside the namespaces alone
# Notes who asked for each line: the namespace of its network. After some lines it waits for as long as "hold" is there.
TRANSLATOR = """
import os, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
where = os.stat("/proc/self/ns/net").st_ino
log = (folder / f"log.{where}.{os.getpid()}").open("a", buffering=1)
hold = folder / "hold"
for number, line in enumerate(sys.stdin):
    log.write(line)
    while number >= int(sys.argv[2]) and hold.exists():
        time.sleep(0.05)
    print(line.strip()[::-1], flush=True)
"""


def reason_not_to_run() -> str:
    """Why the namespaces cannot be made here; empty where they can."""
    if not sys.platform.startswith("linux") or not hasattr(os, "geteuid") or os.geteuid():
        return "it needs root on Linux"
    if not shutil.which("ip"):
        return "it needs iproute2"
    name = f"epicene-try-{os.getpid()}"
    if _ip("netns", "add", name, check=False).returncode:
        return "network namespaces cannot be made here"
    exists = _ip("netns", "exec", name, "ip", "link", "add", "one", "type", "veth", "peer", "name", "two", check=False)
    _ip("netns", "del", name)
    return "pairs of virtual network cards cannot be made here" if exists.returncode else ""


def _ip(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["ip", *arguments], check=check, capture_output=True, text=True, timeout=60)


@dataclass(frozen=True, slots=True)
class Node:
    """A machine, as far as its processes can tell."""

    number: int
    tag: str
    folder: Path

    @property
    def name(self) -> str:
        """Of its namespace."""
        return f"epicene-{self.tag}-{self.number}"

    @property
    def address(self) -> str:
        """Where the others reach it."""
        return f"{PREFIX}.{self.number + 1}"

    @property
    def inode(self) -> int:
        """By which the translator's log knows it."""
        return Path("/run/netns", self.name).stat().st_ino

    def command(self, *words: str) -> list[str]:
        """A command line that runs words on this node, where Ray's folder is the node's own."""
        own = self.folder / f"ray-{self.number}"
        own.mkdir(exist_ok=True)
        script = 'mkdir -p /tmp/ray && mount --bind "$0" /tmp/ray && exec "$@"'
        return ["ip", "netns", "exec", self.name, "sh", "-c", script, str(own), *words]

    def start(self, head: Node) -> None:
        """Make it a node of the cluster."""
        ray = [sys.executable, "-m", "ray.scripts.scripts", "start", f"--node-ip-address={self.address}"]
        join = ["--head", f"--port={PORT}"] if self is head else [f"--address={head.address}:{PORT}"]
        size = ["--num-cpus=1", f"--object-store-memory={100 * 2**20}", "--disable-usage-stats"]
        dashboard = ["--include-dashboard=false"] if self is head else []
        command = self.command(*ray, *join, *size, *dashboard)
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment(), check=False)
        if done.returncode:
            raise RuntimeError(f"node {self.number} did not start: {done.stdout[-500:]} {done.stderr[-500:]}")

    def kill(self) -> None:
        """End all of its processes at once, as a power cut would."""
        for pid in _ip("netns", "pids", self.name).stdout.split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)

    def unplug(self) -> None:
        """Pull its cable: it lives on, and nobody hears of it."""
        _ip("netns", "exec", f"epicene-{self.tag}-hub", "ip", "link", "set", f"port{self.number}", "down")


def environment() -> dict[str, str]:
    """What processes of the cluster see."""
    quiet = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal", "RAY_DISABLE_IMPORT_WARNING": "1"}
    # A node that cannot be reached is taken for dead after 10 s rather than 30.
    health = {"RAY_health_check_period_ms": "2000", "RAY_health_check_timeout_ms": "2000"}
    health |= {"RAY_health_check_initial_delay_ms": "3000"}
    return {**os.environ, **quiet, **health}


@contextmanager
def cluster(folder: Path) -> Iterator[list[Node]]:
    """Three nodes that know each other, the first of them the head; all is gone afterwards."""
    tag = str(os.getpid())
    hub, nodes = f"epicene-{tag}-hub", [Node(number, tag, folder) for number in range(NODES)]
    with ExitStack() as stack:
        _ip("netns", "add", hub)
        stack.callback(_ip, "netns", "del", hub)
        _ip("-n", hub, "link", "add", "switch", "type", "bridge")
        _ip("-n", hub, "addr", "add", f"{PREFIX}.254/24", "dev", "switch")
        _ip("-n", hub, "link", "set", "switch", "up")
        for node in nodes:
            _ip("netns", "add", node.name)
            stack.callback(_ip, "netns", "del", node.name)
            stack.callback(node.kill)
            port = f"port{node.number}"
            _ip("-n", hub, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", node.name)
            _ip("-n", hub, "link", "set", port, "master", "switch", "up")
            _ip("-n", node.name, "addr", "add", f"{node.address}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                _ip("-n", node.name, "link", "set", device, "up")
            _ip("-n", node.name, "route", "add", "default", "via", f"{PREFIX}.254")
        for node in nodes:
            node.start(nodes[0])
        yield nodes


def translation(folder: Path, engine: str) -> list[str]:
    """The command that translates the text of a folder."""
    system = f"command:{sys.executable} {folder / 'translator.py'} {folder} {HELD}"
    arguments = ["-i", folder / "text.en", "-l", "en-de", "-o", folder / f"{engine.partition(':')[0]}.de", "-s", system]
    return [sys.executable, "-m", "epicene", "translate", *map(str, arguments), "--engine", engine]


def lines(folder: Path, node: Node | None = None) -> list[str]:
    """What was sent to translators, or to those of a node."""
    where = f"log.{node.inode}.*" if node else "log.*"
    return [line for path in folder.glob(where) for line in path.read_text(encoding="utf-8").splitlines()]


def until(there: Callable[[], bool], process: subprocess.Popen[bytes], what: str) -> None:
    """Wait for something that a run does."""
    end = time.monotonic() + PATIENCE
    while not there():
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise RuntimeError(f"{what}: {(process.communicate()[1] or b'').decode()[-2000:]}")
        time.sleep(0.1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run with a lost node came to."""

    same: bool  # as the engine ``local`` has it, byte for byte
    again: int  # sentences translated more than once
    held: int  # sentences that the lost node had begun
    seconds: float  # from the loss to the end


def run(lose: Callable[[Node], None], folder: Path) -> Outcome:
    """Translate on three nodes, lose the last of them in the middle, and compare."""
    (folder / "translator.py").write_text(TRANSLATOR, encoding="utf-8")
    text = "".join(f"sentence number {number} of the text\n" for number in range(SENTENCES))
    (folder / "text.en").write_text(text, encoding="utf-8")
    home = {"EPICENE_HOME": str(folder / "local")}
    subprocess.run(translation(folder, "local"), check=True, env={**environment(), **home}, timeout=PATIENCE)
    for path in folder.glob("log.*"):
        path.unlink()
    (folder / "hold").touch()
    with cluster(folder) as nodes:
        command = nodes[0].command(*translation(folder, f"ray:{nodes[0].address}:{PORT}"))
        home = {"EPICENE_HOME": str(folder / "cluster")}
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**environment(), **home}
        )
        until(lambda: all(len(lines(folder, node)) > HELD for node in nodes), process, "not all nodes got work")
        lost = nodes[-1]
        held = len(lines(folder, lost))
        start = time.monotonic()
        lose(lost)
        (folder / "hold").unlink()
        until((folder / "ray.de").exists, process, "the run did not end")
        _, errors = process.communicate(timeout=PATIENCE)
        seconds = time.monotonic() - start
        if process.returncode:
            raise RuntimeError(errors.decode()[-2000:])
        counted = Counter(lines(folder))
    same = (folder / "ray.de").read_bytes() == (folder / "local.de").read_bytes()
    return Outcome(same, counted.total() - len(counted), held, seconds)


def print_nodes() -> None:
    """A Ray cluster of three nodes, one of which dies in the middle of a run: what comes out, and what is done again.

    Each node has a network namespace of its own on this machine, with an address of its own, and a folder of its own
    for Ray's sockets; a switch in a fourth namespace joins them. Nothing outside these namespaces is changed. It needs
    root and iproute2. In one run all processes of a node are killed, in another its cable is pulled: the text must be
    that of the engine ``local``, byte for byte, and no more may be translated again than the shard that the lost node
    had in hand.
    """
    if reason := reason_not_to_run():
        print(f"skipped: {reason}")
        return
    for what, lose in (("all processes of a node killed", Node.kill), ("a node's cable pulled", Node.unplug)):
        with tempfile.TemporaryDirectory() as folder:
            found = run(lose, Path(folder))
        same = "byte-identical to the local engine's" if found.same else "NOT what the local engine gives"
        print(
            f"{what}: {SENTENCES:,} sentences, {same}; {found.again} translated again (a shard has {SHARD}), ", end=""
        )
        print(f"{found.held} of them begun on the lost node; done {found.seconds:.0f} s after the loss", flush=True)
        assert found.same
        assert 0 < found.again <= SHARD


PARTS = {"ray": print_ray, "driver": print_driver, "nodes": print_nodes}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
