"""The sentences of a page, packed so that its size and a browser's memory stay small.

What filters need is a few small numbers a sentence. The texts lie in compressed blocks, and a browser unpacks only the
blocks of the rows that it shows. A page takes at most ``MOST`` sentences, each result its share of them, spread evenly.
"""

from __future__ import annotations

import base64
import json
import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from epicene.languages.codes import pair, right_to_left
from epicene.output.charts.page import Series
from epicene.output.counts import outcome
from epicene.output.text import clipped, pieces, shown, spans
from epicene.types import Verdict

MOST = 100_000
BLOCK = 100  # sentences a block: a page of rows from all over the table unpacks little
VALUES = 1000  # that a filter offers; further ones are put together
OTHERS = "(others)"
SAMPLE = 8  # sentences of a result that stand in the page itself, for readers without scripts
OUTCOMES = ("wrong", "unread", "right gender, other word", "no gender", "right", "no expectation")
FACETS = ("set", "language", "system", "group", "occupation", "verdict", "read as", "method", "voice", "error from")


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence as a page shows it."""

    id: str
    source: list[tuple[str, bool]]
    text: list[tuple[str, bool]]
    cut: int
    facets: dict[str, str]
    heard: str | None = None  # what a recogniser wrote down


def rows(series: Sequence[Series]) -> list[tuple[Series, Verdict]]:
    """The sentences that a page takes, the telling ones first."""
    total = sum(len(each.result.verdicts) for each in series)
    step = max(1, -(-total // MOST))
    found = [(each, verdict) for each in series for verdict in each.result.verdicts[::step]]
    return sorted(found, key=lambda row: OUTCOMES.index(outcome(row[1])))


def sample(series: Sequence[Series]) -> Iterator[Row]:
    """A few sentences of each result: half of them wrong, if so many are."""
    for each in series:
        wrong = [verdict for verdict in each.result.verdicts if outcome(verdict) == "wrong"]
        rest = [verdict for verdict in each.result.verdicts if outcome(verdict) != "wrong"]
        most = SAMPLE - min(SAMPLE // 2, len(rest))
        chosen = _spread(wrong, most)
        yield from (row(each, verdict) for verdict in chosen + _spread(rest, SAMPLE - len(chosen)))


def _spread(verdicts: list[Verdict], number: int) -> list[Verdict]:
    step = max(1, len(verdicts) // max(1, number))
    return verdicts[step // 2 :: step][:number]


def row(each: Series, verdict: Verdict) -> Row:
    """A sentence with what is marked in it."""
    item = verdict.output.item
    start, end = item.person.start, item.person.start + len(item.person.text)
    source, _ = clipped(item.source)
    text, cut = clipped(verdict.output.text)
    return Row(
        shown(item.id),
        pieces(source, [(start, end)]),
        pieces(text, spans(verdict.evidence)),
        cut,
        facets(each, verdict),
        _heard(verdict),
    )


def _heard(verdict: Verdict) -> str | None:
    return clipped(verdict.output.heard.transcript)[0] if verdict.output.heard else None


def facets(each: Series, verdict: Verdict) -> dict[str, str]:
    """What a sentence can be filtered by."""
    item = verdict.output.item
    group = item.labels.get("group") or item.labels.get("subset") or ""
    occupation = item.labels.get("occupation") or item.person.concept
    values = (
        each.result.set,
        each.into,
        each.label,
        group,
        occupation,
        outcome(verdict),
        verdict.gender.value,
        verdict.step,
        item.labels.get("voice", ""),
        verdict.cause.origin.value if verdict.cause else "",
    )
    return {facet: shown(value)[:200] for facet, value in zip(FACETS, values, strict=True)}


def packed(found: Sequence[tuple[Series, Verdict]]) -> dict[str, Any]:
    """The sentences as the page's script reads them."""
    values: dict[str, dict[str, int]] = {facet: {} for facet in FACETS}
    codes = {facet: array("H") for facet in FACETS}
    blocks, texts = [], []
    for each, verdict in found:
        for facet, value in facets(each, verdict).items():
            known = values[facet]
            if value not in known and len(known) >= VALUES:
                value = OTHERS
            codes[facet].append(known.setdefault(value, len(known)))
        texts.append(_text(verdict))
        if len(texts) == BLOCK:
            blocks.append(_squeezed(json.dumps(texts, ensure_ascii=False).encode()))
            texts = []
    if texts:
        blocks.append(_squeezed(json.dumps(texts, ensure_ascii=False).encode()))
    return {
        "count": len(found),
        "block": BLOCK,
        "facets": [
            {"name": facet, "values": list(values[facet]), "codes": _squeezed(_little(codes[facet]))}
            for facet in FACETS
        ],
        "languages": _languages(found),
        "blocks": blocks,
    }


def _languages(found: Sequence[tuple[Series, Verdict]]) -> dict[str, list[str]]:
    """Codes of target and source and the directions of both, by what the filter calls the language."""
    pairs = {each.into: pair(each.result.langs) for each, _ in found}
    return {
        into: [both.target, direction(both.target), both.source, direction(both.source)] for into, both in pairs.items()
    }


def direction(code: str) -> str:
    """How a language runs, as HTML says it."""
    return "rtl" if right_to_left(code) else "ltr"


def _text(verdict: Verdict) -> list[Any]:
    """Id, source, where its focus stands, translation, how much of it is cut off, where its marks stand, transcript."""
    item = verdict.output.item
    source, _ = clipped(item.source)
    text, cut = clipped(verdict.output.text)
    focus = [item.person.start, item.person.start + len(item.person.text)]
    # A script counts in UTF-16, so what stands outside the first plane counts twice.
    marks = [_utf16(text, place) for span in spans(verdict.evidence) for place in span]
    return [shown(item.id), source, [_utf16(source, place) for place in focus], text, cut, marks, _heard(verdict)]


def _utf16(text: str, place: int) -> int:
    return place + sum(letter > "\uffff" for letter in text[:place])


def _little(codes: array[int]) -> bytes:
    import sys

    if sys.byteorder == "big":
        codes = array("H", codes)
        codes.byteswap()
    return codes.tobytes()


def _squeezed(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw, 9)).decode("ascii")
