"""Corpora: bad lines are refused or counted, tests are kept apart, people are taught evenly."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.languages import folder
from epicene.tables import table as core_table
from epicene_lab import augment, corpus, pieces
from epicene_lab.corpus import Dropped
from epicene_lab.tables import table

TARGETS = ("de", "es", "fr", "it", "pt")


def test_a_line_with_a_tab_inside_is_refused() -> None:
    with pytest.raises(InputError, match=r"pairs.tsv:2: 3 columns; expected 2"):
        list(corpus.read_pairs(["a\tb", "a\tb\tc"], "pairs.tsv", Dropped()))


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.tsv").write_bytes("Go.\tVe al ni\xf1o.\n".encode("latin1"))
    with pytest.raises(InputError, match=r"latin.tsv:1: not UTF-8"):
        list(corpus.read_pairs(read_lines(tmp_path / "latin.tsv"), "latin.tsv", Dropped()))


def test_empty_sides_and_endless_lines_are_counted() -> None:
    dropped = Dropped()
    lines = ["Go.\t", "\tVe.", "Go.\tVe.", "word " * 10_000 + "\tpalabra"]
    assert list(corpus.read_pairs(lines, "p", dropped)) == [("Go.", "Ve.")]
    assert str(dropped) == "2 with an empty side, 1 longer than 200 words"


def test_what_shares_a_side_with_a_test_is_kept_apart() -> None:
    dropped = Dropped()
    found = [("Go!", "Ve."), ("Run.", "Corre."), ("Stop.", "¡PARA!"), ("Run.", "Corre.")]
    tested = frozenset(map(corpus.key, ["go", "Para"]))
    assert list(corpus.keep_apart(found, tested, dropped)) == [("Run.", "Corre.")]
    assert dropped.why == {"shared with a test": 2, "repeated": 1}


def test_invisible_letters_are_left_out() -> None:
    assert corpus.clean("saß da \u200b\u200bund\u00a0 hörte\tzu") == "saß da und hörte zu"


@pytest.mark.parametrize("target", TARGETS)
def test_people_are_taught_in_both_genders_equally_often(target: str) -> None:
    feminine, masculine = Counter[str](), Counter[str]()
    for row in table("augmentation", "people.tsv"):
        forms = row[target].split("|")
        assert len(forms) == 4, row
    found = list(augment.make_pairs(target))
    for source, _ in found:
        words = set(re.findall(r"\w+", source.lower()))
        feminine[source] += bool(words & {"she", "her", "female", "women", "woman", "mrs"})
        masculine[source] += bool(words & {"he", "his", "male", "men", "man", "mr"})
    assert feminine.total() == masculine.total() > 1000
    assert not any("{" in side or "[" in side for pair in found for side in pair)


@pytest.mark.parametrize("target", TARGETS)
def test_taught_words_stand_in_the_lexicon_with_their_gender(target: str) -> None:
    language = folder.load(target)
    fits = {True: {"feminine", "feminine?", "either", "masculine?"}, False: {"masculine", "masculine?", "either"}}
    for row in table("augmentation", "people.tsv"):
        for place, form in enumerate(row[target].split("|")):
            words = tuple(map(language.writing.fold, language.writing.word.findall(form)))
            readings = [each.readings for each in language.lexicon.find(words[0]) if each.words == words]
            assert any(each.get(row["concept"]) in fits[bool(place % 2)] for each in readings), (row["concept"], form)


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("the female psychologist", "it", "la psicologa"),
        ("the male psychologist", "it", "lo psicologo"),
        ("a male psychologist", "it", "uno psicologo"),
        ("the female author", "it", "l'autrice"),
        ("a female author", "it", "un'autrice"),
        ("a male author", "it", "un autore"),
        ("All the students in this house are men.", "it", "Tutti gli studenti di questa casa sono uomini."),
        ("All the nurses in this house are women.", "it", "Tutte le infermiere di questa casa sono donne."),
        ("All the cooks in this house are men.", "it", "Tutti i cuochi di questa casa sono uomini."),
        ("a female surgeon", "pt", "uma cirurgiã"),
        ("All the judges in this house are men.", "pt", "Todos os juízes desta casa são homens."),
    ],
)
def test_articles_follow_gender_number_and_first_letter(source: str, target: str, said: str) -> None:
    assert dict(augment.make_pairs(target))[source] == said


def test_no_frame_of_a_challenge_set_is_taught() -> None:
    word = r"[\w'-]+(?: [\w'-]+){0,2}"
    templates = [row["template"] for row in core_table("sets/simplegen/tables", "templates.tsv")]
    parts = [[re.escape(part) for part in re.split(r"\{[\w-]+\}", template)] for template in templates]
    frames = [re.compile(word.join(part), re.IGNORECASE) for part in parts]
    taught = {source for target in TARGETS for source, _ in augment.make_pairs(target)}
    assert not [source for source in taught for frame in frames if frame.fullmatch(source)]


@pytest.mark.data
def test_no_sentence_of_a_challenge_set_is_taught(published: Path) -> None:
    taught = {corpus.key(source) for target in TARGETS for source, _ in augment.make_pairs(target)}
    sets = {"simplegen/simplegen_en.tsv": 5, "winomt/en.tsv": 2, "wibemt/verb_sentences.tsv": 3}
    for path, column in sets.items():
        lines = list(read_lines(published / path))[1:]
        assert not taught & {corpus.key(line.split("\t")[column]) for line in lines}


def test_a_target_without_tag_is_refused(tmp_path: Path) -> None:
    lines = [f"{source} {target}" for source, target in augment.make_pairs("de")][:3000]
    pieces.learn(lines, 300, [pieces.name_tag("de"), pieces.name_tag("es")], tmp_path / "m")
    model = pieces.open_processor(tmp_path / "m")
    assert pieces.encode(model, ["the nurse"], "es")[0][0] == model.piece_to_id("<2es>")
    with pytest.raises(InputError, match="no tag for target 'hu'; it knows: de, es"):
        pieces.encode(model, ["the nurse"], "hu")


def test_too_large_a_vocabulary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no vocabulary of 8000 pieces"):
        pieces.learn(["a b c", "d e f"], 8000, [], tmp_path / "m")
