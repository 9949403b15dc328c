"""The baseline of a gate: the translations that were good enough, as plain text that lies in a repository.

It stores translations rather than numbers, so that a newer epicene reads both sides by the same rules.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError, StoreError
from epicene.files import read_lines, write_atomically
from epicene.store.records import decode, parse
from epicene.version import __version__

RECORD = "baseline.json"
FORMAT = 1
RENEW = "renew it with: epicene gate --update"
Key = tuple[str, str, str]  # name of the check, set, language pair


class BaselineEntry(NamedTuple):
    """The translations of one set in one language pair, which lie in a file of their own."""

    name: str
    set: str
    langs: str
    system: str
    version: str  # a checksum of the set
    file: str = ""
    sha256: str = ""
    updated: str = ""  # a day
    lines: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """The check that it belongs to."""
        return self.name, self.set, self.langs


class _Record(NamedTuple):
    """What baseline.json holds."""

    format: int
    epicene: str
    entries: list[BaselineEntry]


def read_baseline(folder: Path) -> dict[Key, BaselineEntry]:
    """The stored entries; none where no baseline was stored yet. A file that was changed by hand is refused."""
    record = folder / RECORD
    if not record.is_file():
        return {}
    content = decode(_Record, parse("\n".join(read_lines(record)), str(record)), str(record))
    if content.format > FORMAT:
        raise StoreError(
            f"{record} was written by epicene {content.epicene} (format {content.format}, this one knows "
            f"{FORMAT}); upgrade epicene to read it"
        )
    entries = {}
    for stored in content.entries:
        if Path(stored.file).name != stored.file:
            raise InputError(f"{record}: file {stored.file!r} is not the name of a file in {folder}; {RENEW}")
        path = folder / stored.file
        lines = tuple(read_lines(path))
        if _digest(lines) != stored.sha256:
            raise InputError(f"{path} is not as it was stored (the checksum in {record} differs); {RENEW}")
        entries[stored.key] = stored._replace(lines=lines)
    return entries


def write_baseline(folder: Path, entries: Sequence[BaselineEntry]) -> None:
    """Store a baseline in place of the one that is there; ``baseline.json`` comes last."""
    before = {entry.file for entry in read_replaceable(folder).values()}
    today = datetime.now(UTC).date().isoformat()
    records = []
    for entry in entries:
        name = _name_file(entry)
        with write_atomically(folder / name) as stream:
            stream.writelines(f"{line}\n" for line in entry.lines)
        stored = entry._replace(file=name, sha256=_digest(entry.lines), updated=entry.updated or today)
        records.append({key: value for key, value in stored._asdict().items() if key != "lines"})
    with write_atomically(folder / RECORD) as stream:
        json.dump({"format": FORMAT, "epicene": __version__, "entries": records}, stream, ensure_ascii=False, indent=1)
        stream.write("\n")
    for name in before - {record["file"] for record in records}:
        (folder / name).unlink(missing_ok=True)


def read_replaceable(folder: Path) -> Mapping[Key, BaselineEntry]:
    """The stored entries, or none where they cannot be read: they are about to be replaced."""
    try:
        return read_baseline(folder)
    except InputError:
        return {}


def _name_file(entry: BaselineEntry) -> str:
    """A name of plain letters, with a checksum where a set's own name has more to it."""
    kind, _, rest = entry.set.partition(":")
    checksum = f"-{hashlib.sha256(rest.encode()).hexdigest()[:6]}" if rest else ""
    name, plain = (re.sub(r"[^\w-]+", "-", text) for text in (entry.name, kind))
    return ".".join(filter(None, (name, plain + checksum, entry.langs))) + ".txt"


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
