"""What a set says of itself in its ``set.toml``, and how pages speak of it: read without importing the set."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from epicene.errors import InputError
from epicene.result import Result
from epicene.tables import find_folder
from epicene.types import Measure

_LONGEST = 40  # letters of the name of a voice


class PaperTable(NamedTuple):
    """The columns of a paper's table: measure, group (* for the first) and heading each."""

    caption: str
    columns: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class PageWords:
    """The words for one set, ``[words]`` of its ``set.toml``; without any, pages speak of women and men."""

    asks: str = ""  # what the set asks of a translator
    feminine: str = "the sentence is about *a woman*"  # how the headline begins; words between asterisks are stressed
    masculine: str = "it is about *a man*"
    job: bool = False  # whether the person is always named by an occupation
    main: str = ""  # the rate that charts show by group, or a pattern of rates that have a group each
    rates: str = "How often the translation says what the sentence says."  # what the main rate is, in a sentence
    axis: str = ""  # the same in a few words
    table: PaperTable | None = None
    groups: Mapping[str, str] = field(default_factory=dict)  # what a group holds

    read: Mapping[str, str] = field(default_factory=dict)  # rates that count who is read so: tfg = "feminine"

    @classmethod
    def parse(cls, row: Mapping[str, Any]) -> PageWords:
        """The words as a table of TOML has them."""
        table = row.get("table")
        table = table and PaperTable(table["caption"], tuple(map(tuple, table["columns"])))
        return cls(**{**row, "table": table})

    def main_rates(self, result: Result) -> list[Measure]:
        """The main rate of every group that has sentences, as charts show it; "all" comes last."""
        name = self.main or next((measure.name for measure in result.measures if measure.unit == "%"), "")
        rates = [
            measure
            for measure in result.measures
            if fnmatchcase(measure.name, name) and measure.unit == "%" and not measure.detail and measure.n
        ]
        return sorted(rates, key=lambda measure: measure.group == "all")

    def describe(self, group: str) -> str:
        """A group in plain words, or its own name."""
        return self.groups.get(group) or describe_voice(group) or group


def describe_voice(group: str) -> str | None:
    """A voice, or the voices of a gender, in plain words; None for other groups."""
    kind, _, name = group.partition(":")
    if kind == "speaker":
        return {"female": "women’s voices", "male": "men’s voices"}.get(name, "other voices")
    printable = "".join(letter for letter in name if letter.isprintable())
    return f"the voice {printable[:_LONGEST]}" if kind == "voice" else None


NAME = "set.toml"


class PublishedFile(NamedTuple):
    """A file of a published set: what it is called here and elsewhere, where it comes from, what it must be."""

    name: str
    aliases: tuple[str, ...] = ()
    address: str = ""  # none: epicene cannot download it
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """Files that were published, and that epicene may not ship."""

    name: str
    title: str
    files: tuple[PublishedFile, ...]
    checked: bool = False  # the files are known by name and checksum, wherever a folder or an archive has them
    reader: str = ""  # the module whose ``contents`` takes the files, where their names do not tell


class Filter(NamedTuple):
    """What the sentences of a page can be filtered by: a label of items."""

    name: str  # in addresses
    label: str
    title: str
    words: Mapping[str, str] = MappingProxyType({})  # for values that do not speak for themselves


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a set before its sentences are read."""

    name: str
    title: str
    sources: tuple[str, ...] = ()  # language codes of the sentences
    targets: tuple[str, ...] = ()  # language codes that it can be translated into; none: any
    licence: str = ""
    citation: str = ""  # BibTeX
    card: str = ""
    usage: str = ""  # how the name goes on, where the bare name is no set: custom:FILE.tsv
    natural: bool = False  # whether people wrote the sentences for people, so that all-natural has it
    spoken: bool = False  # whether its items are recordings
    contexts: tuple[str, ...] = ()  # ways to give what stands before a sentence, each a set of its own: NAME:WAY
    published: tuple[Published, ...] = ()
    words: PageWords = field(default_factory=PageWords)  # how pages speak of it
    filters: Mapping[str, Filter] = field(default_factory=dict)  # of pages, besides the usual ones


@cache
def read_about(package: str) -> About:
    """What the ``set.toml`` of a package says; ``like`` names a set of epicene that says the rest."""
    parent, _, folder = package.rpartition(".")
    # By way of its parent: to ask for the files of a package is to import it.
    path = find_folder(parent).joinpath(folder, NAME) if parent else find_folder(package).joinpath(NAME)
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))
        like = rows.pop("like", "")
        name = rows.pop("name", package.rpartition(".")[2].replace("_", "-"))
        published = tuple(_published(key, row, package) for key, row in rows.pop("data", {}).items())
        fields = {key: _PARSERS.get(key, _plain)(value) for key, value in rows.items()}
        fields |= {"name": name, "published": published}
        return replace(read_about(f"epicene.sets.{like.replace('-', '_')}"), **fields) if like else About(**fields)
    except (tomllib.TOMLDecodeError, TypeError, KeyError) as error:
        raise InputError(f"{path}: {error}; CONTRIBUTING.md lists its keys") from None


def _plain(value: Any) -> Any:
    return value.strip("\n") if isinstance(value, str) else value


def _filters(rows: Mapping[str, Any]) -> dict[str, Filter]:
    """``sector = "sector"``, or a table with the label, a title and words for its values."""
    tables = {name: {"label": row} if isinstance(row, str) else row for name, row in rows.items()}
    return {name: Filter(name, **{"title": name.capitalize(), **row}) for name, row in tables.items()}


_PARSERS: dict[str, Callable[[Any], Any]] = {
    "sources": tuple,
    "targets": tuple,
    "contexts": tuple,
    "words": PageWords.parse,
    "filters": _filters,
}


def _published(name: str, row: Mapping[str, Any], package: str) -> Published:
    base, reader = row.get("address", ""), row.get("reader", "")
    taken = tuple(
        PublishedFile(
            file, tuple(known.get("aliases", ())), known.get("address", base and base + file), known.get("sha256", "")
        )
        for file, known in row["files"].items()
    )
    return Published(name, row["title"], taken, row.get("checked", False), reader and f"{package}.{reader}")
