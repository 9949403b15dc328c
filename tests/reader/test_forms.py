"""The tables of forms say what a word shows, listed or not, and the recipe that learns them forgets no word."""

from __future__ import annotations

import tomllib

import pytest

from epicene.errors import UnknownNameError
from epicene.languages import LANGUAGES
from epicene.reader.forms import Forms, Show, forms, languages
from epicene.types import Gender

F, M = Gender.FEMININE, Gender.MASCULINE


def noun(language: str, word: str) -> Show:
    """The first reading of a word as a noun."""
    return next(show for show in forms(language).shows(word) if show.pos == "noun")


@pytest.mark.parametrize(
    ("language", "word", "gender", "counterpart"),
    [
        ("de", "Astronautin", F, "Astronaut"),
        ("de", "Arzt", M, "Ärztin"),
        ("de", "Grundschullehrerin", F, "Grundschullehrer"),  # by its last part
        ("es", "abogada", F, "abogado"),
        ("es", "abogado", M, "abogada"),
        ("fr", "infirmières", F, "infirmiers"),
        ("it", "direttrice", F, "direttore"),
        ("pt", "professora", F, "professor"),
        ("ru", "учительница", F, "учитель"),
        ("cs", "lékařka", F, "lékař"),
        ("ar", "طبيبة", F, "طبيب"),
    ],
)
def test_a_word_for_a_person_shows_gender_and_counterpart(
    language: str, word: str, gender: Gender, counterpart: str
) -> None:
    show = noun(language, word)
    assert (show.gender, show.person, show.counterpart) == (gender, True, counterpart)


@pytest.mark.parametrize(
    ("language", "word"),
    [("es", "artista"), ("fr", "astronaute"), ("it", "insegnante"), ("pt", "estudante"), ("de", "Angestellte")],
)
def test_an_epicene_noun_shows_no_gender(language: str, word: str) -> None:
    show = noun(language, word)
    assert (show.gender, show.person, show.fixed) == (None, True, False)


@pytest.mark.parametrize(
    ("language", "word"),
    [("de", "Person"), ("de", "Kind"), ("es", "víctima"), ("fr", "personne"), ("it", "vittima"), ("ru", "член")],
)
def test_a_noun_of_fixed_gender_says_so(language: str, word: str) -> None:
    assert noun(language, word).fixed


@pytest.mark.parametrize(
    ("language", "word", "pos", "gender"),
    [
        ("es", "cansada", "adjective", F),
        ("fr", "fatiguée", "participle", F),
        ("it", "stanco", "adjective", M),
        ("ru", "устала", "verb", F),
        ("cs", "řekla", "verb", F),
        ("pl", "powiedział", "verb", M),
        ("uk", "сказала", "verb", F),
        ("sk", "unavená", "adjective", F),
        ("es", "la", "determiner", F),
        ("he", "אמרה", "verb", F),
    ],
)
def test_what_agrees_shows_its_gender(language: str, word: str, pos: str, gender: Gender) -> None:
    assert (pos, gender) in {(show.pos, show.gender) for show in forms(language).shows(word)}


@pytest.mark.parametrize(
    ("language", "word", "gender"),
    [("es", "zorbistadora", F), ("de", "Glorbmeisterin", F), ("ru", "глорбистка", F), ("it", "glorbatrice", F)],
)
def test_an_unknown_word_is_read_by_its_ending_and_less_surely(language: str, word: str, gender: Gender) -> None:
    show = noun(language, word)
    assert show.gender == gender
    assert show.confidence < 1


def test_german_nouns_have_capitals() -> None:
    assert {show.pos for show in forms("de").shows("Wache")} == {"noun"}
    assert forms("de").shows("katholischer")[0].pos == "adjective"
    assert forms("de").shows("Der")[0].pos == "determiner"


@pytest.mark.parametrize(
    ("language", "word", "gender"),
    [("fr", "vice-présidente", F), ("fr", "étudiantes-athlètes", F), ("fr", "l’avocate", F), ("pt", "ex-diretor", M)],
)
def test_words_in_several_parts_are_read_by_their_head(language: str, word: str, gender: Gender) -> None:
    assert noun(language, word).gender == gender


def test_arabic_words_are_read_without_what_is_written_together_with_them() -> None:
    assert noun("ar", "والطبيبة").gender == F
    assert ("pronoun", F) in {(show.pos, show.gender) for show in forms("ar").shows("عملها")}


def test_serbian_is_read_in_both_scripts() -> None:
    assert noun("sr", "učiteljica").gender == noun("sr", "учитељица").gender == F


def test_all_languages_load_and_answer() -> None:
    assert len(languages()) >= 25
    for language in languages():
        table = forms(language)
        assert isinstance(table, Forms)
        assert table.shows("a") is table.shows("a")


def test_every_table_says_where_it_comes_from() -> None:
    folders = [LANGUAGES.find(code).path for code in languages()]
    for folder in (folder for folder in folders if folder.joinpath("forms.xz").is_file()):
        table = folder.joinpath("PROVENANCE.toml").read_text(encoding="utf-8")
        assert tomllib.loads(table)["forms.xz"].keys() >= {"source", "licence"}


@pytest.mark.parametrize(
    ("word", "person"),
    [("Zoowärter", True), ("Fitnesstrainer", True), ("Funkoffizier", True), ("Zoodrucksache", False)],
)
def test_the_head_of_an_unlisted_compound_says_whether_it_names_a_person(word: str, person: bool) -> None:
    assert {show.person is True for show in forms("de").shows(word) if show.pos == "noun"} == {person}


def test_foreign_words_and_acronyms_show_nothing() -> None:
    assert forms("it").shows("guard") == forms("it").shows("CEO") == forms("ru").shows("Smith") == ()


def test_a_language_without_a_table_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"'xx'.*Known: ar, be"):
        forms("xx")
