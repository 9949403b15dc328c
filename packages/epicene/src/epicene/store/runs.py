"""Run folders: what was run, what came out, and what it amounts to."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from epicene import sets
from epicene.errors import InputError, StoreError
from epicene.files import read_lines, written
from epicene.measures.outcomes import Outcomes
from epicene.result import Decoding, Period, Result, Review
from epicene.store.codec import VERDICT, output_record, verdict_of, verdict_record
from epicene.store.shapes import NUMBER, mismatch, parse
from epicene.types import Corrected, Gender, Measure, Verdict
from epicene.version import __version__

FORMAT = 2  # of run folders; a newer one is refused, never guessed at
OUTPUTS, VERDICTS, RESULTS, RECORD = "outputs.jsonl", "verdicts.jsonl", "results.json", "run.json"
Task = dict[str, list[str]]  # the names of sets, language pairs and systems, as they were given
_NUMBER = (*NUMBER, None)
_MEASURE = {
    "name": str,
    "group": str,
    "value": _NUMBER,
    "unit": str,
    "n": int,
    **dict.fromkeys(("count?", "unread?", "apart?"), (int, None)),
    **dict.fromkeys(("low?", "high?", "p?"), _NUMBER),
    "detail?": (bool, None),
    **dict.fromkeys(("why?", "signature?"), (str, None)),
    "corrected?": {"value": NUMBER, "low": NUMBER, "high": NUMBER},
}
_RESULT = {
    **dict.fromkeys(("set", "langs", "system", "protocol", "signature"), str),
    "n": int,
    "verdicts": dict.fromkeys((*map(str, Gender), "empty"), int),
    "measures": [_MEASURE],
    "notes?": [str],
    "warnings?": [str],
    "sample?": str,
    "decoding?": {"sentences": int, "seconds": NUMBER},
    "translated?": {"first": str, "last": str, "models": [str]},
    "review?": {
        "n": int,
        "unsettled": int,
        "reviewers": [str],
        "measures": [_MEASURE],
        "adjudicated?": int,
    },
}
_RECORD = {
    "task?": {"*": [str]},
    "format": int,
    "command": [str],
    "sha256": dict.fromkeys((OUTPUTS, VERDICTS, RESULTS), str),
}


def write(
    folder: Path, results: Sequence[Result], command: Sequence[str], started: datetime, task: Task | None = None
) -> None:
    """Write a run folder; ``run.json`` comes last, so that a folder that has one is whole."""
    with written(folder / OUTPUTS) as outputs, written(folder / VERDICTS) as verdicts:
        for result in results:
            head = {"set": result.set, "langs": result.langs}
            for verdict in result.verdicts:
                outputs.write(_line({**head, **output_record(verdict.output)}))
                verdicts.write(_line({**head, **verdict_record(verdict)}))
    _write_results(folder, results)
    record = {
        "format": FORMAT,
        "epicene": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(terse=True),
        "command": list(command),
        **({"task": task} if task else {}),
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
    with written(folder / RESULTS) as stream:
        json.dump([result.as_dict() for result in results], stream, ensure_ascii=False, indent=1)


def _write_record(folder: Path, record: dict[str, Any]) -> None:
    with written(folder / RECORD) as stream:
        json.dump(record, stream, ensure_ascii=False, indent=1)


def may_overwrite(folder: Path, task: Task) -> None:
    """Refuse a folder that keeps the run of another system, set or language pair."""
    kept = read_record(folder).get("task") if is_run(folder) else task
    if kept != task:
        other = ", ".join(each for part in (kept or {}).values() for each in part) or "an earlier version"
        raise InputError(f"{folder} keeps another run ({other}); choose another -o, or overwrite it with --force")


def is_run(path: str | Path) -> bool:
    """Whether a path is a folder that a run wrote."""
    return (Path(path) / RECORD).is_file()


def read_record(folder: Path) -> dict[str, Any]:
    """What was run; a folder of a newer version is refused."""
    path = folder / RECORD
    if not path.is_file():
        raise InputError(f"{folder} is no run folder: it has no {RECORD}; 'epicene audit -o DIR' writes one")
    record: dict[str, Any] = parse(_text(path), str(path), {"format": int})
    if record["format"] > FORMAT:
        raise StoreError(
            f"{folder} was written by epicene {record.get('epicene')} (format {record['format']}, this one knows "
            f"{FORMAT}); upgrade epicene to read it"
        )
    if problem := mismatch(record, _RECORD):
        raise InputError(f"{path}: {problem}; run the audit again")
    return record


def verify(folder: Path) -> None:
    """Refuse a run of which a file was changed after it was written."""
    if changed := _changed(folder):
        raise InputError(f"{_told(folder, changed)}; run the audit again, or see the numbers with a warning: --anyway")


def _changed(folder: Path) -> list[str]:
    """The files of a run that are not as its record knows them."""
    sums = read_record(folder)["sha256"]
    return [name for name in (OUTPUTS, VERDICTS, RESULTS) if _digest(folder / name) != sums[name]]


def _told(folder: Path, changed: list[str]) -> str:
    files = " and ".join(str(folder / name) for name in changed)
    return f"{files}: not as the run wrote {'it' if len(changed) == 1 else 'them'} (the checksum in {RECORD} differs)"


def read_results(folder: Path) -> list[dict[str, Any]]:
    """The results of a run, as JSON has them."""
    read_record(folder)
    path = folder / RESULTS
    found: list[dict[str, Any]] = parse(_text(path), str(path), [_RESULT])
    return found


def read(folder: Path, anyway: bool = False) -> list[Result]:
    """The results of a run with their verdicts; of a run that was changed by hand only ``anyway``, with a warning."""
    if not anyway:
        verify(folder)
    warnings = tuple(_told(folder, [name]) for name in _changed(folder)) if anyway else ()
    verdicts = read_verdicts(folder)
    found = []
    for record in read_results(folder):
        # Verdicts stand in the order of the results, so that two systems of one name are kept apart.
        own = tuple(verdict for _, _, verdict in islice(verdicts, max(0, record["n"])))
        if len(own) != record["n"]:
            raise InputError(f"{folder / VERDICTS}: {len(own)} verdicts for {record['signature']}, not {record['n']}")
        found.append(_result(record, own, warnings))
    if next(verdicts, None) is not None:
        raise InputError(f"{folder / VERDICTS}: more verdicts than {RESULTS} counts; run the audit again")
    return found


def _result(record: dict[str, Any], verdicts: tuple[Verdict, ...], warnings: tuple[str, ...]) -> Result:
    genders = dict(record["verdicts"])
    empty, refused = genders.pop("empty"), genders.pop("refused", 0)
    decoding, review, translated = (record.get(name) for name in ("decoding", "review", "translated"))
    return Result(
        **{name: record[name] for name in ("set", "langs", "system", "protocol", "signature", "n")},
        genders=genders,
        empty=empty,
        refused=refused,
        spoken=sets.is_spoken(record["set"]),
        measures=_measures(record["measures"]) + _common(record, verdicts),
        notes=tuple(record.get("notes", ())),
        warnings=(*record.get("warnings", ()), *warnings),
        sample=record.get("sample", ""),
        verdicts=verdicts,
        decoding=Decoding(**decoding) if decoding else None,
        translated=translated and Period(translated["first"], translated["last"], tuple(translated["models"])),
        review=review
        and Review(
            review["n"],
            review["unsettled"],
            tuple(review["reviewers"]),
            _measures(review["measures"]),
            review.get("adjudicated", 0),
        ),
    )


def _common(record: dict[str, Any], verdicts: tuple[Verdict, ...]) -> tuple[Measure, ...]:
    """What runs of 0.2 did not store: who is misgendered, or what was read where no gender is stated."""
    old = not any(measure["name"] in ("misgendered", "share") for measure in record["measures"])
    if not old or all(verdict.gender is Gender.UNKNOWN for verdict in verdicts) or record["protocol"] == "recognition":
        return ()
    try:
        measures = sets.of_result(record["set"]).measures
    except InputError:
        return ()  # of a package that is not here any more
    return tuple(measures.common(Outcomes.of(measures, verdicts)))


def _measures(records: list[dict[str, Any]]) -> tuple[Measure, ...]:
    found = []
    for record in records:
        corrected = record.get("corrected")
        found.append(Measure(**{**record, "corrected": Corrected(**corrected) if corrected else None}))
    return tuple(found)


def read_verdicts(folder: Path) -> Iterator[tuple[str, str, Verdict]]:
    """Set, languages and verdict of every sentence of a run."""
    read_record(folder)
    path = folder / VERDICTS
    for number, line in enumerate(read_lines(path), 1):
        record = parse(line, f"{path}:{number}", VERDICT)
        try:
            yield record["set"], record["langs"], verdict_of(record)
        except (ValueError, KeyError, TypeError) as error:  # a gender, a kind or a cause that there is none of
            raise InputError(f"{path}:{number}: not a verdict: {error}") from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _digest(path: Path) -> str:
    try:
        return _sha256(path)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}; run the audit again") from None


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
