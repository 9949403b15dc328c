"""Both genders where the source leaves it open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from epicene import systems
from epicene.act.alternatives import Alternative, alternatives, find_alternatives, open_people
from epicene.act.rewrite import rewriter
from epicene.cli.alternatives import app
from epicene.errors import InputError
from epicene.reader.people import person_at
from epicene.types import Gender, GuidedSystem, Pair

F, M = Gender.FEMININE, Gender.MASCULINE


def test_bundled_gives_both_and_nothing_but_gender_differs() -> None:
    sources = ["The doctor is tired.", "I saw the teacher.", "She is a doctor."]
    found = alternatives(sources, "en-es", n=4, cached=False)
    assert [each.both for each in found.sentences] == [True, True, False]
    for each in found.sentences[:2]:
        words = rewriter("es").differences(each.versions[F].text, each.versions[M].text)
        assert words
        assert tuple(words) == each.differ
    assert found.sentences[0].versions[F].text.startswith(("La doctora", "La médica"))
    assert found.sentences[0].versions[M].text.startswith(("El doctor", "El médico"))
    assert (found.open, found.both) == (2, 2)
    assert found.sentences[2].why == "nobody's gender is open"


def test_german_turns_articles_by_case() -> None:
    (found,) = alternatives(["The doctor helped the boss."], "en-de", n=4, cached=False).sentences
    assert found.both
    assert "Ärztin" in found.versions[F].text


def test_the_other_person_stays_as_the_system_has_them() -> None:
    system, pair = systems.load("bundled"), Pair("en", "es")
    assert isinstance(system, GuidedSystem)
    sources = [f"The {person} paid the cook in cash." for person in ("engineer", "lawyer", "writer")]
    people = [(person_at(source, source.split()[1]),) for source in sources]
    found = find_alternatives(system, sources, people, list(system.candidates(sources, pair, 4)), pair)
    assert any(each.both for each in found)
    for each in found:
        cooks = [{word for word in text.split() if word.startswith("cociner")} for text in (each.first, *_texts(each))]
        assert all(cook == cooks[0] for cook in cooks)


def _texts(found: Alternative) -> list[str]:
    return [each.text for each in found.versions.values()] if found.both else []


def test_whose_gender_is_told_is_not_open() -> None:
    assert [each.text for each in open_people("The doctor thanked the nurse and hugged him.")] == ["doctor"]
    assert open_people("The doctor met the nurse because she was late.") == ()  # it is one of them
    assert [each.text for each in open_people("I saw the teacher.")] == ["I", "teacher"]
    assert open_people("My sister is a plumber.") == ()


def test_a_system_that_cannot_be_held_to_words_is_refused() -> None:
    with pytest.raises(InputError, match="echo cannot be held to words; bundled, ctranslate2: and huggingface: can"):
        alternatives(["The doctor is tired."], "en-es", "echo")
    with pytest.raises(InputError, match="translates from de"):
        alternatives(["Der Arzt schläft."], "de-en")


def test_the_command_prints_versions(tmp_path: Path) -> None:
    text, versions = tmp_path / "text", tmp_path / "versions.jsonl"
    text.write_text("The doctor is tired.\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["-i", str(text), "-l", "en-es", "-n", "4", "-o", str(versions)])
    assert done.exit_code == 0, done.output
    assert "both versions, differing only in gender: 1 of 1 sentences (100.0 %)" in done.stdout
    record = json.loads(versions.read_text(encoding="utf-8"))
    assert record["why"] == "both"
    assert record["feminine"] != record["masculine"]
