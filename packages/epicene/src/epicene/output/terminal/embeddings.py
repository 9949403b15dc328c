"""Other metrics of vectors than WEAT as text and LaTeX: the panel, WEFAT, before and after debiasing, CEAT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from epicene.output.table import format_number as number
from epicene.output.terminal.tables import grid, latex
from epicene.output.terminal.weat import p_text

if TYPE_CHECKING:
    from rich.table import Table

    from epicene.embeddings.ceat import Ceat
    from epicene.embeddings.debias import Debiasing
    from epicene.embeddings.panel import Panel
    from epicene.embeddings.weat import Refusal
    from epicene.embeddings.wefat import Wefat

PANEL_LEGEND = """rnd: mean distance to the first group less that to the second; below zero, the
words are nearer to the first. ect: rank correlation of the closeness to both;
1 is no bias. ripa: inner product with the difference of pairs; above zero, the
words lean to the first. mac: mean cosine distance to both lists; 1 is none.
rnsb: divergence of the chances to belong to the second list; 0 is no bias.
p: how often chance groups, labels (rnsb) or turned pairs (ripa) reach as far."""
CHANGE_LEGEND = """d: effect size before and after; Δd with its interval over words, p: how often
chance, swapping before and after word by word, changes d as much. Δs: change of
the association in mean cosines, with its own p. d is scaled by the spread of
all words: it can stay while the association itself all but goes."""
_SHOWN = 12  # occupations that are printed, from each end


def panel_table(found: Panel) -> Table:
    """One row a metric, test and list of words."""
    table = grid("test", "metric", "words", "value", "95 % interval", "p", "n")
    several = len(found.embeddings) > 1
    for each in found.results:
        place = f" ({found.embeddings.index(each.embedding) + 1})" if several else ""
        table.add_row(
            each.test + place,
            each.metric,
            each.words,
            number(each.value, 3),
            _interval(each.low, each.high, 3),
            p_text(each.p),
            str(each.n),
        )
    return table


def panel_groups(found: Panel) -> list[str]:
    """What is compared, a line a test."""
    return list(dict.fromkeys(f"{each.test}: {each.groups}" for each in found.results if each.metric != "mac"))


def panel_latex(found: Panel) -> str:
    """One row a metric, test and list of words."""
    rows = [
        [each.test, each.embedding, each.metric, each.words, number(each.value, 3), p_text(each.p), str(each.n)]
        for each in found.results
    ]
    header = ["test", "embedding", "metric", "words", "value", "p", "n"]
    return latex([each.signature for each in found.results], header, rows)


def refusals(refused: Sequence[Refusal]) -> list[str]:
    """Tests that were not run, and why."""
    return [f"not run on {each.embedding}: {each.test.name}, {each.reason}" for each in refused]


def wefat_lines(each: Wefat) -> list[str]:
    """What the vectors know of who does the job."""
    lines = [f"{each.embedding} · {each.language} · share of women: {each.reference}"]
    interval = _interval(each.low, each.high, 2)
    lines.append(f"r = {number(each.r, 2)} {interval}, p = {p_text(each.p)}, n = {len(each.jobs)} occupations")
    if each.mweat:
        found = each.mweat
        lines.append(
            f"MWEAT {found.value:.3f}: mean lean {found.mean:+.4f} {_interval(found.low, found.high, 4)}, "
            f"p = {p_text(found.p)}, {found.pairs} pairs"
        )
        side = "masculine forms lean further" if found.mean > 0 else "feminine forms lean further"
        lines.append(f"({side} to their side where the interval leaves out zero)")
    if each.missing:
        lines.append(f"without a vector: {', '.join(each.missing)}")
    return lines


def wefat_table(each: Wefat) -> Table:
    """Occupations, the most feminine first; of many both ends."""
    table = grid("occupation", "words", "score", "p", "women %")
    jobs = each.jobs if len(each.jobs) <= 2 * _SHOWN else (*each.jobs[:_SHOWN], None, *each.jobs[-_SHOWN:])
    for job in jobs:
        if job is None:
            table.add_row("…", "…", "…", "…", "…")
        else:
            shown = " / ".join(job.words)
            table.add_row(job.name, shown, f"{job.score:+.2f}", p_text(job.p), number(job.women, 1))
    return table


def wefat_latex(found: Sequence[Wefat]) -> str:
    """One row an embedding."""
    rows = [
        [
            each.embedding,
            each.language,
            number(each.r, 2),
            _interval(each.low, each.high, 2),
            p_text(each.p),
            str(len(each.jobs)),
        ]
        for each in found
    ]
    return latex([each.signature for each in found], ["embedding", "language", "r", "95 %", "p", "n"], rows)


def change_table(found: Debiasing) -> Table:
    """One row a test, before and after."""
    table = grid("test", "n", "d before", "d after", "Δd", "95 % interval", "p", "Δs", "p")
    for each in found.changes:
        table.add_row(
            each.before.test.name,
            "+".join(map(str, each.before.sizes)),
            number(each.before["effect_size"].value, 2),
            number(each.after["effect_size"].value, 2),
            number(each.change, 2),
            _interval(each.low, each.high, 2),
            p_text(each.p),
            f"{each.shift:+.3f}",
            p_text(each.p_shift),
        )
    return table


def change_latex(found: Debiasing) -> str:
    """One row a test."""
    rows = [
        [
            each.before.test.name,
            number(each.before["effect_size"].value, 2),
            number(each.after["effect_size"].value, 2),
            number(each.change, 2),
            p_text(each.p),
        ]
        for each in found.changes
    ]
    signatures = [side.signature for each in found.changes for side in (each.before, each.after)]
    return latex(signatures, ["test", "d before", "d after", "change", "p"], rows)


def ceat_table(found: Ceat) -> Table:
    """One row a test."""
    table = grid("test", "effect", "95 % interval", "p", "single samples", "samples", "uses a word")
    for each in found.results:
        uses = sorted(each.uses.values())
        table.add_row(
            each.test.name,
            number(each.effect.value, 2),
            _interval(each.effect.low, each.effect.high, 2),
            p_text(each.effect.p),
            _interval(*each.spread, 2),
            f"{each.samples:,}",
            f"{uses[0]}–{uses[-1]}",
        )
    return table


def ceat_latex(found: Ceat) -> str:
    """One row a test."""
    rows = [
        [
            each.test.name,
            number(each.effect.value, 2),
            _interval(each.effect.low, each.effect.high, 2),
            p_text(each.effect.p),
        ]
        for each in found.results
    ]
    return latex([each.signature for each in found.results], ["test", "effect", "95 %", "p"], rows)


def _interval(low: float | None, high: float | None, digits: int) -> str:
    return "–" if low is None or high is None else f"[{number(low, digits)}, {number(high, digits)}]"
