"""WEAT: vectors → association → effect size and p-value, for any number of tests and embeddings."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from epicene.embeddings import association, wordlists
from epicene.embeddings.association import fixed
from epicene.embeddings.tables import Refusal, weat_tables
from epicene.embeddings.vectors import Embedding, Method, Missing, Pooling, Settings, Vectors, named_sources, open_all
from epicene.embeddings.wordlists import TestNames, WordTest
from epicene.errors import InputError, UnknownNameError
from epicene.options import apply_options
from epicene.output.table import Answer, Row, Table
from epicene.stats.exact import Counts, count_all, count_drawn, fits
from epicene.stats.rates import holm
from epicene.types import Measure
from epicene.version import __version__

Words = Mapping[str, tuple[str, ...]]  # by list: x, y, a, b
# A test that shares this much of its words with another is a near-copy of it (weat7-mod of weat7: 26 of 32).
NEAR_COPY = 0.75


def weat(
    embeddings: Embedding | Sequence[Embedding],
    tests: TestNames = None,
    templates: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,
) -> Weat:
    """Run association tests on word vectors: effect sizes with exact p-values.

    ``embeddings`` are files of vectors, ``huggingface:DIR``, or what is in memory: a dictionary of words and vectors,
    gensim's KeyedVectors, spaCy's vocabulary. ``tests`` are names such as ``weat7``, languages or TOML files, all
    published ones if none are given. ``settings`` are the fields of ``Settings``: ddof, method, draws, seed, case,
    missing, coverage, alpha, pooling. With ``templates`` (``seat`` or a file) an encoder reads sentences, not words.
    """
    (chosen,) = apply_options(settings, Settings())
    sources = named_sources(embeddings)
    word_tests = wordlists.find(tests)
    if templates is not None:
        word_tests = [
            wordlists.in_sentences(test, wordlists.templates(templates, test.language)) for test in word_tests
        ]
    words = [word for test in word_tests for word in test.words]
    results: list[Association] = []
    refused: list[Refusal] = []
    for number, vectors in enumerate(
        open_all(sources, words, chosen.case, sentences=templates is not None, pooling=chosen.pooling)
    ):
        of_source: list[Association] = []
        for index, test in enumerate(word_tests):
            if progress:
                progress(number * len(word_tests) + index, len(sources) * len(word_tests))
            outcome = measure(test, vectors, chosen)
            if isinstance(outcome, Refusal):
                refused.append(outcome)
            else:
                of_source.append(outcome)
        results += _judge(of_source, chosen.alpha)
    return Weat(tuple(sources), tuple(results), tuple(refused), chosen)


def measure(test: WordTest, vectors: Vectors, settings: Settings) -> Association | Refusal:
    """One test on the vectors of its words; Holm's adjustment comes when all tests of the embedding are there."""
    if refusal := find_refusal(test, vectors.name, vectors, settings):
        return refusal
    missing = {
        letter: absent
        for letter, listed in test.lists.items()
        if (absent := tuple(word for word in listed.words if word not in vectors))
    }
    compared, dropped = _choose_words(test, vectors, settings.missing)
    _refuse_shared_spellings(test, compared, vectors)
    lists = {letter: [vectors[word].tolist() for word in words] for letter, words in compared.items()}
    targets = lists["x"] + lists["y"]
    scores = association.scores(targets, lists["a"], lists["b"])
    size = len(compared["x"])
    x, y = scores[:size], scores[size:]
    exact = fixed(scores)
    if len(set(exact)) == 1:
        alike = "vector" if all(target == targets[0] for target in targets) else "association"
        return Refusal(
            test, vectors.name, why=f"nothing to test: all {len(targets)} target words have the same {alike}"
        )
    counts = count_partitions(exact, size, settings)
    words = [word for listed in compared.values() for word in listed]
    sides = ["x"] * size + ["y"] * len(y)
    return Association(
        test=test,
        embedding=vectors.name,
        signature=_signature(test, vectors.digest(words), bool(missing), counts, settings),
        scores=tuple(map(WordScore, compared["x"] + compared["y"], sides, scores)),
        statistic=association.statistic(x, y),
        measures=(association.effect(test.name, x, y, settings.ddof), *association.p_values(test.name, counts)),
        counts=counts,
        missing=missing,
        dropped=dropped,
        spelled={word: vectors.rows[word].word for word in words if vectors.rows[word].word != word},
        shared=tuple(
            dict.fromkeys(word for word in compared["x"] + compared["y"] if word in compared["a"] + compared["b"])
        ),
        alike=_find_alike(words, vectors),
    )


def find_refusal(test: WordTest, embedding: str, known: Container[str], settings: Settings) -> Refusal | None:
    """Why a test is not run, if too few words of one of its lists are known."""
    least = 1.0 if settings.missing is Missing.REFUSE else settings.coverage
    for letter, listed in test.lists.items():
        count = sum(word in known for word in listed.words)
        if count < least * len(listed.words):
            return Refusal(test, embedding, letter, count)
    return None


def _find_alike(words: Sequence[str], vectors: Vectors) -> tuple[tuple[str, ...], ...]:
    """Different words with one vector, as vocabularies have them that were cut to their frequent words."""
    by_vector: dict[bytes, dict[str, str]] = {}
    for word in words:
        by_vector.setdefault(vectors[word].tobytes(), {}).setdefault(vectors.rows[word].word, word)
    return tuple(tuple(group.values()) for group in by_vector.values() if len(group) > 1)


def _choose_words(test: WordTest, vectors: Vectors, policy: Missing) -> tuple[Words, Words]:
    """The words that are compared, and those left out so that X and Y stay of one size."""
    known = {letter: tuple(word for word in listed.words if word in vectors) for letter, listed in test.lists.items()}
    surplus = len(known["x"]) - len(known["y"])
    if policy is not Missing.BALANCE or surplus == 0 or len(test.x.words) != len(test.y.words):
        return known, {}
    long, short = ("x", "y") if surplus > 0 else ("y", "x")
    words = test.lists[long].words
    pairs = zip(words, test.lists[short].words, strict=True)
    alone = [index for index, (mine, other) in enumerate(pairs) if mine in vectors and other not in vectors]
    dropped = alone[: abs(surplus)]
    known[long] = tuple(word for index, word in enumerate(words) if word in vectors and index not in dropped)
    return known, {long: tuple(words[index] for index in dropped)}


def _refuse_shared_spellings(test: WordTest, compared: Words, vectors: Vectors) -> None:
    """Refuse words that the case policy has made the same on both sides."""
    for first, second in wordlists.OPPOSED:
        spelled = {vectors.rows[word].word for word in compared[first]}
        both = [word for word in compared[second] if vectors.rows[word].word in spelled]
        if both:
            raise InputError(
                f"test {test.name}: {', '.join(both)} in both {first} and {second}, spelled {vectors.case}; "
                "a word can be on one side only"
            )


def count_partitions(scores: Sequence[int], size: int, settings: Settings) -> Counts:
    """The partitions of the scores: all of them, or some that are drawn, as the settings say."""
    exact = settings.method is Method.EXACT or (settings.method is Method.AUTO and fits(len(scores), size))
    if exact and not fits(len(scores), size):
        raise InputError(
            f"{size} + {len(scores) - size} words have too many partitions to count them all; "
            "use --method mc, or auto to draw only where it must be"
        )
    return count_all(scores, size) if exact else count_drawn(scores, size, settings.draws, settings.seed)


def _judge(results: Sequence[Association], alpha: float) -> list[Association]:
    """Verdicts: by p alone, as the papers have it, and after Holm's adjustment over tests that are no near-copies.

    A near-copy, such as the same test less its pronouns, would count one finding twice; it is adjusted as if it stood
    in the place of the test that it copies.
    """
    originals = [_find_original(results, index) for index in range(len(results))]
    family = [index for index, original in enumerate(originals) if original is None]
    p = [result["p_two_sided"].value or 0.0 for result in results]
    judged = []
    for index, (result, original) in enumerate(zip(results, originals, strict=True)):
        members = [index if member == original else member for member in family]
        adjusted = holm([p[member] for member in members])[members.index(index)]
        copied = "" if original is None else results[original].test.name
        verdict = replace(result, p_holm=adjusted, biased=adjusted <= alpha, significant=p[index] < alpha)
        judged.append(replace(verdict, copy_of=copied, doubt=_doubt(result, alpha)))
    return judged


def _doubt(result: Association, alpha: float) -> str:
    """Why a test of so few words shows nothing: even the most extreme partition is not rare."""
    x, y = result.sizes
    least = (2 if x == y else 1) / math.comb(x + y, x)
    if least < alpha:
        return ""
    return f"not to be trusted: with {x} + {y} words no p below {least:.2g} is possible, whatever d and its interval"


def _find_original(results: Sequence[Association], index: int) -> int | None:
    """The first test that this one is a near-copy of, if there is one before it that is none itself."""
    mine = _entries(results[index].test)
    for other in range(index):
        theirs = _entries(results[other].test)
        if len(mine & theirs) >= NEAR_COPY * len(mine | theirs) and _find_original(results, other) is None:
            return other
    return None


def _entries(test: WordTest) -> set[tuple[str, str]]:
    return {(letter, word) for letter, listed in test.lists.items() for word in listed.words}


def _signature(test: WordTest, vectors: str, incomplete: bool, counts: Counts, settings: Settings) -> str:
    """One line that says which number this is; what could not change it is left out."""
    parts = (
        test.name,
        f"words:{test.version}",
        f"vectors:{vectors}",
        f"case:{settings.case}",
        f"missing:{settings.missing}" if incomplete else "",
        f"pooling:{settings.pooling}" if settings.pooling is not Pooling.AUTO else "",
        f"ddof:{settings.ddof}",
        "p:exact" if counts.exact else f"p:mc({settings.draws},{settings.seed})",
        f"v:{__version__}",
    )
    return "|".join(filter(None, parts))


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
    alike: tuple[tuple[str, ...], ...] = ()  # different words that have one vector
    p_holm: float = 1.0
    biased: bool = False  # whether the adjusted two-sided p is at most alpha
    significant: bool = False  # whether the two-sided p itself is below alpha: the papers' verdict
    copy_of: str = ""  # a test that this one nearly repeats, so that the family counts one of them
    doubt: str = ""  # why the result cannot be trusted

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
    def method(self) -> str:
        """``exact`` or ``mc``."""
        return "exact" if self.counts.exact else "mc"

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        plain = ("embedding", "signature", "statistic", "p_holm", "biased", "significant", "copy_of", "doubt", "method")
        return {
            "epicene": __version__,
            "test": self.test.name,
            "language": self.test.language,
            "n": len(self.scores),
            "lists": {letter: words.name for letter, words in self.test.lists.items()},
            "sizes": dict(zip("xy", self.sizes, strict=True)),
            **{name: getattr(self, name) for name in plain},
            "measures": [measure.as_dict() for measure in self.measures],
            "partitions": self.counts.partitions,
            "missing": {letter: list(words) for letter, words in self.missing.items()},
            "dropped": {letter: list(words) for letter, words in self.dropped.items()},
            "excluded": list(self.test.excluded),
            "spelled": dict(self.spelled),
            "shared": list(self.shared),
            "alike": [list(group) for group in self.alike],
            "associations": [{"word": score.word, "list": score.side, "score": score.score} for score in self.scores],
        }

    def as_row(self) -> dict[str, Any]:
        """The record as CSV has it: one number or word a cell."""
        record, effect = self.as_dict(), self["effect_size"]
        named = {name: record[name] for name in ("test", "embedding", "language", "n")}
        p = {name: self[name].value for name in ("p_one_sided", "p_two_sided")}
        verdicts = ("p_holm", "biased", "significant", "copy_of", "doubt", "method", "partitions")
        left_out = [*self.missing.values(), *self.dropped.values(), self.test.excluded]
        return {
            "epicene": __version__,
            "metric": "weat",
            **named,
            **record["sizes"],
            "effect_size": effect.value,
            "low": effect.low,
            "high": effect.high,
            "statistic": self.statistic,
            **p,
            **{name: record[name] for name in verdicts},
            "left_out": ", ".join(word for words in left_out for word in words),
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True)
class Weat(Answer):
    """All tests on all embeddings of one call."""

    embeddings: tuple[str, ...]  # in the order they were given
    results: tuple[Association, ...]
    refused: tuple[Refusal, ...] = ()
    settings: Settings = field(default_factory=Settings)

    def __iter__(self) -> Iterator[Association]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, key: str | tuple[str, str]) -> Association:
        """The record of a test, or of a test and an embedding."""
        test, embedding = (key, None) if isinstance(key, str) else key
        for result in self.results:
            if result.test.name == test and embedding in (None, result.embedding):
                return result
        raise UnknownNameError("result", str(key), [result.test.name for result in self.results])

    def tables(self) -> Iterable[Table]:
        """Effect sizes, p-values and verdicts, then what stands behind each p-value."""
        return weat_tables(self)

    def records(self) -> list[dict[str, Any]]:
        """The records as JSON has them, those of refused tests last."""
        return [*(result.as_dict() for result in self.results), *(refusal.as_dict() for refusal in self.refused)]

    def rows(self) -> list[Row]:
        """One row per test and embedding, as CSV and ``to_frame`` have them; a refused test has its reason alone."""
        return [*(result.as_row() for result in self.results), *(refusal.as_dict() for refusal in self.refused)]
