"""Published sets that epicene may not ship: downloaded on demand, or added from the user's files."""

from __future__ import annotations

import csv
import hashlib
import importlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from epicene.archives import ARCHIVES, gunzip, list_files, read_bounded
from epicene.errors import DataMissingError, InputError, SystemFailure, UnknownNameError
from epicene.files import set_folder, write_packed
from epicene.sets.about import Published, PublishedFile

__all__ = ["add", "entries", "entry", "get", "is_here", "list_missing", "read_csv", "require", "set_folder"]
_NAMED = 3  # files that a message names


def entries() -> list[Published]:
    """All published files that can be had, those of one name together."""
    from epicene.sets import list_about

    return [published for about in list_about() for published in about.published]


def entry(name: str) -> Published:
    """The published files of a name."""
    known = {published.name: published for published in entries()}
    if name not in known:
        raise UnknownNameError("published set", name, list(known))
    return known[name]


def is_here(published: Published) -> bool:
    """Whether all files of a set are on this machine."""
    return not list_missing(published)


def list_missing(published: Published) -> list[str]:
    """The files of a set that are not on this machine."""
    return [file.name for file in published.files if not (set_folder(published.name) / file.name).is_file()]


def require(name: str, file: str) -> Path:
    """Where a file of a set lies; where it does not, the error says how to get it."""
    path = set_folder(name) / file
    if not path.is_file():
        what = f"{path.name} of {name}" if set_folder(name).exists() else name
        can = any(published.address for published in entry(name).files)
        how = f"run: epicene data get {name} (or: epicene data add {name} PATH)"
        raise DataMissingError(
            f"{what} is not on this machine; {how}"
            if can
            else f"{what} is not on this machine, and has no address; run: epicene data add {name} PATH"
        )
    return path


def read_csv(text: str, where: str, *columns: str, delimiter: str = ",") -> Iterator[dict[str, str]]:
    """The rows of a published table that has these columns; cells may hold line ends."""
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
        raise InputError(f"{where}:1: no column {missing[0]}; expected a CSV file with {', '.join(columns)}")
    for row in reader:
        if any(row[name] is None for name in columns):
            raise InputError(f"{where}:{reader.line_num}: too few columns; expected {', '.join(columns)}")
        yield row


def get(name: str) -> Path:
    """Download what is missing of a set; a wrong checksum leaves nothing behind."""
    published = entry(name)
    for file in published.files:
        path = set_folder(name) / file.name
        if not path.is_file() and not file.address:
            raise InputError(
                f"epicene cannot download {published.title}; fetch it, then run: epicene data add {name} DIR"
            )
        if not path.is_file():
            write_packed(path, _download(file))
    return set_folder(name)


def add(name: str, path: Path) -> Path:
    """Take a set's files from a folder, an archive or a single file."""
    published = entry(name)
    names = [file.name for file in published.files]
    wanted = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    if not path.exists():
        raise InputError(f"{path} does not exist; expected the files of {name}: {wanted}")
    contents = _contents(published, path)
    if not contents:
        raise InputError(f"{path} holds none of the files of {name}; expected {wanted}")
    for file_name, content in contents.items():
        write_packed(set_folder(name) / file_name, content)
    return set_folder(name)


def _contents(published: Published, path: Path) -> dict[str, bytes]:
    """What is to be kept of a folder or file, by the name it gets here."""
    if published.checked:
        return checked_contents(path, published.name, published.files)
    if published.reader:
        contents: dict[str, bytes] = importlib.import_module(published.reader).contents(path)
        return contents
    paths = {file.name: _find(path, file) for file in published.files}
    return {name: source.read_bytes() for name, source in paths.items() if source is not None}


def _find(path: Path, file: PublishedFile) -> Path | None:
    names = (file.name, *file.aliases)
    if path.is_file():
        return path if path.name in names else None
    return next((path / name for name in names if (path / name).is_file()), None)


def checked_contents(path: Path, name: str, files: Sequence[PublishedFile]) -> dict[str, bytes]:
    """What there is of a set's files, each checked to be the version that numbers are compared with.

    A folder that holds none of them may hold archives that do.
    """
    contents: dict[str, bytes] = {}
    for place, read in list_files(path):
        for file in files:
            if file.name not in contents and any(_ends_in(place, known) for known in (file.name, *file.aliases)):
                where = f"{path}: {place}"
                contents[file.name] = gunzip(read(), where)
                if not _is_right(contents[file.name], file):
                    raise InputError(
                        f"{where} is another version of {name}: its SHA-256 differs from {file.sha256[:12]}…; "
                        f"expected {file.address or 'the file as published'}"
                    )
    if not contents and path.is_dir():
        for archive in sorted(file for file in path.iterdir() if file.is_file() and file.name.endswith(ARCHIVES)):
            contents = {**checked_contents(archive, name, files), **contents}
    return contents


def _ends_in(place: str, name: str) -> bool:
    wanted = PurePosixPath(name).parts
    return PurePosixPath(place).parts[-len(wanted) :] == wanted


def _is_right(content: bytes, file: PublishedFile) -> bool:
    return not file.sha256 or hashlib.sha256(content).hexdigest() == file.sha256


def _download(file: PublishedFile) -> bytes:
    import urllib.error
    import urllib.request

    if not file.address.startswith("https://"):
        raise InputError(f"{file.name} has no address; add it with: epicene data add SET PATH")
    try:
        with urllib.request.urlopen(file.address, timeout=60) as answer:  # noqa: S310 - https only, checked above
            content = read_bounded(answer, file.address)
    except (urllib.error.URLError, TimeoutError, OSError) as error:
        raise SystemFailure(
            f"cannot download {file.address}: {error}; fetch it another way and run: epicene data add SET PATH"
        ) from None
    if not _is_right(content, file):
        raise SystemFailure(
            f"{file.address} is not what it was: its SHA-256 differs from {file.sha256[:12]}…; not kept"
        )
    return content
