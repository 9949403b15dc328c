"""Downloads a published file: again after a failure, and from where an earlier try or run stopped."""

from __future__ import annotations

import hashlib
import http.client
import logging
import random
import socket
import ssl
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

from epicene.archives import LARGEST
from epicene.errors import InputError, SystemFailure
from epicene.files import explain_failure
from epicene.sets.about import PublishedFile
from epicene.systems.network.http import timeout
from epicene.systems.network.pace import RetryPolicy

Report = Callable[[int, int | None], None]  # bytes so far, bytes in all
_CHUNK = 64 << 10
_log = logging.getLogger(__name__)
# What another try does not change: no network, no such server, nobody there, a certificate that is not trusted.
_FINAL = (socket.gaierror, ConnectionRefusedError, ssl.SSLCertVerificationError)
_LATER = frozenset({408, 416, 425, 429, 500, 502, 503, 504})


def is_right(content: bytes, file: PublishedFile) -> bool:
    """Whether a content is the file as it was published, as far as a checksum tells."""
    return not file.sha256 or hashlib.sha256(content).hexdigest() == file.sha256


def download(file: PublishedFile, part: Path, report: Report) -> bytes:
    """The content of a file; what had arrived before a failure stays in ``part``, where the next try goes on."""
    if not file.address.startswith("https://" if not file.sha256 else ("https://", "http://")):
        raise InputError(f"{file.name} has no address; add it with: epicene data add SET PATH")
    policy, chance, tries = RetryPolicy.from_environment(), random.Random(), 0
    while True:
        before = _size(part)
        try:
            resumed = _fetch(file, part, report)
        except (OSError, http.client.HTTPException) as error:
            arrived = bool(file.sha256) and _size(part) > before
            tries = 1 if arrived else tries + 1  # a bad line is no reason to give up while it carries
            if tries == policy.attempts or not _may_pass(error):
                raise SystemFailure(f"cannot download {file.address}: {_reason(error)}") from None
            _log.info("%s: %s; trying again", file.address, _reason(error))
            time.sleep(policy.wait(tries, chance))
            continue
        content = part.read_bytes()
        if is_right(content, file):
            return content
        part.unlink()
        if not resumed:
            raise SystemFailure(
                f"{file.address} is not what it was: its SHA-256 differs from {file.sha256[:12]}…; not kept"
            )


def _size(part: Path) -> int:
    return part.stat().st_size if part.is_file() else 0


def _fetch(file: PublishedFile, part: Path, report: Report) -> bool:
    """Write what a server sends behind what there is; whether it did not begin anew."""
    # Only a checksum can tell whether both halves are of one file.
    start = _size(part) if file.sha256 else 0
    request = urllib.request.Request(file.address, headers={"Range": f"bytes={start}-"} if start else {})  # noqa: S310
    try:
        answer = urllib.request.urlopen(request, timeout=timeout())  # noqa: S310 - as the caller has checked
    except urllib.error.HTTPError as error:
        if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.unlink()
        raise
    with answer:
        resumed: bool = answer.status == HTTPStatus.PARTIAL_CONTENT
        done = start if resumed else 0
        total = None if answer.length is None else done + answer.length
        with explain_failure(part):  # of the disk, which are told from those of the network
            part.parent.mkdir(parents=True, exist_ok=True)
            stream = part.open("ab" if resumed else "wb")
        with stream:
            while chunk := answer.read1(_CHUNK):
                done += len(chunk)
                if done > LARGEST:
                    raise InputError(f"{file.address} is larger than {LARGEST:,} bytes")
                with explain_failure(part):
                    stream.write(chunk)
                report(done, total)
        if total is not None and done < total:
            raise ConnectionError(f"the connection ended after {done:,} of {total:,} bytes")
    return resumed


def _may_pass(error: Exception) -> bool:
    if isinstance(error, urllib.error.HTTPError):
        return error.code in _LATER
    return not isinstance(getattr(error, "reason", error), _FINAL)


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    if isinstance(error, urllib.error.HTTPError):
        return f"HTTP {error.code} {reason}"
    if isinstance(reason, _FINAL[:2]):
        return "no connection" + (f" ({reason.strerror})" if reason.strerror else "")
    return str(reason) or type(reason).__name__


@contextmanager
def show_progress(name: str) -> Iterator[Callable[[str], Report]]:
    """Shows on a terminal what has arrived of which file, unless warnings are not wanted either."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    hidden = not sys.stderr.isatty() or not _log.isEnabledFor(logging.WARNING)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as bar:
        task = bar.add_task(name, total=None)

        def begin(file: str) -> Report:
            bar.reset(task, total=None, description=f"{name}: {file}")
            return lambda done, total: bar.update(task, completed=done, total=total)

        yield begin
