"""A name by itself shows nothing; what a language makes of it, and what is said of the person, does."""

from __future__ import annotations

import pytest

from benchmarks.reading import read_row
from epicene.types import Gender

F, M, N, U = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN


def read(language: str, source: str, name: str, translation: str) -> tuple[Gender, str]:
    """The gender of a person who is named in a source, and the step that told it."""
    row = {"id": "1", "source": source, "person": name, "start": str(source.index(name)), "translation": translation}
    verdict = read_row(row, language)
    return verdict.gender, verdict.step


@pytest.mark.parametrize(
    ("language", "source", "name", "translation"),
    [
        ("nl", "The school is named after James Monroe.", "James Monroe", "De school is vernoemd naar James Monroe."),
        ("de", "She knows Peter Lovelace.", "Peter Lovelace", "Sie kennt Peter Lovelace."),
        ("fr", "They came with Sarah Fox.", "Sarah Fox", "Ils sont venus avec Sarah Fox."),
        ("cs", "They came with Michelle Mercier.", "Michelle Mercier", "Přišli s Michelle Mercier."),
        ("ru", "They saw Elizabeth Warren.", "Elizabeth Warren", "Они видели Элизабет Уоррен."),
        ("pt", "He was born in Saint Mary Cray.", "Mary Cray", "Ele nasceu em Saint Mary Cray."),
    ],
)
def test_a_name_alone_is_neutral(language: str, source: str, name: str, translation: str) -> None:
    assert read(language, source, name, translation) == (N, "name")


@pytest.mark.parametrize(
    ("language", "name", "translation", "gender"),
    [
        ("cs", "Sarah Palin", "Mluvili o Sarah Palinové.", F),
        ("cs", "Thomas Cook", "Mluvili o konci Thomase Cooka.", M),
        ("sk", "Theresa May", "Hovorili o Therese Mayovej.", F),
        ("pl", "Boris Johnson", "Rozmawiali o przyszłości Borisa Johnsona.", M),
        ("ru", "David Stirling", "Они говорили о книге Дэвида Стирлинга.", M),
        ("ru", "Anna Ivanova", "Они говорили об Анне Ивановой.", F),
        ("ru", "Sarah Kotecha", "Они видели дом Сары Котеча.", N),  # Sarah ends in no consonant that is heard
        ("uk", "Henry Kissinger", "Вони говорили про книгу Генрі Кіссінджера.", M),
    ],
)
def test_how_a_language_declines_and_derives_a_name_tells(
    language: str, name: str, translation: str, gender: Gender
) -> None:
    assert read(language, f"They talked about {name}.", name, translation) == (gender, "name")


@pytest.mark.parametrize(
    ("language", "source", "name", "translation", "gender"),
    [
        ("fr", "They met the pianist Barbara Higbie.", "Barbara Higbie", "Ils ont vu la pianiste Barbara Higbie.", F),
        ("de", "Mr Keller laughed.", "Keller", "Herr Keller lachte.", M),
        ("it", "Sarah Fox was born here.", "Sarah Fox", "Sarah Fox è nata qui.", F),
        ("cs", "Boris Johnson said that he would come.", "Boris Johnson", "Boris Johnson řekl, že přijde.", M),
    ],
)
def test_what_is_said_of_the_person_tells(
    language: str, source: str, name: str, translation: str, gender: Gender
) -> None:
    assert read(language, source, name, translation)[0] is gender


def test_a_county_that_bears_a_name_is_nobody() -> None:
    source = "Butler adjoins Eau Claire County."
    assert read("es", source, "Claire County", "Butler colinda con el condado de Eau Claire.")[0] in (N, U)


def test_the_noun_of_an_owner_has_no_verb() -> None:
    source = "Sarah Palin's son was arrested."
    assert read("ru", source, "Sarah Palin", "Сын Сары Пэйлин арестован.")[0] is N
