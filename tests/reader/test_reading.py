"""The default detector reads anybody: listed words by the lexicon, all others by what shows their gender."""

from __future__ import annotations

import pytest

from epicene.errors import UnknownNameError
from epicene.flow.explain import explain
from epicene.reader.reader import Reader
from epicene.types import Gender, Item, Kind, Output, Person, Verdict

F, M, N, U = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN


def read(language: str, source: str, person: str, text: str) -> Verdict:
    (verdict,) = explain(source, f"en-{language}", text, person)
    return verdict


@pytest.mark.parametrize(
    ("language", "source", "person", "text", "gender", "words"),
    [
        ("de", "The astronaut finished the work.", "astronaut", "Die Astronautin beendete ihre Arbeit.", F, "Astronautin"),
        ("es", "The politician left.", "politician", "El político se fue.", M, "político"),
        ("fr", "My neighbour sings.", "neighbour", "Ma voisine chante.", F, "voisine"),
        ("ru", "The captain forgot the map.", "captain", "Капитан забыл карту.", M, "Капитан"),
        ("es", "I am tired.", "I", "Estoy cansada.", F, "cansada"),
        ("ru", "I am tired.", "I", "Я устала.", F, "устала"),
        # copied words: the article decides
        ("it", "The guard saw it.", "guard", "Il guard lo vide.", M, "guard"),
        ("de", "The carpenter saw it.", "carpenter", "Der Carpenter sah es.", M, "Carpenter"),
        # both forms, words for all
        ("es", "The client left.", "client", "El/la cliente se fue.", N, "El/la cliente"),
        # of two that stand there, the one that is meant
        ("de", "Some believe it and others do not.", "others", "Die einen glauben daran, die anderen nicht.", N, "anderen"),
    ],
)  # fmt: skip
def test_anybody_is_read(language: str, source: str, person: str, text: str, gender: Gender, words: str) -> None:
    verdict = read(language, source, person, text)
    assert verdict.gender is gender, verdict
    assert words in [each.text for each in verdict.evidence]
    assert all(text[each.start : each.end] == each.text for each in verdict.evidence)
    assert 0 < verdict.confidence <= 1


def test_listed_words_are_read_by_the_lexicon_as_before() -> None:
    source = "The nurse saw the doctor."
    item = Item("1", source, Person("nurse", 4, "nurse"), None, {}, others=(Person("doctor", 18, "doctor"),))
    output = Output(item, "test", "de", "Die Krankenschwester sah den Arzt.")
    (verdict,) = Reader("de").detect([output])
    assert verdict._replace(confidence=None) == Reader("de").read_listed(output)


@pytest.mark.parametrize(
    ("language", "source", "person", "text", "gender", "word"),
    [
        ("es", "The user opened a ticket.", "user", "El usuario abrió un ticket.", M, "usuario"),
        ("de", "The seller shipped it.", "seller", "Der Verkäufer hat es verschickt.", M, "Verkäufer"),
        ("de", "My grandmother's nurse left.", "grandmother", "Der Pfleger meiner Großmutter ging.", F, "Großmutter"),
        ("fr", "She was the wife of an actor.", "wife", "Elle était l'épouse d'un acteur.", F, "épouse"),
    ],
)  # fmt: skip
def test_an_unlisted_person_is_not_read_by_the_word_for_somebody_listed(
    language: str, source: str, person: str, text: str, gender: Gender, word: str
) -> None:
    verdict = read(language, source, person, text)
    assert (verdict.gender, [part.text for part in verdict.evidence]) == (gender, [word])
    assert not verdict.on_other_word


def test_a_listed_person_who_became_a_thing_stays_unread() -> None:
    source = "The analyst went to the cashier."
    assert read("ru", source, "cashier", "Аналитик подошел к кассе.").gender is U


def test_nobody_is_guessed_where_the_person_is_not_rendered() -> None:
    assert read("de", "The astronaut waved.", "astronaut", "Es regnet.").gender is U


def test_the_identity_names_the_tables_of_the_language() -> None:
    german, spanish = Reader("de").identity, Reader("es").identity
    assert german.startswith("reading6@")
    assert german != spanish


def test_a_language_that_cannot_be_read_is_named() -> None:
    with pytest.raises(UnknownNameError, match="language"):
        explain("The nurse left.", "en-xx", "…")


def test_a_pronoun_is_no_listed_noun() -> None:
    item = Item("1", "I am tired.", Person("I", 0, "i", kind=Kind.PRONOUN), None, {})
    (verdict,) = Reader("es").detect([Output(item, "test", "es", "La enfermera está cansada.")])
    assert verdict.gender is not M
