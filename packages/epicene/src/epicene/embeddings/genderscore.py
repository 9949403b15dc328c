"""The gender score of words: how much closer embeddings put them to masculine words than to feminine ones.

For each embedding and list of seed words: the mean cosine to the masculine seeds less that to the feminine ones, scaled
so that the scored words reach from -1, the most feminine, to 1 (equations 1 and 2 of Troles and Schmid 2021). The score
is the mean over all embeddings and lists in which a word has a vector. Drawing the seeds anew, with replacement, shows
how far score and rank hang on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from epicene.embeddings.association import Array, unit_rows
from epicene.embeddings.tables import both_ends, columns
from epicene.embeddings.vectors import Case, Embedding, Vectors, named_sources, open_all
from epicene.embeddings.wordlists import SIDES, Listed, SeedList, read_words, seed_lists, version
from epicene.errors import EvidenceError, InputError
from epicene.output.table import Answer, Cell, Row, Table
from epicene.version import __version__

RESAMPLES = 1000
SEED = 20210801
_BLOCK = 4_000_000  # scores that are held at once while resampling
Column = tuple[str, str]  # embedding and seed list
_WORD = "{word}"
_OCCUPATION = "{occupation}"
PER_SIDE = 10  # as WiBeMT has adjectives
_PRINTED = 50  # words, half of them from each end
_NAMED = 20  # words that a note names


def genderscore(
    embeddings: Embedding | Sequence[Embedding],
    words: str | Path | Iterable[str],
    seeds: str | Path | None = None,
    case: Case | str = Case.ANY,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> GenderScores:
    """Score words by their closeness to gendered words in one or more embeddings.

    ``words`` is a file with one word per line, or a list. ``seeds`` is a table of your own seed words. Phrases are
    looked up with underscores. A word that is listed twice, or an embedding without one side of a list of seeds,
    raises an error.
    """
    if resamples < 1 or seed < 0:
        raise InputError(
            f"{resamples} resamples with seed {seed}: expected at least 1, better {RESAMPLES}, and a seed from 0"
        )
    listed, lists = read_words(words), seed_lists(seeds)
    spelled = {word.word: word.word.replace(" ", "_") for word in listed}
    wanted = [*spelled.values(), *(word for seeds in lists for side in SIDES for word in getattr(seeds, side))]
    by_name = {vectors.name: vectors for vectors in open_all(named_sources(embeddings), wanted, case)}
    coverage = tuple(_cover(vectors, spelled, lists) for vectors in by_name.values())
    scored = [word for word in listed if any(spelled[word.word] in vectors for vectors in by_name.values())]
    if len(scored) < 2:
        raise EvidenceError(f"{len(scored)} of {len(listed)} words have a vector; at least two can be compared")
    names = [spelled[word.word] for word in scored]
    cosines = {
        (name, seeds.name): _cosines(vectors, names, seeds) for name, vectors in by_name.items() for seeds in lists
    }
    scores = {column: _scale(feminine, masculine, column) for column, (feminine, masculine) in cosines.items()}
    digests = [vectors.digest(word for word in wanted if word in vectors) for vectors in by_name.values()]
    signed = ("genderscore", f"seeds:{version(lists)}", f"vectors:{'+'.join(digests)}", f"case:{Case(case)}")
    return GenderScores(
        words=tuple(_rank([word.word for word in scored], scores, _resample(cosines, resamples, seed))),
        columns=tuple(cosines),
        coverage=coverage,
        unscored=tuple(word for word in listed if word not in scored),
        signature="|".join((*signed, f"resampled:{resamples},{seed}", f"v:{__version__}")),
    )


def _cover(vectors: Vectors, spelled: Mapping[str, str], lists: Iterable[SeedList]) -> Coverage:
    counts = {}
    for seeds in lists:
        for side in SIDES:
            words = getattr(seeds, side)
            there = sum(word in vectors for word in words)
            if not there:
                raise EvidenceError(
                    f"{vectors.name}: it has none of the {side} words of the list {seeds.name!r} "
                    f"({', '.join(words[:3])}{', …' if len(words) > 3 else ''}); give an embedding of the language, or "
                    "own --seeds"
                )
            counts[seeds.name, side] = there, len(words)
    missing = tuple(word for word, spelling in spelled.items() if spelling not in vectors)
    return Coverage(vectors.name, vectors.width, missing, counts)


def _cosines(vectors: Vectors, words: Sequence[str], seeds: SeedList) -> tuple[Array, Array]:
    """Cosines of each word to the feminine and to the masculine seeds; NaN for words without a vector."""

    def rows(names: Iterable[str]) -> Array:
        absent = np.full(vectors.width, np.nan)
        return unit_rows(np.array([vectors.rows[name].vector if name in vectors.rows else absent for name in names]))

    feminine, masculine = (rows(word for word in getattr(seeds, side) if word in vectors) for side in SIDES)
    targets = rows(words)
    return targets @ feminine.T, targets @ masculine.T


def _scale(feminine: Array, masculine: Array, column: Column) -> Array:
    raw = masculine.mean(axis=1) - feminine.mean(axis=1)
    scaled = _stretch(raw[:, None])[:, 0]
    if not (scaled == scaled).any():
        raise EvidenceError(f"{column[0]}: fewer than two different words of the list are there, so none can be scaled")
    return scaled


def _stretch(raw: Array) -> Array:
    """Scores of words (rows) stretched to reach from -1 to 1 in each column (equation 2)."""
    low, high = np.nanmin(raw, axis=0), np.nanmax(raw, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        stretched: Array = -1 + 2 * (raw - low) / (high - low)
    return stretched


def _resample(columns: Mapping[Column, tuple[Array, Array]], resamples: int, seed: int) -> Array:
    """The score of each word (rows) for each drawing of the seeds."""

    chance = np.random.default_rng(seed)
    size = len(next(iter(columns.values()))[0])
    block = max(1, _BLOCK // size)
    parts = []
    for start in range(0, resamples, block):
        number = min(block, resamples - start)
        total, there = np.zeros((size, number)), np.zeros((size, 1))
        for feminine, masculine in columns.values():
            drawn = _draw(masculine, number, chance) - _draw(feminine, number, chance)
            stretched = _stretch(drawn)
            known = ~np.isnan(stretched).all(axis=1, keepdims=True)
            total += np.where(known, stretched, 0)
            there += known
        parts.append(total / there)
    return np.hstack(parts)


def _draw(cosines: Array, number: int, chance: np.random.Generator) -> Array:
    """Mean cosines to seeds drawn with replacement; a single seed is itself each time."""
    seeds = cosines.shape[1]
    weights = chance.multinomial(seeds, np.full(seeds, 1 / seeds), size=number) / seeds
    means: Array = cosines @ weights.T
    return means


def _rank(words: Sequence[str], scores: Mapping[Column, Array], resampled: Array) -> Iterator[WordGender]:
    combined = np.nanmean(np.column_stack(list(scores.values())), axis=1)
    lows, highs = np.quantile(resampled, [0.025, 0.975], axis=1)
    ranks = resampled.argsort(axis=0).argsort(axis=0) + 1
    rank_lows, rank_highs = np.quantile(ranks, [0.025, 0.975], axis=1, method="nearest")
    for rank, index in enumerate(np.argsort(combined, kind="stable"), 1):
        parts = {column: float(values[index]) for column, values in scores.items() if values[index] == values[index]}
        interval = float(lows[index]), float(highs[index]), rank, int(rank_lows[index]), int(rank_highs[index])
        yield WordGender(words[index], float(combined[index]), *interval, parts)


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

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        return {**asdict(self), "scores": {" ".join(column): score for column, score in self.scores.items()}}


@dataclass(frozen=True, slots=True)
class Coverage:
    """What an embedding has of the words and seeds."""

    embedding: str
    width: int
    missing: tuple[str, ...]  # words without a vector here
    seeds: Mapping[tuple[str, str], tuple[int, int]]  # by list and side: found, of how many


@dataclass(frozen=True, slots=True, repr=False)
class GenderScores(Answer):
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
            "words": [word.as_dict() for word in self.words],
            "unscored": [word._asdict() for word in self.unscored],
            "embeddings": [
                {**asdict(part), "seeds": {" ".join(key): list(value) for key, value in part.seeds.items()}}
                for part in self.coverage
            ],
        }

    def tables(self) -> Iterable[Table]:
        """Words, the most feminine first; of a long list both ends."""
        total = len(self.words) + len(self.unscored)
        lines = []
        for part in self.coverage:
            lines.append(f"{part.embedding}: {total - len(part.missing)} of {total} words, {part.width} numbers each")
            seeds = (f"{there}/{of} {side} {name}" for (name, side), (there, of) in part.seeds.items())
            lines.append(f"  seeds: {', '.join(seeds)}")
        rows = tuple(self._cells(word) if word else ("…",) * 6 for word in both_ends(self.words, _PRINTED))
        titles = columns("word", "score", "95 % interval", "rank", "ranks", "parts")
        yield Table("\n".join(lines), titles, rows, tuple(self._notes()), (self.signature,))

    def _cells(self, word: WordGender) -> tuple[Cell, ...]:
        bounds, ranks = f"[{word.low:+.3f}, {word.high:+.3f}]", f"[{word.rank_low}, {word.rank_high}]"
        return word.word, f"{word.score:+.3f}", bounds, word.rank, ranks, f"{len(word.scores)}/{len(self.columns)}"

    def _notes(self) -> Iterator[str]:
        """What is left out of the table, and the words that have no vector."""
        if len(self.words) > _PRINTED:
            yield f"{len(self.words)} words scored; -o TSV writes them all"
        for word in self.unscored[:_NAMED]:
            why = "a phrase; embeddings hold words" if " " in word.word else "in no embedding"
            yield f"not scored: {word.where}: {word.word} ({why})"
        if len(self.unscored) > _NAMED:
            yield f"not scored: {len(self.unscored) - _NAMED} more, see -f json"
        unscored = {word.word for word in self.unscored}
        for part in self.coverage:
            partly = [word for word in part.missing if word not in unscored]
            if partly:
                more = f" and {len(partly) - _NAMED} more" if len(partly) > _NAMED else ""
                yield f"not in {part.embedding}: {', '.join(partly[:_NAMED])}{more}"

    def rows(self) -> list[Row]:
        """One row per word, with its score by each embedding and list."""
        records = [word.as_dict() for word in self.words]
        return [record | record.pop("scores") for record in records]

    def list_lines(self) -> list[list[str]]:
        """The scores as a table with a header, a column for each embedding and list."""
        names = [f"{embedding} {seeds}" for embedding, seeds in self.columns]
        lines = [["word", "score", "low", "high", "rank", "rank_low", "rank_high", *names]]
        for word in self.words:
            numbers = [f"{value:.5f}" for value in (word.score, word.low, word.high)]
            ranks = [str(rank) for rank in (word.rank, word.rank_low, word.rank_high)]
            parts = [f"{word.scores[column]:.5f}" if column in word.scores else "" for column in self.columns]
            lines.append([word.word, *numbers, *ranks, *parts])
        return lines


@dataclass(frozen=True, slots=True)
class Chosen:
    """The words at either end that stand out, each end from its farthest."""

    feminine: tuple[WordGender, ...]
    masculine: tuple[WordGender, ...]

    def rows(self, sentence: str = "") -> list[list[str]]:
        """Lines of a set's file: word and class, and with a sentence the template of a verb."""
        lines = [["verb", "class", "template"] if sentence else ["adjective", "class"]]
        for name, words in (("feminine", self.feminine), ("masculine", self.masculine)):
            lines += [[word.word, name, *([sentence.replace(_WORD, word.word)] if sentence else [])] for word in words]
        return lines


def choose(scores: GenderScores, per_side: int = PER_SIDE, threshold: float = 0.0) -> Chosen:
    """The words at either end: beyond the threshold, and with an interval that leaves out zero."""
    feminine = [word for word in scores.words if word.score <= -threshold and word.high < 0]
    masculine = [word for word in reversed(scores.words) if word.score >= threshold and word.low > 0]
    if min(len(feminine), len(masculine)) < per_side:
        raise EvidenceError(
            f"{len(feminine)} feminine and {len(masculine)} masculine words are beyond {threshold:g} and sure of their "
            f"side; {per_side} a side are wanted; give more words, or lower --per-side or --threshold"
        )
    return Chosen(tuple(feminine[:per_side]), tuple(masculine[:per_side]))


def check_sentence(sentence: str) -> None:
    """Refuse a sentence that cannot hold a word and an occupation."""
    if sentence.count(_WORD) != 1 or sentence.count(_OCCUPATION) != 1:
        raise InputError(
            f"--sentence {sentence!r}; expected one {_OCCUPATION} and one {_WORD} in it, "
            f"as in: The {_OCCUPATION} likes to {_WORD}."
        )


def describe_chosen(chosen: Chosen, path: Path, verbs: bool) -> str:
    """The words of a set of one's own, and the command that makes its sentences."""
    part = "verbs" if verbs else "adjectives"
    feminine, masculine = (
        ", ".join(f"{word.word} {word.score:+.2f}" for word in words) for words in (chosen.feminine, chosen.masculine)
    )
    return (
        f"feminine: {feminine}\nmasculine: {masculine}\n"
        f"{path}: {len(chosen.feminine)} + {len(chosen.masculine)} words; next:\n"
        f"epicene sets export 'wibemt-{part}?{part}={path}'"
    )
