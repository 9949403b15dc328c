"""The occupation sentences are what a speaker would say, and tell nobody's gender."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.flow import plan
from epicene.labour import codes
from epicene.sets.occupations import SET, left_out, occupations
from epicene.tables import table
from epicene.types import Item

SECTORS = 18


def items(langs: str, selection: str = "") -> list[Item]:
    challenge = plan.open_set(f"occupations:{selection}" if selection else "occupations")
    return list(challenge.items(plan.open_pair(langs, challenge)))


def test_there_are_more_hungarian_occupations_than_the_paper_has() -> None:
    found = items("hu-en")
    assert len(found) >= 742
    assert len({item.source for item in found}) == len({item.id for item in found}) == len(found)
    assert len({item.labels["sector"] for item in found}) == SECTORS
    assert all(item.labels["feor08"] and item.labels["soc"] for item in found)


@pytest.mark.parametrize(
    ("langs", "occupation", "variant", "sentence"),
    [
        ("hu-en", "orvos", "plain", "ő egy orvos"),
        ("hu-en", "orvos", "capital", "Ő egy orvos"),
        ("hu-en", "orvos", "bare", "ő orvos"),
        ("hu-en", "orvos", "very-bad", "ő egy nagyon rossz orvos"),
        ("tr-en", "avukat", "good", "o iyi bir avukat"),
        ("fi-en", "hammaslääkäri", "plain", "hän on hammaslääkäri"),
        ("et-en", "advokaat", "very-good", "ta on väga hea advokaat"),
        ("ja-en", "弁護士", "plain", "あの人は弁護士です"),
        ("ko-en", "변호사", "bad", "그 사람은 나쁜 변호사입니다"),
        ("zh-en", "律师", "bare", "那个人是律师"),
    ],
)
def test_a_sentence_is_worded_as_the_template_says(langs: str, occupation: str, variant: str, sentence: str) -> None:
    wanted = {item.id: item for item in items(langs, "all")}[f"{occupation}/{variant}"]
    assert wanted.source == sentence
    assert sentence[wanted.person.start :].startswith(wanted.person.text)


@pytest.mark.usefixtures("titles")
@pytest.mark.parametrize(
    ("langs", "occupation", "variant", "sentence"),
    [
        ("eu-en", "abokatu", "plain", "bera abokatua da"),
        ("eu-en", "abokatu", "good", "bera abokatu ona da"),
        ("eu-en", "ekonomista", "bad", "bera ekonomista txarra da"),
        ("sw-en", "mwanasheria", "good", "yeye ni mwanasheria mzuri"),
        ("ms-en", "peguam", "plain", "dia seorang peguam"),
        ("ms-en", "peguam", "bare", "dia ialah peguam"),
        ("hy-en", "իրավաբան", "plain", "նա իրավաբան է"),
        ("hy-en", "վարորդը", "plain", "նա վարորդ է"),
        ("bn-en", "শিক্ষক", "plain", "তিনি একজন শিক্ষক"),
        ("yo-en", "olukọ", "plain", "ó jẹ́ olukọ"),
        ("ne-en", "शिक्षक", "good", "उहाँ एक असल शिक्षक हुनुहुन्छ"),
    ],
)
def test_a_sentence_with_a_downloaded_word_is_worded_so(
    langs: str, occupation: str, variant: str, sentence: str
) -> None:
    test_a_sentence_is_worded_as_the_template_says(langs, occupation, variant, sentence)


@pytest.mark.usefixtures("titles")
def test_every_language_has_hundreds_of_occupations_in_five_wordings() -> None:
    for language in SET.about.sources:
        counts = Counter(item.labels["variant"] for item in items(f"{language}-en", "adjectives"))
        assert set(counts) == {"plain", "good", "very-good", "bad", "very-bad"}
        assert min(counts.values()) == max(counts.values()) > 230


@pytest.mark.parametrize(
    ("language", "word", "english", "reason"),
    [
        ("hu", "védőnő", "", "gender"),
        ("hu", "színésznő", "", "gender"),
        ("hu", "színész", "", "gender"),
        ("hu", "szobalány", "", "gender"),
        ("hu", "püspök", "", "religious"),
        ("hu", "mérnök", "", None),
        ("hu", "börtönőr", "", None),
        ("fi", "palomies", "Firefighter", "gender"),
        ("tr", "din adamı", "Cleric", "religious"),
        ("tr", "metal işçisi", "Metal worker", None),
        ("eu", "bellhop", "Bellhop", "untranslated"),
        ("zh", "锯床招标", "Sawing machine tender", "misread"),
        ("ms", "penyelia mekanik pertama", "First-line supervisor of mechanics", "phrase"),
    ],
)
def test_words_that_tell_a_gender_or_were_not_translated_are_left_out(
    language: str, word: str, english: str, reason: str | None
) -> None:
    assert left_out(language, word, english) == reason


def test_no_hungarian_occupation_is_religious_by_its_category() -> None:
    assert {"1132", "2730", "3730"}.isdisjoint(each.feor08 for each in occupations("hu"))


@pytest.mark.usefixtures("titles")
def test_a_word_that_translates_several_titles_stands_once_with_the_codes_of_all() -> None:
    (teller,) = [each for each in occupations("ms") if each.word == "juruwang"]
    assert teller.soc == ("43-3071", "41-2011")
    several = [each for each in occupations("sw") if each.rule == "several"]
    assert all(len(each.soc) > 1 for each in several)


def test_every_template_holds_one_slot_and_every_language_is_known() -> None:
    for row in table("sets/occupations/tables", "templates.tsv"):
        assert row["template"].count("{") == row["template"].count("}") == 1
    assert set(SET.about.sources) == {
        "hu",
        "tr",
        "fi",
        "et",
        "eu",
        "sw",
        "ms",
        "hy",
        "bn",
        "ne",
        "ja",
        "ko",
        "yo",
        "zh",
    }


def test_the_set_is_read_from_english_only() -> None:
    with pytest.raises(InputError, match="read from English pronouns"):
        items("hu-de")


def test_a_language_that_the_set_has_not_is_refused_with_those_it_has() -> None:
    with pytest.raises(InputError, match="set occupations is in hu, tr"):
        items("de-en")


def test_an_unknown_selection_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="Known: adjectives, all, wording"):
        plan.open_set("occupations:colours")


def test_lists_by_hand_have_words_for_people_and_unit_groups_that_exist() -> None:
    wrong_words = {
        "finnish": "matkatoimisto",
        "turkish": "bağış",
        "japanese": "獣医",
        "estonian": "",
        "korean": "",
        "chinese": "",
    }
    for name, wrong in ((f"{language}.tsv", {word}) for language, word in wrong_words.items()):
        rows = table("sets/occupations/tables", name)
        words = [row["occupation"] for row in rows]
        assert len(set(words)) == len(words)
        assert wrong.isdisjoint(words)
        assert {row["isco08"] for row in rows} <= codes.soc_of_isco().keys()
        assert {code for row in rows for code in row["soc"].split()} <= set(codes.soc_titles())
    assert not any(each.word.endswith(("mies", "nainen", "emäntä")) for each in occupations("fi"))
    for language, word in (("tr", "veteriner"), ("ja", "獣医師")):
        veterinarian = next(each for each in occupations(language) if each.word == word)
        assert veterinarian.soc == ("29-1131",)  # veterinarians, not their assistants


@pytest.mark.usefixtures("titles")
def test_every_item_says_whose_words_it_has() -> None:
    words = {language: {item.labels["words"] for item in items(f"{language}-en")} for language in SET.about.sources}
    by_quality = {"official": {"hu", "fi"}, "hand": {"tr", "et", "ja", "ko", "zh"}}
    for quality, wanted in by_quality.items():
        assert {language for language, found in words.items() if found == {quality}} == wanted
    weak = {language for language, found in words.items() if found == {"weak"}}
    assert weak == set(SET.about.sources) - by_quality["official"] - by_quality["hand"]


def test_samples_repeat_every_sentence() -> None:
    challenge = plan.open_set("occupations?samples=3")
    found = list(challenge.items(plan.open_pair("tr-en", challenge)))
    assert [item.id for item in found[:3]] == ["subay/plain/1", "subay/plain/2", "subay/plain/3"]
    assert len({item.source for item in found}) * 3 == len(found)
    assert plan.open_set(challenge.name).name == challenge.name == "occupations:?samples=3"
    with pytest.raises(InputError, match="samples are of the plain sentences"):
        plan.open_set("occupations:adjectives?samples=3")


def test_a_list_of_ones_own_is_linked_by_codes_or_by_english_names(tmp_path: Path) -> None:
    path = tmp_path / "jobs.tsv"
    path.write_text(
        "occupation\tsource\tenglish\tisco08\nõde\tta on õde\tregistered nurse\t\nkirurg\tta on kirurg\tsurgeon\t2212\n"
    )
    challenge = plan.open_set(f"occupations:{path}")
    first, second = challenge.items(plan.open_pair("et-en", challenge))
    assert (first.labels["soc"], first.labels["link"]) == ("29-1141", "title")
    assert (second.labels["isco08"], second.labels["words"], second.source) == ("2212", "own", "ta on kirurg")
    assert challenge.name == "occupations:custom"
    words_alone = tmp_path / "words.csv"
    words_alone.write_text("occupation,soc\nläkare,29-1062\n")
    finnish = plan.open_set(f"occupations:{words_alone}")
    assert next(iter(finnish.items(plan.open_pair("fi-en", finnish)))).source == "hän on läkare"
    with pytest.raises(InputError, match="no sentence is known for ka"):
        finnish.items(plan.open_pair("ka-en", finnish))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("word,english\norvos,doctor\n", ":1: no column occupation"),
        ("occupation,english,notes\norvos,doctor,x\n", ":1: columns notes are not read"),
        ("occupation\norvos\n", ":1: nothing to link by"),
        ("occupation,soc\norvos,29-9999\n", ":2: column soc: '29-9999' is no soc code"),
        ("occupation,english\norvos,doctor\norvos,doctor\n", ":3: column occupation: 'orvos' is already in line 2"),
        ("occupation,english\n,doctor\n", ":2: column occupation: is empty"),
        ("occupation,english\n", ": no rows"),
    ],
)
def test_a_bad_list_is_refused_with_line_and_column(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(text)
    challenge = plan.open_set(f"occupations:{path}")
    with pytest.raises(InputError) as refused:
        challenge.items(plan.open_pair("hu-en", challenge))
    assert words in str(refused.value)
