"""Everyday sentences of our own are read as labelled, but for what is known to be misread."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.flow.explain import explain
from epicene.tables import rows

PATH = Path(__file__).parent / "everyday.tsv"
SEEN = [row for row in rows(PATH.read_text(encoding="utf-8"), PATH.name) if row["half"] == "seen"]
# The beginnings of the translations, by language and person; what is read right one day may be struck off.
MISREAD = {
    ("de", "You", "Sie sind für die Schulung"),
    ("fr", "mentor", "L'apprenti et la mentore"),
    ("it", "caregiver", "Il badante ha lavato"),
    ("it", "caregiver", "La badante ha lavato"),
    ("it", "driver", "L'autista ha aspettato fu"),
    ("it", "trainee", "L'apprendista, un ragazzo"),
    ("it", "user", "L'utente non riesce ad ac"),
    ("it", "woman", "I paramedici hanno portat"),
    ("pt", "caregiver", "A cuidadora lavou o velho"),
}


@pytest.mark.parametrize("language", sorted({row["language"] for row in SEEN}))
def test_no_further_person_is_misread(language: str) -> None:
    for row in SEEN:
        known = any(
            (row["language"], row["person"]) == one[:2] and row["translation"].startswith(one[2]) for one in MISREAD
        )
        if row["language"] == language and not known:
            (verdict,) = explain(row["source"], f"en-{language}", row["translation"], row["person"]).verdicts
            assert (verdict.gender, verdict.inclusive or "") == (row["gender"], row["inclusive"]), row
