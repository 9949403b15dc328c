"""Files of a published set by name and checksum, from a clone, a folder, an archive or a single file, as published."""

from __future__ import annotations

import gzip
import hashlib
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from epicene.errors import InputError
from epicene.published.file import PublishedFile

_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".zip")
Read = Callable[[], bytes]


def contents(path: Path, name: str, files: Sequence[PublishedFile]) -> dict[str, bytes]:
    """What there is of a set's files, each checked to be the version that numbers are compared with."""
    found: dict[str, bytes] = {}
    for place, read in _members(path):
        for file in files:
            if file.name not in found and any(_ends(place, each) for each in (file.name, *file.aliases)):
                found[file.name] = _checked(read(), file, f"{path}: {place}", name)
    return found


def _ends(place: str, name: str) -> bool:
    wanted = PurePosixPath(name).parts
    return PurePosixPath(place).parts[-len(wanted) :] == wanted


def _checked(content: bytes, file: PublishedFile, where: str, name: str) -> bytes:
    content = _unpacked(content, where)
    if file.sha256 and hashlib.sha256(content).hexdigest() != file.sha256:
        raise InputError(
            f"{where} is another version of {name}: its SHA-256 differs from {file.sha256[:12]}…; "
            f"expected {file.address or 'the file as published'}"
        )
    return content


def _unpacked(content: bytes, where: str) -> bytes:
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{where}: broken gzip file ({error})") from None


def _members(path: Path) -> Iterator[tuple[str, Read]]:
    """Every file of a folder or archive: where it lies, and what reads it."""
    if path.is_dir():
        for each in sorted(path.rglob("*")):
            if each.is_file():
                yield each.resolve().as_posix(), each.read_bytes
    elif path.name.endswith(_ARCHIVES):
        yield from _archived(path)
    else:
        yield path.resolve().as_posix(), path.read_bytes


def _archived(path: Path) -> Iterator[tuple[str, Read]]:
    """The files of an archive; nothing of it is written anywhere."""
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    yield name, lambda name=name: archive.read(name)  # type: ignore[misc]
            return
        with tarfile.open(path) as packed:
            for member in packed:
                if member.isfile() and (stream := packed.extractfile(member)):
                    yield member.name, stream.read
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error) as error:
        why = str(error).partition("\n")[0].rstrip(":")  # tarfile adds a line for every way it tried
        raise InputError(f"{path}: broken archive ({why}); expected one of {', '.join(_ARCHIVES)}") from None
