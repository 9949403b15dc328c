"""The sentences of a page, packed so that its size and a browser's memory stay small.

Sources and what a set says of them are there once, however many systems translate them. What filters need is a few
small numbers a sentence. The translations lie in compressed blocks, all systems' of the same sentences together, since
they are much alike; a browser unpacks only the blocks of the rows that it shows. Where the translations would take more
than ``ROOM``, some blocks are left out, spread evenly, and their rows say so; counts are always those of all sentences.
"""

from __future__ import annotations

import base64
import json
import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from epicene import sets
from epicene.languages.codes import pair, right_to_left
from epicene.output.page import filters
from epicene.output.page.filters import OF_RESULTS, OF_VERDICTS, OUTCOMES, Facet, outcome
from epicene.output.page.series import Series
from epicene.text import clip, cut_pieces, mark_spans, visible
from epicene.types import Item, Verdict

MOST = 2_000_000  # sentences of a page; beyond it each result gives its share, spread evenly
ROOM = 7_200_000  # bytes of all translations as they lie in the page
BLOCK = 100  # sources a block, and translations of one system
TOGETHER = 1600  # translations a block, of many systems
VALUES = 1000  # that a filter offers; further ones are put together
OTHERS = "(others)"
SAMPLE = 8  # sentences of a result that stand in the page itself, for readers without scripts
SAMPLES = 48  # of all results together
_SAFE = str.maketrans("&<>", "[]:")  # what HTML would have to write in more letters
_ROW_GROUPS = 2  # that a row names
Row = dict[str, Any]


def sample(series: Sequence[Series]) -> Iterator[Row]:
    """A few sentences of each result: half of them wrong, if so many are."""
    size = max(1, min(SAMPLE, SAMPLES // max(1, len(series))))
    for system in series[:SAMPLES]:
        parts: dict[bool, list[Verdict]] = {True: [], False: []}
        for verdict in system.result.verdicts:
            parts[outcome(verdict) == "wrong"].append(verdict)
        wrong = _spread(parts[True], size - min(size // 2, len(parts[False])))
        yield from (row(system, verdict) for verdict in (*wrong, *_spread(parts[False], size - len(wrong))))


def _spread(verdicts: list[Verdict], number: int) -> list[Verdict]:
    step = max(1, len(verdicts) // max(1, number))
    return verdicts[step // 2 :: step][:number]


def row(system: Series, verdict: Verdict) -> Row:
    """A sentence with what is marked in it, as a page shows it without its script."""
    item = verdict.output.item
    text, cut = clip(verdict.output.text)
    groups = filters.groups_shown(sets.of_result(system.result.set).measures, item)[:_ROW_GROUPS]
    about = [*(filters.words("group", group, system.result.set) for group in groups), filters.person(item)]
    return {
        "id": visible(item.id),
        "set": visible(system.result.set),
        "system": system.label,
        "languages": _languages(system),
        "source": cut_pieces(clip(item.source)[0], [(item.person.start, item.person.end)]),
        "text": cut_pieces(text, mark_spans(verdict.evidence)),
        "cut": cut,
        "about": " · ".join(visible(part) for part in about if part),
        "outcome": outcome(verdict),
        "expected": filters.EXPECTED[item.expected],
        "read": filters.READ[verdict.gender],
        "step": visible(filters.step(verdict)),
        "heard": _heard(verdict),  # what a recogniser wrote down
    }


def _heard(verdict: Verdict) -> str | None:
    return clip(verdict.output.heard.transcript)[0] if verdict.output.heard else None


class _Codes:
    """Values of one filter as small numbers."""

    def __init__(self, facet: Facet, kind: str) -> None:
        self.facet, self.codes = facet, array(kind)
        self._values: dict[str, int] = {}
        self._sets: dict[tuple[str, ...], int] = {}
        self._words: list[str] = []

    def code(self, value: str, set_name: str) -> int:
        """The number of a value; words are those of the first set that has it."""
        if value not in self._values:
            if len(self._values) >= (VALUES if self.codes.itemsize > 1 else 250):
                value = OTHERS
            if value not in self._values:
                self._words.append(value if value == OTHERS else filters.words(self.facet.name, value, set_name))
        return self._values.setdefault(value, len(self._values))

    def add(self, value: str, set_name: str) -> None:
        """One more sentence or result."""
        self.codes.append(self.code(value, set_name))

    def add_set(self, values: tuple[str, ...], set_name: str) -> None:
        """One more sentence that may have several values."""
        codes = tuple(dict.fromkeys(self.code(value, set_name) for value in values or ("",)))
        self.codes.append(self._sets.setdefault(codes, len(self._sets)))  # type: ignore[arg-type]

    def record(self, level: str) -> dict[str, Any]:
        """The filter as the page's script reads it."""
        values, is_wide = list(self._values), self.codes.itemsize > 1
        record = {"name": self.facet.name, "title": self.facet.title, "level": level, "values": values, "wide": is_wide}
        if self._words != values:
            record["words"] = self._words
        if self.facet.many:
            record["sets"] = [list(codes) for codes in self._sets]
        if level == "result":
            return {**record, "codes": list(self.codes)}
        alike = len(self._values) < 2 and len(self._sets) < 2
        return {**record, "codes": "" if alike else squeeze(_little(self.codes))}


@dataclass
class _Items:
    """The sources of all results, each once."""

    codes: list[_Codes]
    texts: list[list[Any]] = field(default_factory=list)
    _known: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def places(self, system: Series, verdicts: Sequence[Verdict]) -> array[int]:
        """Where the sources of a result are."""
        result = system.result
        values = filters.of_item(result.set, [codes.facet for codes in self.codes])
        source, places = pair(result.langs).source, array("I")
        for verdict in verdicts:
            item = verdict.output.item
            labels = item.labels
            key = (result.set, source, item.id, item.source, item.person.start, item.expected,
                   labels.get("group"), labels.get("occupation"), labels.get("class"))  # fmt: skip
            place = self._known.get(key)
            if place is None:
                place = self._known[key] = len(self.texts)
                self._add(item, values(item), result.set)
            places.append(place)
        return places

    def _add(self, item: Item, values: tuple[tuple[str, ...], ...], set_name: str) -> None:
        text, _ = clip(item.source)
        self.texts.append(
            [visible(item.id), text, *(_utf16(text, end) for end in (item.person.start, item.person.end))]
        )
        for codes, item_values in zip(self.codes, values, strict=True):
            if codes.facet.many:
                codes.add_set(item_values, set_name)
            else:
                codes.add(item_values[0], set_name)


@dataclass
class _Task:
    """Results over the same sources in the same language, whose translations lie together."""

    places: array[int]
    languages: list[str]
    verdicts: list[Sequence[Verdict]] = field(default_factory=list)

    def blocks(self) -> tuple[int, list[str]]:
        """How many sentences a block has, and the blocks."""
        size = max(1, min(BLOCK, TOGETHER // len(self.verdicts)))
        starts = range(0, len(self.places), size)
        return size, [_packed([_texts(own) for own in self._rows(start, start + size)]) for start in starts]

    def _rows(self, start: int, end: int) -> Iterator[tuple[Verdict, ...]]:
        yield from zip(*(own[start:end] for own in self.verdicts), strict=True)


def packed(series: Sequence[Series]) -> dict[str, Any]:
    """The sentences as the page's script reads them."""
    total = sum(len(system.result.verdicts) for system in series)
    step = max(1, -(-total // MOST))
    of_items = filters.of_items(dict.fromkeys(system.result.set for system in series))
    items, tasks = _Items([_Codes(facet, "H") for facet in of_items]), dict[tuple[str, bytes], _Task]()
    of_results = [_Codes(facet, "H") for facet in OF_RESULTS]
    of_verdicts = [_Codes(facet, "B") for facet in OF_VERDICTS]
    order = []
    there = {outcome(verdict) for system in series for verdict in system.result.verdicts[::step]}
    for value in OUTCOMES:  # the telling ones have the lowest numbers
        if value in there:
            of_verdicts[0].code(value, "")
    for system in series:
        verdicts = system.result.verdicts[::step]
        places = items.places(system, verdicts)
        key = (system.result.langs, places.tobytes())
        task = tasks.setdefault(key, _Task(places, _languages(system)))
        order.append([list(tasks).index(key), len(task.verdicts)])
        task.verdicts.append(verdicts)
        for codes, value in zip(of_results, filters.of_result(system), strict=True):
            codes.add(value, system.result.set)
        for verdict in verdicts:
            decided = system.result.decided.get(verdict.output.item.id, "")
            for codes, value in zip(of_verdicts, filters.of_verdict(verdict, decided), strict=True):
                codes.add(value, system.result.set)
    return {
        "count": sum(len(task.places) * len(task.verdicts) for task in tasks.values()),
        "facets": [
            *(codes.record("result") for codes in of_results),
            *(codes.record("item") for codes in items.codes),
            *(codes.record("verdict") for codes in of_verdicts),
        ],
        "items": {"count": len(items.texts), "block": BLOCK, "blocks": list(_blocked(items.texts))},
        "results": order,
        **_bounded(list(tasks.values())),
        "outcomes": OUTCOMES,
    }


def _bounded(tasks: Sequence[_Task]) -> dict[str, Any]:
    """The translations, as many blocks as there is room for, and of how many sentences they are."""
    packed_tasks = [task.blocks() for task in tasks]
    room = ROOM / max(1, sum(len(block) for _, blocks in packed_tasks for block in blocks))
    records, texts = [], 0
    for task, (size, blocks) in zip(tasks, packed_tasks, strict=True):
        for number, _ in enumerate(blocks):
            if room < 1 and int((number + 1) * room) == int(number * room):
                blocks[number] = ""
            else:
                texts += len(task.verdicts) * len(task.places[number * size : (number + 1) * size])
        first, n = (task.places[0] if task.places else 0), len(task.places)
        whole = task.places == array("I", range(first, first + n))
        places = first if whole else squeeze(_little(task.places))
        records.append({"places": places, "n": n, "block": size, "blocks": blocks, "languages": task.languages})
    return {"tasks": records, "texts": texts}


def _blocked(texts: Sequence[list[Any]]) -> Iterator[str]:
    for start in range(0, len(texts), BLOCK):
        yield _packed(texts[start : start + BLOCK])


def _texts(verdicts: Sequence[Verdict]) -> list[Any]:
    """The different translations of one sentence, and for each system which of them is its own."""
    known: dict[tuple[Any, ...], int] = {}
    own = [known.setdefault(_entry(verdict), len(known)) for verdict in verdicts]
    different = [[entry[0], list(entry[1]), *entry[2:]] for entry in known]
    return [different] if own == list(range(len(own))) else [different, own]


def _entry(verdict: Verdict) -> tuple[Any, ...]:
    """Translation, where its marks stand, how much of it is cut off, transcript; the last two where there are any."""
    text, cut = clip(verdict.output.text)
    marks = tuple(_utf16(text, place) for span in mark_spans(verdict.evidence) for place in span)
    heard = _heard(verdict)
    if heard is not None:
        return text, marks, cut, heard
    return (text, marks, cut) if cut else (text, marks)


def _utf16(text: str, place: int) -> int:
    """A script counts in UTF-16, so what stands outside the first plane counts twice."""
    return place if text.isascii() else place + sum(letter > "\uffff" for letter in text[:place])


def _languages(system: Series) -> list[str]:
    """Codes of target and source and the directions of both."""
    both = pair(system.result.langs)
    return [both.target, direction(both.target), both.source, direction(both.source)]


def direction(code: str) -> str:
    """How a language runs, as HTML says it."""
    return "rtl" if right_to_left(code) else "ltr"


def _little(codes: array[int]) -> bytes:
    if sys.byteorder == "big":
        codes = array(codes.typecode, codes)
        codes.byteswap()
    return codes.tobytes()


def _packed(value: Any) -> str:
    return squeeze(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def squeeze(raw: bytes) -> str:
    """Bytes as the page's script unpacks them: deflated, four in five letters (RFC 1924, but for three letters).

    The first letter says how many bytes were put behind them to fill up the last five letters.
    """
    packed = zlib.compress(raw, 9)
    fill = -len(packed) % 4
    return str(fill) + base64.b85encode(packed + bytes(fill)).decode("ascii").translate(_SAFE)
