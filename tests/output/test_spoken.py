"""Results on recordings as text: what is counted, and what is not known is not made up."""

from __future__ import annotations

import dataclasses

from epicene.output.render import Format, render
from epicene.output.results import describe, rate_tables
from epicene.output.table import Listing
from epicene.result import Result
from epicene.sets.spoken import list_tables
from epicene.types import Measure

GAP = Measure("speaker_gap", "accuracy", 0.0, "points", 4)
RESULT = Result(
    "winost", "en-es", "direct", "epicene", "winost|v:1", 8, {"unknown": 8}, 2, (GAP,), refused=1, spoken=True
)


def test_a_spoken_set_counts_recordings_and_says_which_could_not_be_heard() -> None:
    assert describe(RESULT).endswith("8 recordings: 8 not detected (2 empty, 1 of them not fit to be heard)")
    text = dataclasses.replace(RESULT, set="winomt", spoken=False)
    assert describe(text).endswith("8 sentences: 8 not detected (2 empty, 1 of them refused by the service)")


def test_a_gap_between_voices_without_a_p_shows_none() -> None:
    *_, table = list_tables(RESULT)
    assert table.rows[0][-1] == "–"
    gap = dataclasses.replace(GAP, low=-1.0, high=1.0, p=0.5)
    *_, table = list_tables(dataclasses.replace(RESULT, measures=(gap,)))
    assert table.rows[0][-1] == ".5000"


def test_rates_that_are_too_wide_for_a_terminal_go_on_below() -> None:
    names = ("correct", "wrong", "inconclusive", "other_word", "lost")
    rates = tuple(
        Measure(name, group, 100.0, "%", 1332, low=100.0, high=100.0) for name in names for group in ("all", "anti")
    )
    tables = tuple(rate_tables(dataclasses.replace(RESULT, measures=rates)))
    lines = render([Listing(tables)], Format.TEXT).splitlines()
    assert max(map(len, lines)) <= 80
    headers = [line.split() for line in lines if line.startswith(" %")]
    assert headers == [["%", "n", *names[:3]], ["%", "n", *names[3:]]]
    assert sum(line.startswith(" all   1332") for line in lines) == len(headers)
