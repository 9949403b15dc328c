"""Which word renders which, in a single sentence."""

from __future__ import annotations

import pytest

from epicene.reader.align import Aligner, base, romanise, similar, skeleton, stem, transcribed, translations
from epicene.reader.people import may_name_person, names_person
from epicene.reader.words import cut


@pytest.mark.parametrize(
    ("language", "source", "target", "english", "rendering"),
    [
        ("es", "The red house is big", "La casa roja es grande", "house", "casa"),
        ("de", "The teacher thanked the baker", "Der Bäcker wurde vom Lehrer bedankt", "teacher", "Lehrer"),
        ("ru", "The neighbour saw the doctor", "Доктора увидела соседка", "neighbour", "соседка"),
        ("fr", "Kravitz met the queen", "La reine a rencontré Kravitz", "Kravitz", "Kravitz"),
    ],
)
def test_strongest_link_is_the_translation(
    language: str, source: str, target: str, english: str, rendering: str
) -> None:
    first, second = cut(source), cut(target)
    place = next(number for number, word in enumerate(first.words) if word.text == english)
    translated = Aligner(language).align(first, second, range(place, place + 1))
    links = translated.links[place]
    assert second.words[max(range(len(links)), key=links.__getitem__)].text == rendering


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "Lehrer Lehrerin Lehrerinnen"),
        ("es", "amigo amiga amigas"),
        ("it", "direttore direttrice direttrici"),
        ("fr", "voisin voisine voisines"),
        ("ru", "учитель учительница учительниц"),
        ("ar", "معلم المعلمة معلمون"),
    ],
)
def test_words_for_women_and_men_have_one_stem(language: str, words: str) -> None:
    assert len({stem(language)(word) for word in words.split()}) == 1


def test_english_words_are_looked_up_in_the_singular() -> None:
    assert [base(word) for word in ("Neighbours", "women", "bosses", "ladies", "painter's")] == [
        "neighbor",
        "woman",
        "boss",
        "lady",
        "painter",
    ]


def test_tables_translate_people() -> None:
    assert stem("fr")("voisine") in translations("fr", "neighbor")
    assert translations("fr", "no such word") == {}


def test_names_are_known_in_other_scripts() -> None:
    assert romanise("Иван") == "ivan"
    assert skeleton("kravitz") == skeleton(romanise("кравиц"))[: len(skeleton("kravitz"))] or transcribed(
        "kravitz", "кравиц"
    )
    assert transcribed("sinfield", "синфилд")
    assert not transcribed("sinfield", "дом")


def test_a_word_in_latin_letters_is_copied_and_not_transcribed() -> None:
    assert romanise("žižek") != "žižek" or romanise("øre") != "øre"
    assert not any(transcribed(romanise(word), word) for word in ("žižek", "øre", "łódź", "straße"))


def test_spelling_links_the_person_and_words_without_a_translation() -> None:
    source, target = (
        cut("Zorblat saw the doctor near Oz"),
        cut("Zorblat vio a la médica del doctorado, la doctora, cerca de Oz"),
    )
    places = {word.text: place for place, word in enumerate(target.words)}

    def linked(word: str, person: str) -> set[str]:
        number, asked = (next(n for n, each in enumerate(source.words) if each.text == one) for one in (word, person))
        found = Aligner("es").likelihoods(source, target, range(asked, asked + 1))[number]
        return {each for each, place in places.items() if place in found}

    assert linked("Zorblat", "doctor") == {"Zorblat"}
    assert linked("Oz", "doctor") == set()  # too short to be told by its letters
    assert "doctorado" in linked("doctor", "doctor")
    assert "doctora" in linked("doctor", "Zorblat") and "doctorado" not in linked("doctor", "Zorblat")


def test_copied_words_are_similar() -> None:
    assert similar("carpenter", "carpenter", name=False) > similar("astronaut", "astronauta", name=False) > 0
    assert similar("carpenter", "zebra", name=False) == 0


def test_english_words_for_people() -> None:
    assert names_person("plumbers")
    assert may_name_person("star")
    assert not may_name_person("table")
