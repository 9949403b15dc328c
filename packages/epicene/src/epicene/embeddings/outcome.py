"""What association tests found, typed: one record per test and embedding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from epicene.embeddings.association import fixed
from epicene.embeddings.wordlists import WordTest
from epicene.errors import UnknownNameError
from epicene.rows import as_html, frame
from epicene.stats.partitions import Counts
from epicene.types import Measure
from epicene.version import __version__

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class WordScore:
    """A target word and how much closer it is to A than to B."""

    word: str
    side: str  # x or y
    score: float


@dataclass(frozen=True, slots=True)
class Association:
    """One test on one embedding."""

    test: WordTest
    embedding: str
    signature: str
    scores: tuple[WordScore, ...]  # X before Y
    statistic: float
    measures: tuple[Measure, ...]  # effect_size, p_one_sided, p_two_sided
    counts: Counts
    missing: Mapping[str, tuple[str, ...]]  # by list: words that the vocabulary lacks
    dropped: Mapping[str, tuple[str, ...]]  # by list: words left out to keep X and Y of one size
    spelled: Mapping[str, str]  # words that were found under another spelling, or in pieces
    shared: tuple[str, ...] = ()  # words that are targets and attributes at once
    p_holm: float = 1.0
    biased: bool = False  # whether the adjusted two-sided p is at most alpha
    significant: bool = False  # whether the two-sided p itself is below alpha: the papers' verdict
    copy_of: str = ""  # a test that this one nearly repeats, so that the family counts one of them

    def __getitem__(self, name: str) -> Measure:
        """A measure by its name."""
        for measure in self.measures:
            if measure.name == name:
                return measure
        raise UnknownNameError("measure", name, [measure.name for measure in self.measures])

    @property
    def sizes(self) -> tuple[int, int]:
        """How many words of X and of Y were compared."""
        x = sum(score.side == "x" for score in self.scores)
        return x, len(self.scores) - x

    @property
    def fixed_scores(self) -> list[int]:
        """The scores that the partitions were counted with."""
        return fixed(score.score for score in self.scores)

    @property
    def method(self) -> str:
        """``exact`` or ``mc``."""
        return "exact" if self.counts.exact else "mc"

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        return {
            "epicene": __version__,
            "test": self.test.name,
            "embedding": self.embedding,
            "language": self.test.language,
            "signature": self.signature,
            "n": len(self.scores),
            "lists": {letter: each.name for letter, each in self.test.lists.items()},
            "sizes": dict(zip("xy", self.sizes, strict=True)),
            "statistic": self.statistic,
            "measures": [measure.as_dict() for measure in self.measures],
            "p_holm": self.p_holm,
            "biased": self.biased,
            "significant": self.significant,
            "copy_of": self.copy_of,
            "method": self.method,
            "partitions": self.counts.partitions,
            "missing": {letter: list(words) for letter, words in self.missing.items()},
            "dropped": {letter: list(words) for letter, words in self.dropped.items()},
            "spelled": dict(self.spelled),
            "shared": list(self.shared),
            "associations": [{"word": each.word, "list": each.side, "score": each.score} for each in self.scores],
        }


@dataclass(frozen=True, slots=True)
class Refusal:
    """A test that was not run on an embedding: too few words of a list were found, or nothing is left to test."""

    test: WordTest
    embedding: str
    letter: str = ""  # the list that is too short: x, y, a or b
    found: int = 0
    why: str = ""  # another reason

    @property
    def short(self) -> str:
        """Why, as briefly as can be."""
        return self.why or f"{self.letter}: {self.found}/{len(self.test.lists[self.letter].words)}"

    @property
    def reason(self) -> str:
        """Why, as a sentence."""
        if self.why:
            return self.why
        words = self.test.lists[self.letter]
        return f"only {self.found} of the {len(words.words)} words of {self.letter} ({words.name}) were found"

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        return {
            "epicene": __version__,
            "test": self.test.name,
            "embedding": self.embedding,
            "language": self.test.language,
            "refused": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Weat:
    """All tests on all embeddings of one call."""

    embeddings: tuple[str, ...]  # in the order they were given
    associations: tuple[Association, ...]
    refused: tuple[Refusal, ...] = ()

    def __iter__(self) -> Iterator[Association]:
        return iter(self.associations)

    def __len__(self) -> int:
        return len(self.associations)

    def __getitem__(self, key: str | tuple[str, str]) -> Association:
        """The record of a test, or of a test and an embedding."""
        test, embedding = (key, None) if isinstance(key, str) else key
        for each in self.associations:
            if each.test.name == test and embedding in (None, each.embedding):
                return each
        raise UnknownNameError("result", str(key), [each.test.name for each in self.associations])

    def as_dicts(self) -> list[dict[str, Any]]:
        """The records as JSON has them, those of refused tests last."""
        return [each.as_dict() for each in self.associations] + [each.as_dict() for each in self.refused]

    def to_frame(self) -> DataFrame:
        """A pandas table with one row per test and embedding."""
        return frame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """One row per test and embedding, as CSV and ``to_frame`` have them."""
        return [_flat(each) for each in self.associations]

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        shown = ("embedding", "test", "x", "y", "effect_size", "low", "high", "p_one_sided", "p_two_sided", "p_holm")
        rows = [{name: row[name] for name in shown} for row in self.rows()]
        return as_html("WEAT", rows, [each.signature for each in self.associations])


def _flat(each: Association) -> dict[str, Any]:
    x, y = each.sizes
    effect = each["effect_size"]
    return {
        "embedding": each.embedding,
        "test": each.test.name,
        "language": each.test.language,
        "x": x,
        "y": y,
        "effect_size": effect.value,
        "low": effect.low,
        "high": effect.high,
        "statistic": each.statistic,
        "p_one_sided": each["p_one_sided"].value,
        "p_two_sided": each["p_two_sided"].value,
        "p_holm": each.p_holm,
        "biased": each.biased,
        "significant": each.significant,
        "copy_of": each.copy_of,
        "method": each.method,
        "partitions": each.counts.partitions,
        "missing": ", ".join(word for words in each.missing.values() for word in words),
        "signature": each.signature,
    }
