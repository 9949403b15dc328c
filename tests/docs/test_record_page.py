"""What docs/record.md says in words of published figures beside ours is what the shipped record has."""

from __future__ import annotations

import re
from pathlib import Path

from epicene.record import build as record

PAGE = Path(__file__).parents[2] / "docs" / "record.md"


def excesses(source: str, system: str, languages: str, group: str = "all") -> list[int]:
    """By how many points published accuracies exceed ours, the least first."""
    (part,) = (part for part in record.shipped() if part.source.name == source)
    return sorted(
        round(beside.published - beside.ours)
        for entry in part.entries
        if re.fullmatch(system, entry.system) and entry.langs[3:] in languages.split()
        for beside in entry.published
        if (beside.measure, beside.group) == ("accuracy", group) and beside.ours is not None
    )


def test_the_page_says_how_far_published_accuracies_are_from_ours() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    (lost,) = excesses("winost-2025", "seamlessm4t", "de")
    good = excesses("winost-2025", "tower_.*", "fr it")
    assert f"(SeamlessM4T by {lost} points in German)" in text
    assert f"(Tower by {-good[-1]} to {-good[0]})" in text
    languages = "ar de es fr hi it pt ru"
    women, men = (excesses("mt-geneval-google", "google", languages, group) for group in ("feminine", "masculine"))
    assert (women[0], men[-1]) == (
        *excesses("mt-geneval-google", "google", "fr", "feminine"),
        *excesses("mt-geneval-google", "google", "hi", "masculine"),
    )
    assert f"from {-women[0]} points below epicene's (French women) to {men[-1]} above (Hindi men)" in text
    east = excesses("winomt-2019", ".*", "ru uk")
    assert f"Russian and Ukrainian lose {-east[-1]} to {-east[0]} points" in text
