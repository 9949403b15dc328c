"""English pronouns are read in every form a translator gives them."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest

from epicene.reader.english import GENDERS, Pronoun, read
from epicene.types import Gender
from tests.conftest import output

HERE = Path(__file__).parent


def labelled(path: Path) -> list[tuple[str, str]]:
    """Two columns below a header."""
    rows = path.read_text(encoding="utf-8").splitlines()[1:]
    return [(first, second) for first, _, second in (row.partition("\t") for row in rows)]


def sentences() -> list[tuple[str, str]]:
    rows = labelled(HERE / "sentences" / "pronoun.tsv")
    return [(form, text.replace(r"\n", "\n").replace(r"\u00a0", "\u00a0")) for form, text in rows]


def test_the_sentences_have_every_form() -> None:
    assert Counter(form for form, _ in sentences()).keys() == GENDERS.keys()
    assert len(sentences()) >= 500


def test_at_least_995_in_a_thousand_sentences_are_read_right() -> None:
    wrong = [(form, read(text)[0], text) for form, text in sentences() if read(text)[0] != form]
    assert len(wrong) <= 0.005 * len(sentences()), wrong


def test_real_sentences_about_jobs_are_read_as_people_read_them(published: Path) -> None:
    wanted = {int(line): form for line, form in labelled(HERE / "labels" / "pronoun.tatoeba.tsv")}
    with gzip.open(published / "parallel" / "tatoeba_eng-deu.tsv.gz", "rt", encoding="utf-8") as stream:
        texts = {number: line.partition("\t")[0] for number, line in enumerate(stream, 1) if number in wanted}
    wrong = [texts[number] for number, form in wanted.items() if read(texts[number])[0] != form]
    assert len(wrong) <= 0.02 * len(wanted), wrong


@pytest.mark.parametrize(
    ("text", "gender", "method", "evidence"),
    [
        ("He's a nurse.", Gender.MASCULINE, "he", ["He"]),
        ("His wife says she is a doctor.", Gender.FEMININE, "she", ["she"]),
        ("They are a baker.", Gender.NEUTRAL, "they", ["They"]),
        ("He or she is a clerk.", Gender.NEUTRAL, "he-or-she", ["He or she"]),
        ("She is a cook. He is a cook.", Gender.NEUTRAL, "both", ["She", "He"]),
        ("An IT engineer.", Gender.UNKNOWN, "none", []),
        ("", Gender.UNKNOWN, "none", []),
    ],
)
def test_a_verdict_shows_the_words_that_decided_it(text: str, gender: Gender, method: str, evidence: list[str]) -> None:
    (verdict,) = Pronoun().detect([output("ő egy orvos", text, "orvos", target="en")])
    assert (verdict.gender, verdict.step) == (gender, method)
    assert [each.text for each in verdict.evidence] == evidence
    assert all(text[each.start : each.end] == each.text for each in verdict.evidence)
