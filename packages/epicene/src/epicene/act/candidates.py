"""Sources → n-best lists: from a system, by the cache, or from a file of lists.

A file has ``number ||| translation ||| score`` as decoders write it, or JSON Lines.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.flow import plan
from epicene.flow.translate import Asker
from epicene.store.records import decode, parse
from epicene.systems import for_text
from epicene.systems.network.service import Answer, Service
from epicene.types import Candidate, CandidateSystem, GuidedSystem, Pair

_KINDS = "bundled, ctranslate2:, huggingface: and openai: do"
Lists = list[list[Candidate]]
_BAR = "|||"
_SHAPES = "number ||| translation ||| score, or JSON Lines with candidates"


class _Local:
    """A system whose answers are its lists, each as one line, so that they are kept and resumed as answers are."""

    def __init__(self, system: CandidateSystem, n: int) -> None:
        self._system, self._n = system, n
        self.identity = f"{system.identity}#nbest={n}"
        self.batch_size = max(1, system.batch_size // n) if system.batch_size else None

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:
        """The lists of each source."""
        return map(encode_list, self._system.candidates(sources, pair, self._n))


class _Remote(Service):
    """The same of a service, which the engine asks with patience and within a budget."""

    def __init__(self, system: Service, n: int) -> None:
        self._system, self._n = system, n
        self.identity = f"{system.identity}#nbest={n}"
        self.price = system.price
        self.limits = replace(system.limits, texts=1)

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request for one sentence's candidates."""
        several = getattr(self._system, "ask_several")  # noqa: B009 - of services that give candidates
        answers: list[Answer] = several(sources[0], pair, self._n)
        return [answers[0]._replace(text=encode_list(Candidate(answer.text) for answer in answers))]

    def check(self, pair: Pair) -> list[str]:
        """What the service itself finds."""
        return self._system.check(pair)

    def billed(self, source: str) -> int:
        """Every candidate is an answer of its own."""
        return self._n * self._system.billed(source)


def ask_for_lists(spec: str, sources: Sequence[str], pair: Pair, n: int, asker: Asker) -> Lists:
    """The n best translations of each source, made now or taken from the cache."""
    if n < 2:
        raise InputError(f"-n {n}: a list to choose from needs at least 2 candidates")
    system = for_text(*plan.open_named(spec))
    if not isinstance(system, CandidateSystem):
        raise InputError(f"{spec} gives no n-best lists; {_KINDS}, or give a file of lists with --nbest")
    listed = _Remote(system, n) if isinstance(system, Service) else _Local(system, n)
    answers = asker.translate(listed, sources, pair)
    return [decode_list(line) if line else [Candidate("")] for line in answers]


def open_guided(spec: str) -> GuidedSystem:
    """A system that can be held to words."""
    system = for_text(*plan.open_named(spec))
    if not isinstance(system, GuidedSystem):
        raise InputError(f"{spec} cannot be held to words; bundled, ctranslate2: and huggingface: can")
    return system


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


def read_lists(path: str | Path) -> list[Listed]:
    """The lists of a file, in the order of their sources; what is missing in one is refused."""
    lines = [(number, line) for number, line in enumerate(read_lines(path), 1) if line.strip()]
    if not lines:
        raise InputError(f"{path} is empty; expected n-best lists: {_SHAPES}")
    if lines[0][1].lstrip().startswith("{"):
        return [_parse_object(path, *numbered) for numbered in lines]
    return list(_group_rows(path, (_parse_moses(path, *numbered) for numbered in lines)))


def read_matching_lists(path: str | Path, sources: Sequence[str], owner: str) -> Lists:
    """The candidates of every source from a file, if it has a list for each and says no other source."""
    lists = read_lists(path)
    if len(lists) != len(sources):
        raise InputError(
            f"{path} has {len(lists):,} lists, {owner} has {len(sources):,} sentences; expected a list for each"
        )
    for listed, source in zip(lists, sources, strict=True):
        if listed.source is not None and listed.source.strip() != source.strip():
            name = listed.source.strip()[:60]
            raise InputError(f"{path}:{listed.line}: a list for {name!r}, but {owner} has {source[:60]!r} there")
    return [listed.candidates for listed in lists]


def _parse_moses(path: str | Path, number: int, line: str) -> _Row:
    """Moses' format; scores of single features between translation and score are passed over."""
    cells = [cell.strip() for cell in line.split(_BAR)]
    if len(cells) not in (3, 4) or not cells[0].isdecimal():
        raise InputError(f"{path}:{number}: expected number ||| translation ||| score; got {line[:80]!r}")
    return _Row(number, int(cells[0]), Candidate(cells[1], _parse_score(path, number, cells[-1])))


def _group_rows(path: str | Path, rows: Iterable[_Row]) -> Iterator[Listed]:
    """Rows of one list together; no list may be missing between two."""
    base: int | None = None  # number of the first list: some decoders count from 1
    current: list[_Row] = []
    for row in rows:
        if base is None:
            base = min(row.key, 1)
        if current and row.key != current[0].key:
            yield _make_list(path, current)
            wanted = current[0].key + 1
            if row.key != wanted:
                what = f"list {wanted} is missing" if row.key > wanted else f"list {row.key} was there before"
                raise InputError(f"{path}:{row.number}: list {row.key} follows list {wanted - 1}; {what}")
            current = []
        elif not current and row.key != base:
            raise InputError(f"{path}:{row.number}: the first list has the number {row.key}; list {base} is missing")
        current.append(row)
    if current:
        yield _make_list(path, current)


def _make_list(path: str | Path, rows: Sequence[_Row]) -> Listed:
    scored = {row.candidate.score is None for row in rows}
    if len(scored) > 1:
        row = next(row for row in rows if row.candidate.score is None)
        raise InputError(f"{path}:{row.number}: no score, but others of the list have one; expected all or none")
    return Listed([row.candidate for row in rows], rows[0].number)


class _Object(NamedTuple):
    """A line of JSON Lines."""

    candidates: list[str | Candidate]
    source: str | None = None


def _parse_object(path: str | Path, number: int, line: str) -> Listed:
    where = f"{path}:{number}"
    record = decode(_Object, parse(line, where), where)
    if not record.candidates:
        raise InputError(f"{where}: no candidates; expected {{'candidates': [{{'text': …, 'score': …}}]}}")
    candidates = (Candidate(each) if isinstance(each, str) else each for each in record.candidates)
    rows = [_Row(number, number - 1, candidate) for candidate in candidates]
    return _make_list(path, rows)._replace(source=record.source)


def _parse_score(path: str | Path, number: int, cell: str) -> float:
    try:
        score = float(cell)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{path}:{number}: score {cell!r} is no number; expected one such as -6.23")
    return score


def encode_list(candidates: Iterable[Candidate]) -> str:
    """A list as one line, as the cache keeps it."""
    return json.dumps([[candidate.text, candidate.score] for candidate in candidates], ensure_ascii=True)


def decode_list(line: str) -> list[Candidate]:
    """A list as the cache kept it."""
    return [Candidate(text, score) for text, score in json.loads(line)]
