"""SimpleGEN is generated from its tables, byte for byte as published."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from epicene.sets.simplegen import SET
from epicene.types import Gender, Pair
from tests.conftest import Command

PAIR = Pair("en", "de")


def test_the_groups_have_their_published_sizes() -> None:
    groups = Counter(item.labels["group"] for item in SET.items(PAIR))
    assert groups == {"MOMC": 814, "MOFC": 814, "FOFC": 518, "FOMC": 518}


def test_every_occupation_has_74_sentences_per_context() -> None:
    counts = Counter((item.labels["occupation"], item.expected) for item in SET.items(PAIR))
    assert len(counts) == 18 * 2
    assert set(counts.values()) == {74}


def test_his_in_the_sentence_does_not_make_the_context_male() -> None:
    # The third-party labels get the sentences that begin with "His" wrong.
    wives = [item for item in SET.items(PAIR) if item.source.startswith("His wife")]
    assert wives
    assert {item.expected for item in wives} == {Gender.FEMININE}


def test_export_is_the_official_file_byte_for_byte(published: Path, epicene: Command) -> None:
    done = epicene("sets", "export", "simplegen", "-l", "en-de")
    assert done.stdout == (published / "simplegen" / "input.txt").read_text(encoding="utf-8")


def test_labels_are_those_of_the_published_table(published: Path) -> None:
    rows = (published / "simplegen" / "simplegen_en.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for item, row in zip(SET.items(PAIR), rows, strict=True):
        labels = item.labels
        wanted = (item.id, labels["group"], labels["occupation"], labels["number"], labels["context_gender"])
        assert wanted == tuple(row.split("\t")[:5])
