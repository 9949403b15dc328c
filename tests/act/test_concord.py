"""What agrees and what does not, and what has a form for either gender."""

from __future__ import annotations

import pytest

from epicene.act import concord
from epicene.act.twins import agreeing, all_bending, are_twins, twins
from epicene.reader.words import cut
from epicene.types import Gender

F, M = Gender.FEMININE, Gender.MASCULINE


@pytest.mark.parametrize(
    ("language", "text", "torn"),
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
def test_articles_agree_with_their_nouns(language: str, text: str, torn: bool) -> None:
    assert concord.torn(cut(text), language) == torn


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
    assert len(concord.loose(cut(text), {head}, F, language)) == count


def test_what_another_noun_owns_is_not_said_of_the_person() -> None:
    married = cut("Tiene una hija que está casada con un australiano.")
    assert not concord.loose(married, {len(married.words) - 1}, M, "es")
    blanket = cut("La manta fue hecha por un programador.")
    assert not concord.loose(blanket, {len(blanket.words) - 1}, M, "es")


def test_two_words_that_begin_alike_are_not_therefore_one() -> None:
    assert are_twins("cansada", "cansado", "es")
    assert are_twins("prêt", "prête", "fr")  # a loan, too
    assert not are_twins("mejor", "mejora", "es")
    assert not are_twins("vagas", "vagosos", "es")


def test_beside_a_noun_only_what_agrees_is_turned() -> None:
    sentence = cut("Vi al hijo del médico cansado en los primeros cuatro meses.")
    head = next(place for place, word in enumerate(sentence.words) if word.text == "médico")
    near = {sentence.words[place].text for place in agreeing(sentence, {head}, F, "es")}
    assert near == {"del", "médico", "cansado"}
    every = {sentence.words[place].text for place in all_bending(sentence, {head}, F, "es")}
    assert not every & {"los", "primeros"}


@pytest.mark.parametrize(
    ("word", "found"),
    [("mejor", ()), ("libres", ()), ("felices", ()), ("españoles", ("españolas",)), ("jefe", ("jefa",)), ("son", ())],
)
def test_adjectives_of_one_form_have_no_twin(word: str, found: tuple[str, ...]) -> None:
    assert twins(word, F, "es") == found
