"""Vectors of the words that are needed, read straight from whatever file or encoder holds them.

``load`` tells the format by the file's own bytes: word2vec text and binary, GloVe, fastText ``.vec``, packed or not;
arrays go by their names. ``huggingface:DIR`` is an encoder, and what is in memory already, such as a dictionary, is
taken as it is. ``Settings`` say how tests are run on them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from epicene.embeddings import text
from epicene.embeddings.source import InMemory, Row, find_in_memory, opened, read, rows_in_memory
from epicene.errors import InputError, UnknownNameError
from epicene.options import Flag
from epicene.tables import resource

if TYPE_CHECKING:
    from epicene.embeddings.source import Vector

ENCODER = "huggingface:"
# How files begin that hold more than vectors, and how to get these out of them.
_MODELS = (
    (b"\xba\x16O/", "a fastText model", "give its .vec file, which holds the same words as text"),
    (b"\x80", "a pickle, as gensim's .kv", "write it as text: vectors.save_word2vec_format('vectors.vec')"),
)
# Vectors whose rows that tests need come with the package: our own (europarl:de), and spaCy's of French (oscar:fr).
SHIPPED = ("europarl", "oscar")
Embedding = str | Path | InMemory


class Pooling(StrEnum):
    """Where an encoder's vector of a sentence is taken from."""

    AUTO = "auto"  # cls, or last for a model without such a token
    CLS = "cls"  # the last layer at the classification token
    LAST = "last"  # at the last token
    MEAN = "mean"  # the mean over all tokens


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
        digest = hashlib.sha256()
        for word in sorted(set(words)):
            digest.update(word.encode() + b"\0" + self[word].astype("<f8").tobytes())
        return digest.hexdigest()[:8]


def named_sources(embeddings: Embedding | Sequence[Embedding]) -> dict[str, str | InMemory]:
    """Each embedding once, by its file's name, or by all that was given where two files are called the same."""
    alone = isinstance(embeddings, str | Path) or find_in_memory(embeddings) is not None
    several: Sequence[Any] = [embeddings] if alone else list(embeddings)  # type: ignore[arg-type]
    files = list(dict.fromkeys(str(spec) for spec in several if isinstance(spec, str | Path)))
    names = [Path(file).name for file in files]
    sources: dict[str, str | InMemory] = {
        file if names.count(name) > 1 else name: file for file, name in zip(files, names, strict=True)
    }
    objects = [spec for spec in several if not isinstance(spec, str | Path)]
    for number, source in enumerate(objects, 1):
        vectors = find_in_memory(source)
        if vectors is None:
            raise InputError(
                f"an embedding of type {type(source).__name__}; expected a file, a dictionary of words and vectors, "
                "gensim's KeyedVectors or spaCy's vocabulary"
            )
        sources["in memory" if len(objects) == 1 else f"in memory {number}"] = vectors
    if not sources:
        raise InputError("no embedding was given; expected a file of vectors, or vectors in memory")
    return sources


def open_all(
    sources: Mapping[str, Embedding],
    words: Iterable[str],
    case: Case | str,
    sentences: bool = False,
    pooling: Pooling | str = Pooling.AUTO,
) -> Iterator[Vectors]:
    """The vectors of the words from each source, one after the other, under its name."""
    for name, source in sources.items():
        yield replace(load(source, words, case, sentences, pooling), name=name)


def load(
    spec: Embedding,
    words: Iterable[str],
    case: Case | str = Case.EXACT,
    sentences: bool = False,
    pooling: Pooling | str = Pooling.AUTO,
) -> Vectors:
    """The vectors of the words, from a file, from memory or an encoder; words that are not there are not in the result.

    With ``sentences`` the words are sentences, which only an encoder can read.
    Refused: a file with none of the words, a wanted word that stands twice, a vector of zeros, NaN or another width.
    """
    case, asked = Case(case), list(dict.fromkeys(words))
    path = Path(spec) if isinstance(spec, str | Path) else None
    name = path.name if path else "in memory"
    if path and str(spec).startswith(ENCODER):
        return Vectors(name, case, _encode(str(spec), asked, sentences, Pooling(pooling)))
    if sentences:
        raise InputError(f"{name} has vectors of words, not of sentences; templates need an encoder: {ENCODER}DIR")
    wanted = {spelling for word in asked for spelling in case.spellings(word)}
    rows = _checked(_read_file(path, wanted) if path else rows_in_memory(spec, wanted))  # type: ignore[arg-type]
    if not rows:
        some = ", ".join(asked[:3]) + (", …" if len(asked) > 3 else "")
        capitals = case is not Case.LOWER and any(word != word.lower() for word in asked)
        hint = "if its vocabulary has no capitals, use --case lower" if capitals else "is it of another language?"
        raise InputError(f"{path or name}: none of the {len(asked)} words asked for is there ({some}); {hint}")
    spelled = {word: next((form for form in case.spellings(word) if form in rows), None) for word in asked}
    return Vectors(name, case, {word: rows[form] for word, form in spelled.items() if form is not None})


def shipped(spec: str) -> Path:
    """The file of vectors that come with the package: trained on the European Parliament's debates, or on the web."""
    corpus, _, language = spec.partition(":")
    folder = Path(str(resource("embeddings/tables", corpus)))
    known = sorted(path.stem for path in folder.glob("*.npz"))
    if language not in known:
        raise UnknownNameError(f"language of {corpus} vectors", language, known)
    return folder / f"{language}.npz"


def _read_file(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    if str(path).partition(":")[0] in SHIPPED and ":" in str(path):
        path = shipped(str(path))
    if path.suffix in (".npy", ".npz"):
        from epicene.embeddings import arrays

        return arrays.rows(path, wanted)
    if path.suffix == ".safetensors":
        raise InputError(
            f"{path}: tensors without words; write both as .npz: "
            "numpy.savez('vectors.npz', words=numpy.array(words), vectors=vectors)"
        )
    with opened(path) as stream:
        begin = read(stream, f"{path}:1")
    for magic, kind, remedy in _MODELS:
        if begin.startswith(magic):
            raise InputError(f"{path}: {kind}; {remedy}")
    return text.binary_rows(path, wanted) if text.is_binary(begin) else text.rows(path, wanted)


def _encode(spec: str, texts: Sequence[str], sentences: bool, pooling: Pooling) -> dict[str, Row]:
    """Rows by the text that was asked for; a row's own word shows the pieces that it was made of."""
    from epicene.embeddings import encoder

    rows = dict(encoder.rows(spec.removeprefix(ENCODER), texts, sentences, pooling.value))
    if not rows:
        raise InputError(
            f"{spec}: its tokenizer knows none of the {len(texts)} {'sentences' if sentences else 'words'} asked for "
            f"({', '.join(texts[:3])}{', …' if len(texts) > 3 else ''}); is it of another language?"
        )
    for row in rows.values():
        _check(row)
    return rows


def _checked(rows: Iterable[Row]) -> dict[str, Row]:
    """Rows by word, each with a direction."""
    by_word: dict[str, Row] = {}
    for row in rows:
        if row.word in by_word:
            first = by_word[row.word].where.rpartition(":")[2].strip()
            raise InputError(f"{row.where}: {row.word!r} appears twice (first: {first}); remove one")
        _check(row)
        by_word[row.word] = row
    return by_word


def _check(row: Row) -> None:
    """Refuse a vector that has no direction."""
    import numpy as np

    if not np.isfinite(row.vector).all():
        raise InputError(f"{row.where}: the vector of {row.word!r} holds NaN or infinity; expected finite numbers")
    if not row.vector.any():
        raise InputError(f"{row.where}: the vector of {row.word!r} is all zeros, so it has no direction")


DRAWS = 100_000  # as in Kurpicz-Briki 2020
SEED = 20200623


class Method(StrEnum):
    """How partitions are counted."""

    AUTO = "auto"  # all of them where that fits, else drawn
    EXACT = "exact"  # all of them
    MC = "mc"  # drawn at random, seeded


class Missing(StrEnum):
    """What is done about target words that are not in the vocabulary."""

    BALANCE = "balance"  # leave out as many on the other side, those at the same place in the list
    DROP = "drop"  # leave them out, so that sizes may differ
    REFUSE = "refuse"  # do not run the test


@dataclass(frozen=True, slots=True)
class Settings:
    """How a test is run; the defaults are those of the papers, except that p is exact where it can be."""

    ddof: Annotated[int, Flag("Standard deviation: 1 as in the papers; 0 as in some tools.")] = 1
    method: Annotated[Method, Flag("exact: all partitions; mc: a random sample; auto: exact if feasible.")] = (
        Method.AUTO
    )
    draws: Annotated[int, Flag("Number of partitions, where they are sampled.")] = DRAWS
    seed: Annotated[int, Flag("Random seed.")] = SEED
    case: Annotated[
        Case, Flag("exact: as listed; lower: all in lower case; any: as listed, or else in lower case.")
    ] = Case.EXACT
    missing: Annotated[
        Missing, Flag("balance: leave out as many words on the other side; drop: leave out missing words only; refuse.")
    ] = Missing.BALANCE
    coverage: Annotated[float, Flag("Lowest share of each word list that must have vectors.")] = 0.7
    alpha: Annotated[float, Flag("Significance level of the verdict.")] = 0.05
    pooling: Annotated[Pooling, Flag("How an encoder pools a sentence; auto: cls, or else last.")] = Pooling.AUTO

    def __post_init__(self) -> None:
        for name, choices in (("method", Method), ("case", Case), ("missing", Missing), ("pooling", Pooling)):
            value = getattr(self, name)
            if value not in list(choices):
                raise InputError(f"{name} {value!r} is not known; expected {', '.join(choices)}")
            object.__setattr__(self, name, choices(value))  # plain text will do
        if self.ddof not in (0, 1):
            raise InputError(f"ddof {self.ddof} is not known; expected 1 (the papers') or 0")
        if self.draws < 1:
            raise InputError(f"{self.draws} draws cannot give a p-value; expected at least 1, better {DRAWS}")
        if self.seed < 0:
            raise InputError(f"seed {self.seed} is negative; expected a whole number from 0")
        if not 0 < self.coverage <= 1:
            raise InputError(f"coverage {self.coverage:g} is no share; expected more than 0 and at most 1")
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha {self.alpha:g} is no level; expected a number between 0 and 1, such as 0.05")
