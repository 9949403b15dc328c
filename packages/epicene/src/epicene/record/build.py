"""The public record: published outputs of many systems, read by one reader, beside the figures that were published.

A record is parts, one for each source; each has its numbers with signature and interval, the published figures beside
them, and the systems beside each other. It is kept as JSON, without a sentence of any set.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from epicene.compare.entrants import Entrant, Scorer
from epicene.compare.sources import Collector, OutputFile
from epicene.compare.table import Column, Matrix, matrices
from epicene.errors import EpiceneError, InputError
from epicene.files import locate_cache, read_lines, write_atomically
from epicene.flow import hear, plan
from epicene.flow.plan import Opener
from epicene.options import Progress
from epicene.output.table import Answer, Row, Table
from epicene.record import sources
from epicene.record.sources import Source
from epicene.result import Result
from epicene.store.hypotheses import TranslationLines
from epicene.store.records import decode, encode
from epicene.tables import resource
from epicene.types import Detector, Gender, Measure, Output, Verdict
from epicene.version import __version__

FORMAT = 2
_FEW = 4  # systems, up to which the tests of all pairs are kept; ranks and ties say the rest
NEAR = 2.0  # points within which a published figure is taken for the same


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
    measures: tuple[Measure, ...]  # as much of each as the record keeps
    published: tuple[Beside, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """What came of one source."""

    source: Source
    entries: tuple[Entry, ...]
    matrices: Mapping[str, Matrix]

    def as_dict(self) -> dict[str, Any]:
        """The part as JSON has it."""
        matrices = [encode(matrix) for matrix in self.matrices.values()]
        for column in _list_columns(matrices):
            column["cells"] = list(column["cells"].values())
        record = {"source": asdict(self.source), "entries": encode(self.entries), "matrices": matrices}
        return {name: _round(value) for name, value in record.items()}


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


def build(paths: Sequence[str], anyway: bool = False, progress: Progress | None = None) -> Record:
    """A record of published sources, and of records made before.

    A source is ``NAME=PATH``, or a folder or archive called NAME in a folder that is given. Translations that this
    reader has read before are not read again.
    """
    record, collected = Record([], []), Collector()
    for path in paths:
        name, sign, place = path.partition("=")
        try:
            if path.endswith(".json"):
                record.parts += read(Path(path))
                continue
            places = [(sources.named(name), Path(place))] if sign else sources.find_sources(Path(path))
            record.parts += [_read_source(source, where, collected, anyway, progress) for source, where in places]
        except EpiceneError as error:
            collected.refuse(error, path)
    order = list(sources.known())
    record.parts.sort(key=lambda part: order.index(part.source.name) if part.source.name in order else len(order))
    record.problems, record.exit_code = collected.problems, collected.exit_code
    if not record.parts:
        raise InputError(record.problems[0] if record.problems else "no source; name one as winomt-2019=PATH")
    return record


def _read_source(source: Source, path: Path, collected: Collector, anyway: bool, progress: Progress | None) -> Part:
    with sources.open_folder(path) as folder, TemporaryDirectory() as extracted:
        root, files = source.root(folder), source.find_files(folder)
        checksum = sources.checksum([file.path for file in files], root)
        if source.sha256 and checksum != source.sha256 and not anyway:
            raise InputError(
                f"{path}: other files than those of {source.name} that the record knows: their SHA-256 differs from "
                f"{source.sha256[:12]}…; expected {source.address}, or take them as they are with --anyway"
            )
        files = [source.extract(file, root, Path(extracted)) for file in files]
        if source.recognition:
            return Part(source, tuple(_score_transcripts(source, file) for file in files), {})
        outputs = Collector(Scorer(anyway=anyway, opener=Opener(Remembering.at_home)))
        outputs.score(files, progress)
    for problem in outputs.problems:
        collected.refuse(InputError(f"{source.name}: {problem}"))
    return _make_part(source, outputs.entrants)


def _make_part(source: Source, entrants: Sequence[Entrant]) -> Part:
    entries = tuple(_make_entry(source, entrant.system, entrant.result) for entrant in entrants)
    return Part(source, entries, {name: _strip(matrix) for name, matrix in matrices(entrants).items()})


def _strip(matrix: Matrix) -> Matrix:
    """As much of a matrix as the record keeps: ties of those who stand first, and tests of all pairs of a few."""

    def strip(column: Column) -> Column:
        first = column.first()
        cells = {
            name: replace(
                cell,
                tied=cell.tied if cell.rank == 1 or cell is first else (),
                signature="",
                translated="",
                warnings=(),
                quality=(),
            )
            for name, cell in column.cells.items()
        }
        return replace(column, cells=cells, tests=column.tests if len(cells) <= _FEW else ())

    return replace(matrix, columns=tuple(map(strip, matrix.columns)), means=tuple(map(strip, matrix.means)))


def _score_transcripts(source: Source, file: OutputFile) -> Entry:
    test_set = plan.open_set(file.set)
    pair = plan.open_pair(file.langs, test_set)
    items = list(test_set.items(pair))
    texts = [text for _, text in TranslationLines(file.path).pair_with(items, pair.source)]
    return _make_entry(source, file.system, hear.score_read_aloud(test_set, items, texts, file.system))


def _make_entry(source: Source, system: str, result: Result) -> Entry:
    names = set(source.measures)
    recorded = tuple(
        Measure(m.name, m.group, m.value, m.unit, m.n, low=m.low, high=m.high, why=m.why)
        for m in result.measures
        if m.value is not None and (f"{m.name}:{m.group}" in names if names else not m.detail)
    )
    ours = {(measure.name, measure.group): measure for measure in result.measures}
    published = []
    for (name, group), value in sources.published().get((source.name, system, result.langs), {}).items():
        our = ours.get((name, group))
        beside = Beside(name, group, value, *((our.value, our.low, our.high) if our else (None, None, None)))
        if not beside.near:
            higher = (beside.ours or 0.0) > value
            beside = beside._replace(reason=sources.reason(source.name, system, result.langs, name, higher)[0])
        published.append(beside)
    return Entry(
        system=system,
        kind=sources.kinds().get((source.name, system), ""),
        langs=result.langs,
        set=result.set,
        signature=result.signature,
        n=result.n,
        undetected=result.genders.get(Gender.UNKNOWN, 0),
        measures=recorded,
        published=tuple(published),
        warnings=result.warnings,
    )


class Remembering:
    """A detector that keeps the gender and the step of each verdict in a file named by all that they depend on."""

    def __init__(self, detector: Detector, folder: Path) -> None:
        self.identity = detector.identity
        self.verbatim = getattr(detector, "verbatim", False)
        self._detector, self._folder = detector, folder

    @classmethod
    def at_home(cls, detector: Detector) -> Remembering:
        """One that keeps verdicts under ``$EPICENE_HOME/record-verdicts``."""
        return cls(detector, locate_cache("record-verdicts"))

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order; of those found again there is no evidence."""
        outputs = list(outputs)
        digest = hashlib.sha256(self.identity.encode())
        for output in outputs:
            digest.update(repr((output.item, output.target, output.text, output.verbatim)).encode())
        path = self._folder / f"{digest.hexdigest()}.tsv"
        if path.exists():
            rows = (line.split("\t") for line in read_lines(path))
            for output, (gender, step) in zip(outputs, rows, strict=True):
                yield Verdict(output, Gender(gender), step)
            return
        verdicts = list(self._detector.detect(outputs))
        with write_atomically(path) as stream:
            stream.writelines(f"{verdict.gender.value}\t{verdict.step}\n" for verdict in verdicts)
        yield from verdicts


def shipped() -> list[Part]:
    """The record that comes with epicene."""
    return _parts(resource("record/data", "record.json").read_text(encoding="utf-8"), "the shipped record")


def read(path: Path) -> list[Part]:
    """A record that was written before."""
    try:
        return _parts(path.read_text(encoding="utf-8"), str(path))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: no record of epicene ({type(error).__name__}); 'epicene record -o DIR' writes one"
        ) from None


def _parts(text: str, where: str) -> list[Part]:
    content = json.loads(text)
    if content["format"] != FORMAT:
        raise InputError(f"{where}: a record of format {content['format']}; this epicene reads {FORMAT}")
    parts = []
    for part in content["parts"]:
        for column in _list_columns(part["matrices"]):
            column["cells"] = {cell["system"]: cell for cell in column["cells"]}
        entries = tuple(decode(Entry, entry, where) for entry in part["entries"])
        matrices = {matrix["measure"]: decode(Matrix, matrix, where) for matrix in part["matrices"]}
        parts.append(Part(decode(Source, part["source"], where), entries, matrices))
    return parts


def _list_columns(matrices: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [column for matrix in matrices for name in ("columns", "means") for column in matrix[name]]


def _round(value: Any, digits: int = 2) -> Any:
    """Numbers as the record keeps them: two digits, of p-values six."""
    if isinstance(value, dict):
        return {name: _round(part, 6 if name in ("p", "p_holm") else 2) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_round(part) for part in value]
    return round(value, digits) if isinstance(value, float) else value
