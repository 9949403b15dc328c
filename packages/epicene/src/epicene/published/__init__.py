"""Published sets that epicene may not ship: downloaded on demand, or added from the user's files."""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from epicene.errors import InputError, SystemFailure, UnknownNameError
from epicene.files import full_disk, home
from epicene.published import pinned
from epicene.published.file import PublishedFile
from epicene.tables import table

_PINNED = "pinned"  # the reader of sets whose files are known by name and checksum
_NAMED = 3  # files that a message names


@dataclass(frozen=True, slots=True)
class Published:
    """A published set."""

    name: str
    title: str
    files: tuple[PublishedFile, ...]
    reader: str = ""  # the module of this package that checks and takes the set's files, whatever they are called


def entries() -> list[Published]:
    """All published sets that can be had."""
    found: dict[str, list[PublishedFile]] = {}
    titles: dict[str, str] = {}
    readers: dict[str, str] = {}
    for row in table("published/published.tsv"):
        file = PublishedFile(row["file"], tuple(row["aliases"].split()), row["address"], row["sha256"])
        found.setdefault(row["set"], []).append(file)
        titles[row["set"]] = row["title"] or titles[row["set"]]
        readers.setdefault(row["set"], row["reader"])
    return [Published(name, titles[name], tuple(files), readers[name]) for name, files in found.items()]


def entry(name: str) -> Published:
    """The published set of a name."""
    for each in entries():
        if each.name == name:
            return each
    raise UnknownNameError("published set", name, [each.name for each in entries()])


def folder(name: str) -> Path:
    """Where a published set lies on this machine."""
    return home() / "sets" / name


def is_here(published: Published) -> bool:
    """Whether all files of a set are on this machine."""
    return not missing(published)


def missing(published: Published) -> list[str]:
    """The files of a set that are not on this machine."""
    return [file.name for file in published.files if not (folder(published.name) / file.name).is_file()]


def get(name: str) -> Path:
    """Download what is missing of a set; a wrong checksum leaves nothing behind."""
    published = entry(name)
    for file in published.files:
        place = folder(name) / file.name
        if not place.is_file() and not file.address:
            raise InputError(
                f"epicene cannot download {published.title}; fetch it, then run: epicene data add {name} DIR"
            )
        if not place.is_file():
            _keep(_download(file), place, file)
    return folder(name)


def add(name: str, path: Path) -> Path:
    """Take a set's files from a folder or a single file."""
    published = entry(name)
    if not path.exists():
        raise InputError(f"{path} does not exist; expected the files of {name}: {_names(published)}")
    taken = _contents(published, path)
    if not taken:
        raise InputError(f"{path} holds none of the files of {name}; expected {_names(published)}")
    for file_name, content in taken.items():
        _keep(content, folder(name) / file_name, None)
    return folder(name)


def _contents(published: Published, path: Path) -> dict[str, bytes]:
    """What is to be kept of a folder or file, by the name it gets here."""
    if published.reader == _PINNED:
        return pinned.contents(path, published.name, published.files)
    if published.reader:
        found: dict[str, bytes] = importlib.import_module(f"epicene.sets.{published.reader}.files").contents(path)
        return found
    sources = {file.name: _found(path, file) for file in published.files}
    return {name: source.read_bytes() for name, source in sources.items() if source is not None}


def _names(published: Published) -> str:
    names = [file.name for file in published.files]
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _found(path: Path, file: PublishedFile) -> Path | None:
    names = (file.name, *file.aliases)
    if path.is_file():
        return path if path.name in names else None
    return next((path / name for name in names if (path / name).is_file()), None)


def _download(file: PublishedFile) -> bytes:
    import urllib.error
    import urllib.request

    if not file.address.startswith("https://"):
        raise InputError(f"{file.name} has no address; add it with: epicene data add SET PATH")
    try:
        with urllib.request.urlopen(file.address, timeout=60) as answer:  # noqa: S310 - https only, checked above
            content: bytes = answer.read()
    except (urllib.error.URLError, TimeoutError, OSError) as error:
        raise SystemFailure(
            f"cannot download {file.address}: {error}; fetch it another way and run: epicene data add SET PATH"
        ) from None
    return content


def _keep(content: bytes, place: Path, file: PublishedFile | None) -> None:
    if file is not None and file.sha256 and hashlib.sha256(content).hexdigest() != file.sha256:
        raise SystemFailure(
            f"{file.address} is not what it was: its SHA-256 differs from {file.sha256[:12]}…; not kept"
        )
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        shutil.move(part, place)
    except OSError as error:
        raise full_disk(error, place) from None
    finally:
        part.unlink(missing_ok=True)
