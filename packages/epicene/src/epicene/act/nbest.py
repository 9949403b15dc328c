"""Files of n-best lists: ``number ||| translation ||| score`` as decoders write them, or JSON Lines."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.types import Candidate

_BAR = "|||"
_SHAPES = "number ||| translation ||| score, or JSON Lines with candidates"


class Listed(NamedTuple):
    """The candidates of one source, in the order of the file."""

    candidates: list[Candidate]
    line: int  # of the file, where the list begins
    source: str | None = None  # where the file says it


class _Row(NamedTuple):
    """A candidate with what its line says of it."""

    number: int  # of the file's line
    key: int  # which list it belongs to, from 0
    candidate: Candidate


def read(path: str | Path) -> list[Listed]:
    """The lists of a file, in the order of their sources; what is missing in one is refused."""
    lines = [(number, line) for number, line in enumerate(read_lines(path), 1) if line.strip()]
    if not lines:
        raise InputError(f"{path} is empty; expected n-best lists: {_SHAPES}")
    if lines[0][1].lstrip().startswith("{"):
        return [_object(path, *each) for each in lines]
    return list(_grouped(path, (_barred(path, *each) for each in lines)))


def matched(path: str | Path, lists: Sequence[Listed], sources: Sequence[str], of: str) -> list[list[Candidate]]:
    """The candidates of every source, if the file has a list for each and says no other source."""
    if len(lists) != len(sources):
        raise InputError(
            f"{path} has {len(lists):,} lists, {of} has {len(sources):,} sentences; expected a list for each"
        )
    for listed, source in zip(lists, sources, strict=True):
        if listed.source is not None and listed.source.strip() != source.strip():
            raise InputError(
                f"{path}:{listed.line}: a list for {listed.source.strip()[:60]!r}, but {of} has {source[:60]!r} there"
            )
    return [listed.candidates for listed in lists]


def _barred(path: str | Path, number: int, line: str) -> _Row:
    """Moses' format; scores of single features between translation and score are passed over."""
    cells = [cell.strip() for cell in line.split(_BAR)]
    if len(cells) not in (3, 4) or not cells[0].isdecimal():
        raise InputError(f"{path}:{number}: expected number ||| translation ||| score; got {line[:80]!r}")
    return _Row(number, int(cells[0]), Candidate(cells[1], _score(path, number, cells[-1])))


def _grouped(path: str | Path, rows: Iterable[_Row]) -> Iterator[Listed]:
    """Rows of one list together; no list may be missing between two."""
    base: int | None = None  # number of the first list: some decoders count from 1
    current: list[_Row] = []
    for row in rows:
        if base is None:
            base = min(row.key, 1)
        if current and row.key != current[0].key:
            yield _whole(path, current)
            wanted = current[0].key + 1
            if row.key != wanted:
                what = f"list {wanted} is missing" if row.key > wanted else f"list {row.key} was there before"
                raise InputError(f"{path}:{row.number}: list {row.key} follows list {wanted - 1}; {what}")
            current = []
        elif not current and row.key != base:
            raise InputError(f"{path}:{row.number}: the first list has the number {row.key}; list {base} is missing")
        current.append(row)
    if current:
        yield _whole(path, current)


def _whole(path: str | Path, rows: Sequence[_Row]) -> Listed:
    scored = {row.candidate.score is None for row in rows}
    if len(scored) > 1:
        row = next(row for row in rows if row.candidate.score is None)
        raise InputError(f"{path}:{row.number}: no score, but others of the list have one; expected all or none")
    return Listed([row.candidate for row in rows], rows[0].number)


def _object(path: str | Path, number: int, line: str) -> Listed:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise InputError(f"{path}:{number}: no JSON ({error}); expected an object with candidates") from None
    given = found.get("candidates") if isinstance(found, dict) else None
    if not isinstance(given, list) or not given:
        raise InputError(f"{path}:{number}: no candidates; expected {{'candidates': [{{'text': …, 'score': …}}]}}")
    source = found.get("source")
    if source is not None and not isinstance(source, str):
        raise InputError(f"{path}:{number}: source {source!r} is no text")
    rows = [_Row(number, number - 1, _candidate(path, number, each)) for each in given]
    return _whole(path, rows)._replace(source=source)


def _candidate(path: str | Path, number: int, given: Any) -> Candidate:
    if isinstance(given, str):
        return Candidate(given)
    text = given.get("text") if isinstance(given, dict) else None
    if not isinstance(text, str):
        raise InputError(f"{path}:{number}: a candidate without text: {str(given)[:60]}")
    score = given.get("score")
    return Candidate(text, None if score is None else _score(path, number, score))


def _score(path: str | Path, number: int, given: Any) -> float:
    try:
        found = float(given) if not isinstance(given, bool) else math.nan
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise InputError(f"{path}:{number}: score {given!r} is no number; expected one such as -6.23")
    return found


def encoded(candidates: Iterable[Candidate]) -> str:
    """A list as one line, as the cache keeps it."""
    return json.dumps([[each.text, each.score] for each in candidates], ensure_ascii=True)


def decoded(line: str) -> list[Candidate]:
    """A list as the cache kept it."""
    return [Candidate(text, score) for text, score in json.loads(line)]


__all__ = ["Listed", "decoded", "encoded", "matched", "read"]
