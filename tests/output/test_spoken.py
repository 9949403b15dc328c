"""Results on recordings as text: what is counted, and what is not known is not made up."""

from __future__ import annotations

import dataclasses
import io

from rich.console import Console

from epicene.output.terminal import tables
from epicene.output.terminal.views.spoken import parts
from epicene.result import Result
from epicene.types import Measure

GAP = Measure("speaker_gap", "accuracy", 0.0, "points", 4)
RESULT = Result("winost", "en-es", "direct", "epicene", "winost|v:1", 8, {"unknown": 8}, 2, (GAP,), refused=1)


def test_a_spoken_set_counts_recordings_and_says_which_could_not_be_heard() -> None:
    assert tables.heading(RESULT).endswith("8 recordings: 8 unknown (2 empty, 1 of them not fit to be heard)")
    text = dataclasses.replace(RESULT, set="winomt")
    assert tables.heading(text).endswith("8 sentences: 8 unknown (2 empty, 1 of them refused by the service)")
    assert dataclasses.replace(RESULT, set="spoken:custom").counted == "recordings"


def test_a_gap_between_voices_without_a_p_shows_none() -> None:
    (table,) = [part for part in parts(RESULT) if not isinstance(part, str)]
    assert list(table.columns[-1].cells) == ["–"]
    (table,) = [
        part
        for part in parts(dataclasses.replace(RESULT, measures=(dataclasses.replace(GAP, low=-1.0, high=1.0, p=0.5),)))
        if not isinstance(part, str)
    ]
    assert list(table.columns[-1].cells) == [".5000"]


def test_rates_that_are_too_wide_for_a_terminal_go_on_below() -> None:
    names = ("correct", "wrong", "inconclusive", "other_word", "lost")
    rates = tuple(
        Measure(name, group, 100.0, "%", 1332, low=100.0, high=100.0) for name in names for group in ("all", "anti")
    )
    found = list(tables.rate_tables(dataclasses.replace(RESULT, measures=rates)))
    console = Console(width=200, file=io.StringIO())
    assert len(found) == 2
    assert all(console.measure(table).maximum <= 80 for table in found)
    shown = [column.header for table in found for column in table.columns if column.header in names]
    assert shown == list(names)
    assert [[*table.columns[0].cells] for table in found] == [["all", "anti"]] * 2
