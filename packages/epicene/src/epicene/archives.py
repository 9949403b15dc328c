"""Unpacks what others packed; nothing grows beyond a bound or leads outside its folder."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Protocol

from epicene.errors import InputError

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".zip")
LARGEST = 1 << 30  # bytes of a file, once it is unpacked
_LARGEST_FOLDER = 8 << 30  # bytes of all files of an archive
# What reading a packed file that is cut short or broken may raise; the last but one of a way to pack that is not known
# here, the last of the header of an array of NumPy's.
BROKEN = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    OSError,
    RuntimeError,
    NotImplementedError,
    tokenize.TokenError,
)
Read = Callable[[], bytes]


class Readable(Protocol):
    """What can be read in part."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes."""
        ...


def read_bounded(stream: Readable, where: str, most: int = LARGEST) -> bytes:
    """All that a stream holds, refused where that is more than the bound."""
    content = stream.read(most + 1)
    if len(content) > most:
        raise InputError(f"{where} unpacks to more than {most:,} bytes")
    return content


def gunzip(content: bytes, where: str, most: int = LARGEST) -> bytes:
    """The content of what is gzipped; any other content as it is."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            return read_bounded(stream, where, most)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{where}: broken gzip file ({error})") from None


def list_files(path: Path) -> Iterator[tuple[str, Read]]:
    """Every file of a folder or archive, or the file itself: where it lies, and what reads it."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file():
                yield file.resolve().as_posix(), file.read_bytes
    elif path.name.endswith(ARCHIVES):
        yield from _list_archive(path)
    else:
        yield path.resolve().as_posix(), path.read_bytes


def extract(path: Path, folder: Path) -> None:
    """Write the files of an archive into a folder; links are left out, and no file may lie outside."""
    root, size = folder.resolve(), 0
    for name, read in list_files(path):
        target = (root / name).resolve()
        if not target.is_relative_to(root):
            raise InputError(f"{path}: {name!r} would lie outside the folder")
        content = read()
        size += len(content)
        if size > _LARGEST_FOLDER:
            raise InputError(f"{path} unpacks to more than {_LARGEST_FOLDER:,} bytes; unpack it yourself")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _list_archive(path: Path) -> Iterator[tuple[str, Read]]:
    with _refuse_broken(path):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                for info in archive.infolist():
                    if not info.is_dir():
                        yield info.filename, partial(_read_member, partial(archive.open, info), path, info.filename)
        else:
            with tarfile.open(path) as packed:
                for member in packed:
                    if member.isfile():
                        yield member.name, partial(_read_member, partial(packed.extractfile, member), path, member.name)


def _read_member(open_member: Callable[[], IO[bytes] | None], path: Path, name: str) -> bytes:
    with _refuse_broken(path), open_member() or io.BytesIO() as stream:
        return read_bounded(stream, f"{path}: {name}", LARGEST)


@contextmanager
def _refuse_broken(path: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, *BROKEN) as error:
        why = str(error).partition("\n")[0].rstrip(":")  # tarfile adds a line for every way it tried
        raise InputError(f"{path}: broken archive ({why}); expected one of {', '.join(ARCHIVES)}") from None
