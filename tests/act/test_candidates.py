"""Files of n-best lists: the formats, and what is refused, where and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from epicene.act import candidates
from epicene.errors import InputError
from epicene.types import Candidate

LISTS = [[Candidate("Der Arzt schläft.", -1.5), Candidate("Die Ärztin schläft.", -2.0)], [Candidate("Ja.", -0.1)]]
BARRED = "0 ||| Der Arzt schläft. ||| -1.5\n0 ||| Die Ärztin schläft. ||| -2\n1 ||| Ja. ||| -0.1\n"
OBJECTS = (
    '{"source": "The doctor sleeps.", "candidates": [{"text": "Der Arzt schläft.", "score": -1.5}, '
    '{"text": "Die Ärztin schläft.", "score": -2}]}\n{"candidates": [{"text": "Ja.", "score": -0.1}]}\n'
)


def written(folder: Path, text: str) -> Path:
    path = folder / "lists"
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, size: int) -> list[list[Candidate]]:
    return candidates.read_lists(path, ["The doctor sleeps.", "Yes."][:size], "the text")


@pytest.mark.parametrize("text", [BARRED, OBJECTS, BARRED.replace("||| -", "||| lm=-3 tm=-2 ||| -")])
def test_every_format_gives_the_same_lists(tmp_path: Path, text: str) -> None:
    assert read(written(tmp_path, text), 2) == LISTS


def test_lists_may_be_counted_from_one_and_need_no_scores(tmp_path: Path) -> None:
    counted = BARRED.replace("1 |||", "2 |||").replace("0 |||", "1 |||")
    assert read(written(tmp_path, counted), 2) == LISTS
    bare = read(written(tmp_path, '{"candidates": ["Ja.", "Doch."]}\n'), 1)
    assert bare == [[Candidate("Ja."), Candidate("Doch.")]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("0 ||| Ja. ||| gut\n", "lists:1: score 'gut' is no number"),
        ("0 ||| Ja. ||| nan\n", "lists:1: score 'nan' is no number"),
        ("0 ||| Ja. ||| -1\n2 ||| Nein. ||| -1\n", "lists:2: list 2 follows list 0; list 1 is missing"),
        (
            "0 ||| Ja. ||| -1\n1 ||| A ||| -1\n0 ||| B ||| -1\n",
            "lists:3: list 0 follows list 1; list 0 was there before",
        ),
        ("5 ||| Ja. ||| -1\n", "lists:1: the first list has the number 5; list 1 is missing"),
        ("0 ||| Ja.\n", "lists:1: expected number ||| translation ||| score"),
        (
            '{"candidates": [{"text": "Ja.", "score": -1}, "Doch."]}\n',
            "lists:1: no score, but others of the list have one",
        ),
        ("line\ttext\n1\tJa.\n", "lists:1: expected number ||| translation ||| score"),
        ('{"candidates": []}\n', "lists:1: no candidates"),
        (
            '{"candidates": [{"text": "Ja.", "score": "much"}]}\n',
            'lists:1: candidates[0].score is "much"; expected a number',
        ),
        ('{"candidates": [{"score": 1}]}\n', "lists:1: no candidates[0].text"),
        ('{"candidates": [{"text": "Ja.", "score": true}]}\n', "candidates[0].score is true; expected a number"),
        ('{"candidates": \n', "lists:1: not JSON"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        read(written(tmp_path, text), 1)


def test_lists_of_another_text_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, OBJECTS)
    assert candidates.read_lists(path, ["The doctor sleeps.", "Yes."], "the text") == LISTS
    with pytest.raises(InputError, match="has 2 lists, the text has 3 sentences"):
        candidates.read_lists(path, ["a", "b", "c"], "the text")
    with pytest.raises(InputError, match=r"lists:1: a list for 'The doctor sleeps\.', but the text has 'No\.' there"):
        candidates.read_lists(path, ["No.", "Yes."], "the text")


def test_a_list_comes_back_from_the_cache_as_it_was() -> None:
    assert candidates.decode_list(candidates.encode_list(LISTS[0])) == LISTS[0]
