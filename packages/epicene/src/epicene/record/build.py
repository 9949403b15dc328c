"""The public record: published outputs of many systems, read by one reader, beside the figures that were published.

A record is parts, one for each source; each has its numbers with signature and interval, the published figures beside
them, and the systems beside each other. It is kept as JSON, without a sentence of any set.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from epicene.compare.entrants import Scorer
from epicene.compare.sources import Collected, OutputFile, collect_entrants, score_files
from epicene.compare.table import Cell, Column, Matrix, Test, matrices
from epicene.errors import EpiceneError, InputError
from epicene.flow import hear, plan
from epicene.flow.plan import Opener
from epicene.output.table import Answer, Row, Table
from epicene.record import sources
from epicene.record.memory import Remembering
from epicene.record.sources import Source
from epicene.result import Result
from epicene.store.hypotheses import TranslationLines
from epicene.tables import resource
from epicene.types import Gender, Measure
from epicene.version import __version__

FORMAT = 2
_FEW = 4  # systems, up to which the tests of all pairs are kept; ranks and ties say the rest
NEAR = 2.0  # points within which a published figure is taken for the same
Progress = Callable[[str, int, int], None]


class Beside(NamedTuple):
    """A published figure, and ours."""

    measure: str
    group: str
    published: float
    ours: float | None
    low: float | None
    high: float | None
    reason: str = ""  # the group of reasons why they differ

    @property
    def near(self) -> bool:
        """Whether the published figure lies within two points of ours."""
        return self.ours is not None and abs(self.ours - self.published) <= NEAR

    @property
    def within(self) -> bool:
        """Whether it lies in our interval."""
        return self.low is not None and self.high is not None and self.low <= self.published <= self.high

    @property
    def why(self) -> str:
        """Why it is further away than two points: the group of reasons, or that nobody knows."""
        return "" if self.near else self.reason or ("" if self.within else "not explained")


@dataclass(frozen=True, slots=True)
class Entry:
    """One system on one language pair."""

    system: str
    kind: str
    langs: str
    set: str
    signature: str
    n: int
    undetected: int
    measures: tuple[Measure, ...]
    beside: tuple[Beside, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """What came of one source."""

    source: Source
    entries: tuple[Entry, ...]
    matrices: Mapping[str, Matrix]

    def as_dict(self) -> dict[str, Any]:
        """The part as JSON has it: no tests of pairs, which the ranks and ties say."""
        return {
            "source": {each.name: getattr(self.source, each.name) for each in fields(Source)},
            "entries": [_entry_record(entry) for entry in self.entries],
            "matrices": [_matrix_record(matrix) for matrix in self.matrices.values()],
        }


@dataclass(slots=True, repr=False)
class Record(Answer):
    """All parts, and what could not be taken."""

    parts: list[Part]
    problems: list[str]
    exit_code: int = 0
    short: bool = False  # whether text, Markdown and LaTeX show the answer and the main table only

    def tables(self) -> Iterable[Table]:
        """For each source who stands first, then the published figures beside ours."""
        from epicene.record.tables import record_tables, short_tables

        return short_tables(self.parts) if self.short else record_tables(self.parts)

    def rows(self) -> list[Row]:
        """One row a system, pair and measure, the published figure beside it."""
        from epicene.record.tables import record_rows

        return list(record_rows(self.parts))

    def records(self) -> list[dict[str, Any]]:
        """One object per source."""
        return [part.as_dict() for part in self.parts]

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        return {"format": FORMAT, "epicene": __version__, "parts": [part.as_dict() for part in self.parts]}


def build(
    given: Sequence[str],
    sets: Sequence[str] = (),
    langs: Sequence[str] = (),
    anyway: bool = False,
    progress: Progress | None = None,
) -> Record:
    """A record of published sources, of records made before, and of anybody's own folders and patterns.

    A source is ``NAME=PATH``, or a folder or archive called NAME in a folder that is given. Translations that this
    reader has read before are not read again.
    """
    record, collected = Record([], []), Collected()
    for each in given:
        name, sign, path = each.partition("=")
        try:
            if sign and name in sources.known():
                record.parts.append(_of_source(sources.named(name), Path(path), collected, anyway, progress))
            elif each.endswith(".json"):
                record.parts += read(Path(each))
            elif held := sources.find_sources(Path(each)):
                record.parts += [_of_source(source, path, collected, anyway, progress) for source, path in held]
            else:
                record.parts.append(_own(each, sets, langs, collected, anyway, progress))
        except EpiceneError as error:
            collected.refuse(error, each)
    order = list(sources.known())
    record.parts.sort(key=lambda part: order.index(part.source.name) if part.source.name in order else len(order))
    record.problems, record.exit_code = collected.problems, collected.exit_code
    if not record.parts:
        raise InputError(record.problems[0] if record.problems else "no source; name one as winomt-2019=PATH")
    return record


def _of_source(source: Source, path: Path, told: Collected, anyway: bool, progress: Progress | None) -> Part:
    with sources.open_folder(path) as folder, TemporaryDirectory() as extracted:
        root, places = source.root(folder), source.places(folder).places
        found = sources.checksum([place.path for place in places], root)
        if source.sha256 and found != source.sha256 and not anyway:
            raise InputError(
                f"{path}: other files than those of {source.name} that the record knows: their SHA-256 differs from "
                f"{source.sha256[:12]}…; expected {source.address}, or take them as they are with --anyway"
            )
        places = [source.extract(place, root, Path(extracted)) for place in places]
        if source.recognition:
            return Part(source, tuple(_heard(source, place) for place in places), {})
        own = Collected()
        score_files(places, own, Scorer(anyway=anyway, opener=Opener(Remembering.at_home)), _bar(progress, source.name))
    for problem in own.problems:
        told.refuse(InputError(f"{source.name}: {problem}"))
    return _part(source, own)


def _own(
    given: str, sets: Sequence[str], langs: Sequence[str], told: Collected, anyway: bool, progress: Progress | None
) -> Part:
    """Anybody's own outputs: a run, a folder or a pattern."""
    name = Path(given.removeprefix("file:").partition("{")[0]).name or "outputs"
    own = collect_entrants([given], sets, langs, Scorer(anyway=anyway), _bar(progress, name))
    told.problems += own.problems
    told.exit_code = told.exit_code or own.exit_code
    source = Source(name, name, "", 0, given, "", "numbers", "", given, ())
    return _part(source, own)


def _bar(progress: Progress | None, name: str) -> Callable[[int, int], None] | None:
    return (lambda done, total: progress(name, done, total)) if progress else None


def _part(source: Source, own: Collected) -> Part:
    entries = tuple(_entry(source, entrant.system, entrant.result) for entrant in own.entrants)
    return Part(source, entries, matrices(own.entrants))


def _heard(source: Source, place: OutputFile) -> Entry:
    challenge = plan.open_set(place.set)
    pair = plan.open_pair(place.langs, challenge)
    items = list(challenge.items(pair))
    texts = [text for _, text in TranslationLines(place.path).pair_with(items, pair.source)]
    return _entry(source, place.system, hear.score_read_aloud(challenge, items, texts, place.system))


def _entry(source: Source, system: str, result: Result) -> Entry:
    wanted = set(source.measures)
    kept = tuple(
        each
        for each in result.measures
        if (f"{each.name}:{each.group}" in wanted if wanted else not each.detail) and each.value is not None
    )
    ours = {(each.name, each.group): each for each in result.measures}
    beside = []
    for (name, group), value in sources.published().get((source.name, system, result.langs), {}).items():
        own = ours.get((name, group))
        ours_of = (own.value, own.low, own.high) if own else (None, None, None)
        found = Beside(name, group, value, *ours_of)
        higher = (found.ours or 0.0) > value
        why = "" if found.near else sources.reason(source.name, system, result.langs, name, higher)[0]
        beside.append(found._replace(reason=why))
    kind = sources.kinds().get((source.name, system), "")
    undetected = result.genders.get(Gender.UNKNOWN, 0)
    bare = tuple(replace(each, corrected=None, detail=None) for each in kept)
    return Entry(
        *(system, kind, result.langs, result.set, result.signature, result.n, undetected),
        *(bare, tuple(beside), result.warnings),
    )


def shipped() -> list[Part]:
    """The record that comes with epicene."""
    return _parts(json.loads(resource("record/data", "record.json").read_text(encoding="utf-8")), "the shipped record")


def read(path: Path) -> list[Part]:
    """A record that was written before."""
    try:
        return _parts(json.loads(path.read_text(encoding="utf-8")), str(path))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: no record of epicene ({type(error).__name__}); 'epicene record -o DIR' writes one"
        ) from None


def _parts(content: Mapping[str, Any], where: str) -> list[Part]:
    if content["format"] not in (1, FORMAT):
        raise InputError(f"{where}: a record of format {content['format']}; this epicene reads 1 to {FORMAT}")
    return [
        Part(
            sources.source_of(part["source"]),
            tuple(map(_entry_of, part["entries"])),
            {each["measure"]: _matrix_of(each) for each in part["matrices"]},
        )
        for part in content["parts"]
    ]


def _rounded(value: Any) -> Any:
    return round(value, 2) if isinstance(value, float) else value


def _entry_record(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: getattr(entry, name) for name in ("system", "kind", "langs", "set", "signature", "n", "undetected")
    }
    kept = ("name", "group", "value", "unit", "n", "low", "high", "why")
    found["measures"] = [
        {key: _rounded(value) for key, value in each.as_dict().items() if key in kept} for each in entry.measures
    ]
    if entry.beside:
        found["published"] = [{key: _rounded(value) for key, value in each._asdict().items()} for each in entry.beside]
    return {**found, **({"warnings": list(entry.warnings)} if entry.warnings else {})}


def _entry_of(content: Mapping[str, Any]) -> Entry:
    rest = {key: value for key, value in content.items() if key not in ("measures", "published", "warnings")}
    return Entry(
        **_renamed(rest),
        measures=tuple(Measure(**each) for each in content["measures"]),
        beside=tuple(Beside(**each) for each in content.get("published", ())),
        warnings=tuple(content.get("warnings", ())),
    )


_OLD = {"unread": "undetected"}  # by the name that format 1 has
_CELL = ("system", "value", "low", "high", "n", "count", "undetected", "rank", "ranks", "doubtful", "why")


def _matrix_record(matrix: Matrix) -> dict[str, Any]:
    columns, means = (
        [
            {
                "set": column.set,
                "langs": column.langs,
                "cells": [_cell_record(cell, column.first()) for cell in column.cells.values()],
                "lacking": list(column.lacking),
                **({"tests": [_test_record(test) for test in column.tests]} if len(column.cells) <= _FEW else {}),
            }
            for column in part
        ]
        for part in (matrix.columns, matrix.means)
    )
    return {"measure": matrix.measure, "systems": list(matrix.systems), "columns": columns, "means": means}


def _test_record(test: Test) -> dict[str, Any]:
    digits = {"p": 6, "p_holm": 6}
    return {
        key: round(value, digits.get(key, 2)) if isinstance(value, float) else value
        for key, value in test._asdict().items()
    }


def _cell_record(cell: Cell, first: Cell | None) -> dict[str, Any]:
    """The cell as JSON has it; who cannot be told apart is kept of those who stand first."""
    told = {name: getattr(cell, name) for name in _CELL}
    found = {
        name: _rounded(value) for name, value in told.items() if not (value is None or value is False or value == "")
    }
    return {**found, "tied": list(cell.tied)} if cell.rank == 1 or cell is first else found


def _matrix_of(content: Mapping[str, Any]) -> Matrix:
    def column(each: Mapping[str, Any]) -> Column:
        cells = {cell["system"]: _cell_of(cell) for cell in each["cells"]}
        tests = tuple(Test(**test) for test in each.get("tests", ()))
        return Column(each["set"], each["langs"], cells, tests, tuple(each["lacking"]))

    parts = (tuple(map(column, content[name])) for name in ("columns", "means"))
    return Matrix(content["measure"], tuple(content["systems"]), *parts)


def _renamed(content: Mapping[str, Any]) -> dict[str, Any]:
    return {_OLD.get(name, name): value for name, value in content.items()}


def _cell_of(content: Mapping[str, Any]) -> Cell:
    missing: dict[str, Any] = {"value": None, "low": None, "high": None, "rank": None, "ranks": None, "tied": ()}
    found = {**missing, "n": 0, "count": 0, "undetected": 0}
    found |= _renamed(content)
    return Cell(**{**found, "ranks": tuple(found["ranks"]) if found["ranks"] else None, "tied": tuple(found["tied"])})
