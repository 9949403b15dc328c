"""What runs on the machines of a cluster: each worker builds its system or detector once and is given shards.

What a worker cannot do comes back as an error's name and text, since a cluster would retry, wrap or lose an exception.
"""

from __future__ import annotations

import json
import logging
import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from epicene import errors, systems
from epicene.errors import EpiceneError, InputError, SystemFailure
from epicene.store.codec import finding_record
from epicene.store.shards import unpacked
from epicene.types import Detector, Pair, System
from epicene.version import __version__

_TRIES = 4  # times that a shard may be begun


class Home:
    """Where and as what the driver runs; workers must be the same to give the same answers."""

    def __init__(self) -> None:
        self.folder = str(Path.cwd())
        self.version = __version__
        self.environment = {name: os.environ[name] for name in ("EPICENE_HOME",) if name in os.environ}

    def enter(self) -> None:
        """Make this worker like the driver."""
        if __version__ != self.version:
            raise SystemFailure(
                f"a worker on {os.uname().nodename} has epicene {__version__}, this is {self.version}; "
                "install the same version on every machine"
            )
        os.environ.update(self.environment)
        if Path(self.folder).is_dir():
            os.chdir(self.folder)  # so that relative paths of models mean the same


class Register:
    """Counts how often each shard was begun, since a cluster starts dead workers again for ever."""

    def __init__(self) -> None:
        self._begun = Counter[int]()

    def begin(self, number: int) -> int:
        """How often a shard was begun, this time included."""
        self._begun[number] += 1
        return self._begun[number]


def waiting(batch: Any) -> Iterator[Any]:
    """The shards of a file on the driver's machine, read as they are needed: Arrow tables of a number and a text."""
    import pyarrow

    (given,) = batch.to_pylist()
    with Path(given["path"]).open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            number, _, shard = line.partition(" ")
            yield pyarrow.table({"number": [int(number)], "shard": [shard]})


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """What is said meanwhile that a user should hear, who is at another machine."""
    heard: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("epicene")
    logger.addHandler(handler)
    try:
        yield heard
    finally:
        logger.removeHandler(handler)


class Worker(ABC):
    """Builds what it works with when the first shard comes, so that a failure has an answer to come back in."""

    def __init__(self, register: Any, home: Home) -> None:
        self._register = register
        self._home = home
        self._ready = False

    def __call__(self, batch: Any) -> Any:
        """The answers to the one shard of an Arrow table, as another."""
        (given,) = batch.to_pylist()
        number = given["number"]
        try:
            self._begin(number)
            if not self._ready:
                self._home.enter()
                self.build()
                self._ready = True
            with _warnings() as warned:
                found = self.answers(given["shard"])
            return _row(number, answers=found, warned=warned)
        except EpiceneError as error:
            return _row(number, error=type(error).__name__, said=str(error))

    def _begin(self, number: int) -> None:
        import ray

        if ray.get(self._register.begin.remote(number)) > _TRIES:
            raise SystemFailure(
                f"workers died {_TRIES} times over shard {number}, perhaps for want of memory; try a smaller batch, as "
                "in ctranslate2:DIR?batch=16, or fewer workers a machine, as in --engine 'ray?cpus=2'"
            )

    @abstractmethod
    def build(self) -> None:
        """Make what the shards are given to."""

    @abstractmethod
    def answers(self, shard: str) -> list[str]:
        """One answer for each member of a shard, as JSON like the shard itself."""


class Translating(Worker):
    """Translates shards of sentences."""

    def __init__(self, register: Any, home: Home, spec: str, identity: str, pair: Pair) -> None:
        super().__init__(register, home)
        self._spec, self._identity, self._pair = spec, identity, pair

    def build(self) -> None:
        """Load the system, which must be the driver's."""
        self._system: System = systems.load(self._spec)
        if self._system.identity != self._identity:
            raise InputError(
                f"{self._spec} is {self._system.identity} on {os.uname().nodename} and {self._identity} here; put the "
                "same model on every machine, and name what differs, as in ?device=cuda&compute=float16"
            )

    def answers(self, shard: str) -> list[str]:
        """Sources with their translations, so that the driver need not remember what it sent."""
        sources = json.loads(shard)
        found = list(self._system.translate(sources, self._pair))
        if len(found) != len(sources):
            raise SystemFailure(f"{self._identity} answered {len(found)} lines for the {len(sources)} it was given")
        return [json.dumps(pair) for pair in zip(sources, found, strict=True)]


class Detecting(Worker):
    """Reads shards of outputs."""

    def __init__(self, register: Any, home: Home, build: Callable[[], Detector], identity: str) -> None:
        super().__init__(register, home)
        self._make, self._identity = build, identity

    def build(self) -> None:
        """Make the detector, which must be the driver's."""
        self._detector = self._make()
        if self._detector.identity != self._identity:
            raise InputError(
                f"the detector is {self._detector.identity} on {os.uname().nodename} and {self._identity} here; "
                "install the same epicene on every machine"
            )

    def answers(self, shard: str) -> list[str]:
        """The verdicts, without their outputs."""
        found = self._detector.detect(unpacked(shard))
        return [json.dumps(finding_record(verdict), ensure_ascii=False) for verdict in found]


def failure(row: Mapping[str, Any]) -> EpiceneError | None:
    """The error that a worker answered with, if it did."""
    if not row["error"]:
        return None
    kind = getattr(errors, row["error"], SystemFailure)
    return InputError(row["said"]) if issubclass(kind, InputError) else SystemFailure(row["said"])


def _row(
    number: int, answers: Sequence[str] = ("",), warned: Sequence[str] = (), error: str = "", said: str = ""
) -> Any:
    import pyarrow

    texts = pyarrow.array([warned], pyarrow.list_(pyarrow.string()))
    found = {"number": [number], "answers": [answers], "warned": texts, "error": [error], "said": [said]}
    return pyarrow.table(found)
