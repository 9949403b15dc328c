"""Results of the occupation study: pronouns, changes with the wording, and one block a reference."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from epicene.output.terminal.tables import grid, latex, number, p_value, with_interval
from epicene.output.terminal.views import View
from epicene.result import Result
from epicene.types import Measure

if TYPE_CHECKING:
    from rich.table import Table

_WIDTH = 80
_WORDS = ("weak:", "words:", "samples:")  # how notes on the list and the answers begin
_CHANGES = ("she_she", "he_he", "she_he", "he_she")
_DOMINATED = ("female-dominated", "male-dominated")
_WRONG = {"wrongly_he": "he", "wrongly_she": "she"}
_SHOWN = 10  # wrong occupations that are named; JSON has all
_EVEN = (45.0, 55.0)  # per cent of women, between which a job is marked


def parts(result: Result) -> Iterator[Table | str]:
    """What is printed of a result."""
    measures = {(each.name, each.group): each for each in result.measures if not each.detail}
    wordings = [group for name, group in measures if name == "he"]
    yield from (_shortened(note) for note in result.notes if note.startswith(_WORDS))
    yield _pronouns(measures, wordings)
    if changed := [group for name, group in measures if name == "changed"]:
        yield _changes(measures, changed)
    for reference in [group for name, group in measures if name == "linked"]:
        yield from _against(measures, reference)
        yield from _wrong_jobs(result.measures, reference)
        yield from (_shortened(note) for note in result.notes if note.startswith(f"{reference}: "))


def as_latex(results: Sequence[Result]) -> str:
    """One row a measure and group, one column a system."""
    keys = [(each.name, each.group, 2 if each.unit == "" else 1) for each in results[0].measures if not each.detail]
    rows = [
        [name, group, *(with_interval(result[name, group], digits) for result in results)]
        for name, group, digits in keys
    ]
    weak = list(dict.fromkeys(note for result in results for note in result.notes if note.startswith(_WORDS)))
    comments = [*weak, *(result.signature for result in results)]
    return latex(comments, ["measure", "group", *(each.system for each in results)], rows)


def _pronouns(measures: dict[tuple[str, str], Measure], wordings: list[str]) -> Table:
    """Table 7: shares of he and she; what names no gender or could not be read as numbers."""
    table = grid("wording, %", "n", "he", "she", "neutral", "unread")
    for group in wordings:
        he, she, neutral, unread = (measures[name, group] for name in ("he", "she", "neutral", "unread"))
        table.add_row(group, str(he.n), with_interval(he), with_interval(she), str(neutral.count), str(unread.count))
    return table


def _changes(measures: dict[tuple[str, str], Measure], wordings: list[str]) -> Table:
    """Table 6: what becomes of the plain sentence's pronoun; the test is of she→he against he→she."""
    table = grid("to plain, %", "n", *(name.replace("_", "→") for name in _CHANGES), "changed", "p (Holm)")
    for group in wordings:
        changed = measures["changed", group]
        cells = [number(measures[name, group].value) for name in _CHANGES]
        p = p_value(changed.p) if changed.p is not None else "–"
        table.add_row(group, str(changed.n), *cells, with_interval(changed), p)
    return table


def _against(measures: dict[tuple[str, str], Measure], reference: str) -> Iterator[Table | str]:
    linked = measures["linked", reference]
    yield f"against {reference}: {linked.count} of {linked.n} occupations linked"
    table = grid("%", "n", "unread", "wrong", "she", "he", "neutral")
    labels = {"": "all", "near-even": "45–55 % women"}
    for whose in ("", *_DOMINATED, "near-even"):
        group = f"{reference} {whose}".strip()
        wrong = measures["wrong", group]
        cells = [number(measures[f"said_{name}", group].value) for name in ("she", "he", "neutral")]
        label = labels.get(whose, whose)
        table.add_row(label, str(wrong.n), str(wrong.unread), with_interval(wrong), *cells)
    yield table
    yield from _figures(measures, reference)
    yield _by_share(measures, reference)
    yield _sectors(measures, reference)


def _figures(measures: dict[tuple[str, str], Measure], reference: str) -> Iterator[str]:
    """The figures of the results section, one a line."""
    gendered = measures["wrong_of_gendered", reference]
    yield f"wrong, of the answers that name a gender   {with_interval(gendered)} % (n = {gendered.n})"
    women = measures["wrong_to_women", reference]
    yield f"wrong ones that should have been she       {with_interval(women)} % (n = {women.n})"
    errors = [measures[name, reference] for name in ("error", "optimal_error", "probabilistic_error")]
    words = ("mean error", "of the optimal deterministic translator", "of the optimal probabilistic translator")
    for word, each in zip(words, errors, strict=True):
        yield f"{word:<42} {with_interval(each)} points (n = {each.n})"
    bias, middle = measures["bias", reference], measures["bias_median", reference]
    least, most, unbounded = (measures[name, reference] for name in ("bias_min", "bias_max", "unbounded"))
    yield f"{'mean bias B':<42} {with_interval(bias, 2)} (n = {bias.n})"
    yield f"{'median B where biased':<42} {with_interval(middle, 2)} (n = {middle.n})"
    apart = f", {unbounded.value:g} unbounded" if unbounded.value else ""
    yield f"{'range of B where biased':<42} {number(least.value, 3)} to {number(most.value, 2)}{apart}"
    follows = measures["correlation", reference]
    yield f"{'correlation of she with the share of women':<42} {with_interval(follows, 2)} (n = {follows.n})"


def _by_share(measures: dict[tuple[str, str], Measure], reference: str) -> Table:
    """How often she is said as more women do the job."""
    start = f"{reference} women "
    table = grid("women in the job", "n", "she, of he and she, %")
    for (name, group), measure in measures.items():
        if name == "she_of_gendered" and group.startswith(start) and measure.n:
            table.add_row(group.removeprefix(start), str(measure.n), with_interval(measure))
    return table


def _wrong_jobs(measures: Sequence[Measure], reference: str) -> Iterator[Table | str]:
    """The wrong occupations, worst first; those that about as many women as men do are marked."""
    start = f"{reference} occupation "
    shares = {each.group: each.value for each in measures if each.name == "women"}
    wrong = [each for each in measures if each.name in _WRONG and each.group.startswith(start)]
    if not wrong:
        return
    table = grid("wrong, worst first", "said", "women, %", "B")
    for each in wrong[:_SHOWN]:
        word, share = each.group.removeprefix(start), shares[each.group] or 0.0
        job = textwrap.shorten(
            f"{word} ({each.label})" if each.label and each.label != word else word, 46, placeholder="…"
        )
        said = _WRONG[each.name] + (f" {each.count}/{each.n}" if each.n > 1 else "")
        mark = "≈ " if _EVEN[0] <= share <= _EVEN[1] else ""
        table.add_row(job, said, f"{mark}{number(share)}", "∞" if each.value is None else number(each.value, 2))
    yield table
    even = sum(_EVEN[0] <= (shares[each.group] or 0.0) <= _EVEN[1] for each in wrong)
    rest = f"{len(wrong)} wrong, {even} of them with 45–55 % women (≈, last)"
    yield rest if len(wrong) <= _SHOWN else f"{rest}; all in -f json"


def _sectors(measures: dict[tuple[str, str], Measure], reference: str) -> Table:
    """Figures 4 and 5: the bias of sectors, apart for occupations of women and of men."""
    start = f"{reference} sector "
    table = grid("bias B by sector", "n", *_DOMINATED)
    for (name, group), measure in measures.items():
        if name == "bias" and group.startswith(start) and not group.endswith(_DOMINATED):
            cells = [measures["bias", f"{group} {each}"] for each in _DOMINATED]
            table.add_row(group.removeprefix(start), str(measure.n), *map(with_interval, cells))
    return table


def _shortened(note: str) -> str:
    """A note in at most three lines; JSON has all of it."""
    lines = textwrap.wrap(note, _WIDTH - 2, subsequent_indent="  ")
    return "\n".join(lines if len(lines) <= 3 else [*lines[:2], "  … all in -f json"])


VIEW = View(parts, as_latex)
