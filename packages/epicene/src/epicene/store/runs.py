"""Run folders: what was run, what came out, and what it amounts to."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from epicene import sets
from epicene.errors import InputError, StoreError
from epicene.files import read_lines, write_atomically
from epicene.measures.breakdown import Breakdown
from epicene.measures.outcomes import Outcomes
from epicene.result import Failure, Result
from epicene.store.records import FORMAT, decode, encode, output_line, parse, read_verdict, verdict_line
from epicene.types import OLD_KEYS, Gender, Measure, Verdict
from epicene.version import __version__

OUTPUTS, VERDICTS, RESULTS, RECORD = "outputs.jsonl", "verdicts.jsonl", "results.json", "run.json"
# What can change a translation or a number in its last digits; those that a run has loaded are named in its record.
_PACKAGES = ("ctranslate2", "numpy", "py3langid", "ray", "sacrebleu", "sentencepiece", "torch", "transformers")
Task = dict[str, list[str]]  # the names of sets, language pairs and systems, as they were given


class _Format(NamedTuple):
    """What every version of run.json says."""

    format: int


class _Counts(NamedTuple):
    """How many verdicts of each gender a result has, and how many translations are empty or refused."""

    verdicts: dict[str, int]


class _Record(NamedTuple):
    """What must be known of a run to read it."""

    format: int
    command: list[str]
    sha256: dict[str, str]
    task: dict[str, list[str]] | None = None
    failures: list[Failure] | None = None


def write(
    folder: Path,
    results: Sequence[Result],
    command: Sequence[str],
    started: datetime,
    task: Task | None = None,
    failures: Sequence[Failure] = (),
) -> None:
    """Write a run folder; ``run.json`` comes last, so that a folder that has one is whole."""
    with (
        write_atomically(folder / OUTPUTS, private=True) as outputs,
        write_atomically(folder / VERDICTS, private=True) as verdicts,
    ):
        for result in results:
            head = {"set": result.set, "langs": result.langs}
            for verdict in result.verdicts:
                outputs.write(_format_line({**head, **output_line(verdict.output)}))
                verdicts.write(_format_line({**head, **verdict_line(verdict)}))
    _write_results(folder, results)
    record = {
        "format": FORMAT,
        "epicene": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(terse=True),
        "packages": {name: metadata.version(name) for name in _PACKAGES if name in sys.modules},
        "command": list(command),
        **({"task": task} if task else {}),
        **({"failures": [encode(failure) for failure in failures]} if failures else {}),
        "started": started.isoformat(timespec="seconds"),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "systems": sorted({result.system for result in results}),
        "signatures": [result.signature for result in results],
        "translated": [str(result.translated) if result.translated else None for result in results],
        "sha256": {name: _sha256(folder / name) for name in (OUTPUTS, VERDICTS, RESULTS)},
    }
    _write_record(folder, record)


def amend(folder: Path, results: Sequence[Result]) -> None:
    """Replace the results of a run by the same with what people found; its record keeps the new checksum."""
    record = read_record(folder)
    _write_results(folder, results)
    record["sha256"][RESULTS] = _sha256(folder / RESULTS)
    _write_record(folder, {**record, "reviewed": datetime.now(UTC).isoformat(timespec="seconds")})


def _write_results(folder: Path, results: Sequence[Result]) -> None:
    with write_atomically(folder / RESULTS, private=True) as stream:
        json.dump(
            [{**result.as_dict(), "details": _list_details(result)} for result in results],
            stream,
            ensure_ascii=False,
            indent=1,
        )


def _list_details(result: Result) -> list[dict[str, Any]]:
    """What the charts of a page show besides: what each stated gender became, and the occupations."""
    return [measure.as_dict() for measure in Breakdown(result.verdicts).measures.values()]


def _write_record(folder: Path, record: dict[str, Any]) -> None:
    with write_atomically(folder / RECORD, private=True) as stream:
        json.dump(record, stream, ensure_ascii=False, indent=1)


def may_overwrite(folder: Path, task: Task) -> None:
    """Refuse a folder that keeps the run of another system, set or language pair."""
    stored = read_record(folder).get("task") if is_run(folder) else task
    if stored != task:
        other = ", ".join(name for part in (stored or {}).values() for name in part) or "an earlier version"
        raise InputError(f"{folder} keeps another run ({other}); choose another -o, or overwrite it with --force")


def is_run(path: str | Path) -> bool:
    """Whether a path is a folder that a run wrote."""
    return (Path(path) / RECORD).is_file()


def read_record(folder: Path) -> dict[str, Any]:
    """What was run; a folder of a newer version is refused."""
    path = folder / RECORD
    if not path.is_file():
        raise InputError(f"{folder} is no run folder: it has no {RECORD}; 'epicene audit -o DIR' writes one")
    record: dict[str, Any] = parse(_read_text(path), str(path))
    if decode(_Format, record, str(path)).format > FORMAT:
        raise StoreError(
            f"{folder} was written by epicene {record.get('epicene')} (format {record['format']}, this one knows "
            f"{FORMAT}); upgrade epicene to read it"
        )
    try:
        sums = decode(_Record, record, str(path)).sha256
    except InputError as error:
        raise InputError(f"{error}; run the audit again") from None
    if missing := [name for name in (OUTPUTS, VERDICTS, RESULTS) if name not in sums]:
        raise InputError(f"{path}: no sha256.{missing[0]}; run the audit again")
    return record


def read_failures(folder: Path) -> list[Failure]:
    """The systems that could not be measured in a run."""
    return decode(_Record, read_record(folder), str(folder / RECORD)).failures or []


def verify(folder: Path) -> None:
    """Refuse a run of which a file was changed after it was written."""
    if changed := _find_changed(folder):
        raise InputError(
            f"{_describe_change(folder, changed)}; run the audit again, or see the numbers with a warning: --anyway"
        )


def _find_changed(folder: Path) -> list[str]:
    """The files of a run that are not as its record knows them."""
    sums = read_record(folder)["sha256"]
    return [name for name in (OUTPUTS, VERDICTS, RESULTS) if _digest(folder / name) != sums[name]]


def _describe_change(folder: Path, changed: list[str]) -> str:
    files = " and ".join(str(folder / name) for name in changed)
    return f"{files}: not as the run wrote {'it' if len(changed) == 1 else 'them'} (the checksum in {RECORD} differs)"


def read_results(folder: Path) -> list[Result]:
    """The results of a run, without their verdicts."""
    read_record(folder)
    path = folder / RESULTS
    records = parse(_read_text(path), str(path))
    if not isinstance(records, list):
        raise InputError(f"{path}: expected a list of results; run the audit again")
    return [_read_result(record, f"{path}: result {number}") for number, record in enumerate(records, 1)]


def _read_result(record: Any, where: str) -> Result:
    counts = decode(_Counts, record, where).verdicts
    if missing := [name for name in (*Gender, "empty") if name not in counts]:
        raise InputError(f"{where}: no verdicts.{missing[0]}")
    genders = {name: count for name, count in counts.items() if name not in ("empty", "refused")}
    read = {"genders": genders, "empty": counts["empty"], "refused": counts.get("refused", 0), "verdicts": []}
    measures = record.get("measures")
    for measure in measures if isinstance(measures, list) else ():  # what is damaged is for decode to refuse
        if isinstance(measure, dict):
            for old, name in OLD_KEYS.items():
                measure.setdefault(name, measure.get(old))  # of a run of 0.2
    result = decode(Result, {**record, **read}, where)
    return replace(result, spoken=sets.is_spoken(result.set))


def read(folder: Path, anyway: bool = False) -> list[Result]:
    """The results of a run with their verdicts; of a run that was changed by hand only ``anyway``, with a warning."""
    if not anyway:
        verify(folder)
    warnings = tuple(_describe_change(folder, [name]) for name in _find_changed(folder)) if anyway else ()
    verdicts = read_verdicts(folder)
    results = []
    for result in read_results(folder):
        # Verdicts stand in the order of the results, so that two systems of one name are kept apart.
        own = tuple(islice(verdicts, max(0, result.n)))
        if len(own) != result.n:
            raise InputError(f"{folder / VERDICTS}: {len(own)} verdicts for {result.signature}, not {result.n}")
        measures = *result.measures, *_add_common(result, own)
        results.append(replace(result, measures=measures, verdicts=own, warnings=(*result.warnings, *warnings)))
    if next(verdicts, None) is not None:
        raise InputError(f"{folder / VERDICTS}: more verdicts than {RESULTS} counts; run the audit again")
    return results


def _add_common(result: Result, verdicts: tuple[Verdict, ...]) -> Iterable[Measure]:
    """What runs of 0.2 did not store: who is misgendered, or what was read where no gender is stated."""
    old = not any(measure.name in ("misgendered", "share") for measure in result.measures)
    if not old or all(verdict.gender is Gender.UNKNOWN for verdict in verdicts) or result.protocol == "recognition":
        return ()
    try:
        measures = sets.of_result(result.set).measures
    except InputError:
        return ()  # of a package that is not here any more
    try:
        return measures.common(Outcomes.of(measures, verdicts))
    except KeyError as error:
        raise InputError(f"{result.signature}: an item has no label {error}; run the audit again") from None


def read_verdicts(folder: Path) -> Iterator[Verdict]:
    """The verdict on every sentence of a run."""
    written_in, path = read_record(folder)["format"], folder / VERDICTS
    for number, line in enumerate(read_lines(path), 1):
        where = f"{path}:{number}"
        yield read_verdict(parse(line, where), where, written_in)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None


def _format_line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _digest(path: Path) -> str:
    try:
        return _sha256(path)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}; run the audit again") from None


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
