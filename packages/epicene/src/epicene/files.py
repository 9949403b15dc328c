"""Reading lines and writing files so that nothing half-written is ever seen."""

from __future__ import annotations

import contextlib
import errno
import functools
import gzip
import hashlib
import logging
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol, TextIO, cast

from epicene.errors import InputError, StoreError

_LOOK = 0.2  # seconds between two looks at a lock
_log = logging.getLogger(__name__)


class Lock(Protocol):
    """What a process holds until it closes it."""

    def close(self) -> None:
        """Let go of it."""
        ...


def locate_data(name: str) -> Path:
    """Where what must last lies, such as sets and translations: in ``$EPICENE_HOME``, else the platform's data folder.

    What versions before 0.3 kept in the cache folder is moved there when it is first looked for.
    """
    if chosen := os.environ.get("EPICENE_HOME"):
        return Path(chosen).expanduser() / name
    import platformdirs

    path = Path(platformdirs.user_data_dir("epicene")) / name
    older = Path(platformdirs.user_cache_dir("epicene")) / name
    if os.path.exists(older) and not os.path.exists(path):  # noqa: PTH110 - Path raises where a folder is closed
        return _move(older, path)
    return path if _may_be_made(path) else _make_temporary() / name


def locate_cache(name: str) -> Path:
    """Where what can be made again lies: in ``$EPICENE_HOME``, else the platform's cache folder."""
    if chosen := os.environ.get("EPICENE_HOME"):
        return Path(chosen).expanduser() / name
    import platformdirs

    path = Path(platformdirs.user_cache_dir("epicene")) / name
    return path if _may_be_made(path) else _make_temporary() / name


def set_folder(name: str) -> Path:
    """Where the files of a published set lie on this machine."""
    return locate_data(f"sets/{name}")


def _move(older: Path, path: Path) -> Path:
    """Move a file or folder; where that is not possible, it is used where it is."""
    import sqlite3

    try:
        if older.is_file():
            with contextlib.closing(sqlite3.connect(older, timeout=0)) as database:
                database.execute("PRAGMA journal_mode=DELETE")  # one file again, unless another program has it open
        path.parent.mkdir(parents=True, exist_ok=True)
        older.rename(path)
    except (OSError, sqlite3.Error) as error:
        if path.exists():  # another run has moved it
            return path
        _log.warning("%s lies in a cache folder and cannot be moved to %s: %s", older, path, error)
        return older
    _log.warning("moved %s to %s, which is not cleared as caches are", older, path)
    return path


def _may_be_made(path: Path) -> bool:
    """Whether a path is there or can be; in a container without a home it cannot."""
    nearest = next(place for place in (path, *path.parents) if os.path.exists(place))  # noqa: PTH110
    return nearest == path or is_allowed(nearest, os.W_OK)


def is_allowed(path: Path, mode: int) -> bool:
    """Whether this process may read or write a path."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


@functools.cache
def _make_temporary() -> Path:
    """A folder of this user's that several runs share, where the home folder cannot be written to."""
    owner = os.geteuid() if hasattr(os, "geteuid") else 0
    remedy = "set EPICENE_HOME to a folder that can be written to"
    try:
        folder = Path(tempfile.gettempdir(), f"epicene-{owner}")
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink() or folder.lstat().st_uid != owner:
            raise StoreError(f"{folder} is somebody else's; {remedy}")
    except OSError as error:
        raise StoreError(f"no folder for translations and sets: {error}; {remedy}") from None
    _log.warning(
        "warning: no home folder that can be written to; using %s for translations and sets; %s", folder, remedy
    )
    return folder


def lock(path: Path, busy: str, wait: bool = True) -> Lock:
    """The right to do something, which one process has at a time, until it closes it or ends.

    Where another has it, ``busy`` says so: once as a warning before it is waited for, or else as an error. A lock of
    SQLite's, since it works on every platform and goes with the process that holds it.
    """
    import sqlite3

    warned = False
    while True:
        held = sqlite3.connect(path, timeout=0)
        try:
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            held.close()
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise StoreError(f"cannot write {path}: {error}; nothing was written there") from None
        else:
            return held
        if not wait:
            raise InputError(busy)
        if not warned:
            _log.warning("%s; waiting for it", busy)
        warned = True
        time.sleep(_LOOK)


def checksum(*parts: str | bytes | Path) -> str:
    """Eight digits of SHA-256 over texts, bytes and the content of files, one after the other."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.read_bytes() if isinstance(part, Path) else part
        digest.update(content.encode() if isinstance(content, str) else content)
    return digest.hexdigest()[:8]


def fingerprint(paths: Iterable[Path]) -> str:
    """Eight digits that change with the content of files, so that retraining a model under one name is seen."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:8]


def refuse_overwrite(outputs: Iterable[str | Path | None], inputs: Iterable[str | Path | None]) -> None:
    """Refuse to write over a file that is read."""
    read = [Path(path) for path in inputs if path and str(path) != "-"]
    for output in (Path(path) for path in outputs if path and str(path) != "-"):
        for path in read:
            if output == path or (output.is_file() and path.is_file() and output.samefile(path)):
                raise InputError(f"{output} is read, so it cannot be written to; choose another name")


def with_fingerprint(name: str, paths: Sequence[Path]) -> str:
    """A name with the fingerprint of files after it, where there are any."""
    return f"{name}@{fingerprint(paths)}" if paths else name


def read_lines(path: str | Path) -> Iterator[str]:
    """The lines of a UTF-8 text file, or of standard input for ``-``; byte order mark and CRLF are accepted.

    Only a line feed ends a line, so that a file has as many lines as ``wc -l`` counts; in a file that has none,
    carriage returns do, as some spreadsheets write them.
    """
    name = "standard input" if str(path) == "-" else str(path)
    with _open_stream(path) as stream:
        for number, raw in enumerate(_split_lines(stream), 1):
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            if b"\x00" in raw:
                raise InputError(f"{name}:{number}: a NUL byte; expected UTF-8 text, one sentence a line")
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{name}:{number}: not UTF-8 (byte {error.start + 1}: 0x{raw[error.start]:02x}); "
                    "convert the file, for example with: iconv -f latin1 -t utf-8"
                ) from None
            yield line.removesuffix("\n").removesuffix("\r")


def read_text(path: str | Path) -> str:
    """The whole of a UTF-8 text file, as tables need it whose cells may hold line ends."""
    return "".join(line + "\n" for line in read_lines(path))


def _split_lines(stream: Iterable[bytes]) -> Iterator[bytes]:
    """Lines by their ends; one line without an end that holds carriage returns is a file of such lines."""
    for number, raw in enumerate(stream):
        if number == 0 and not raw.endswith(b"\n") and b"\r" in raw:
            yield from raw.removesuffix(b"\r").split(b"\r")
        else:
            yield raw


@contextlib.contextmanager
def _open_stream(path: str | Path) -> Iterator[BinaryIO]:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a text file, one sentence a line")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            yield cast(BinaryIO, stream)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: broken gzip file ({error})") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


@contextlib.contextmanager
def write_atomically(path: str | Path, private: bool = False) -> Iterator[TextIO]:
    """A text file that appears under its name only once it is complete; ``-`` is standard output.

    Nobody but its owner may read a private one.
    """
    if str(path) == "-":
        yield sys.stdout
        return
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        # A pipe or a device, as /dev/stdout: it is written to, never replaced by a file.
        with explain_failure(path), path.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    opener = _open_private if private else None
    with _replace_whole(path) as part, open(part, "w", encoding="utf-8", newline="\n", opener=opener) as stream:
        yield stream
        stream.flush()
        os.fsync(stream.fileno())


@contextlib.contextmanager
def _replace_whole(path: Path) -> Iterator[Path]:
    """A file that takes the place of another once it is written; where that fails, nothing has changed."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with explain_failure(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            yield part
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def explain_failure(path: Path) -> Iterator[None]:
    """Turns a failure to write a file into one line that says why, such as a full disk."""
    try:
        yield
    except OSError as error:
        raise full_disk(error, path) from None


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def write_packed(path: str | Path, content: bytes) -> None:
    """Bytes under a name that appears only once they are complete; gzipped where it ends in ``.gz``."""
    path = Path(path)
    with _replace_whole(path) as part:
        part.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def full_disk(error: OSError, path: Path) -> StoreError:
    """The error that tells why nothing could be written, and that nothing was."""
    reason = "the disk is full" if error.errno == errno.ENOSPC else error.strerror or str(error)
    return StoreError(f"cannot write {path}: {reason}; nothing was written there")
