"""The gender score of words: how much closer embeddings put them to masculine words than to feminine ones.

For each embedding and list of seed words: the mean cosine to the masculine seeds less that to the feminine ones, scaled
so that the scored words reach from -1, the most feminine, to 1 (equations 1 and 2 of Troles and Schmid 2021). The score
is the mean over all embeddings and lists in which a word has a vector. Drawing the seeds anew, with replacement, shows
how far score and rank hang on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.embeddings.tables import score_tables
from epicene.embeddings.vectors import Case, Embedding, Vectors, load, named_sources
from epicene.embeddings.wordlists import SIDES, Listed, SeedList, read_words, seed_lists, version
from epicene.errors import EvidenceError, InputError
from epicene.output.table import Answer, Row, Table
from epicene.version import __version__

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

RESAMPLES = 1000
SEED = 20210801
_BLOCK = 4_000_000  # scores that are held at once while resampling
Column = tuple[str, str]  # embedding and seed list
_WORD = "{word}"
_OCCUPATION = "{occupation}"
PER_SIDE = 10  # as WiBeMT has adjectives


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
    spelled = {each.word: each.word.replace(" ", "_") for each in listed}
    wanted = [*spelled.values(), *(word for each in lists for side in SIDES for word in getattr(each, side))]
    sources = named_sources(embeddings)
    found = {name: load(path, wanted, case) for name, path in sources.items()}
    coverage = tuple(_coverage(name, vectors, spelled, lists) for name, vectors in found.items())
    scored = [each for each in listed if any(spelled[each.word] in vectors for vectors in found.values())]
    if len(scored) < 2:
        raise EvidenceError(f"{len(scored)} of {len(listed)} words have a vector; at least two can be compared")
    names = [spelled[each.word] for each in scored]
    columns = {(name, each.name): _cosines(vectors, names, each) for name, vectors in found.items() for each in lists}
    scores = {column: _scaled(feminine, masculine, column) for column, (feminine, masculine) in columns.items()}
    digests = [vectors.digest(word for word in wanted if word in vectors) for vectors in found.values()]
    return GenderScores(
        words=tuple(_ranked([each.word for each in scored], scores, _resampled(columns, resamples, seed))),
        columns=tuple(columns),
        coverage=coverage,
        unscored=tuple(each for each in listed if each not in scored),
        signature="|".join(
            (
                "genderscore",
                f"seeds:{version(lists)}",
                f"vectors:{'+'.join(digests)}",
                f"case:{Case(case)}",
                f"resampled:{resamples},{seed}",
                f"v:{__version__}",
            )
        ),
    )


def _coverage(name: str, vectors: Vectors, spelled: Mapping[str, str], lists: Iterable[SeedList]) -> Coverage:
    found = {}
    for each in lists:
        for side in SIDES:
            words = getattr(each, side)
            there = sum(word in vectors for word in words)
            if not there:
                raise EvidenceError(
                    f"{name}: it has none of the {side} words of the list {each.name!r} ({', '.join(words[:3])}"
                    f"{', …' if len(words) > 3 else ''}); give an embedding of the language, or own --seeds"
                )
            found[each.name, side] = there, len(words)
    missing = tuple(word for word, spelling in spelled.items() if spelling not in vectors)
    return Coverage(name, vectors.width, missing, found)


def _cosines(vectors: Vectors, words: Sequence[str], seeds: SeedList) -> tuple[Array, Array]:
    """Cosines of each word to the feminine and to the masculine seeds; NaN for words without a vector."""
    import numpy as np

    def unit(names: Iterable[str]) -> Array:
        rows = np.array([vectors[name] if name in vectors else np.full(vectors.width, np.nan) for name in names])
        normed: Array = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return normed

    targets = unit(words)
    feminine, masculine = (unit(word for word in getattr(seeds, side) if word in vectors) for side in SIDES)
    return targets @ feminine.T, targets @ masculine.T


def _scaled(feminine: Array, masculine: Array, column: Column) -> Array:
    raw = masculine.mean(axis=1) - feminine.mean(axis=1)
    scaled = _stretched(raw[:, None])[:, 0]
    if not (scaled == scaled).any():
        raise EvidenceError(f"{column[0]}: fewer than two different words of the list are there, so none can be scaled")
    return scaled


def _stretched(raw: Array) -> Array:
    """Scores of words (rows) stretched to reach from -1 to 1 in each column (equation 2)."""
    import numpy as np

    low, high = np.nanmin(raw, axis=0), np.nanmax(raw, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        stretched: Array = -1 + 2 * (raw - low) / (high - low)
    return stretched


def _resampled(columns: Mapping[Column, tuple[Array, Array]], resamples: int, seed: int) -> Array:
    """The score of each word (rows) for each drawing of the seeds."""
    import numpy as np

    chance = np.random.default_rng(seed)
    size = len(next(iter(columns.values()))[0])
    block = max(1, _BLOCK // size)
    parts = []
    for start in range(0, resamples, block):
        number = min(block, resamples - start)
        total, there = np.zeros((size, number)), np.zeros((size, 1))
        for feminine, masculine in columns.values():
            drawn = _drawn(masculine, number, chance) - _drawn(feminine, number, chance)
            stretched = _stretched(drawn)
            known = ~np.isnan(stretched).all(axis=1, keepdims=True)
            total += np.where(known, stretched, 0)
            there += known
        parts.append(total / there)
    return np.hstack(parts)


def _drawn(cosines: Array, number: int, chance: np.random.Generator) -> Array:
    """Mean cosines to seeds drawn with replacement; a single seed is itself each time."""
    import numpy as np

    seeds = cosines.shape[1]
    weights = chance.multinomial(seeds, np.full(seeds, 1 / seeds), size=number) / seeds
    means: Array = cosines @ weights.T
    return means


def _ranked(words: Sequence[str], scores: Mapping[Column, Array], resampled: Array) -> list[WordGender]:
    import numpy as np

    combined = np.nanmean(np.column_stack(list(scores.values())), axis=1)
    lows, highs = np.quantile(resampled, [0.025, 0.975], axis=1)
    ranks = resampled.argsort(axis=0).argsort(axis=0) + 1
    rank_lows, rank_highs = np.quantile(ranks, [0.025, 0.975], axis=1, method="nearest")
    found = []
    for rank, place in enumerate(np.argsort(combined, kind="stable"), 1):
        parts = {column: float(values[place]) for column, values in scores.items() if values[place] == values[place]}
        interval = float(lows[place]), float(highs[place]), rank, int(rank_lows[place]), int(rank_highs[place])
        found.append(WordGender(words[place], float(combined[place]), *interval, parts))
    return found


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

    def tables(self) -> Iterable[Table]:
        """Words, the most feminine first; of a long list both ends."""
        return score_tables(self)

    def rows(self) -> list[Row]:
        """One row per word, with its score by each embedding and list."""
        return [_flat(word) for word in self.words]

    def list_lines(self) -> list[list[str]]:
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


def _flat(each: WordGender) -> dict[str, Any]:
    record = _record(each)
    scores = record.pop("scores")
    return {**record, **scores}


def _record(each: WordGender) -> dict[str, Any]:
    scores = {" ".join(column): score for column, score in each.scores.items()}
    plain = ("word", "score", "low", "high", "rank", "rank_low", "rank_high")
    return {**{name: getattr(each, name) for name in plain}, "scores": scores}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The words at either end that stand out, each end from its farthest."""

    feminine: tuple[WordGender, ...]
    masculine: tuple[WordGender, ...]

    def rows(self, sentence: str = "") -> list[list[str]]:
        """Lines of a set's file: word and class, and with a sentence the template of a verb."""
        found = [["verb", "class", "template"] if sentence else ["adjective", "class"]]
        for name, words in (("feminine", self.feminine), ("masculine", self.masculine)):
            found += [[each.word, name, *([sentence.replace(_WORD, each.word)] if sentence else [])] for each in words]
        return found


def choose(found: GenderScores, per_side: int = PER_SIDE, threshold: float = 0.0) -> Chosen:
    """The words at either end: beyond the threshold, and with an interval that leaves out zero."""
    feminine = [each for each in found.words if each.score <= -threshold and each.high < 0]
    masculine = [each for each in reversed(found.words) if each.score >= threshold and each.low > 0]
    short = [name for name, words in (("feminine", feminine), ("masculine", masculine)) if len(words) < per_side]
    if short:
        counts = f"{len(feminine)} feminine and {len(masculine)} masculine"
        raise EvidenceError(
            f"{counts} words are beyond {threshold:g} and sure of their side; {per_side} a side are wanted; "
            "give more words, or lower --per-side or --threshold"
        )
    return Chosen(tuple(feminine[:per_side]), tuple(masculine[:per_side]))


def listed(words: Sequence[WordGender]) -> str:
    """Words with their scores, in a line."""
    return ", ".join(f"{each.word} {each.score:+.2f}" for each in words)


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
    sizes = f"{len(chosen.feminine)} + {len(chosen.masculine)} words"
    return "\n".join(
        [
            f"feminine: {listed(chosen.feminine)}",
            f"masculine: {listed(chosen.masculine)}",
            f"{path}: {sizes}; next:",
            f"epicene sets export 'wibemt-{part}?{part}={path}'",
        ]
    )
