"""``ray[:ADDRESS]``: translates and detects on a Ray cluster, through Ray Data (extra ``ray``).

Without an address, the cluster of RAY_ADDRESS, else one that is started on this machine for the run. Options: workers
(at most this many; by default as many as the cluster has room for), cpus (1) and gpus (0; 1 where a system runs on one)
of each worker. Translations are stored in the cache as shards arrive.

Each worker builds its system or detector once and is given shards. What it cannot do comes back as an error's text and
kind, since a cluster would retry, wrap or lose an exception.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from epicene import systems
from epicene.errors import EpiceneError, InputError, MissingExtraError, SystemFailure
from epicene.flow.ask import batches
from epicene.models import count_threads
from epicene.registry import Options
from epicene.store.records import finding_line, output_line, read_finding, read_output
from epicene.systems.network.service import Service
from epicene.types import Detector, LocalModel, Output, Pair, System, Verdict
from epicene.version import __version__

_log = logging.getLogger(__name__)
_SENTENCES = 256  # in a shard, for a system that would take all at once
_OUTPUTS = 2_000  # in a shard of detection, at least
_TRIES = 4  # times that a shard may be begun
_SECONDS = 10  # that a cluster has to answer
Work = Callable[[list[Any]], list[Any]]  # a shard → one answer for each of its members; all of them fit for JSON


class Cluster:
    """Runs on the machines of a Ray cluster, which is joined when it is first needed; it never changes what comes out.

    A cluster that was started for this run ends with it.
    """

    def __init__(self, address: str, options: Options) -> None:
        _check_address(address)
        self._address = address
        self._open = ExitStack()
        self._ray: Any = None
        self._workers = options.number("workers", 0, least=0)
        self._cpus = options.number("cpus", 1)
        self._gpus = options.number("gpus", 0, least=0)

    def close(self) -> None:
        """Leave the cluster."""
        self._ray = None
        self._open.close()

    def _connect(self) -> Any:
        """Ray, connected; whoever uses Ray in this process gets his settings back."""
        if self._ray is not None:
            return self._ray
        # Nothing is to be told to anybody, and nothing printed that is not ours.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        import ray
        import ray.data

        # What Ray says of dead workers goes to standard output, where translations may go.
        self._open.enter_context(redirect_stdout(sys.stderr))
        if not ray.is_initialized():
            self._open.callback(ray.shutdown)
            _join(ray, self._address)
        for name in ("ray", "ray.data"):
            logging.getLogger(name).setLevel(logging.ERROR)
        context = ray.data.DataContext.get_current()
        for name in ("enable_progress_bars", "print_on_execution_start"):
            self._open.callback(setattr, context, name, getattr(context, name))
            setattr(context, name, False)
        self._ray = ray
        return ray

    def place(self, system: System, spec: str) -> System:
        """The system, shared out over the cluster; services are asked from this machine."""
        if isinstance(system, Service):
            return system
        return ClusterSystem(self, spec, system)

    def detect(self, detector: Detector, build: Callable[[], Detector], outputs: Iterable[Output]) -> Iterator[Verdict]:
        """Verdicts in order; where the detector learns from all outputs, or there are few, it runs here."""
        parts = list(batches(outputs, _OUTPUTS))
        if getattr(detector, "learns", False) or len(parts) < 2:
            yield from detector.detect(chain.from_iterable(parts))
            return
        shards = [list(map(output_line, part)) for part in parts]
        answers = dict(self.run(partial(_detect, build, detector.identity), shards))
        for number, part in enumerate(parts):
            for output, line in zip(part, answers[number], strict=True):
                yield read_finding(output, line, "cluster")

    def run(
        self, build: Callable[[], Work], shards: Sequence[list[Any]], gpu: bool = False
    ) -> Iterator[tuple[int, list[Any]]]:
        """Numbers and answers of shards as they are finished, in any order; ``build`` makes what works on them."""
        rows = [{"number": number, "shard": json.dumps(shard)} for number, shard in enumerate(shards)]
        if not rows:
            return
        ray = self._connect()
        with _report_errors():
            gpus = self._gpus or int(gpu)
            pool = ray.data.ActorPoolStrategy(
                min_size=1,
                initial_size=min(self._room(ray.cluster_resources(), gpus), len(rows)),
                max_size=min(self._workers or len(rows), len(rows)),  # machines may join
            )
            # The register stays with the driver: on another machine it would be lost with it, and the run with both.
            node = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
                ray.get_runtime_context().get_node_id(), soft=False
            )
            register = ray.remote(num_cpus=0, scheduling_strategy=node)(_Register).remote()
            driver = _Driver(str(Path.cwd()), __version__, os.environ.get("EPICENE_HOME"))
            # One shard a block: a worker that dies takes with it no more than the shard that it has.
            done = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
                _Worker,
                fn_constructor_args=(register, driver, build),
                batch_size=1,
                compute=pool,
                num_cpus=self._cpus,
                num_gpus=gpus,
            )
            for batch in done.iter_batches(batch_size=None, prefetch_batches=0):
                for reply in map(json.loads, batch["reply"]):
                    if reply["error"]:
                        raise (InputError if reply["refused"] else SystemFailure)(reply["error"])
                    for message in reply["warned"]:
                        _log.warning("%s", message)
                    yield reply["number"], reply["answers"]

    def _room(self, resources: dict[str, float], gpus: int) -> int:
        """Workers that fit the cluster as it is now."""
        fit = int(resources.get("CPU", 0) // self._cpus)
        if gpus:
            fit = min(fit, int(resources.get("GPU", 0) // gpus))
        if not fit:
            raise SystemFailure(
                f"the Ray cluster has {resources.get('CPU', 0):g} CPUs and {resources.get('GPU', 0):g} GPUs; a worker "
                f"needs {self._cpus} and {gpus}; say otherwise with --engine 'ray?cpus=N&gpus=N'"
            )
        return min(fit, self._workers) if self._workers else fit


class ClusterSystem:
    """A system whose sentences are translated by the workers of a cluster."""

    batch_size: int | None = None

    def __init__(self, cluster: Cluster, spec: str, system: System) -> None:
        self._cluster, self._spec, self._system = cluster, spec, system
        self.identity = system.identity

    def translate(self, sources: Sequence[str], pair: Pair) -> list[str]:
        """The answers in order."""
        answers = {source: text for part in self.translate_unordered(sources, pair) for source, text in part}
        return [answers[source] for source in sources]

    def translate_unordered(self, sources: Iterable[str], pair: Pair) -> Iterator[list[tuple[str, str]]]:
        """Sources with their answers, shard by shard as they are finished.

        A shard is what the system is given at once on one machine, so that it makes the same batches of it.
        """
        shards = list(batches(sources, self._system.batch_size or _SENTENCES))
        gpu = isinstance(self._system, LocalModel) and self._system.gpu
        build = partial(_translate, self._spec, self.identity, pair)
        for number, answers in self._cluster.run(build, shards, gpu):
            yield list(zip(shards[number], answers, strict=True))


def _translate(spec: str, identity: str, pair: Pair) -> Work:
    """Load the system on a worker, which must be the driver's."""
    system = systems.load(spec)
    _check_same(spec, system.identity, identity)

    def work(sources: list[str]) -> list[str]:
        answers = list(system.translate(sources, pair))
        if len(answers) != len(sources):
            raise SystemFailure(f"{identity} answered {len(answers)} lines for the {len(sources)} it was given")
        return answers

    return work


def _detect(build: Callable[[], Detector], identity: str) -> Work:
    """Make the detector on a worker, which must be the driver's."""
    detector = build()
    _check_same("the detector", detector.identity, identity)

    def work(lines: list[Any]) -> list[Any]:
        return list(map(finding_line, detector.detect([read_output(line, "driver") for line in lines])))

    return work


def _check_same(what: str, on_worker: str, on_driver: str) -> None:
    """Refuse a worker that would give other answers than the driver."""
    if on_worker != on_driver:
        raise InputError(
            f"{what} is {on_worker} on {os.uname().nodename} and {on_driver} here; put the same epicene and the same "
            "model on every machine, and name what differs, as in ?device=cuda&compute=float16"
        )


class _Driver(NamedTuple):
    """Where and as what the driver runs; workers must be the same to give the same answers."""

    folder: str
    version: str
    home: str | None

    def imitate(self) -> None:
        """Make this worker like the driver."""
        if __version__ != self.version:
            raise SystemFailure(
                f"a worker on {os.uname().nodename} has epicene {__version__}, this is {self.version}; "
                "install the same version on every machine"
            )
        if self.home is not None:
            os.environ["EPICENE_HOME"] = self.home
        if Path(self.folder).is_dir():
            os.chdir(self.folder)  # so that relative paths of models mean the same


class _Register:
    """Counts how often each shard was begun, since a cluster starts dead workers again for ever."""

    def __init__(self) -> None:
        self._begun = Counter[int]()

    def begin(self, number: int) -> int:
        """How often a shard was begun, this time included."""
        self._begun[number] += 1
        return self._begun[number]


class _Worker:
    """Builds what it works with when the first shard comes, so that a failure has an answer to come back in."""

    def __init__(self, register: Any, driver: _Driver, build: Callable[[], Work]) -> None:
        self._register, self._driver, self._build = register, driver, build
        self._work: Work | None = None

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[str]]:
        """The answers to the one shard of a batch."""
        import ray

        number, shard = int(batch["number"][0]), json.loads(batch["shard"][0])
        reply = {"number": number, "answers": [], "warned": [], "error": "", "refused": False}
        try:
            if ray.get(self._register.begin.remote(number)) > _TRIES:
                raise SystemFailure(
                    f"workers died {_TRIES} times over shard {number}, perhaps for want of memory; try a smaller "
                    "batch, as in ctranslate2:DIR?batch=16, or fewer workers a machine, as in --engine 'ray?cpus=2'"
                )
            if self._work is None:
                self._driver.imitate()
                self._work = self._build()
            with _collect_warnings() as reply["warned"]:
                reply["answers"] = self._work(shard)
        except EpiceneError as error:
            reply |= {"error": str(error), "refused": isinstance(error, InputError)}
        return {"reply": [json.dumps(reply)]}


@contextmanager
def _collect_warnings() -> Iterator[list[str]]:
    """The warnings of the meantime, for a user who is at another machine."""
    warnings: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: warnings.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("epicene")
    logger.addHandler(handler)
    try:
        yield warnings
    finally:
        logger.removeHandler(handler)


def _check_address(address: str) -> None:
    """Refuse an address at which no cluster can be, before anything is translated."""
    if importlib.util.find_spec("ray") is None or importlib.util.find_spec("pyarrow") is None:
        raise MissingExtraError("engine ray", "ray")
    name, address = (
        (f"engine ray:{address}", address) if address else ("RAY_ADDRESS", os.environ.get("RAY_ADDRESS", ""))
    )
    if address in ("", "auto", "local"):
        return
    if "://" in address:
        raise InputError(
            f"{name}: {address} is no HOST:PORT of a head node; run epicene on a machine of the cluster, "
            "or send the command there with 'ray job submit'"
        )
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal():
        raise InputError(f"{name}: {address} is no HOST:PORT of a head node, such as ray:10.0.0.5:6379")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise SystemFailure(
            f"no Ray cluster at {address} ({error}); start one with 'ray start --head', or leave the address out"
        ) from None


def _join(ray: Any, address: str) -> None:
    wanted = address or os.environ.get("RAY_ADDRESS") or "local"
    settings: dict[str, Any] = {"num_cpus": count_threads(), "include_dashboard": False} if wanted == "local" else {}
    try:
        with _silence_stderr():
            ray.init(address=wanted, log_to_driver=False, logging_level=logging.ERROR, **settings)
    except (ConnectionError, RuntimeError, ValueError, TimeoutError, OSError) as error:
        raise SystemFailure(
            f"cannot join the Ray cluster {wanted}: {_summarise(error)}; start one with 'ray start --head', give the "
            "port of the head (6379, not 10001), set RAY_AUTH_MODE=token where it asks for a token, and have the same "
            "versions of Ray and Python on every machine"
        ) from None


@contextmanager
def _silence_stderr() -> Iterator[None]:
    """Standard error goes nowhere, not even what Ray's own library writes there."""
    stderr = os.dup(2)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)


@contextmanager
def _report_errors() -> Iterator[None]:
    """What goes wrong in the cluster, as one line."""
    import ray

    try:
        yield
    except ray.exceptions.RayError as error:
        missing = "No module named" in str(error) or "ModuleNotFoundError" in str(error)
        hint = "install epicene and its extras on every machine of the cluster" if missing else "what was done is kept"
        raise SystemFailure(f"the Ray cluster failed: {_summarise(error)}; {hint}") from None


def _summarise(error: Exception) -> str:
    """The line of a long message that says most: the last, or the first where the last is a bare trace."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if len(lines) < 3 else lines[-1]) if lines else type(error).__name__
