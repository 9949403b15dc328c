"""Results on recordings as text: what is counted, and what is not known is not made up."""

from __future__ import annotations

import dataclasses

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
