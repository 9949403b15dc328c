"""A translation is read by what only the feminine or only the masculine reference says."""

from __future__ import annotations

import pytest

from epicene.errors import InputError
from epicene.reader import DETECTORS
from epicene.reader.contrast import read
from epicene.sets.mt_geneval import UniqueWords
from epicene.types import Accepted, Gender, Item, Kind, Output, Person

GERMAN = (
    Accepted("Sie wurde Direktorin des Zoos und schrieb ein Buch.", Gender.FEMININE),
    Accepted("Er wurde Direktor des Zoos und schrieb ein Buch.", Gender.MASCULINE),
)


def output(text: str, references: tuple[Accepted, ...] = GERMAN, expected: Gender = Gender.FEMININE) -> Output:
    source = "She became director of the zoo and wrote a book."
    person = Person("She", 0, "she", kind=Kind.PRONOUN)
    return Output(Item("f0", source, person, expected, {"pair": "0"}, references=references), "test", "de", text)


@pytest.mark.parametrize(
    ("text", "gender", "step", "against"),
    [
        ("Sie leitete den Zoo.", Gender.FEMININE, "contrast", []),
        ("ER WURDE DIREKTOR.", Gender.MASCULINE, "contrast", []),
        ("Der Zoo bekam eine neue Leitung.", Gender.UNKNOWN, "nothing", []),
        ("", Gender.UNKNOWN, "nothing", []),
        # The longer word decides, and the article or pronoun speaks against it.
        ("Sie, der Direktor", Gender.MASCULINE, "contrast", ["Sie"]),
        ("Sie und er", Gender.UNKNOWN, "mixed", ["er"]),
        ("Siegerin", Gender.UNKNOWN, "nothing", []),
    ],
)
def test_words_of_one_reference_alone_decide(text: str, gender: Gender, step: str, against: list[str]) -> None:
    found = read(GERMAN, text)
    assert (found.gender, found.step) == (gender, step)
    assert [each.text for each in found.against] == against
    assert all(text[each.start : each.end] == each.text for each in (*found.evidence, *found.against))
    assert 0 <= found.confidence <= 1


def test_marks_of_vowels_belong_to_the_word() -> None:
    hindi = (Accepted("वह अध्यक्षा बनीं", Gender.FEMININE), Accepted("वह अध्यक्ष बने", Gender.MASCULINE))
    assert read(hindi, "अध्यक्षा थीं").gender is Gender.FEMININE
    assert read(hindi, "अध्यक्ष थे").gender is Gender.MASCULINE


def test_the_reader_speaks_up_where_the_references_are_silent_and_where_it_disagrees() -> None:
    person = Person("nurse", 4, "nurse")
    references = (Accepted("Sie ruht.", Gender.FEMININE), Accepted("Er ruht.", Gender.MASCULINE))
    item = Item("1", "The nurse is resting.", person, Gender.FEMININE, {"pair": "1"}, references=references)
    texts = (
        "Die Krankenschwester schläft.",
        "Die Krankenschwester ruht, wie er sagt.",
        "Sie ruht, die Krankenschwester.",
    )
    silent, divided, agreed = (
        DETECTORS.find("contrast").build("de").detect(Output(item, "test", "de", t) for t in texts)
    )
    assert silent.gender is Gender.FEMININE and silent.step.startswith("reading: ")
    assert divided.gender is Gender.MASCULINE and divided.step == "contrast, not reading"
    assert "Krankenschwester" in " ".join(each.text for each in divided.against) and divided.confidence == 0.5
    assert agreed.gender is Gender.FEMININE and agreed.step == "contrast and reading" and not agreed.against


def test_without_a_reference_of_each_gender_there_is_nothing_to_contrast() -> None:
    with pytest.raises(InputError, match="sentence f0 has no reference of each gender"):
        list(DETECTORS.find("contrast").build("de").detect([output("Sie", GERMAN[:1])]))


@pytest.mark.parametrize(
    ("text", "plain", "cleaned"),
    [
        ("Sie wurde Direktorin.", True, True),
        ("Er wurde Direktorin.", False, False),
        ("Der Zoo.", True, True),  # no word of either gender counts as right
        ("SIE, der Direktor", False, False),
        ("ER!", True, False),  # capitals and punctuation hide the word where nothing is cleaned
    ],
)
def test_the_authors_rule(text: str, plain: bool, cleaned: bool) -> None:
    for is_cleaned, right in ((False, plain), (True, cleaned)):
        (verdict,) = UniqueWords("mt-geneval", cleaned=is_cleaned).detect([output(text)])
        assert verdict.right is right
        assert all(text[each.start : each.end] == each.text for each in verdict.evidence)
