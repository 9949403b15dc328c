"""Published sets that epicene may not ship: downloaded on demand, or added from the user's files."""

from __future__ import annotations

import csv
import importlib
import io
import logging
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from epicene.archives import ARCHIVES, gunzip, list_files
from epicene.errors import DataMissingError, InputError, SystemFailure, UnknownNameError
from epicene.files import explain_failure, lock, read_text, set_folder, write_packed
from epicene.sets.about import Published, PublishedFile

_NAMED = 3  # files that a message names
_downloads = ContextVar("downloads", default=True)
_log = logging.getLogger(__name__)


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
    """Where a file of a set lies, downloaded if need be; where it cannot be had, the error says how to get it."""
    path = set_folder(name) / file
    if path.is_file():
        return path
    what = f"{path.name} of {name} is" if set_folder(name).exists() else f"{name} is"
    if not any(known.address for known in entry(name).files if known.name == file):
        raise DataMissingError(f"{what} not on this machine, and has no address; run: epicene data add {name} PATH")
    if not _downloads.get():
        raise DataMissingError(
            f"{what} not on this machine; run: epicene data get {name} (or: epicene data add {name} PATH)"
        )
    _announce(name)
    try:
        _download(entry(name), file)
    except SystemFailure as error:
        raise DataMissingError(
            f"{what} not on this machine: {error}; try again with: epicene data get {name} "
            f"(or add it from a file: epicene data add {name} PATH)"
        ) from None
    return path


@contextmanager
def no_downloads() -> Iterator[None]:
    """Sets that are not on this machine stay missing, as where a set is described and not used."""
    token = _downloads.set(False)
    try:
        yield
    finally:
        _downloads.reset(token)


@cache
def _announce(name: str) -> None:
    from epicene.sets import list_about

    about = next(about for about in list_about() if name in (published.name for published in about.published))
    host = urlsplit(entry(name).files[0].address).hostname
    _log.warning(
        "%s is not on this machine; downloading it from %s (licence: epicene sets show %s)", name, host, about.name
    )


def read_csv(path: Path, *columns: str, delimiter: str = ",") -> Iterator[dict[str, str]]:
    """The rows of a published file that has these columns."""
    return read_table(read_text(path), str(path), *columns, delimiter=delimiter)


def read_table(text: str, where: str, *columns: str, delimiter: str = ",") -> Iterator[dict[str, str]]:
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
    try:
        _download(published)
    except SystemFailure as error:
        raise SystemFailure(f"{error}; fetch it another way and run: epicene data add {name} PATH") from None
    return set_folder(name)


def _download(published: Published, only: str = "") -> None:
    """Download what is missing, or one file; the next run goes on where one stopped, and one does so at a time."""
    from epicene.sets.download import download, show_progress

    name, folder = published.name, set_folder(published.name)
    missing = [file for file in published.files if only in ("", file.name) and not (folder / file.name).is_file()]
    if not all(file.address for file in missing):
        raise InputError(f"epicene cannot download {published.title}; fetch it, then run: epicene data add {name} DIR")
    if not missing:
        return
    with explain_failure(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
    busy = f"another run is downloading {name}"
    with closing(lock(folder.parent / f".{name}.lock", busy)), show_progress(name) as begin:
        for file in missing:
            path = folder / file.name
            part = path.with_name(f".{path.name}.part")
            if not path.is_file():
                write_packed(path, download(file, part, begin(file.name)))
                part.unlink()


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
    from epicene.sets.download import is_right

    contents: dict[str, bytes] = {}
    for place, read in list_files(path):
        for file in files:
            if file.name not in contents and any(_ends_in(place, known) for known in (file.name, *file.aliases)):
                where = f"{path}: {place}"
                contents[file.name] = gunzip(read(), where)
                if not is_right(contents[file.name], file):
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
