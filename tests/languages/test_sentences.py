"""Sentences of our own, per language: one file each under ``sentences/``, every one read as its last column says."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.languages.english import known as concepts
from epicene.languages.folder import languages_with, load
from epicene.reader.reader import Reader
from epicene.tables import rows
from epicene.types import Gender, Item, Output, Person

FOLDER = Path(__file__).parent / "sentences"
FILES = sorted(FOLDER.glob("*.tsv"))


def outputs(path: Path) -> list[tuple[Output, Gender]]:
    """concept, number (s or p), other (concept of a second person, or empty), text, gender."""
    found = []
    for row in rows(path.read_text(encoding="utf-8"), path.name):
        # The source only says where people stand: the focus first, then the other, as in most sentences.
        other = (Person(row["other"], 60, row["other"]),) if row["other"] else ()
        focus = Person(row["concept"], 4, row["concept"], row["number"] == "p")
        source = f"The {row['concept']}".ljust(60) + row["other"]
        item = Item(row["text"], source, focus, None, {}, others=other)
        found.append((Output(item, "own", path.stem, row["text"]), Gender(row["gender"])))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_sentence_is_read_as_a_reader_would(path: Path) -> None:
    cases = outputs(path)
    read = list(Reader(path.stem).detect(output for output, _ in cases))
    wrong = [
        f"{wanted} ≠ {verdict.gender} by {verdict.step}: {verdict.output.text}"
        for verdict, (_, wanted) in zip(read, cases, strict=True)
        if verdict.gender is not wanted
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("code", languages_with("occupations.tsv"))
def test_every_language_has_sentences_and_words_for_every_concept(code: str) -> None:
    assert (FOLDER / f"{code}.tsv").is_file()
    assert concepts() <= load(code).lexicon.concepts
