"""What travels to other machines arrives as it left."""

from __future__ import annotations

from pathlib import Path

from epicene.store.shards import packed, unpacked
from epicene.types import Focus, Gender, Heard, Item, Output


def test_outputs_are_unpacked_as_they_were() -> None:
    other = Focus("nurse", 30, "nurse")
    focus = Focus("truck driver", 4, "truck driver", plural=False, others=(other,))
    told = Item("1/slt", "The truck driver …", focus, Gender.FEMININE, {"group": "a\tb"}, Path("a.wav"), "The …")
    open_ = Item("2", "ő egy orvos", Focus("orvos", 7, "doctor"), None)
    outputs = [Output(told, "s", "he", "נהגת \u202e", Heard("the truck", "הנהגת")), Output(open_, "s", "en", "")]
    assert unpacked(packed(outputs)) == outputs
