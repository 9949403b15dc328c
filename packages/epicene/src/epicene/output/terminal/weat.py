"""Association tests as text and LaTeX."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from epicene.output.table import format_number as number
from epicene.output.terminal.tables import grid, latex

if TYPE_CHECKING:
    from rich.table import Table

    from epicene.embeddings.weat import Association, Weat

LEGEND = """d: effect size. p two: share of the partitions at least as far from zero as the
observed one. paper: whether p two is below the level, as the papers judge.
Holm: p two, adjusted for all tests of the embedding that are no near-copies.
s: test statistic, with the partitions above it, as far from zero, and counted
in all. p one: share of those above."""


def p_text(p: float | None) -> str:
    """A p-value however small."""
    if p is None:
        return "–"
    if p == 0:
        return "0"
    return f"{p:.4f}".removeprefix("0") if p >= 0.0001 else f"{p:.1e}"


def _short(p: float | None) -> str:
    """A p-value as a narrow column has it; the counts below say how small it is."""
    return "<.0001" if p is not None and 0 < p < 0.0001 else p_text(p)


def heading(found: Weat) -> list[str]:
    """The embeddings, numbered as in the tables."""
    return [f"{place}  {name}" for place, name in enumerate(found.embeddings, 1)]


def association_table(found: Weat) -> Table:
    """Effect sizes, p-values and verdicts: one row a test and embedding."""
    table = grid("test", "e", "n", "d", "95 % interval", "p two", "paper", "Holm", "bias")
    for each in found:
        effect = each["effect_size"]
        table.add_row(
            each.test.name,
            _place(found, each),
            "+".join(map(str, each.sizes)),
            number(effect.value, 2),
            f"[{number(effect.low, 2)}, {number(effect.high, 2)}]",
            _short(each["p_two_sided"].value),
            _answer(each.significant),
            _short(each.p_holm),
            _answer(each.biased),
        )
    return table


def counts_table(found: Weat) -> Table:
    """What stands behind each p-value: one row a test and embedding."""
    table = grid("test", "e", "s", "above", "as far", "partitions", "p one")
    for each in found:
        counts = each.counts
        table.add_row(
            each.test.name,
            _place(found, each),
            number(each.statistic, 4),
            *(f"{count:,}" for count in (counts.greater, counts.extreme)),
            f"{counts.partitions:,}" if counts.exact else f"{counts.partitions:,} drawn",
            _short(each["p_one_sided"].value),
        )
    return table


def notes(found: Weat) -> list[str]:
    """Intervals of sampled p-values, words that were missing, and tests that could not be run."""
    lines = [f"{each.test.name} ({_place(found, each)}) {line}" for each in found for line in _notes(each)]
    for place, name in enumerate(found.embeddings, 1):
        of = [each for each in found.refused if each.embedding == name]
        refused = [f"{each.test.name} ({each.short})" for each in of if not each.why]
        if refused:
            lines.append(f"not run on {place}, too few words found: {', '.join(refused)}")
        lines += [f"not run on {place}: {each.test.name}, {each.why}" for each in of if each.why]
    return lines


def _notes(each: Association) -> list[str]:
    lines = []
    if not each.counts.exact:
        intervals = (
            f"{name} in [{p_text(p.low)}, {p_text(p.high)}]"
            for name, p in (("p one", each["p_one_sided"]), ("p two", each["p_two_sided"]))
        )
        lines.append(f"p is sampled, with 95 % {', '.join(intervals)}")
    lines += [f"missing in {letter}: {', '.join(words)}" for letter, words in each.missing.items()]
    lines += [f"left out of {letter} to keep sizes equal: {', '.join(words)}" for letter, words in each.dropped.items()]
    if each.copy_of:
        lines.append(f"is a near-copy of {each.copy_of}: Holm counts one of them")
    if each.shared:
        lines.append(f"both target and attribute: {', '.join(each.shared)}")
    if each.spelled:
        lines.append(f"spelled otherwise: {', '.join(f'{word} as {found}' for word, found in each.spelled.items())}")
    twice = [word for word, times in Counter(score.word for score in each.scores).items() if times > 1]
    if twice:
        lines.append(f"more than once in the list, as published: {', '.join(twice)}")
    return lines


def words_table(each: Association) -> Table:
    """Which words carry the association: all targets, the closest to A first."""
    test = each.test
    table = grid("word", "list", f"closer to {test.a.name} (+) or {test.b.name} (-)")
    for score in sorted(each.scores, key=lambda found: -found.score):
        table.add_row(score.word, test.lists[score.side].name, f"{score.score:+.4f}")
    return table


def as_latex(found: Weat) -> str:
    """One row a test, effect size and two-sided p for each embedding."""
    cells = {(each.test.name, each.embedding): each for each in found}
    rows = []
    for name in dict.fromkeys(each.test.name for each in found):
        row = [name]
        for embedding in found.embeddings:
            each = cells.get((name, embedding))
            row += [number(each["effect_size"].value, 2), p_text(each["p_two_sided"].value)] if each else ["–", "–"]
        rows.append(row)
    header = ["test", *(f"{embedding} {column}" for embedding in found.embeddings for column in ("d", "p"))]
    return latex([each.signature for each in found], header, rows)


def _answer(yes: bool) -> str:
    return "yes" if yes else "no"


def _place(found: Weat, each: Association) -> str:
    return str(found.embeddings.index(each.embedding) + 1)
