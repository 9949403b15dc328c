"""GEST from its published files, and input that it cannot take."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from epicene.errors import DataMissingError, InputError
from epicene.sets import files as store
from epicene.sets import load
from epicene.types import Kind, Pair

NAME = "gest"
SLOVAK = Pair("en", "sk")


def test_every_sentence_has_a_speaker_and_a_stereotype(added: Path) -> None:
    items = load("gest").items(SLOVAK)
    assert len(items) == 3565
    assert set(Counter(item.labels["stereotype"] for item in items)) == set(map(str, range(1, 17)))
    for item in items:
        assert item.expected is None and item.person.kind is Kind.PRONOUN
    assert sum(item.person.text == "I" for item in items) > 3400


def test_a_version_that_is_not_here_is_named(added: Path) -> None:
    with pytest.raises(DataMissingError, match=r"gest.csv of gest is not on this machine"):
        load("gest:1.0").version()


def test_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gest_1.1.csv").write_text("sentence,stereotype\nI am.,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="another version of gest: its SHA-256 differs"):
        store.add("gest", tmp_path)


def test_a_published_translation_has_a_set_of_its_own_with_a_version(added: Path) -> None:
    paths = sorted(added.rglob("translations.csv"))
    tests = [load("gest").read_outputs(path) for path in paths[:2]]
    for path, (test, lines) in zip(paths, tests, strict=False):
        assert len(test.items(SLOVAK)) == len(lines) > 3000, path
        assert len(test.version()) == len(load("gest").version())
