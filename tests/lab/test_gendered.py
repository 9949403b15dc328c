"""Training data that mends gender."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from epicene.act.stated import swap_genders
from epicene.errors import InputError, UnknownNameError
from epicene.tables import table
from epicene_lab.cli import app
from epicene_lab.gendered import (
    add_instructions,
    make,
    make_balanced,
    make_counterfactual,
    tag_pairs,
    write_instructions,
)

PAIRS = [
    ("The doctor said that she was tired.", "La doctora dijo que estaba cansada."),
    ("I met the teacher and the farmer.", "Conocí a la maestra y al granjero."),
    ("My brother is a nurse.", "Mi hermano es enfermero."),
    ("It rains.", "Llueve."),
]


def test_balanced_sentences_stand_in_both_genders_and_state_them() -> None:
    found = make_balanced("es", 100)
    assert len(found) == 100
    for woman, man in zip(found[::2], found[1::2], strict=True):
        assert woman[0] != man[0]
        assert woman[1] != man[1]
    assert make_balanced("es", 100) == found
    assert make_balanced("es", 100, seed=2) != found


def test_people_are_tagged_with_the_gender_that_the_translation_shows() -> None:
    found = [source for source, _ in tag_pairs(PAIRS, "es")]
    assert "The doctor <F> said that she was tired." in found
    assert "I met the teacher <F> and the farmer <M>." in found
    assert found.count("It rains.") == 1
    assert {source for source, _ in PAIRS} <= set(found)


def test_instructions_tell_what_the_translation_shows_of_one_person() -> None:
    found = list(add_instructions(PAIRS, "es"))
    assert [pair for pair in found if " || " not in pair[0]] == PAIRS
    about = {source.partition(" || ")[2]: source.partition(" || ")[0] for source, _ in found if " || " in source}
    assert set(about) == {source for source, _ in PAIRS[:3]}
    assert "doctor" in about[PAIRS[0][0]]
    assert all(text == dict(PAIRS)[source.rpartition(" || ")[2]] for source, text in found)
    assert list(add_instructions(PAIRS, "es")) == found
    assert list(add_instructions(PAIRS, "es", seed=5)) != found


def test_one_prompt_is_kept_back_from_training() -> None:
    ways = {row["name"]: row["text"] for row in table("act/tables", "ways.tsv")}
    assert ways["prompt-plain"] in write_instructions()
    assert ways["prompt-new"] not in write_instructions()


def test_copies_have_the_other_gender_on_both_sides() -> None:
    found = dict(make_counterfactual(PAIRS, "es"))
    assert found["The doctor said that he was tired."] == "El doctor dijo que estaba cansado."
    assert found["My sister is a nurse."] == "Mi hermana es enfermera."
    assert len(found) == len(PAIRS) + 2


@pytest.mark.parametrize(
    ("source", "other"),
    [
        ("She likes her dog.", "He likes his dog."),
        ("I saw her.", "I saw him."),
        ("I gave him his book.", "I gave her her book."),
        ("It rains.", ""),
    ],
)
def test_english_is_swapped_word_by_word(source: str, other: str) -> None:
    assert swap_genders(source) == other


def test_the_command_writes_pairs_and_refuses_what_it_cannot_use(tmp_path: Path) -> None:
    data, output = tmp_path / "pairs.tsv", tmp_path / "out.tsv"
    data.write_text("".join(f"{a}\t{b}\n" for a, b in PAIRS), encoding="utf-8")
    done = CliRunner().invoke(app, ["pairs", "tagged", "--data", str(data), "-l", "en-es", "-o", str(output)])
    assert done.exit_code == 0, done.output
    assert "The doctor <F> said that she was tired.\tLa doctora" in output.read_text(encoding="utf-8")
    data.write_text("no tab\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["pairs", "tagged", "--data", str(data), "-l", "en-es", "-o", str(output)])
    assert isinstance(done.exception, InputError)
    assert "pairs.tsv:1: no tab" in str(done.exception)
    with pytest.raises(UnknownNameError, match="tagged"):
        make("taged", [], "es")
