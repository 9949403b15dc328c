"""The dialogues of WMT24: who is meant by I and you, and what the text tells of them."""

from __future__ import annotations

import io
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.sets import files as store
from epicene.sets import load
from epicene.sets.dialogue import people, sayings
from epicene.store.hypotheses import group_by_line
from epicene.types import Gender, Pair
from tests.sets.conftest import measure

NAME = "dialogue"
FEMININE, MASCULINE = Gender.FEMININE, Gender.MASCULINE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'The woman smiled. "I think I\'m calm and you\'re tall," she said. He laughed back. "No you\'re tall, but '
            "I'm calm,\" he replied.",
            [("speaker", FEMININE, "calm"), ("listener", MASCULINE, "tall"), ("listener", FEMININE, "tall"),
             ("speaker", MASCULINE, "calm")],
        ),
        (
            'I smiled. "I think you\'re calm," I said. She laughed back. "No, I\'m not calm, but I am tall," she replied.',
            [("listener", FEMININE, "calm"), ("speaker", FEMININE, "calm")],
        ),
        ('"I think I\'m calm," I said sassily.', [("speaker", None, "calm")]),
        (
            'The sassy plumber smiled. "I think you\'re calm," she said to the shifty night guard.',
            [("listener", None, "calm")],
        ),
    ],
)  # fmt: skip
def test_who_is_meant_by_i_and_you(text: str, said: list[tuple[str, Gender | None, str]]) -> None:
    found = list(sayings(text))
    assert [(each.role, each.who.gender, each.adjective) for each in found] == said
    assert all(text[each.start :].startswith(each.pronoun) for each in found)


def test_nouns_and_what_describes_them() -> None:
    text = 'The sassy plumber smiled. "I think you\'re calm," she said to the shifty night guard.'
    plumber, guard = people(text)
    assert (plumber.noun, plumber.gender, plumber.adjective) == ("plumber", FEMININE, "sassy")
    assert (guard.noun, guard.gender, guard.adjective) == ("night guard", None, "shifty")
    assert text[plumber.start :].startswith("plumber") and text[guard.start :].startswith("night guard")


def test_everybody_of_every_dialogue(added: Path) -> None:
    items = load("dialogue").items(Pair("en", "es"))
    assert len(items) == 20878 and len(list(group_by_line(items))) == 6686
    told = Counter((item.expected, item.labels["role"], item.labels["told"]) for item in items)
    for role in ("speaker", "listener", "named"):  # women and men are balanced
        for way in ("man or woman", "pronoun"):
            assert told[FEMININE, role, way] == told[MASCULINE, role, way]
    named = Counter(item.labels["stereotype"] for item in items if item.labels["role"] == "named")
    assert named["feminine"] == named["masculine"] == 1936


def test_a_system_of_wmt24(added: Path, published: Path) -> None:
    with tarfile.open(published / "wmt24-dialogue.tar.gz") as archive:
        name = next(each for each in archive.getnames() if each.endswith("en-es/Llama3-70B.txt"))
        stream = archive.extractfile(name)
        assert stream is not None
        lines = io.TextIOWrapper(stream, "utf-8").read().splitlines()
    result = measure("dialogue", "en-es", lines)
    assert result["accuracy", "man or woman"].n > 2000
    assert (result["accuracy", "speaker"].value or 0) > 80
    stereotyped = [result["masculine", f"not told: {each} stereotype"].value or 0 for each in ("masculine", "feminine")]
    assert stereotyped[0] > stereotyped[1]


def test_it_cannot_be_downloaded() -> None:
    with pytest.raises(InputError, match="epicene cannot download WMT24"):
        store.get("dialogue")
