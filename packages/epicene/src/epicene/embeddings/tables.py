"""What the tables of all commands on word vectors share, and the tables of WEAT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from epicene.embeddings.wordlists import WordTest
from epicene.output.table import Cell, Column, Table, format_number, format_p
from epicene.version import __version__

if TYPE_CHECKING:
    from epicene.embeddings.weat import Association, Weat

T = TypeVar("T")
_LEGEND = (
    "d: effect size. p two: share of the partitions at least as far from zero as the observed one. paper: whether p "
    "two is below the level, as the papers judge. Holm: p two, adjusted for all tests of the embedding that are no "
    "near-copies. s: test statistic, with the partitions above it, as far from zero, and counted in all. p one: share "
    "of those above."
)


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


def format_small_p(p: float | None) -> str:
    """A p-value however small."""
    if p is None:
        return "–"
    if p == 0:
        return "0"
    return f"{p:.4f}".removeprefix("0") if p >= 0.0001 else f"{p:.1e}"


def format_interval(low: float | None, high: float | None, digits: int) -> str:
    """An interval, or a dash where there is none."""
    if low is None or high is None:
        return "–"
    return f"[{format_number(low, digits)}, {format_number(high, digits)}]"


def columns(*titles: str) -> tuple[Column, ...]:
    """Columns of texts that are formatted already."""
    return tuple(Column(title, title) for title in titles)


def both_ends(items: Sequence[T], most: int) -> list[T | None]:
    """A list, or its two ends with a gap between them."""
    return list(items) if len(items) <= most else [*items[: most // 2], None, *items[-(most // 2) :]]


def number_names(names: Sequence[str]) -> list[str]:
    """Embeddings with the numbers by which tables call them."""
    return [f"{number}  {name}" for number, name in enumerate(names, 1)]


def weat_tables(answer: Weat) -> Iterator[Table]:
    """Effect sizes, p-values and verdicts, then what stands behind each p-value."""
    level = f"{answer.settings.alpha:g}"
    how = f"paper: p two < {level} · bias: Holm ≤ {level} · ddof {answer.settings.ddof}"
    how += f" · case {answer.settings.case} · missing {answer.settings.missing}"
    yield Table("\n".join([*number_names(answer.embeddings), how]))
    numbers = {name: str(number) for number, name in enumerate(answer.embeddings, 1)}
    effects: list[tuple[Cell, ...]] = []
    counted: list[tuple[Cell, ...]] = []
    for result in answer:
        effect, counts = result["effect_size"], result.counts
        names = (result.test.name, numbers[result.embedding])
        judged = ("yes" if result.significant else "no", format_p(result.p_holm), "yes" if result.biased else "no")
        sizes, p = "+".join(map(str, result.sizes)), format_p(result["p_two_sided"].value)
        numbered = (format_number(effect.value, 2), format_interval(effect.low, effect.high, 2))
        effects.append((*names, sizes, *numbered, p, *judged))
        partitions = f"{counts.partitions:,}" if counts.exact else f"{counts.partitions:,} drawn"
        far = (f"{counts.greater:,}", f"{counts.extreme:,}", partitions, format_p(result["p_one_sided"].value))
        counted.append((*names, format_number(result.statistic, 4), *far))
    titles = columns("test", "e", "n", "d", "95 % interval", "p two", "paper", "Holm", "bias")
    yield Table("", titles, tuple(effects))
    titles = columns("test", "e", "s", "above", "as far", "partitions", "p one")
    yield Table("", titles, tuple(counted), (_LEGEND,) if counted else ())
    signatures = tuple(dict.fromkeys(result.signature for result in answer))
    yield Table(notes=tuple(_weat_notes(answer, numbers)), signatures=signatures)


def _weat_notes(answer: Weat, numbers: dict[str, str]) -> Iterator[str]:
    """Intervals of sampled p-values, words that were missing, and tests that could not be run."""
    for result in answer:
        yield from (f"{result.test.name} ({numbers[result.embedding]}) {line}" for line in _association_notes(result))
    for name, number in numbers.items():
        refused = [refusal for refusal in answer.refused if refusal.embedding == name]
        short = [f"{refusal.test.name} ({refusal.short})" for refusal in refused if not refusal.why]
        if short:
            yield f"not run on {number}, too few words found: {', '.join(short)}"
        yield from (f"not run on {number}: {refusal.test.name}, {refusal.why}" for refusal in refused if refusal.why)


def _association_notes(result: Association) -> Iterator[str]:
    if result.doubt:
        yield f"is {result.doubt}"
    if not result.counts.exact:
        intervals = (
            f"{name} in [{format_small_p(p.low)}, {format_small_p(p.high)}]"
            for name, p in (("p one", result["p_one_sided"]), ("p two", result["p_two_sided"]))
        )
        yield f"p is sampled, with 95 % {', '.join(intervals)}"
    yield from (f"missing in {letter}: {', '.join(words)}" for letter, words in result.missing.items())
    for letter, words in result.dropped.items():
        yield f"left out of {letter} to keep sizes equal: {', '.join(words)}"
    if result.test.excluded:
        yield f"on both sides of the published lists, so left out: {', '.join(result.test.excluded)}"
    if result.alike:
        yield f"have one vector: {'; '.join(', '.join(group) for group in result.alike)}"
    if result.copy_of:
        yield f"is a near-copy of {result.copy_of}: Holm counts one of them"
    if result.shared:
        yield f"both target and attribute: {', '.join(result.shared)}"
    if result.spelled:
        yield f"spelled otherwise: {', '.join(f'{word} as {form}' for word, form in result.spelled.items())}"
    twice = [word for word, times in Counter(score.word for score in result.scores).items() if times > 1]
    if twice:
        yield f"more than once in the list, as published: {', '.join(twice)}"


def word_tables(answer: Weat) -> Iterator[Table]:
    """Which words carry each association: all targets, the closest to A first."""
    for result in answer:
        test = result.test
        titles = columns("word", "list", f"closer to {test.a.name} (+) or {test.b.name} (-)")
        scores = sorted(result.scores, key=lambda score: -score.score)
        rows = tuple((score.word, test.lists[score.side].name, f"{score.score:+.4f}") for score in scores)
        yield Table(f"{test.name} on {result.embedding}: {test.title}", titles, rows)
