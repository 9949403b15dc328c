"""Words in two genders, sentences that differ in nothing else, and what agrees in them."""

from __future__ import annotations

import pytest

from epicene.act.rewrite import rewriter
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
    assert twin in rewriter(language).counterparts(word, gender)


def test_a_word_without_gender_has_none() -> None:
    spanish = rewriter("es")
    assert spanish.counterparts("artista", F) == rewriter("fr").counterparts("les", F) == ()
    assert spanish.counterparts("casa", M) == ()


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
    assert rewriter(language).differences(first, second) == words


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("La doctora duerme.", "El doctor come."),
        ("La doctora duerme.", "El doctor duerme mucho."),
        ("La médica duerme.", "El doctor duerme."),
    ],
)
def test_more_than_gender_differs(first: str, second: str) -> None:
    assert rewriter("es").differences(first, second) is None


def test_what_agrees_is_turned_with_the_noun_and_articles_are_joined_again() -> None:
    sentence = cut("Vi a la doctora cansada en la casa.")
    spanish = rewriter("es")
    assert spanish.rewrite(sentence, spanish.find_agreeing(sentence, {3}, M), M) == "Vi al doctor cansado en la casa."
    back = cut("Vi al doctor cansado en la casa.")
    assert spanish.rewrite(back, spanish.find_agreeing(back, {2}, F), F) == "Vi a la doctora cansada en la casa."


def test_an_article_of_one_gender_does_not_hide_a_noun_of_the_other() -> None:
    assert rewriter("es").is_noun_of_other("padres", F)
    assert not rewriter("es").is_noun_of_other("madres", F)
    assert not rewriter("es").is_noun_of_other("las", M)


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("es", "Estas actores ofrecen una fuente.", True),
        ("es", "Estas actrices ofrecen una fuente.", False),
        ("es", "Vi al hija de la médica.", True),
        ("es", "Todas ellos cantan.", True),
        ("es", "El agua está fría.", False),
        ("es", "La jefa lo vio.", False),
        ("es", "Las pacientes esperan.", False),  # one form for both
        ("fr", "Cette directeur est là.", True),
        ("fr", "La voisine a acheté le journal.", False),
        ("de", "Der Ärztin half die Kollegin.", False),  # a case, not a gender
    ],
)
def test_articles_agree_with_their_nouns(language: str, text: str, wrong: bool) -> None:
    assert rewriter(language).count_wrong_articles(cut(text)) == wrong


@pytest.mark.parametrize(
    ("language", "text", "head", "count"),
    [
        ("es", "Las japonesas son buenos en ello.", 1, 1),
        ("es", "Las japonesas son buenas en ello.", 1, 0),
        ("es", "Las ciudadanas están muy frustrados y enfadados.", 1, 2),
        ("es", "Las doctoras han comprado los primeros libros nuevos.", 1, 0),  # have, and things
        ("es", "Las doctoras dicen que es necesario.", 1, 0),  # of another number
        ("es", "Una escultora distinguido ató una soga.", 1, 1),
        ("es", "Vinieron ministras británicos.", 1, 1),
        ("es", "Las inspectoras tendrán que ser autorizados por el estado.", 1, 1),
        ("es", "Mi amiga es un autor fantástico.", 1, 3),  # a noun, its article and its adjective
        ("fr", "Elle est arrivé tard.", 0, 1),
        ("fr", "Elle a mangé tard.", 0, 0),
    ],
)
def test_what_is_said_of_women_and_shows_men_is_counted(language: str, text: str, head: int, count: int) -> None:
    assert len(rewriter(language).find_disagreeing(cut(text), {head}, F)) == count


def test_what_another_noun_owns_is_not_said_of_the_person() -> None:
    married = cut("Tiene una hija que está casada con un australiano.")
    assert not rewriter("es").find_disagreeing(married, {len(married.words) - 1}, M)
    blanket = cut("La manta fue hecha por un programador.")
    assert not rewriter("es").find_disagreeing(blanket, {len(blanket.words) - 1}, M)


def test_two_words_that_begin_alike_are_not_therefore_one() -> None:
    assert rewriter("es").are_counterparts("cansada", "cansado")
    assert rewriter("fr").are_counterparts("prêt", "prête")  # a loan, too
    assert not rewriter("es").are_counterparts("mejor", "mejora")
    assert not rewriter("es").are_counterparts("vagas", "vagosos")


def test_beside_a_noun_only_what_agrees_is_turned() -> None:
    sentence = cut("Vi al hijo del médico cansado en los primeros cuatro meses.")
    head = next(place for place, word in enumerate(sentence.words) if word.text == "médico")
    near = {sentence.words[place].text for place in rewriter("es").find_agreeing(sentence, {head}, F)}
    assert near == {"del", "médico", "cansado"}
    every = {sentence.words[place].text for place in rewriter("es").find_all_agreeing(sentence, {head}, F)}
    assert not every & {"los", "primeros"}


@pytest.mark.parametrize(
    ("word", "counterparts"),
    [("mejor", ()), ("libres", ()), ("felices", ()), ("españoles", ("españolas",)), ("jefe", ("jefa",)), ("son", ())],
)
def test_adjectives_of_one_form_have_no_twin(word: str, counterparts: tuple[str, ...]) -> None:
    assert rewriter("es").counterparts(word, F) == counterparts
