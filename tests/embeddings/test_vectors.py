"""Vectors are read from every format alike, and bad files are refused with one line that names the place."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epicene.embeddings import source, text
from epicene.embeddings.vectors import load
from epicene.errors import InputError
from tests.embeddings.conftest import Writer, header, lines, packed

TABLE = {
    "he": [1.0, 0.5, 0.25],
    "she": [-1.0, 0.5, 2.0],
    "NASA": [0.0, 0.0, 1.0],
    "été": [1.5, -2.0, 0.0],
    "I": [3.0, 1.0, 2.0],
}


def test_every_format_gives_the_same_vectors(vector_file: Writer) -> None:
    found = load(vector_file(TABLE), ["she", "été", "I", "NASA", "absent"])
    assert {word: found[word].tolist() for word in found.rows} == {
        word: TABLE[word] for word in ("she", "été", "I", "NASA")
    }
    assert "absent" not in found
    assert found.width == 3


def test_a_word_that_only_begins_like_a_wanted_one_is_another(vector_file: Writer) -> None:
    found = load(vector_file({"hello": [1.0, 1.0], "he": [2.0, 1.0], "her": [3.0, 1.0], "h": [4.0, 1.0]}), ["he", "h"])
    assert {word: found[word].tolist() for word in found.rows} == {"he": [2.0, 1.0], "h": [4.0, 1.0]}


@given(st.integers(1, 40), st.sets(st.text("abé", min_size=1, max_size=5), min_size=1, max_size=30))
@settings(max_examples=60)
def test_pieces_of_any_size_give_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory, size: int, words: set[str]
) -> None:
    path = tmp_path_factory.mktemp("pieces") / "v.txt"
    table = {word: [float(place), 1.0] for place, word in enumerate(sorted(words))}
    for content in (lines(table), header(table) + lines(table), lines(table).rstrip("\n")):
        path.write_text(content, encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(source.read, "__defaults__", (size,))
            found = {row.word: row.vector.tolist() for row in text.rows(path, words)}
        assert found == table


def test_a_word_with_blanks_is_read_and_never_taken_for_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("the 1 2\nat name@domain.com 3 4\nNew York 5 6\nat 7 8\n")
    found = load(path, ["at", "New York"])
    assert {word: found[word].tolist() for word in found.rows} == {"at": [7.0, 8.0], "New York": [5.0, 6.0]}


@pytest.mark.parametrize(
    ("case", "word", "wanted"),
    [
        ("exact", "NASA", "NASA"),
        ("exact", "Nasa", None),
        ("lower", "NASA", "nasa"),
        ("any", "NASA", "NASA"),
        ("any", "Paul", "paul"),
    ],
)
def test_case_is_a_stated_policy(tmp_path: Path, case: str, word: str, wanted: str | None) -> None:
    path = tmp_path / "v.txt"
    path.write_text("NASA 1 2\nnasa 3 4\npaul 5 6\n")
    found = load(path, [word, "paul"], case)
    assert (found.rows[word].word if word in found else None) == wanted


def test_the_digest_knows_the_vectors_that_were_used_and_no_others(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.vec"
    first.write_text("he 1 2\nshe 3 4\nother 5 6\n")
    second.write_text("3 2\nunused 9 9\nshe 3.0 4.0\nhe 1.0 2.0\n")
    digests = {load(path, ["he", "she", "other"]).digest(["she", "he"]) for path in (first, second)}
    assert len(digests) == 1
    second.write_text("he 1 2.0000001\nshe 3 4\n")
    assert load(second, ["he", "she"]).digest(["he", "she"]) not in digests


BAD = {
    "too few numbers": (b"a 1 2 3\nhe 1 2\n", "v:2: 'he' has 2 numbers, expected 3"),
    "too many numbers": (b"a 1 2 3\nhe 1 2 3 4\n", "v:2: 'he' has 4 numbers, expected 3"),
    "another width than the header's": (b"2 4\na 1 2 3 4\nhe 1 2 3\n", "v:3: 'he' has 3 numbers, expected 4"),
    "no number": (b"a 1 2\nhe 1 x\n", "v:2: 'x' in the vector of 'he' is no number"),
    "NaN": (b"a 1 2\nhe 1 nan\n", "v:2: the vector of 'he' holds NaN or infinity"),
    "infinity": (b"he 1 1e999\n", "v:1: the vector of 'he' holds NaN or infinity"),
    "zeros": (b"a 1 2\nhe 0 0.0\n", "v:2: the vector of 'he' is all zeros"),
    "a word twice": (b"he 1 2\na 1 1\nhe 3 4\n", "v:3: 'he' appears twice (first: 1)"),
    "rows missing": (b"9 2\nhe 1 2\n", "v: cut short: its header promises 9 rows, 1 are there"),
    "empty": (b"", "v: no rows"),
    "a header alone": (b"0 300\n", "v: no rows"),
    "no numbers": (b"he\nshe\n", "v:1: a word and no numbers"),
    "none of the words": (b"er 1 2\nsie 3 4\n", "v: none of the 1 words asked for is there"),
    "gzip broken": (gzip.compress(b"a 1 2\n" * 99)[:20] + b"\xff" * 40, "v:1: the file is cut short or broken here"),
    "binary cut short": (
        packed({"he": [1.0, 2.0], "she": [3.0, 4.0]})[:-6],
        "v: row 2 of 2: the file is cut short here",
    ),
    "binary NaN": (packed({"a": [1.0, 2.0], "he": [float("nan"), 1.0]}), "v: row 2: the vector of 'he' holds NaN"),
    "binary zeros": (packed({"a": [1.0, 2.0], "he": [0.0, 0.0]}), "v: row 2: the vector of 'he' is all zeros"),
    "binary without a blank": (b"1 9\na " + b"\xff" * 36 + b"2" * 99_999, "v: none of the 1 words"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_with_file_and_row(tmp_path: Path, name: str) -> None:
    content, message = BAD[name]
    path = tmp_path / "v"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load(path, ["he"])
    assert str(caught.value).startswith(str(tmp_path / message))
    assert "\n" not in str(caught.value)


def test_a_gzip_file_that_is_cut_short_names_the_row_it_could_be_read_to(tmp_path: Path) -> None:
    path = tmp_path / "v.gz"
    path.write_bytes(gzip.compress(b"he 1 2\n" + b"a 1 2\n" * 9999)[:-12])
    with pytest.raises(InputError, match=r"v\.gz:9\d{3}: the file is cut short or broken here"):
        load(path, ["he"])


def test_a_ten_gigabyte_line_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_bytes(b"he 1 2\n")
    os.truncate(path, 10 << 30)  # a hole, so it takes no room
    with pytest.raises(InputError, match=r"v\.txt:2: no line end within 16 MiB"):
        load(path, ["he"])


def test_a_binary_row_without_end_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "v.bin"
    path.write_bytes(packed({"he": [1.5, 2.5]}).replace(b"1 2", b"9 2", 1))
    os.truncate(path, 10 << 30)
    with pytest.raises(InputError, match="row 2 of 9: a word of over 65536 bytes"):
        load(path, ["he"])


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        load(tmp_path, ["he"])
    with pytest.raises(InputError, match="No such file"):
        load(tmp_path / "none.vec", ["he"])


def test_an_array_needs_a_vocabulary_of_its_length(tmp_path: Path) -> None:
    path = tmp_path / "v.npy"
    np.save(path, np.ones((2, 3)))
    with pytest.raises(InputError, match=r"no vocabulary beside it; expected v\.vocab"):
        load(path, ["he"])
    (tmp_path / "v.vocab").write_text("he\nshe\nit\n")
    with pytest.raises(InputError, match=r"v\.vocab: 3 words for the 2 rows"):
        load(path, ["he"])


def test_an_array_is_never_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "v.npy"
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    (tmp_path / "v.vocab").write_text("he\n")
    with pytest.raises(InputError, match="cannot read the array"):
        load(path, ["he"])


def test_an_archive_that_is_called_an_array_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.npy"
    path.write_bytes(b"PK\x03\x04, no zip")
    with pytest.raises(InputError, match="cannot read the array"):
        load(path, ["he"])
    with path.open("wb") as file:
        np.savez(file, vectors=np.ones((1, 2)))
    with pytest.raises(InputError, match="cannot read the array"):
        load(path, ["he"])
