"""The text of the bundled translator: what is chosen, what is left out, and how it comes back as pieces."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from epicene.errors import InputError
from epicene.sets import files as sets
from epicene_lab import arrays, augment, corpus, pieces
from epicene_lab.corpus import CORPUS, PIECES
from epicene_lab.recipes.bundled import chosen, english, measured, packed, tokenised
from epicene_lab.recipes.bundled.tested import SETS
from epicene_lab.speech import people as speech
from epicene_lab.tables import table
from epicene_models import BUNDLED as FOLDER

TRANSLATED = "The harvest was poor that year."
UNTRANSLATED = "We thank all who came today."
TESTED = "The vote is closed at last."


@pytest.fixture
def debates(tmp_path: Path) -> Path:
    """Three sentences in two languages; one was left in a third, and one is tested on."""
    finnish = "Kiitämme kaikkia tänään tulleita."
    rows = {
        "de": [(TRANSLATED, "Die Ernte war dürftig."), (UNTRANSLATED, finnish), (TESTED, "Es ist aus und vorbei.")],
        "it": [(TRANSLATED, "Il raccolto fu scarso."), (UNTRANSLATED, finnish), (TESTED, "Il voto è chiuso qui.")],
    }
    for language, pairs in rows.items():
        text = "".join(f"{source}\t{said}\n" for source, said in pairs)
        (tmp_path / f"{language}.tsv").write_text(text, encoding="utf-8")
    return tmp_path


def test_what_was_never_translated_or_is_tested_is_not_chosen(debates: Path) -> None:
    found = chosen.choose_parallel(debates, ["de", "it"], frozenset([corpus.key(TESTED)]), 10)
    assert found == {"en": [TRANSLATED], "de": ["Die Ernte war dürftig."], "it": ["Il raccolto fu scarso."]}


def test_text_is_taken_from_a_clone_of_the_debates(tmp_path: Path) -> None:
    said = {"en": (TRANSLATED, TESTED), "de": ("Die Ernte war dürftig.", "Es ist aus und vorbei.")}
    said["it"] = ("Il raccolto fu scarso.", "Il voto è chiuso qui.")
    for language, lines in said.items():
        path = tmp_path / "proceedings" / "xml" / language / f"20010101.{language.upper()}.xml"
        path.parent.mkdir(parents=True)
        paragraphs = "".join(f"<p>{line}</p>" for line in lines)
        path.write_text(f'<text><intervention id="1">{paragraphs}</intervention></text>', encoding="utf-8")
    found = chosen.choose_parallel(tmp_path, ["de", "it"], frozenset([corpus.key(TESTED)]), 10)
    assert found == {language: [lines[0]] for language, lines in said.items()}


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("It costs 12 euros.", "Es kostet 15 Euro."),
        ("Mr President, I agree with you.", "Herr Präsident, ich stimme Ihnen zu."),
        ("Is that so, my friend?", "Das ist so, mein Freund."),
        ("He left the house early today.", "Er ging."),
        ("That is true n� 3 of it.", "Das ist wahr daran."),
    ],
)
def test_doubtful_pairs_are_left_out(source: str, target: str) -> None:
    assert not chosen.is_translation(source, target)
    assert chosen.is_translation("He left the house early today.", "Er ging heute früh aus dem Haus.")


def test_rare_words_come_first() -> None:
    usual = [f"It is so number {number}." for number in range(200)]
    found = chosen._varied([*usual, "A groundskeeper sneezed."], 60)
    assert "A groundskeeper sneezed." in found
    assert len(found) == 60


def test_text_that_lost_lines_is_refused(tmp_path: Path) -> None:
    packed.write(tmp_path, "europarl", {"en": ["One.", "Two."], "de": ["Eins."]})
    with pytest.raises(InputError, match=r"1 lines, but europarl\.en\.bz2 has 2"):
        list(packed.read(tmp_path))


def test_copies_are_cut_at_random_and_asked_for_by_tag(tmp_path: Path) -> None:
    pairs = list(augment.make_pairs("pt"))[:2000]
    pieces.learn(
        [side for pair in pairs for side in pair], 500, [pieces.name_tag("it"), pieces.name_tag("pt")], tmp_path / "m"
    )
    (tmp_path / "all").mkdir()
    (tmp_path / "m").rename(tmp_path / "all" / PIECES)
    some = pairs[:50]
    packed.write(tmp_path, "people-pt", {"en": [pair[0] for pair in some], "pt": [pair[1] for pair in some]})
    (tmp_path / "jobs.json").write_text(json.dumps([{"training": {"sampling": 0.3, "longest": 60}}]), encoding="utf-8")
    list(tokenised.tokenise(tmp_path, {"people": 2}, workers=1))
    found = arrays.load(tmp_path / "all" / CORPUS)
    tool = pieces.open_processor(tmp_path / "all" / PIECES)
    sources = np.split(found["source0"].astype(int), np.cumsum(found["source0.lengths"].astype(int))[:-1])
    assert len(sources) == found["pairs"] == 100
    assert {int(source[0]) for source in sources} == {tool.piece_to_id("<2pt>")}
    assert [tool.decode(source[1:-1].tolist()) for source in sources] == [pair[0] for pair in some] * 2
    assert any(len(first) != len(again) for first, again in zip(sources[:50], sources[50:], strict=True))


@pytest.mark.parametrize("language", ["hu", "fi", "tr"])
def test_sentences_that_name_jobs_tell_no_gender_and_are_none_of_the_set(language: str) -> None:
    pairs = list(english.name_jobs(language))
    assert len(pairs) >= 8 * 250
    tested = {each for sentence in english.list_occupations(language)[::7] for each in corpus.list_near(sentence)}
    assert tested.isdisjoint(each for said, _ in pairs for each in corpus.list_near(said))
    assert not {"he", "she", "his", "her", "him"} & {word for _, text in pairs for word in text.lower().split()}


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "pt"])
def test_people_to_whom_things_are_done_are_women_as_often_as_men(language: str) -> None:
    said = " ".join(pair[1] for pair in chosen.make_deeds(language))
    people = {row["concept"]: row[language].split("|")[:2] for row in table("augmentation", "people.tsv")}
    for concept in ("farmer", "driver", "carpenter" if language == "de" else "baker"):
        men, women = (len(re.findall(rf"\b{form}(?:s|n)?\b", said)) for form in people[concept])
        assert men == women > 80


@pytest.mark.data
def test_sentences_of_our_own_share_no_frame_with_a_challenge_set(published: Path) -> None:
    sets.add("winomt", published / "winomt")
    tested = speech.spans_of(sentence for name in SETS for sentence in corpus.read_challenge_sentences(name))
    assert not tested & speech.spans_of(pair[0] for pair in [*chosen.make_deeds("pt"), *chosen.make_everyday("pt")])


def test_articles_and_cases_are_right() -> None:
    assert (
        dict(chosen.make_everyday("it")).items()
        >= {
            "This is an egg.": "Questo è un uovo.",
            "I counted ten eggs.": "Ho contato dieci uova.",
            "The mirror is very old.": "Lo specchio è molto vecchio.",
            "We talked about the island all day.": "Abbiamo parlato dell'isola tutto il giorno.",
            "My sister baked a cake.": "Mia sorella ha fatto una torta.",
        }.items()
    )
    assert list(chosen.make_everyday("de")) == []
    german, french = dict(chosen.make_deeds("de")), dict(chosen.make_deeds("fr"))
    assert german["Someone stole the dentist's car while he was asleep."].startswith(
        "Jemand hat das Auto des Zahnarztes"
    )
    assert german["Someone stole the patient's car while he was asleep."].startswith(
        "Jemand hat das Auto des Patienten"
    )
    assert french["The artist's hair is grey, and she wears glasses."].startswith("Les cheveux de l'artiste")
    assert french["The baker's hair is grey, and he wears glasses."].startswith("Les cheveux du boulanger")


def test_people_are_looked_for_in_every_place() -> None:
    people = [row for row in table("augmentation", "people.tsv") if row["concept"] in ("artist", "farmer")]
    found = list(measured.list_unnamed(FOLDER, [*people, {**people[0], "de": "|".join(["Xyz"] * 4)}]))
    assert "en-de who, 'The ... opened the window.': 1 of 3 not named: artist" in found
    assert len(found) == 5 * sum(map(len, measured.PLACES.values()))
