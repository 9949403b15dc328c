"""epicene explain: who was found, why, and what is refused."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Command


def test_it_says_who_was_found_and_on_which_words(epicene: Command) -> None:
    done = epicene(
        "explain", "-l", "en-es", "The astronaut thanked her teacher.", "La astronauta agradeció a su maestro."
    )
    assert done.returncode == 0, done.stderr
    assert "astronaut (noun): feminine" in done.stdout
    assert "teacher (noun): masculine" in done.stdout
    assert "maestro (" in done.stdout


def test_one_person_as_json(epicene: Command) -> None:
    line = ("-l", "en-de", "The astronaut slept.", "Die Astronautin schlief.", "--person", "astronaut", "-f", "json")
    (found,) = json.loads(epicene("explain", *line).stdout)
    assert (found["gender"], found["person"]["text"], found["evidence"][0][0]) == (
        "feminine",
        "astronaut",
        "Astronautin",
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("The nurse left.", "Die Schwester ging.", "--person", "pilot"), 2, "'pilot' does not stand in the source"),
        (("The nurse left.", "  "), 3, "the translation is empty"),
        (("It rained.", "Es regnete."), 3, "no person was found"),
    ],
)
def test_what_cannot_be_explained_is_said_in_one_line(
    epicene: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    done = epicene("explain", "-l", "en-de", *words)
    assert done.returncode == code
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_source_must_be_english(epicene: Command) -> None:
    done = epicene("explain", "-l", "hu-en", "Ő orvos.", "She is a doctor.")
    assert done.returncode == 2
    assert "people are found in English sentences" in done.stderr
