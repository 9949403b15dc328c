"""From vectors to a challenge set of one's own: candidates, those that stand out, and their sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from epicene.embeddings.wordlists import candidates, vocabulary
from epicene.errors import InputError
from epicene.flow import plan
from epicene.types import Pair
from tests.conftest import Command
from tests.embeddings.conftest import header, lines


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Words that lean as their first number says, and enough seeds on either side."""
    chance = np.random.default_rng(4)
    lean = {"she": -3, "he": 3, "woman": -3, "man": 3, "girl": -3, "boy": 3, "mother": -3, "father": 3}
    lean |= {
        "purl": -2,
        "giggle": -1.5,
        "weave": -1.2,
        "brawl": 2,
        "swagger": 1.5,
        "growl": 1.2,
        "walk": 0.0,
        "Rome": 1,
    }
    table = {word: [float(first), *(0.05 * chance.normal(size=6)).tolist(), 2.0] for word, first in lean.items()}
    path = tmp_path / "v.vec"
    path.write_text(header(table) + lines(table), encoding="utf-8")
    return path


def test_candidates_are_small_words_of_the_vocabulary_without_seeds(vectors: Path) -> None:
    assert list(vocabulary(vectors))[:3] == ["she", "he", "woman"]
    assert candidates("vocabulary", str(vectors)) == ["purl", "giggle", "weave", "brawl", "swagger", "growl", "walk"]
    assert candidates("vocabulary:9", str(vectors)) == ["purl"]
    for part, word in (("adjectives", "sassy"), ("verbs", "crochet")):
        found = candidates(part, "")
        assert word in found
        assert not {"her", "his", "mother"} & set(found)
    with pytest.raises(InputError, match="expected adjectives, verbs, vocabulary"):
        candidates("nouns", str(vectors))


def test_one_command_leads_from_vectors_to_a_set(vectors: Path, tmp_path: Path, epicene: Command) -> None:
    own = tmp_path / "mine.tsv"
    arguments = ("-e", vectors, "--candidates", "vocabulary", "--set", own, "--per-side", "2", "--resamples", "50")
    done = epicene("genderscore", *arguments, "--sentence", "The {occupation} likes to {word}.")
    assert done.returncode == 0, done.stderr
    assert f"epicene sets export 'wibemt-verbs?verbs={own}'" in done.stdout
    rows = [line.split("\t") for line in own.read_text().splitlines()]
    assert rows[0] == ["verb", "class", "template"]
    assert rows[1] == ["purl", "feminine", "The {occupation} likes to purl."]
    assert [row[:2] for row in rows[3:]] == [["brawl", "masculine"], ["swagger", "masculine"]]
    items = list(plan.open_set(f"wibemt-verbs?verbs={own}").items(Pair("en", "de")))
    assert (len(items), items[0].source) == (4 * 99, "The nurse likes to purl.")
    adjectives = epicene("genderscore", *arguments)
    assert adjectives.returncode == 0, adjectives.stderr
    assert own.read_text().startswith("adjective\tclass\npurl\tfeminine\n")


def test_what_cannot_make_a_set_is_refused(vectors: Path, tmp_path: Path, epicene: Command) -> None:
    own = tmp_path / "mine.tsv"
    few = epicene("genderscore", "-e", vectors, "--candidates", "vocabulary", "--set", own, "--resamples", "50")
    assert few.returncode == 3
    assert "10 a side are wanted" in few.stderr
    assert not own.exists()
    neither = epicene("genderscore", "-e", vectors)
    assert (neither.returncode, "expected either a file of WORDS or --candidates" in neither.stderr) == (2, True)
    wrong = epicene("genderscore", "-e", vectors, "--candidates", "verbs", "--sentence", "They {word}.")
    assert (wrong.returncode, "expected one {occupation} and one {word}" in wrong.stderr) == (2, True)
