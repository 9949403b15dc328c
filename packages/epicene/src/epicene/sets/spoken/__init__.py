"""``spoken:SET@DIR``: any set for text with the recordings of a folder that ``epicene speech synthesize`` wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from epicene import sets
from epicene.errors import InputError
from epicene.measures.speech import ATTRIBUTION, RECOGNITION, SPEAKER, VOICE
from epicene.output.results import bounds_line, other_lines, rate_tables
from epicene.output.table import Cell, Column, Table, format_measure, format_number, format_p, make_columns
from epicene.sets import TestSet, read_about
from epicene.sets.custom import MEASURES
from epicene.speech.recordings import make_recorded

if TYPE_CHECKING:
    from epicene.output.table import Table
    from epicene.result import Result
    from epicene.types import Measure

_USAGE = "expected a set and a folder of recordings, as in spoken:simplegen@DIR"


def variant(argument: str) -> TestSet:
    """The set with the recordings of a folder; without a folder, what is known of the set, but no sentence."""
    if not argument:
        _no_folder()
    spec, at, folder = argument.rpartition("@")
    test_set = sets.load(spec) if at else sets.of_result(argument)

    def place() -> Path:
        if not folder or not at:
            raise InputError(f"spoken:{argument}: {_USAGE}")
        return Path(folder)

    about = replace(
        test_set.about,
        name=f"spoken:{test_set.name}",
        title=f"{test_set.about.title}, read aloud",
        spoken=True,
        filters={**test_set.about.filters, **SET.about.filters},
    )
    return replace(make_recorded(test_set, about, place), tables=list_tables)


def _no_folder(*_: object) -> NoReturn:
    raise InputError(f"spoken: {_USAGE}")


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


def list_tables(result: Result) -> Iterator[Table]:
    """What is shown of a result: the set's own measures, then what was heard, whose errors they are, whose voice."""
    result = replace(result, measures=tuple(_needed(result.measures)))
    set_result = replace(result, measures=tuple(measure for measure in result.measures if measure.name not in _OWN))
    if set_result.measures:
        yield from rate_tables(set_result)
    yield Table(notes=tuple(filter(None, [*other_lines(set_result), bounds_line(set_result)])))
    known = {(measure.name, measure.group): measure for measure in result.measures}
    for heading, names in _TABLES:
        if (names[0], "all") in known:
            yield _measures(heading, names, result.measures)
    lines = []
    if (errors := known.get(("from_recognition", "all"))) and errors.excluded:
        lines.append(f"{errors.excluded} without a detected gender are nobody's error")
    for name, words in _LINES.items():
        if (share := known.get((name, "all"))) and share.n:
            lines.append(f"{format_measure(share)} % {words.format(n=share.n)}")
    yield Table(notes=tuple(lines))
    if gaps := [measure for measure in result.measures if measure.name == _GAP]:
        yield _gaps(gaps)


def _needed(measures: Sequence[Measure]) -> Iterator[Measure]:
    """All measures but those of speakers' genders where each has one voice, so that they stand there already."""
    groups = {measure.group for measure in measures}
    voices, speakers = (sum(group.startswith(kind) for group in groups) for kind in (VOICE, SPEAKER))
    return (measure for measure in measures if voices != speakers or not measure.group.startswith(SPEAKER))


def _measures(heading: str, names: Sequence[str], measures: Sequence[Measure]) -> Table:
    chosen = [measure for measure in measures if measure.name in names]
    rows: list[tuple[Cell, ...]] = []
    for group in dict.fromkeys(measure.group for measure in chosen):
        row = {measure.name: measure for measure in chosen if measure.group == group}
        rows.append((group, row[names[0]].n, *(row[name] for name in names)))
    columns = (Column("group", heading), Column("n", "n", key=True), *(Column(name, name, 1) for name in names))
    return Table("", columns, tuple(rows))


def _gaps(gaps: Sequence[Measure]) -> Table:
    columns = make_columns(measure="women's voices less men's", n="sentences", points="points")
    rows = []
    for gap in gaps:
        interval = f"[{format_number(gap.low)}, {format_number(gap.high)}]"
        rows.append((gap.group, gap.n, f"{gap.value or 0:+.1f} {interval}", format_p(gap.p)))
    return Table("", (*columns, Column("p_holm", "p (Holm)")), tuple(rows))


SET = TestSet(read_about(__name__), _no_folder, _no_folder, measures=MEASURES, variant=variant, tables=list_tables)
