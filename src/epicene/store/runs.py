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

from epicene.errors import InputError, StoreError
from epicene.files import read_lines, written
from epicene.result import Decoding, Period, Result, Review
from epicene.store.codec import output_record, verdict_of, verdict_record
from epicene.types import Corrected, Measure, Verdict
from epicene.version import __version__

FORMAT = 2  # of run folders; a newer one is refused, never guessed at
OUTPUTS, VERDICTS, RESULTS, RECORD = "outputs.jsonl", "verdicts.jsonl", "results.json", "run.json"


def write(folder: Path, results: Sequence[Result], command: Sequence[str], started: datetime) -> None:
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


def is_run(path: str | Path) -> bool:
    """Whether a path is a folder that a run wrote."""
    return (Path(path) / RECORD).is_file()


def read_record(folder: Path) -> dict[str, Any]:
    """What was run; a folder of a newer version is refused."""
    path = folder / RECORD
    if not path.is_file():
        raise InputError(f"{folder} is no run folder: it has no {RECORD}; 'epicene audit -o DIR' writes one")
    record: dict[str, Any] = _json(path)
    if record.get("format", 0) > FORMAT:
        raise StoreError(
            f"{folder} was written by epicene {record.get('epicene')} (format {record['format']}, this one knows "
            f"{FORMAT}); upgrade epicene to read it"
        )
    return record


def read_results(folder: Path) -> list[dict[str, Any]]:
    """The results of a run, as JSON has them."""
    read_record(folder)
    found: list[dict[str, Any]] = _json(folder / RESULTS)
    return found


def read(folder: Path) -> list[Result]:
    """The results of a run with their verdicts."""
    verdicts = read_verdicts(folder)
    found = []
    for record in read_results(folder):
        # Verdicts stand in the order of the results, so that two systems of one name are kept apart.
        own = tuple(verdict for _, _, verdict in islice(verdicts, record["n"]))
        if len(own) != record["n"]:
            raise InputError(f"{folder / VERDICTS}: {len(own)} verdicts for {record['signature']}, not {record['n']}")
        found.append(_result(record, own))
    if next(verdicts, None) is not None:
        raise InputError(f"{folder / VERDICTS}: more verdicts than {RESULTS} counts; run the audit again")
    return found


def _result(record: dict[str, Any], verdicts: tuple[Verdict, ...]) -> Result:
    genders = dict(record["verdicts"])
    empty, refused = genders.pop("empty"), genders.pop("refused", 0)
    decoding, review, translated = (record.get(name) for name in ("decoding", "review", "translated"))
    return Result(
        **{name: record[name] for name in ("set", "langs", "system", "protocol", "signature", "n")},
        genders=genders,
        empty=empty,
        refused=refused,
        measures=_measures(record["measures"]),
        notes=tuple(record.get("notes", ())),
        sample=record.get("sample", ""),
        verdicts=verdicts,
        decoding=Decoding(**decoding) if decoding else None,
        translated=translated and Period(translated["first"], translated["last"], tuple(translated["models"])),
        review=review
        and Review(review["n"], review["unsettled"], tuple(review["reviewers"]), _measures(review["measures"])),
    )


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
        try:
            record = json.loads(line)
            yield record["set"], record["langs"], verdict_of(record)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}:{number}: not a verdict: {error}") from None


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
