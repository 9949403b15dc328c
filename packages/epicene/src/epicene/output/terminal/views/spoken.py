"""Results on recordings as text: the set's own measures, then what was heard, whose errors they are, whose voice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from epicene.measures.speech import ATTRIBUTION, RECOGNITION, SPEAKER, VOICE
from epicene.output.terminal.tables import bounds_line, grid, number, other_lines, p_value, rate_tables, with_interval
from epicene.output.terminal.views import View
from epicene.result import Result
from epicene.types import Measure

if TYPE_CHECKING:
    from rich.table import Table

_GAP = "speaker_gap"
_OWN = frozenset({"wer", _GAP, *(rate.name for rate in (*RECOGNITION, *ATTRIBUTION))})
# What is printed together: a heading, and measures by their names in JSON.
_TABLES = (
    ("recognition, %", ("wer", "misspelt", "asr_accuracy")),
    ("pronouns, %", ("pronoun", "pronoun_changed", "pronoun_spelt")),
    ("errors, %", ("from_recognition", "from_translation", "from_both")),
)
_LINES = {
    "disturbed": "of {n} errors from translation are none from the text",
    "luck": "of {n} right ones are luck: the cue was lost",
}


def parts(result: Result) -> Iterator[Table | str]:
    """What is printed of a result."""
    result = replace(result, measures=tuple(_needed(result.measures)))
    own = replace(result, measures=tuple(each for each in result.measures if each.name not in _OWN))
    if own.measures:
        yield from rate_tables(own)
    yield from filter(None, [*other_lines(own), bounds_line(own)])
    known = {(each.name, each.group): each for each in result.measures}
    for heading, names in _TABLES:
        if (names[0], "all") in known:
            yield _table(heading, names, result.measures)
    if (errors := known.get(("from_recognition", "all"))) and errors.apart:
        yield f"{errors.apart} more could not be read, so that they are nobody's error"
    for name, words in _LINES.items():
        if (found := known.get((name, "all"))) and found.n:
            yield f"{with_interval(found)} % {words.format(n=found.n)}"
    if gaps := [each for each in result.measures if each.name == _GAP]:
        yield _gaps(gaps)


def _needed(measures: Sequence[Measure]) -> Iterator[Measure]:
    """All measures but those of speakers' genders where each has one voice, so that they stand there already."""
    groups = {each.group for each in measures}
    voices, speakers = (sum(each.startswith(kind) for each in groups) for kind in (VOICE, SPEAKER))
    return (each for each in measures if voices != speakers or not each.group.startswith(SPEAKER))


def _table(heading: str, names: Sequence[str], measures: Sequence[Measure]) -> Table:
    table = grid(heading, "n", *names)
    chosen = [each for each in measures if each.name in names]
    for group in dict.fromkeys(each.group for each in chosen):
        row = {each.name: each for each in chosen if each.group == group}
        table.add_row(group, str(row[names[0]].n), *(with_interval(row[name]) for name in names))
    return table


def _gaps(gaps: Sequence[Measure]) -> Table:
    table = grid("women's voices less men's", "sentences", "points", "p (Holm)")
    for gap in gaps:
        interval = f"[{number(gap.low)}, {number(gap.high)}]"
        table.add_row(
            gap.group, str(gap.n), f"{gap.value or 0:+.1f} {interval}", "–" if gap.p is None else p_value(gap.p)
        )
    return table


VIEW = View(parts)
