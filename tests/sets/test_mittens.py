"""MiTTenS into and out of English, and the reader of English passages."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene import score
from epicene.errors import InputError
from epicene.sets import load
from epicene.sets.mittens import build
from epicene.types import Gender, Item, Kind, Output, Pair, Person

NAME = "mittens"
LANGUAGES = load("mittens").about.sources[1:]


def test_every_reference_into_english_is_read_right(added: Path) -> None:
    rows = 0
    for language in LANGUAGES:
        items = load("mittens").items(Pair(language, "en"))
        rows += len(items)
        outputs = (Output(item, "test", "en", item.references[0].text) for item in items)
        assert all(verdict.right for verdict in build("en").detect(outputs))
    assert rows == 1744


def test_passages_out_of_english_name_somebody(added: Path) -> None:
    items = load("mittens").items(Pair("en", "de"))
    assert len(items) > 100
    assert sum(item.person.kind is Kind.PRONOUN for item in items) > 0.8 * len(items)


def test_late_binding_stands_apart(added: Path) -> None:
    items = load("mittens").items(Pair("es", "en"))
    lines = [item.references[0].text for item in items]
    for n, item in enumerate(items):
        if item.labels["family"] == "late_binding":
            lines[n] = "He came at once, since he knows his work."
    result = score("mittens", "es-en", lines, anyway=True)
    assert result["accuracy", "without late binding"].value == 100
    late = [item for item in items if item.labels["family"] == "late_binding"]
    women = sum(item.expected is Gender.FEMININE for item in late)
    assert result["misgendered", "late_binding"].count == women > 0


@pytest.mark.parametrize(
    ("text", "gender", "step"),
    [
        ("She said her work is done.", Gender.FEMININE, "pronouns"),
        ("He asked her whether his work is done.", Gender.MASCULINE, "pronouns"),
        ("He saw her.", Gender.UNKNOWN, "mixed"),
        ("They finished their work.", Gender.NEUTRAL, "they"),
        ("My mother and their work.", Gender.FEMININE, "nouns"),
        ("The doctor works.", Gender.NEUTRAL, "person"),
        ("It came at once. It is skilled.", Gender.NEUTRAL, "it"),
        ("She was a nun. His work and his books are known.", Gender.FEMININE, "nouns"),
        ("He was born to Ada. His mother is Eva, and he had a daughter.", Gender.MASCULINE, "pronouns"),
        ("The mother of Ada was Eva. He died.", Gender.MASCULINE, "pronouns"),
        ("It was son of Ada and Mother Earth.", Gender.MASCULINE, "nouns"),
        ("Yes, I am her uncle.", Gender.MASCULINE, "nouns"),
        ("Blue and green.", Gender.UNKNOWN, "none"),
        ("", Gender.UNKNOWN, "none"),
    ],
)
def test_english_passages(text: str, gender: Gender, step: str) -> None:
    item = Item("1", "Sie.", Person("Sie", 0, "sie", kind=Kind.PRONOUN), Gender.FEMININE, {"family": "x"})
    (verdict,) = build("en").detect([Output(item, "test", "en", text)])
    assert (verdict.gender, verdict.step) == (gender, step)


def test_pairs_that_it_lacks_are_named(added: Path) -> None:
    with pytest.raises(InputError, match="set mittens has no passages de-fr"):
        score("mittens", "de-fr", ["x"])
