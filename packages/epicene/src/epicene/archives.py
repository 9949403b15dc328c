"""Unpacks what others packed: nothing is written, and nothing grows beyond a bound."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from epicene.errors import InputError

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".zip")
LARGEST = 1 << 30  # bytes of a file, once it is unpacked
Read = Callable[[], bytes]


class Readable(Protocol):
    """What can be read in part."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes."""
        ...


def read_bounded(stream: Readable, where: str, most: int = LARGEST) -> bytes:
    """All that a stream holds, refused where that is more than a published file can be."""
    content = stream.read(most + 1)
    if len(content) > most:
        raise InputError(f"{where} unpacks to more than {most:,} bytes; expected a file of a published set")
    return content


def gunzip(content: bytes, where: str) -> bytes:
    """The content of a gzipped file; any other content as it is."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            return read_bounded(stream, where)
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


def _list_archive(path: Path) -> Iterator[tuple[str, Read]]:
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    yield name, lambda name=name: _read_zipped(archive, name, path)  # type: ignore[misc]
            return
        with tarfile.open(path) as packed:
            for member in packed:
                if member.isfile() and (stream := packed.extractfile(member)):
                    yield member.name, lambda stream=stream, name=member.name: read_bounded(stream, f"{path}: {name}")  # type: ignore[misc]
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error) as error:
        why = str(error).partition("\n")[0].rstrip(":")  # tarfile adds a line for every way it tried
        raise InputError(f"{path}: broken archive ({why}); expected one of {', '.join(ARCHIVES)}") from None


def _read_zipped(archive: zipfile.ZipFile, name: str, path: Path) -> bytes:
    with archive.open(name) as stream:
        return read_bounded(stream, f"{path}: {name}")
