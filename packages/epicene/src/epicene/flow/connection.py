"""Reaches a Ray cluster, or starts one on this machine, and says in one line why it could not."""

from __future__ import annotations

import importlib.util
import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import Any

from epicene.errors import InputError, MissingExtraError, SystemFailure
from epicene.systems.models.devices import threads

_SECONDS = 10  # that a cluster has to answer
# Of HTTP/2, RFC 9113: what a client sends first, with settings of which there are none, and the head of each frame.
_FRAME, _KIND, _SETTINGS = 9, 3, 4
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, _SETTINGS, 0, 0, 0, 0, 0])


def check(address: str) -> None:
    """Refuse an address at which no cluster can be, before anything is translated."""
    if importlib.util.find_spec("ray") is None or importlib.util.find_spec("pyarrow") is None:
        raise MissingExtraError("engine ray", "ray")
    name, address = (f"engine ray:{address}", address) if address else ("RAY_ADDRESS", _named())
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
        _greet(host.strip("[]"), int(port))
    except (OSError, OverflowError) as error:
        raise SystemFailure(
            f"no Ray cluster at {address} ({error}); start one with 'ray start --head', or leave the address out"
        ) from None


def _named() -> str:
    return os.environ.get("RAY_ADDRESS", "")


def _greet(host: str, port: int) -> None:
    """Say hello as every program that speaks HTTP/2 does, Ray's head too: Ray itself waits for minutes for others."""
    with socket.create_connection((host, port), timeout=_SECONDS) as line:
        if os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true"):
            return  # it would want certificates first
        line.sendall(_PREFACE)
        answer = line.recv(_FRAME)
    if len(answer) < _FRAME or answer[_KIND] != _SETTINGS:
        raise OSError("something else answers there")


class Connection:
    """A cluster that is joined when it is first needed, and left or ended when the run is over."""

    def __init__(self, address: str) -> None:
        check(address)
        self._address = address
        self._open = ExitStack()
        self._ray: Any = None

    def ray(self) -> Any:
        """Ray, connected."""
        if self._ray is None:
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
            # A block of one byte has one shard; whoever uses Ray in this process gets his settings back.
            ours = {"enable_progress_bars": False, "print_on_execution_start": False, "target_max_block_size": 1}
            for name, value in ours.items():
                self._open.callback(setattr, context, name, getattr(context, name))
                setattr(context, name, value)
            self._ray = ray
        return self._ray

    def close(self) -> None:
        """Leave the cluster; one that was started for this run ends."""
        self._ray = None
        self._open.close()


def here(ray: Any) -> dict[str, float]:
    """What a task asks for that is to run on the driver's machine, where its files are: some of what has its name."""
    own = ray.get_runtime_context().get_node_id()
    names = next(each["Resources"] for each in ray.nodes() if each["NodeID"] == own)
    return {name: 0.001 for name in names if name.startswith("node:") and name != "node:__internal_head__"}


def _join(ray: Any, address: str) -> None:
    wanted = address or _named() or "local"
    own: dict[str, Any] = {"num_cpus": threads(), "include_dashboard": False} if wanted == "local" else {}
    try:
        with _silent():
            ray.init(address=wanted, log_to_driver=False, logging_level=logging.ERROR, **own)
    except (ConnectionError, RuntimeError, ValueError, TimeoutError, OSError) as error:
        raise SystemFailure(
            f"cannot join the Ray cluster {wanted}: {_line(error)}; start one with 'ray start --head', give the port "
            "of the head (6379, not 10001), set RAY_AUTH_MODE=token where it asks for a token, and have the same "
            "versions of Ray and Python on every machine"
        ) from None


@contextmanager
def _silent() -> Iterator[None]:
    """Standard error goes nowhere, not even what Ray's own library writes there."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


@contextmanager
def reported() -> Iterator[None]:
    """What goes wrong in the cluster, as one line."""
    import ray

    try:
        yield
    except ray.exceptions.RayError as error:
        missing = "No module named" in str(error) or "ModuleNotFoundError" in str(error)
        hint = "install epicene and its extras on every machine of the cluster" if missing else "what was done is kept"
        raise SystemFailure(f"the Ray cluster failed: {_line(error)}; {hint}") from None


def _line(error: Exception) -> str:
    """The line of a long message that says most: the last, or the first where the last is a bare trace."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if len(lines) < 3 else lines[-1]) if lines else type(error).__name__
