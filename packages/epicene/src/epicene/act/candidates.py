"""What rerank, alternatives and control share: sentences, their n-best lists, and who is read in them.

Lists come from a system, by the cache, or from a file of ``number ||| translation ||| score``, as decoders write it, or
of JSON Lines.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.flow import plan
from epicene.flow.translate import Asker
from epicene.languages.codes import pair as parse_pair
from epicene.reader import DETECTORS
from epicene.reader.people import others_than
from epicene.sets import TestSet
from epicene.store.hypotheses import group_by_line
from epicene.store.records import decode, parse
from epicene.systems import for_text
from epicene.systems.network.service import Answer, Service
from epicene.text import normalised
from epicene.types import Candidate, CandidateSystem, GuidedSystem, Item, Output, Pair, Person, Verdict

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


class _Object(NamedTuple):
    """A line of JSON Lines."""

    candidates: list[str | Candidate]
    source: str | None = None


def read_lists(path: str | Path, sources: Sequence[str], owner: str) -> Lists:
    """The candidates of every source from a file, if it has a list for each and says no other source."""
    lines = [(number, line) for number, line in enumerate(read_lines(path), 1) if line.strip()]
    if not lines:
        raise InputError(f"{path} is empty; expected n-best lists: {_SHAPES}")
    is_json = lines[0][1].lstrip().startswith("{")
    lists = [_parse_object(path, *numbered) for numbered in lines] if is_json else _group_lines(path, lines)
    if len(lists) != len(sources):
        raise InputError(
            f"{path} has {len(lists):,} lists, {owner} has {len(sources):,} sentences; expected a list for each"
        )
    for listed, source in zip(lists, sources, strict=True):
        if listed.source is not None and listed.source.strip() != source.strip():
            name = listed.source.strip()[:60]
            raise InputError(f"{path}:{listed.line}: a list for {name!r}, but {owner} has {source[:60]!r} there")
    return [listed.candidates for listed in lists]


def _group_lines(path: str | Path, lines: Iterable[tuple[int, str]]) -> list[Listed]:
    """Lists as Moses writes them, of which none may be missing; some decoders count from 0, some from 1."""
    lists: list[Listed] = []
    last = -1  # the number of the last list
    for number, line in lines:
        cells = [cell.strip() for cell in line.split(_BAR)]  # scores of single features may stand before the last
        if len(cells) not in (3, 4) or not cells[0].isdecimal():
            raise InputError(f"{path}:{number}: expected number ||| translation ||| score; got {line[:80]!r}")
        index = int(cells[0])
        if not lists and index > 1:
            raise InputError(f"{path}:{number}: the first list has the number {index}; list 1 is missing")
        if lists and index not in (last, last + 1):
            what = f"list {last + 1} is missing" if index > last else f"list {index} was there before"
            raise InputError(f"{path}:{number}: list {index} follows list {last}; {what}")
        if not lists or index != last:
            lists.append(Listed([], number))
        lists[-1].candidates.append(Candidate(cells[1], _parse_score(path, number, cells[-1])))
        last = index
    return lists


def _parse_score(path: str | Path, number: int, cell: str) -> float:
    try:
        score = float(cell)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{path}:{number}: score {cell!r} is no number; expected one such as -6.23")
    return score


def _parse_object(path: str | Path, number: int, line: str) -> Listed:
    where = f"{path}:{number}"
    record = decode(_Object, parse(line, where), where)
    if not record.candidates:
        raise InputError(f"{where}: no candidates; expected {{'candidates': [{{'text': …, 'score': …}}]}}")
    candidates = [Candidate(item) if isinstance(item, str) else item for item in record.candidates]
    if len({candidate.score is None for candidate in candidates}) > 1:
        raise InputError(f"{where}: no score, but others of the list have one; expected all or none")
    return Listed(candidates, number, record.source)


def encode_list(candidates: Iterable[Candidate]) -> str:
    """A list as one line, as the cache keeps it."""
    return json.dumps([[candidate.text, candidate.score] for candidate in candidates], ensure_ascii=True)


def decode_list(line: str) -> list[Candidate]:
    """A list as the cache kept it."""
    return [Candidate(text, score) for text, score in json.loads(line)]


class Task(NamedTuple):
    """What is to be translated: the lines of a set, each with its items, or those of a text."""

    test_set: TestSet | None
    pair: Pair
    groups: list[list[Item]]  # of a set
    sources: list[str]

    @property
    def name(self) -> str:
        """The name of the set; empty for a text."""
        return self.test_set.name if self.test_set else ""


def open_task(text: str | Iterable[str], langs: str) -> Task:
    """A set, by its name, or the lines of a text; what is asked of their people is read in English."""
    test_set = plan.open_set(text) if isinstance(text, str) else None
    pair = plan.open_pair(langs, test_set) if test_set else parse_pair(langs)
    if pair.source != "en":
        raise InputError(f"people are found in English sentences; the pair {langs} translates from {pair.source}")
    groups = list(group_by_line(test_set.items(pair))) if test_set else []
    return Task(test_set, pair, groups, [group[0].source for group in groups] if test_set else list(text))


class Readings:
    """What the reader finds of people in translations, each read once."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._detector = DETECTORS.find("reading").build(language)
        self._verdicts: dict[tuple[str, Person, str], Verdict] = {}

    def read(self, wanted: Iterable[tuple[str, Person, str]]) -> None:
        """Read people in translations of sources, all at once."""
        keys = [key for key in dict.fromkeys(wanted) if key not in self._verdicts]
        outputs = []
        for source, person, text in keys:
            item = Item("", source, person, None, others=others_than(person, source))
            outputs.append(Output(item, "", self._language, normalised(text)))
        self._verdicts |= zip(keys, self._detector.detect(outputs), strict=True)

    def find(self, source: str, person: Person, text: str) -> Verdict:
        """What was read of a person in a translation."""
        return self._verdicts[source, person, text]
