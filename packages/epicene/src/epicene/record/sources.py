"""Published outputs that the record is made from: where they come from, what may be shipped, how they are read."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from epicene.archives import ARCHIVES, extract
from epicene.compare.sources import OutputFile, find_files
from epicene.errors import InputError, UnknownNameError
from epicene.files import read_lines
from epicene.store.records import decode
from epicene.tables import resource, table


@dataclass(frozen=True, slots=True)
class Source:
    """A set of published outputs, as ``record/data/sources.toml`` describes it."""

    name: str
    title: str
    paper: str
    year: int
    address: str
    licence: str
    ship: str
    set: str
    files: str
    measures: tuple[str, ...]
    sha256: str = ""
    pair: str = ""
    system: str = ""
    systems: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    recognition: bool = False
    field: str = ""
    documents: str = ""
    document: str = ""

    def find_files(self, folder: Path) -> list[OutputFile]:
        """The files of translations under a folder, wherever in it they begin."""
        pattern = f"{self.root(folder).as_posix()}/{self.files}"
        files = find_files(pattern, [self.set], [self.pair] if self.pair else [], self.system).places
        return [
            file
            for file in files
            if file.system not in self.without and (not self.systems or file.system in self.systems)
        ]

    def extract(self, file: OutputFile, root: Path, folder: Path) -> OutputFile:
        """A file with one translation a line: the field of its JSON lines, or the lines of documents."""
        if not self.field and not self.documents:
            return file
        lines = list(read_lines(str(file.path)))
        if self.field:
            lines = [" ".join(str(json.loads(line)[self.field]).split()) for line in lines]
        if self.documents:
            names = list(read_lines(str(root / self.documents.format(pair=file.langs))))
            lines = [line for line, name in zip(lines, names, strict=True) if self.document in name]
        path = folder / file.system / f"{file.langs}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return file._replace(path=path)

    def root(self, folder: Path) -> Path:
        """The folder in which the pattern begins: the one given, or the nearest under it that has such a file."""
        glob = "".join("*" if place % 2 else part for place, part in enumerate(_cut(self.files)))
        if any(folder.glob(glob)):
            return folder
        depth = glob.count("/")
        for path in sorted(folder.rglob(glob.rpartition("/")[2])):
            if fnmatch.fnmatch(path.as_posix(), f"*/{glob}"):
                return path.parents[depth]
        raise InputError(
            f"{folder}: nothing of {self.name} there; expected files such as {self.files} of {self.address}"
        )


def _cut(pattern: str) -> list[str]:
    """A pattern at its fields: text and names in turn."""
    return pattern.replace("}", "{").split("{")


@cache
def known() -> dict[str, Source]:
    """All sources by name, in the order in which the record shows them."""
    content = tomllib.loads(resource("record/data", "sources.toml").read_text(encoding="utf-8"))
    return {name: decode(Source, {"name": name, **row}, "sources.toml") for name, row in content.items()}


def named(name: str) -> Source:
    """The source of a name."""
    if name not in known():
        raise UnknownNameError("source of the record", name, known(), "Your own outputs: epicene compare.")
    return known()[name]


@contextmanager
def open_folder(path: Path) -> Iterator[Path]:
    """A folder as it is; an archive unpacked into a folder that is deleted afterwards."""
    if path.is_dir():
        yield path
        return
    if not path.name.endswith(ARCHIVES):
        raise InputError(f"{path}: expected a folder, or an archive ({', '.join(ARCHIVES)})")
    with TemporaryDirectory() as folder:
        extract(path, Path(folder))
        yield Path(folder)


def find_sources(folder: Path) -> list[tuple[Source, Path]]:
    """The known sources that a folder holds, each as a folder or an archive of its name; refused if there are none."""
    places = [
        (source, path)
        for name, source in known().items()
        for ending in ("", *ARCHIVES)
        if (path := folder / f"{name}{ending}").exists()
    ]
    if not places:
        raise InputError(
            f"{folder}: no published source there; expected folders or archives called {', '.join(known())}; "
            "for your own outputs: epicene compare"
        )
    return places


def checksum(paths: Sequence[Path], root: Path) -> str:
    """One checksum of many files, which depends on their names and contents alone."""
    lines = sorted(
        f"{path.relative_to(root).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in paths
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@cache
def published() -> dict[tuple[str, str, str], dict[tuple[str, str], float]]:
    """Published figures by source, system and pair: measure and group."""
    figures: dict[tuple[str, str, str], dict[tuple[str, str], float]] = {}
    for row in table("record/data", "published.tsv"):
        system_figures = figures.setdefault((row["source"], row["system"], row["langs"]), {})
        system_figures[row["measure"], row["group"]] = float(row["value"])
    return figures


@cache
def kinds() -> dict[tuple[str, str], str]:
    """What kind of system each is, by source and system."""
    return {(row["source"], row["system"]): row["kind"] for row in table("record/data", "systems.tsv")}


def reason(source: str, system: str, langs: str, measure: str, higher: bool) -> tuple[str, str]:
    """Why a published figure differs from ours: the group of reasons, and its words; nothing where nobody looked."""
    seen = source, system, langs, measure, "higher" if higher else "lower"
    for row in table("record/data", "reasons.tsv"):
        wanted = (row["source"], row["system"], row["langs"], row["measure"], row["ours"])
        if all(map(fnmatch.fnmatchcase, seen, wanted)):
            return row["reason"], row["words"]
    return "", ""
