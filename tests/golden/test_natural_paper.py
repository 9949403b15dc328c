"""Published figures of sets of natural text come out again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.papers import decisions, references

pytestmark = pytest.mark.data
# Rows that the authors' script, which strips punctuation and capitals, decides otherwise than was published.
CLEANED = {"ar": 4, "de": 11, "es": 9, "fr": 14, "hi": 2, "it": 16, "pt": 10, "ru": 8}


def test_every_published_decision_on_google_comes_out_again(published: Path) -> None:
    found = list(decisions(published))
    assert len(found) == 4800
    assert [each for each in found if each.published is not each.ours] == []


def test_the_authors_script_differs_where_punctuation_and_capitals_do(published: Path) -> None:
    found = [each for each in decisions(published, "mt-geneval:cleaned") if each.published is not each.ours]
    assert Counter(each.language for each in found) == CLEANED


def test_the_contrast_reads_the_references_right_wherever_they_differ(published: Path) -> None:
    found = references(published)
    assert sum(counts["wrong"] for counts in found.values()) == 0
    assert {language: counts["none"] for language, counts in found.items()} == {
        "ar": 0, "de": 5, "es": 34, "fr": 0, "hi": 76, "it": 44, "pt": 0, "ru": 0
    }  # fmt: skip
