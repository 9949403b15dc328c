"""Vectors of the words that are needed, read straight from whatever file or encoder holds them.

``load`` tells the format by the file's own bytes: word2vec text and binary, GloVe, fastText ``.vec`` and ``.bin``,
gzipped or not, and ``.npy`` with a vocabulary beside it; ``huggingface:DIR`` is an encoder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from epicene.embeddings import arrays, binary, fasttext, text
from epicene.embeddings.source import Row, opened, read
from epicene.errors import InputError

if TYPE_CHECKING:
    from epicene.embeddings.source import Vector

ENCODER = "huggingface:"


class Case(StrEnum):
    """How a word of a list is looked up in a vocabulary."""

    EXACT = "exact"  # as the list spells it
    LOWER = "lower"  # in lower case, for vocabularies that have no capitals
    ANY = "any"  # as the list spells it, else in lower case

    def spellings(self, word: str) -> tuple[str, ...]:
        """What to look for, the best first."""
        if self is Case.LOWER:
            return (word.lower(),)
        return (word,) if self is Case.EXACT else (word, word.lower())


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of the words that were asked for and found."""

    name: str
    case: Case
    rows: Mapping[str, Row]  # by the word asked for; a row's own word is the spelling found

    def __contains__(self, word: object) -> bool:
        return word in self.rows

    def __getitem__(self, word: str) -> Vector:
        return self.rows[word].vector

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return len(next(iter(self.rows.values())).vector)

    def digest(self, words: Iterable[str]) -> str:
        """A checksum of the vectors of some words: all that can change what is computed from them."""
        found = hashlib.sha256()
        for word in sorted(set(words)):
            found.update(word.encode() + b"\0" + self[word].astype("<f8").tobytes())
        return found.hexdigest()[:8]


def named_sources(embeddings: Sequence[str | Path]) -> dict[str, str]:
    """Each embedding once, by its file's name, or by all that was given where two files are called the same."""
    given = list(dict.fromkeys(map(str, embeddings)))
    names = [Path(each).name for each in given]
    return {each if names.count(name) > 1 else name: each for each, name in zip(given, names, strict=True)}


def load(spec: str | Path, words: Iterable[str], case: Case | str = Case.EXACT, sentences: bool = False) -> Vectors:
    """The vectors of the words, from a file or an encoder; words that are not there are simply not in the result.

    With ``sentences`` the words are sentences, which only an encoder can read.
    Refused: a file with none of the words, a wanted word that stands twice, a vector of zeros, NaN or another width.
    """
    case, asked = Case(case), list(dict.fromkeys(words))
    if str(spec).startswith(ENCODER):
        return Vectors(Path(spec).name, case, _checked(_encoded(str(spec), asked, sentences)))
    if sentences:
        raise InputError(f"{spec} has vectors of words, not of sentences; templates need an encoder: {ENCODER}DIR")
    path = Path(spec)
    by_spelling = _checked(_rows(path, {spelling for word in asked for spelling in case.spellings(word)}))
    if not by_spelling:
        raise InputError(_nothing(path, asked, case))
    spelled = {word: next((each for each in case.spellings(word) if each in by_spelling), None) for word in asked}
    return Vectors(path.name, case, {word: by_spelling[each] for word, each in spelled.items() if each is not None})


def _rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    if path.suffix == ".npy":
        return arrays.rows(path, wanted)
    with opened(path) as stream:
        begin = read(stream, f"{path}:1")
    if begin.startswith(fasttext.MAGIC):
        return fasttext.rows(path, wanted)
    return binary.rows(path, wanted) if binary.is_binary(begin) else text.rows(path, wanted)


def _encoded(spec: str, texts: Sequence[str], sentences: bool) -> Iterator[Row]:
    from epicene.embeddings import encoder

    return encoder.rows(spec.removeprefix(ENCODER), texts, sentences)


def _checked(rows: Iterable[Row]) -> dict[str, Row]:
    """Rows by word, each with a direction."""
    import numpy as np

    found: dict[str, Row] = {}
    for row in rows:
        if row.word in found:
            first = found[row.word].where.rpartition(":")[2].strip()
            raise InputError(f"{row.where}: {row.word!r} stands there a second time (first: {first}); remove one")
        if not np.isfinite(row.vector).all():
            raise InputError(f"{row.where}: the vector of {row.word!r} holds NaN or infinity; expected finite numbers")
        if not row.vector.any():
            raise InputError(f"{row.where}: the vector of {row.word!r} is all zeros, so it has no direction")
        found[row.word] = row
    return found


def _nothing(path: Path, asked: Sequence[str], case: Case) -> str:
    some = ", ".join(asked[:3]) + (", …" if len(asked) > 3 else "")
    capitals = case is not Case.LOWER and any(word != word.lower() for word in asked)
    hint = "; if its vocabulary has no capitals, use --case lower" if capitals else "; is it of another language?"
    return f"{path}: none of the {len(asked)} words asked for is there ({some}){hint}"
