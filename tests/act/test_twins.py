"""Words in two genders, and sentences that differ in nothing else."""

from __future__ import annotations

import pytest

from epicene.act.twins import agreeing, differences, is_noun_of_other, rewritten, twins
from epicene.reader.words import cut
from epicene.types import Gender

F, M = Gender.FEMININE, Gender.MASCULINE


@pytest.mark.parametrize(
    ("word", "gender", "language", "twin"),
    [
        ("El", F, "es", "La"),
        ("doctor", F, "es", "doctora"),
        ("al", F, "es", "a la"),
        ("hermana", M, "es", "hermano"),
        ("actrice", M, "fr", "acteur"),
        ("fatigué", F, "fr", "fatiguée"),
        ("Arzt", F, "de", "Ärztin"),
    ],
)
def test_a_word_has_a_twin(word: str, gender: Gender, language: str, twin: str) -> None:
    assert twin in twins(word, gender, language)


def test_a_word_without_gender_has_none() -> None:
    assert twins("artista", F, "es") == twins("les", F, "fr") == twins("casa", M, "es") == ()


@pytest.mark.parametrize(
    ("first", "second", "language", "words"),
    [
        ("La doctora duerme.", "El doctor duerme.", "es", [("La", "El"), ("doctora", "doctor")]),
        ("Vi a la doctora.", "Vi al doctor.", "es", [("la", "el"), ("doctora", "doctor")]),
        ("L'actrice dort.", "L'acteur dort.", "fr", [("actrice", "acteur")]),
        ("Die Ärztin schläft.", "Der Arzt schläft.", "de", [("Die", "Der"), ("Ärztin", "Arzt")]),
    ],
)
def test_two_sentences_differ_in_nothing_but_gender(
    first: str, second: str, language: str, words: list[tuple[str, str]]
) -> None:
    assert differences(first, second, language) == words


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("La doctora duerme.", "El doctor come."),
        ("La doctora duerme.", "El doctor duerme mucho."),
        ("La médica duerme.", "El doctor duerme."),
    ],
)
def test_more_than_gender_differs(first: str, second: str) -> None:
    assert differences(first, second, "es") is None


def test_what_agrees_is_turned_with_the_noun_and_articles_are_joined_again() -> None:
    sentence = cut("Vi a la doctora cansada en la casa.")
    places = agreeing(sentence, {3}, M, "es")
    assert rewritten(sentence, places, M, "es") == "Vi al doctor cansado en la casa."
    back = cut("Vi al doctor cansado en la casa.")
    assert rewritten(back, agreeing(back, {2}, F, "es"), F, "es") == "Vi a la doctora cansada en la casa."


def test_an_article_of_one_gender_does_not_hide_a_noun_of_the_other() -> None:
    assert is_noun_of_other("padres", F, "es")
    assert not is_noun_of_other("madres", F, "es")
    assert not is_noun_of_other("las", M, "es")
