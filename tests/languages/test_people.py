"""Nouns that mean a woman or a man by themselves, in every language."""

from __future__ import annotations

import pytest

from benchmarks.reading import read_row
from epicene.languages.english import gendered
from epicene.languages.folder import languages_with, load
from epicene.languages.lexicon import Reading
from epicene.types import Gender

LANGUAGES = [code for code in languages_with("people.tsv") if code != "en"]
F, M, U = Gender.FEMININE, Gender.MASCULINE, Gender.UNKNOWN


def readings(code: str) -> dict[str, set[Reading]]:
    """What a language's words say, by concept."""
    found: dict[str, set[Reading]] = {}
    for form in load(code).people.forms():
        for concept, reading in form.readings.items():
            found.setdefault(concept, set()).add(reading)
    return found


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_words_of_the_same_gender_as_english(code: str) -> None:
    english, own = readings("en"), readings(code)
    assert own.keys() == english.keys()
    assert all(own[concept] <= english[concept] | {Reading.EITHER} for concept in english)


def test_english_plurals_and_pet_names_are_known() -> None:
    assert [gendered(word) for word in ("Wives", "mum", "brothers", "doctor")] == ["wife", "mother", "brother", None]


@pytest.mark.parametrize(
    ("language", "source", "person", "translation", "gender"),
    [
        ("ar", "You write to your wife.", "wife", "تكتب لزوجتك.", F),
        ("ru", "They honour his wives and friends.", "wives", "Они чтят его жен и друзей.", F),
        ("ro", "They beat their sisters.", "sisters", "Le-au învins pe surorilor lor.", F),
        ("he", "I know her husband.", "husband", "אני מכיר את בעלה.", M),
        ("el", "They honour his wives.", "wives", "Τιμούν τις συζύγους του.", F),
        ("cs", "He follows his father.", "father", "Jde ve stopách svého otce.", M),
        ("uk", "It beat its sisters.", "sisters", "Вона перемогла своїх сестер.", F),
        ("uk", "A sigh came from the queen.", "queen", "Почулося зітхання королеви.", F),
        ("he", "He honours Khufu's wives.", "wives", "הוא מכבד את נשותיו של חופו.", F),
        ("ar", "My mother was an artist.", "mother", "كانت والدتي فنانة.", F),
        ("ca", "Strong woman.", "woman", "Una dona forta.", F),
        ("de", "The Protestants sing.", "Protestants", "Die Protestanten singen.", M),  # who are no Tanten
        ("ru", "They sell women's clothes.", "women", "Они продают женскую одежду.", F),
        ("ca", "She won the men's race.", "men", "Va guanyar la cursa masculina.", M),
        ("es", "One girl hangs from the bar.", "girl", "Un guante cuelga de la barra.", U),
    ],
)
def test_they_are_read_by_their_entries(
    language: str, source: str, person: str, translation: str, gender: Gender
) -> None:
    row = {"id": "1", "source": source, "person": person, "start": str(source.index(person))}
    assert read_row(row | {"translation": translation}, language).gender is gender
