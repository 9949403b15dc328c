"""Engines run a system over many sentences and a detector over many outputs: on this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from epicene.errors import InputError, UnknownNameError
from epicene.spec import parse
from epicene.types import Detector, Output, System, Verdict


class Engine(Protocol):
    """Where the work is done; it never changes what comes out."""

    def place(self, system: System, spec: str) -> System:
        """An opened system as this engine runs it; other machines open it by its name."""
        ...

    def detect(self, detector: Detector, build: Callable[[], Detector], outputs: Iterable[Output]) -> Iterator[Verdict]:
        """The verdicts of a detector, one per output, in order; other machines make theirs with ``build``."""
        ...

    def close(self) -> None:
        """Let go of what the engine holds."""
        ...


class Local:
    """This process, with as many threads as the system finds useful."""

    def place(self, system: System, spec: str) -> System:  # noqa: ARG002
        """The system itself."""
        return system

    def detect(
        self,
        detector: Detector,
        build: Callable[[], Detector],  # noqa: ARG002
        outputs: Iterable[Output],
    ) -> Iterator[Verdict]:
        """The detector's own verdicts."""
        return detector.detect(outputs)

    def close(self) -> None:
        """There is nothing to let go of."""


LOCAL = Local()


def load(spec: str) -> Engine:
    """The engine of a name: ``local``, ``ray`` or ``ray:ADDRESS``, with options as in ``ray?workers=2``."""
    kind, argument, options = parse(spec)
    if kind == "ray":
        from epicene.flow.ray import Cluster

        engine = Cluster(argument, options)
        options.done()
        return engine
    if kind != "local":
        raise UnknownNameError("engine", spec, ("local", "ray", "ray:ADDRESS"))
    options.done()
    if argument:
        raise InputError(f"engine local takes no argument, got {argument!r}")
    return LOCAL


@contextmanager
def opened(spec: str) -> Iterator[Engine]:
    """The engine of a name, closed at the end."""
    engine = load(spec)
    try:
        yield engine
    finally:
        engine.close()


__all__ = ["LOCAL", "Engine", "load", "opened"]
