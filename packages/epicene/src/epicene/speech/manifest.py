"""The list of a folder's recordings: one JSON line each, appended as it is made.

Its paths are relative to the folder and cannot leave it, by dots, by a slash at their beginning or by a link.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from epicene.errors import DataMissingError, InputError
from epicene.files import full_disk, locate_cache, lock, read_lines, write_atomically

NAME = "manifest.jsonl"
SPEAKERS = ("female", "male", "unknown")


@dataclass(frozen=True, slots=True)
class Clip:
    """A sentence as a voice speaks it."""

    id: str  # of the sentence in its set
    path: Path
    text: str
    voice: str
    speaker: str  # "female", "male" or "unknown"
    seconds: float
    sha256: str
    identity: str = ""  # of the program that spoke it


_COLUMNS = tuple(name for name in Clip.__dataclass_fields__ if name != "identity")
_SUM = re.compile(r"[0-9a-f]{64}")
_SURROGATES = re.compile("[\ud800-\udfff]")
_LONGEST = 1e6  # seconds


def read(folder: Path) -> list[Clip]:
    """The recordings of a folder, in the order in which they were listed."""
    path = folder / NAME
    if not folder.is_dir() or not path.is_file():
        raise DataMissingError(
            f"{folder} holds no {NAME}; make recordings with: epicene speech synthesize -t SET --voice slt -o {folder}"
        )
    root = folder.resolve()
    clips = [_clip(line, folder, root, f"{path}:{number}") for number, line in enumerate(read_lines(path), 1)]
    seen: dict[tuple[str, str], int] = {}
    for number, clip in enumerate(clips, 1):
        if (first := seen.setdefault((clip.voice, clip.id), number)) != number:
            raise InputError(f"{path}:{number}: sentence {clip.id} by {clip.voice} is there already (line {first})")
    return clips


def verify(clip: Clip) -> None:
    """Refuse a recording that is missing or not the one that the manifest lists."""
    digest = checksum(clip.path)
    if digest is None:
        raise InputError(f"{clip.path}: listed in {NAME} but not there; copy it back or synthesize again")
    if digest != clip.sha256:
        raise InputError(
            f"{clip.path}: not the recording that {NAME} lists (SHA-256 {digest[:12]}…, expected {clip.sha256[:12]}…); "
            "copy it back or synthesize again"
        )


def checksum(path: Path) -> str | None:
    """The SHA-256 of a file; None if there is none."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def write(folder: Path, clips: Iterable[Clip]) -> None:
    """Write the list of a folder anew; it appears whole or not at all."""
    with write_atomically(folder / NAME) as stream:
        stream.writelines(_line(folder, clip) for clip in clips)


def append(folder: Path, clip: Clip) -> None:
    """Add a recording to the end of the list, at once, so that a kill leaves whole lines."""
    path = folder / NAME
    try:
        with path.open("ab") as stream:
            stream.write(_line(folder, clip).encode())
    except OSError as error:
        raise full_disk(error, path) from None


def mend(folder: Path) -> list[Clip]:
    """The recordings listed so far; half a line, as a full disk or a power cut leaves it, is removed."""
    path = folder / NAME
    if not path.is_file():
        return []
    content = path.read_bytes()
    start = content.rfind(b"\n") + 1
    if start < len(content):
        with path.open("r+b") as stream:
            if _parse_json(content[start:].decode("utf-8", "replace")) is None:
                stream.truncate(start)
            else:  # another tool left out the last line feed
                stream.seek(0, os.SEEK_END)
                stream.write(b"\n")
    return read(folder)


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """The list for this run alone; a run that is killed lets go of it."""
    busy = f"another run is speaking into {folder}; wait for it or choose another folder"
    path = locate_cache(f"locks/{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]}")
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(lock(path, busy, wait=False)):
        yield


def _line(folder: Path, clip: Clip) -> str:
    record = asdict(clip) | {"path": clip.path.relative_to(folder).as_posix()}
    if not clip.identity:
        del record["identity"]
    return json.dumps(record, ensure_ascii=False) + "\n"


def _clip(line: str, folder: Path, root: Path, where: str) -> Clip:
    record = _parse_json(line)
    if record is None:
        raise InputError(f"{where}: no JSON; expected an object with {', '.join(_COLUMNS)}")
    if not isinstance(record, dict) or not record.keys() >= set(_COLUMNS):
        raise InputError(f"{where}: expected an object with {', '.join(_COLUMNS)}")
    record.setdefault("identity", "")
    texts = [name for name in Clip.__dataclass_fields__ if name != "seconds"]
    if wrong := next((name for name in texts if not _is_text(record[name])), None):
        raise InputError(f"{where}: {wrong} {record[wrong]!r} is no text")
    if not record["voice"].strip() or not record["voice"].isprintable():
        raise InputError(f"{where}: voice {record['voice']!r}; expected a name")
    record["sha256"] = record["sha256"].lower()
    if not _SUM.fullmatch(record["sha256"]):
        raise InputError(f"{where}: sha256 {record['sha256']!r}; expected 64 hexadecimal digits")
    seconds = record["seconds"]
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < _LONGEST:
        raise InputError(f"{where}: seconds {seconds!r} is no positive number")
    if record["speaker"] not in SPEAKERS:
        raise InputError(f"{where}: speaker {record['speaker']!r}; known: {', '.join(SPEAKERS)}")
    path = _resolve(record["path"], folder, root, where)
    return Clip(path=path, seconds=float(seconds), **{name: record[name] for name in texts if name != "path"})


def _parse_json(line: str) -> Any:
    """What a line holds; None where it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_text(value: object) -> bool:
    """Whether a value can be written to a file again, which halves of surrogate pairs cannot."""
    return isinstance(value, str) and not _SURROGATES.search(value)


def _resolve(given: str, folder: Path, root: Path, where: str) -> Path:
    parts = PurePosixPath(given)
    path = folder / given
    try:
        leaves = not given or parts.is_absolute() or ".." in parts.parts or not path.resolve().is_relative_to(root)
    except (OSError, ValueError, RuntimeError):  # a NUL, or links that go in a circle
        leaves = True
    if leaves:
        raise InputError(f"{where}: path {given!r} leaves the folder; expected one inside of {folder}, as slt/1.wav")
    return path
