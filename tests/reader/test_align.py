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


def test_copied_words_are_similar() -> None:
    assert similar("carpenter", "carpenter", name=False) > similar("astronaut", "astronauta", name=False) > 0
    assert similar("carpenter", "zebra", name=False) == 0


def test_english_words_for_people() -> None:
    assert names_person("plumbers")
    assert may_name_person("star")
    assert not may_name_person("table")
