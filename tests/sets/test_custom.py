"""A user's own sentences: people marked or found, pronouns, context, several people over one translation."""

from __future__ import annotations

from pathlib import Path

import pytest

import epicene
from epicene import sets
from epicene.errors import InputError
from epicene.types import Gender, Item, Kind, Pair


def items(folder: Path, header: str, *rows: str) -> list[Item]:
    path = folder / "own.tsv"
    path.write_text(
        "\n".join([header.replace(" ", "\t"), *(row.replace("|", "\t") for row in rows)]) + "\n", encoding="utf-8"
    )
    return list(sets.load(f"custom:{path}").items(Pair("en", "de")))


def test_a_start_tells_which_of_two_is_meant(tmp_path: Path) -> None:
    row = "1|The pilot saw the other pilot.|pilot|24|feminine"
    (item,) = items(tmp_path, "id source focus start expected", row)
    assert item.person.start == 24
    assert item.others[0].start == 4


def test_a_focus_may_be_a_pronoun_and_context_stands_before(tmp_path: Path) -> None:
    row = "1|I am tired.|I|feminine|Mary came in. <sep> She sat down."
    (item,) = items(tmp_path, "id source focus expected context", row)
    assert item.person.kind is Kind.PRONOUN
    assert item.context == ("Mary came in.", "She sat down.")


def test_without_a_focus_everybody_is_found_over_one_line_of_translation(tmp_path: Path) -> None:
    found = items(tmp_path, "id source expected", "7|The astronaut thanked the neighbour.|")
    assert [(item.id, item.person.text, item.line) for item in found] == [
        ("7/1", "astronaut", "7"),
        ("7/2", "neighbour", "7"),
    ]
    result = epicene.score(
        f"custom:{tmp_path / 'own.tsv'}", "en-de", ["Die Astronautin dankte dem Nachbarn."], anyway=True
    )
    assert [verdict.gender for verdict in result.verdicts] == [Gender.FEMININE, Gender.MASCULINE]


def test_doubtful_verdicts_can_be_left_unread(tmp_path: Path) -> None:
    items(tmp_path, "id source expected focus", "1|The carpenter left.||carpenter")
    own, lines = f"custom:{tmp_path / 'own.tsv'}", ["Der Carpenter ging."]
    sure = epicene.score(own, "en-de", lines, anyway=True, min_confidence=0.99)
    assert [verdict.step for verdict in sure.verdicts] == ["doubtful"]
    assert "|min-confidence:0.99|" in sure.signature
    assert [verdict.gender for verdict in epicene.score(own, "en-de", lines, anyway=True).verdicts] == [
        Gender.MASCULINE
    ]


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        (
            "id source focus expected",
            "1|The pilot left.|nurse|",
            "own.tsv:2: the focus 'nurse' does not stand in the source",
        ),
        ("id source focus start expected", "1|The pilot left.|pilot|3|", "at 3"),
        ("id source focus start expected", "1|The pilot left.|pilot|x|", "start 'x'"),
        ("id source expected", "1|The pilot saw the nurse.|feminine", "of whom\\? pilot, nurse"),
        ("id source expected", "1|It rained.|", "no person was found"),
        ("id source focus expected", "1|The pilot left.|pilot|female", "known: feminine, masculine"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, header: str, row: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        items(tmp_path, header, row)


def test_sentences_of_a_language_without_gender_are_read_from_their_english(tmp_path: Path) -> None:
    items(tmp_path, "id source focus expected", "1|ő egy orvos|orvos|feminine", "2|ő ápoló|ápoló|neutral")
    own = f"custom:{tmp_path / 'own.tsv'}"
    result = epicene.score(own, "hu-en", ["He is a doctor.", "He's/she's a nurse."], anyway=True)
    assert [(verdict.gender, verdict.right) for verdict in result.verdicts] == [
        (Gender.MASCULINE, False),
        (Gender.NEUTRAL, True),
    ]


@pytest.mark.parametrize(
    ("header", "row", "langs", "words"),
    [
        ("id source focus expected", "1|ő egy orvos|nővér|", "hu-en", "'nővér' does not stand in the source"),
        ("id source expected", "1|ő egy orvos|", "hu-en", ":1: no column focus"),
        ("id source focus expected", "1|ő egy orvos|orvos|", "hu-de", "hu-de has no English side"),
    ],
)
def test_other_languages_need_a_focus_and_english(
    tmp_path: Path, header: str, row: str, langs: str, words: str
) -> None:
    items(tmp_path, "id source focus expected", "1|A pilot.|pilot|")
    (tmp_path / "own.tsv").write_text(f"{header}\n{row}\n".replace(" ", "\t", header.count(" ")).replace("|", "\t"))
    with pytest.raises(InputError) as refused:
        epicene.score(f"custom:{tmp_path / 'own.tsv'}", langs, ["He is a doctor."], anyway=True)
    assert words in str(refused.value)
