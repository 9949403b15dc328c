"""Results of the occupation study: pronouns, changes with the wording, and one block a reference."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from epicene.output.table import Cell, Column, Table, format_measure, format_number, format_p, make_columns
from epicene.sets.occupations.conclusions import conclude
from epicene.sets.occupations.jobs import ALWAYS_HE, CHANGES, DOMINATED, NEAR_EVEN, WRONG

if TYPE_CHECKING:
    from epicene.result import Result
    from epicene.types import Measure

_WIDTH = 80
_WORDS = ("weak:", "words:", "samples:")  # how notes on the list and the answers begin
CONCLUSIONS = (
    "against women: wrong pronouns that should have been she, %, tested against 50",
    "closer: wrong pronouns by statistics less those by the survey, on the jobs of both, points",
    "occupations: how often another occupation changes the pronoun, less how often an adjective does, points",
)
_SHOWN = 10  # wrong occupations that are named; JSON has all


def list_tables(result: Result) -> Iterator[Table]:
    """What is shown of a result."""
    measures = {(each.name, each.group): each for each in result.measures if not each.detail}
    wordings = [group for name, group in measures if name == "he"]
    notes = "\n".join(_shorten(note) for note in result.notes if note.startswith(_WORDS))
    yield _pronouns(notes, measures, wordings)
    if changed := [group for name, group in measures if name == "changed"]:
        yield _changes(measures, changed)
    yield tabulate_conclusions(result.measures)
    for reference in [group for name, group in measures if name == "linked"]:
        yield from _against(measures, reference)
        yield from _wrong_jobs(result.measures, reference)
        yield from _survey(measures, reference)
        yield Table(notes=tuple(_shorten(note) for note in result.notes if note.startswith(f"{reference}: ")))


def tabulate_conclusions(measures: Sequence[Measure], system: str = "") -> Table:
    """What the answers of a system say of the paper's conclusions, one line each."""
    found = [(conclusion, conclusion.measure) for conclusion in conclude(measures)]
    rows = [(line.statement, line.holds, each.value, each.interval, each.n, each.p) for line, each in found]
    columns = make_columns(
        conclusion="conclusion", holds="holds", estimate=("estimate", 1), interval=("95 %", 1), n="n", p=("p", 4)
    )
    title = "Conclusions of Farkas and Németh (2022)" + (f": {system}" if system else "")
    return Table(title, columns, tuple(rows), () if system else CONCLUSIONS) if rows else Table()


def _pronouns(notes: str, measures: dict[tuple[str, str], Measure], wordings: list[str]) -> Table:
    """Table 7: shares of he and she; neutral and undetected answers as numbers."""
    columns = make_columns(wording="wording, %", n="n", he=("he", 1), she=("she", 1))
    rows: list[tuple[Cell, ...]] = []
    for group in wordings:
        he, she, neutral, undetected = (measures[name, group] for name in ("he", "she", "neutral", "undetected"))
        rows.append((group, he.n, he, she, neutral.count, undetected.count))
    rows.append((ALWAYS_HE, None, "100.0", "0.0", 0, 0))
    return Table(notes, (*columns, Column("neutral", "neutral"), Column("undetected", "undetected")), tuple(rows))


def _changes(measures: dict[tuple[str, str], Measure], wordings: list[str]) -> Table:
    """Table 6: what becomes of the plain sentence's pronoun; the test is of she→he against he→she."""
    columns = (
        *make_columns(wording="to plain, %", n="n"),
        *(Column(name, name.replace("_", "→")) for name in CHANGES),
        *make_columns(changed=("changed", 1), p_holm="p (Holm)"),
    )
    rows: list[tuple[Cell, ...]] = []
    for group in wordings:
        changed = measures["changed", group]
        cells = [format_number(measures[name, group].value) for name in CHANGES]
        rows.append((group, changed.n, *cells, changed, format_p(changed.p)))
    rows.append((ALWAYS_HE, None, "0.0", "100.0", "0.0", "0.0", "0.0", None))
    return Table("", columns, tuple(rows))


def _against(measures: dict[tuple[str, str], Measure], reference: str) -> Iterator[Table]:
    linked = measures["linked", reference]
    columns = (
        *make_columns(occupations="%", n="n", undetected="undetected", wrong=("wrong", 1)),
        *(Column(name, name) for name in ("she", "he", "neutral")),
    )
    labels = {"": "all", "near-even": "45–55 % women", ALWAYS_HE: f"all, if {ALWAYS_HE}"}
    rows: list[tuple[Cell, ...]] = []
    for whose in ("", *DOMINATED, "near-even", ALWAYS_HE):
        group = f"{reference} {whose}".strip()
        wrong = measures["wrong", group]
        cells = [format_number(measures[f"said_{name}", group].value) for name in ("she", "he", "neutral")]
        rows.append((labels.get(whose, whose), wrong.n, wrong.undetected, wrong, *cells))
    title = f"against {reference}: {linked.count} of {linked.n} occupations linked"
    yield Table(title, columns, tuple(rows))
    yield _figures(measures, reference)
    yield _by_share(measures, reference)
    yield _sectors(measures, reference)


# The figures of the results section, with their digits.
_FIGURES = {
    "wrong_of_gendered": ("wrong, of he and she, %", 1),
    "wrong_to_women": ("of the wrong: should be she, %", 1),
    "error": ("mean error, points", 1),
    "optimal_error": ("of the optimal deterministic translator", 1),
    "probabilistic_error": ("of the optimal probabilistic translator", 1),
    "bias": ("mean bias B", 2),
    "bias_median": ("median B where biased", 2),
    "bias_min": ("least B where biased", 3),
    "bias_max": ("largest B where biased", 2),
    "unbounded": ("unbounded B", 0),
    "correlation": ("correlation of she with the share of women", 2),
}


def _figures(measures: dict[tuple[str, str], Measure], reference: str) -> Table:
    """The figures of the results section, one a line, with those of the baseline."""
    rows: list[tuple[Cell, ...]] = []
    notes = []
    for name, (words, digits) in _FIGURES.items():
        ours, always = measures[name, reference], measures.get((name, f"{reference} {ALWAYS_HE}"))
        rows.append((words, _estimated(ours, digits), ours.n, format_number(always.value, digits) if always else "–"))
        if name in ("bias", "bias_median") and ours.n and ours.interval is None and ours.why:
            notes.append(f"{words}: {'' if ours.low is not None else 'interval not estimable: '}{ours.why}")
    columns = make_columns(figure="figure", ours="value [95 %]", n="n", always_he=ALWAYS_HE)
    return Table("", columns, tuple(rows), tuple(notes))


def _estimated(measure: Measure, digits: int) -> str:
    """A figure and its interval, also where only its lower end is known."""
    if measure.low is not None and measure.high is None:
        return f"{format_number(measure.value, digits)} [{format_number(measure.low, digits)}, ∞)"
    return format_measure(measure, digits)


def _survey(measures: dict[tuple[str, str], Measure], reference: str) -> Iterator[Table]:
    """What the people of a survey think of all its jobs, and by what they decided."""
    start = f"{reference} motive "
    rows: list[tuple[Cell, ...]] = [
        (f"decided by: {group.removeprefix(start)}", measure.n, measure)
        for (name, group), measure in measures.items()
        if name == "motive" and group.startswith(start)
    ]
    if mean := measures.get(("femininity", reference)):
        rows.insert(0, ("mean femininity of the jobs", mean.n, mean))
        yield Table("", make_columns(people=f"people of {reference}, %", n="n", share=("share", 1)), tuple(rows))


def _by_share(measures: dict[tuple[str, str], Measure], reference: str) -> Table:
    """How often she is said as more women do the job."""
    start = f"{reference} women "
    columns = make_columns(women="women in the job", n="n", she=("she, of he and she, %", 1))
    rows = [
        (group.removeprefix(start), measure.n, measure)
        for (name, group), measure in measures.items()
        if name == "she_of_gendered" and group.startswith(start) and measure.n
    ]
    return Table("", columns, (*rows, (ALWAYS_HE, None, "0.0")))


def _wrong_jobs(measures: Sequence[Measure], reference: str) -> Iterator[Table]:
    """The wrong occupations, worst first; those that about as many women as men do are marked."""
    start = f"{reference} occupation "
    shares = {each.group: each.value for each in measures if each.name == "women"}
    wrong = [each for each in measures if each.name in WRONG and each.group.startswith(start)]
    if not wrong:
        return
    rows: list[tuple[Cell, ...]] = []
    for each in wrong[:_SHOWN]:
        word, share = each.group.removeprefix(start), shares[each.group] or 0.0
        job = textwrap.shorten(
            f"{word} ({each.label})" if each.label and each.label != word else word, 46, placeholder="…"
        )
        said = WRONG[each.name] + (f" {each.count}/{each.n}" if each.n > 1 else "")
        mark = "≈ " if NEAR_EVEN[0] <= share <= NEAR_EVEN[1] else ""
        bias = "∞" if each.value is None else format_number(each.value, 2)
        rows.append((job, said, f"{mark}{format_number(share)}", bias))
    even = sum(NEAR_EVEN[0] <= (shares[each.group] or 0.0) <= NEAR_EVEN[1] for each in wrong)
    note = f"{len(wrong)} wrong, {even} of them with 45–55 % women (≈, last)"
    columns = make_columns(occupation="wrong, worst first", said="said", women="women, %")
    notes = (note if len(wrong) <= _SHOWN else f"{note}; all in -f json",)
    yield Table("", (*columns, Column("bias", "B")), tuple(rows), notes)


def _sectors(measures: dict[tuple[str, str], Measure], reference: str) -> Table:
    """Figures 4 and 5: the bias of sectors, apart for occupations of women and of men."""
    start = f"{reference} sector "
    columns = (Column("sector", "bias B by sector"), Column("n", "n"), *(Column(name, name, 1) for name in DOMINATED))
    rows: list[tuple[Cell, ...]] = [
        (group.removeprefix(start), measure.n, *(measures["bias", f"{group} {whose}"] for whose in DOMINATED))
        for (name, group), measure in measures.items()
        if name == "bias" and group.startswith(start) and not group.endswith(tuple(DOMINATED))
    ]
    constant = [measures["bias", f"{reference} {ALWAYS_HE} {whose}"] for whose in DOMINATED]
    return Table("", columns, (*rows, (f"all, if {ALWAYS_HE}", sum(each.n for each in constant), *constant)))


def _shorten(note: str) -> str:
    """A note in at most three lines; JSON has all of it."""
    lines = textwrap.wrap(note, _WIDTH - 2, subsequent_indent="  ")
    return "\n".join(lines if len(lines) <= 3 else [*lines[:2], "  … all in -f json"])
