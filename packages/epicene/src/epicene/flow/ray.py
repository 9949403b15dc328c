"""``ray[:ADDRESS]``: translates and detects on a Ray cluster, through Ray Data (extra ``ray``).

Without an address, the cluster of RAY_ADDRESS, else one that is started on this machine for the run. Options: workers
(at most this many; by default as many as the cluster has room for), cpus (1) and gpus (0; 1 where a system runs on one)
of each worker. Translations are stored in the cache as shards arrive; verdicts as shard files until all are there.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from epicene.errors import InputError, SystemFailure
from epicene.flow.ask import batches
from epicene.flow.connection import Connection, here, reported
from epicene.flow.workers import Detecting, Home, Register, Translating, Worker, failure, waiting
from epicene.spec import Options
from epicene.store.codec import found
from epicene.store.shards import Shards, packed
from epicene.systems.network.service import Service
from epicene.types import Detector, LocalModel, Output, Pair, System, Verdict

_log = logging.getLogger(__name__)
_SENTENCES = 256  # in a shard, for a system that would take all at once
_OUTPUTS = 2_000  # in a shard of detection, at least


class Cluster:
    """Runs on the machines of a Ray cluster; it never changes what comes out."""

    def __init__(self, address: str, options: Options) -> None:
        self._connection = Connection(address)
        self._workers = options.number("workers", 0, least=0)
        self._cpus = options.number("cpus", 1)
        self._gpus = options.number("gpus", 0, least=0)

    def close(self) -> None:
        """Leave the cluster."""
        self._connection.close()

    def place(self, system: System, spec: str) -> System:
        """The system, shared out over the cluster; services are asked from this machine."""
        if isinstance(system, Service):
            return system
        if isinstance(system, LocalModel) and system.sequential:
            raise InputError(f"{system.identity} draws all its words from one source; use --engine local")
        return ClusterSystem(self, spec, system)

    def detect(self, detector: Detector, build: Callable[[], Detector], outputs: Iterable[Output]) -> Iterator[Verdict]:
        """Verdicts in order; where the detector learns from all outputs, or there are few, it runs here."""
        everything = list(outputs)
        if getattr(detector, "learns", False) or len(everything) <= _OUTPUTS:
            yield from detector.detect(everything)
            return
        parts = [everything[start : start + _OUTPUTS] for start in range(0, len(everything), _OUTPUTS)]
        shards = Shards()
        names = [shards.name(detector.identity, *map(repr, part)) for part in parts]
        missing = [number for number, name in enumerate(names) if shards.read(name) is None]
        rows = ((number, packed(parts[number])) for number in missing)
        for number, lines in self.run(Detecting, (Home(), build, detector.identity), rows):
            shards.write(names[number], lines)
        for name, part in zip(names, parts, strict=True):
            for output, record in zip(part, shards.read(name) or [], strict=True):
                yield found(output, record)
        shards.discard(names)

    def run(
        self, worker: type[Worker], arguments: tuple[Any, ...], shards: Iterable[tuple[int, str]], gpu: bool = False
    ) -> Iterator[tuple[int, list[str]]]:
        """Numbers and answers of shards as they are finished, in any order; shards are JSON in one line."""
        with Shards().waiting(f"{number} {shard}" for number, shard in shards) as (path, count):
            if count:
                yield from self._run(worker, arguments, path, count, gpu)

    def _run(
        self, worker: type[Worker], arguments: tuple[Any, ...], path: Path, count: int, gpu: bool
    ) -> Iterator[tuple[int, list[str]]]:
        ray = self._connection.ray()
        with reported():
            gpus = self._gpus or int(gpu)
            room = self._room(ray.cluster_resources(), gpus)
            pool = ray.data.ActorPoolStrategy(
                min_size=1,
                initial_size=min(room, count),
                max_size=min(self._workers or count, count),  # machines may join
            )
            # The register stays with the driver: on another machine it would be lost with it, and the run with both.
            register = ray.remote(num_cpus=0, resources=here(ray))(Register).remote()
            # One shard a block: a worker that dies takes with it no more than the shard that it has.
            done = (
                ray.data.from_items([{"path": str(path)}])
                .map_batches(waiting, batch_format="pyarrow", num_cpus=0, resources=here(ray))
                .map_batches(
                    worker,
                    fn_constructor_args=(register, *arguments),
                    batch_size=1,
                    batch_format="pyarrow",
                    compute=pool,
                    num_cpus=self._cpus,
                    num_gpus=gpus,
                )
            )
            for table in done.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
                for row in table.to_pylist():
                    if error := failure(row):
                        raise error
                    for message in row["warned"]:
                        _log.warning("%s", message)
                    yield row["number"], row["answers"]

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
        found = {source: text for part in self.translate_unordered(sources, pair) for source, text in part}
        return [found[source] for source in sources]

    def translate_unordered(self, sources: Iterable[str], pair: Pair) -> Iterator[list[tuple[str, str]]]:
        """Sources with their answers, shard by shard as they are finished.

        A shard is what the system is given at once on one machine, so that it makes the same batches of it.
        """
        shards = enumerate(map(json.dumps, batches(sources, self._system.batch_size or _SENTENCES)))
        arguments = Home(), self._spec, self.identity, pair
        gpu = isinstance(self._system, LocalModel) and self._system.gpu
        for _, answers in self._cluster.run(Translating, arguments, shards, gpu):
            yield [(source, text) for source, text in map(json.loads, answers)]
