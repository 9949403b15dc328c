"""What gender scores came to, typed: words from the most feminine to the most masculine, and what is behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from epicene.embeddings.seeds import Listed
from epicene.rows import as_html, frame
from epicene.version import __version__

if TYPE_CHECKING:
    from pandas import DataFrame

Column = tuple[str, str]  # embedding and seed list


@dataclass(frozen=True, slots=True)
class WordGender:
    """A word's score, negative where it is feminine, and its rank from the most feminine one, both with intervals."""

    word: str
    score: float
    low: float
    high: float
    rank: int
    rank_low: int
    rank_high: int
    scores: Mapping[Column, float]  # scaled, of each embedding and list that has the word


@dataclass(frozen=True, slots=True)
class Coverage:
    """What an embedding has of the words and seeds."""

    embedding: str
    width: int
    missing: tuple[str, ...]  # words without a vector here
    seeds: Mapping[tuple[str, str], tuple[int, int]]  # by list and side: found, of how many


@dataclass(frozen=True, slots=True)
class GenderScores:
    """All words, the most feminine first, with what could not be scored."""

    words: tuple[WordGender, ...]
    columns: tuple[Column, ...]
    coverage: tuple[Coverage, ...]
    unscored: tuple[Listed, ...]  # words without a vector in any embedding
    signature: str

    def as_dict(self) -> dict[str, Any]:
        """The scores as JSON has them."""
        return {
            "epicene": __version__,
            "signature": self.signature,
            "n": len(self.words),
            "words": [_record(word) for word in self.words],
            "unscored": [{"word": each.word, "where": each.where} for each in self.unscored],
            "embeddings": [
                {
                    "embedding": each.embedding,
                    "width": each.width,
                    "missing": list(each.missing),
                    "seeds": {" ".join(key): list(value) for key, value in each.seeds.items()},
                }
                for each in self.coverage
            ],
        }

    def rows(self) -> list[list[str]]:
        """The scores as a table with a header, a column for each embedding and list."""
        names = [f"{embedding} {seeds}" for embedding, seeds in self.columns]
        header = ["word", "score", "low", "high", "rank", "rank_low", "rank_high", *names]
        found = [header]
        for each in self.words:
            numbers = [f"{value:.5f}" for value in (each.score, each.low, each.high)]
            ranks = [str(rank) for rank in (each.rank, each.rank_low, each.rank_high)]
            parts = [f"{each.scores[column]:.5f}" if column in each.scores else "" for column in self.columns]
            found.append([each.word, *numbers, *ranks, *parts])
        return found

    def to_frame(self) -> DataFrame:
        """A pandas table with one row per word."""
        return frame([_flat(word) for word in self.words])

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        return as_html("gender scores", [_flat(word) for word in self.words], [self.signature])


def _flat(each: WordGender) -> dict[str, Any]:
    record = _record(each)
    return {**record, **record.pop("scores")}


def _record(each: WordGender) -> dict[str, Any]:
    scores = {" ".join(column): score for column, score in each.scores.items()}
    plain = ("word", "score", "low", "high", "rank", "rank_low", "rank_high")
    return {**{name: getattr(each, name) for name in plain}, "scores": scores}
