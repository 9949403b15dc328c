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


ByName = dict[tuple[str, str], "Measure"]  # measures by their names and groups


def by_name(result: Result) -> ByName:
    """The measures of a result without those of single occupations."""
    return {(measure.name, measure.group): measure for measure in result.measures if not measure.detail}


def list_tables(result: Result) -> Iterator[Table]:
    """What is shown of a result."""
    measures = by_name(result)
    notes = "\n".join(_shorten(note) for note in result.notes if note.startswith(_WORDS))
    yield _pronouns(notes, measures)
    yield tabulate_changes(measures)
    yield tabulate_conclusions(result.measures)
    for reference in [group for name, group in measures if name == "linked"]:
        yield from _against(measures, reference)
        yield tabulate_wrong(result.measures, reference)
        yield tabulate_survey(measures, reference)
        yield Table(notes=tuple(_shorten(note) for note in result.notes if note.startswith(f"{reference}: ")))


def tabulate_conclusions(measures: Sequence[Measure], system: str = "") -> Table:
    """What the answers of a system say of the paper's conclusions, one line each."""
    rows = [
        (line.statement, line.holds, line.measure.value, line.measure.interval, line.measure.n, line.measure.p)
        for line in conclude(measures)
    ]
    columns = make_columns(
        conclusion="conclusion", holds="holds", estimate=("estimate", 1), interval=("95 %", 1), n="n", p=("p", 4)
    )
    title = "Conclusions of Farkas and Németh (2022)" + (f": {system}" if system else "")
    return Table(title, columns, tuple(rows), () if system else CONCLUSIONS) if rows else Table()


def _pronouns(notes: str, measures: ByName) -> Table:
    """Table 7: shares of he and she; neutral and undetected answers as numbers."""
    columns = make_columns(wording="wording, %", n="n", he=("he", 1), she=("she", 1))
    rows: list[tuple[Cell, ...]] = []
    for group in (group for name, group in measures if name == "he"):
        he, she, neutral, undetected = (measures[name, group] for name in ("he", "she", "neutral", "undetected"))
        rows.append((group, he.n, he, she, neutral.count, undetected.count))
    rows.append((ALWAYS_HE, None, "100.0", "0.0", 0, 0))
    return Table(notes, (*columns, Column("neutral", "neutral"), Column("undetected", "undetected")), tuple(rows))


def tabulate_changes(measures: ByName) -> Table:
    """Table 6: what becomes of the plain sentence's pronoun; the test is of she→he against he→she."""
    rows: list[tuple[Cell, ...]] = []
    for group, changed in ((group, measure) for (name, group), measure in measures.items() if name == "changed"):
        cells = [format_number(measures[name, group].value) for name in CHANGES]
        rows.append((group, changed.n, *cells, changed, format_p(changed.p)))
    if not rows:
        return Table()
    columns = (
        *make_columns(wording="to plain, %", n="n"),
        *(Column(name, name.replace("_", "→")) for name in CHANGES),
        *make_columns(changed=("changed", 1), p_holm="p (Holm)"),
    )
    return Table("", columns, (*rows, (ALWAYS_HE, None, "0.0", "100.0", "0.0", "0.0", "0.0", None)))


def _against(measures: ByName, reference: str) -> Iterator[Table]:
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
    yield tabulate_shares(measures, reference)
    yield tabulate_sectors(measures, reference)


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


def _figures(measures: ByName, reference: str) -> Table:
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


def tabulate_survey(measures: ByName, reference: str) -> Table:
    """What the people of a survey think of all its jobs, and by what they decided."""
    mean = measures.get(("femininity", reference))
    if mean is None:
        return Table()
    motives = _narrow(measures, "motive", f"{reference} motive ")
    rows = [("mean femininity of the jobs", mean.n, mean)]
    rows += [(f"decided by: {motive}", share.n, share) for motive, share in motives.items()]
    return Table("", make_columns(people=f"people of {reference}, %", n="n", share=("share", 1)), tuple(rows))


def tabulate_shares(measures: ByName, reference: str) -> Table:
    """How often she is said as more women do the job."""
    columns = make_columns(women="women in the job", n="n", she=("she, of he and she, %", 1))
    rows = [(women, share.n, share) for women, share in list_shares(measures, reference).items()]
    return Table("", columns, (*rows, (ALWAYS_HE, None, "0.0")))


def list_shares(measures: ByName, reference: str) -> dict[str, Measure]:
    """How often she is said, by the share of women in the job: "10–20 %"."""
    shares = _narrow(measures, "she_of_gendered", f"{reference} women ")
    return {women: share for women, share in shares.items() if share.n}


def _narrow(measures: ByName, name: str, start: str) -> dict[str, Measure]:
    """The measures of a name, by what follows in their groups."""
    return {
        group.removeprefix(start): measure
        for (other, group), measure in measures.items()
        if other == name and group.startswith(start)
    }


def find_wrong(measures: Sequence[Measure], reference: str) -> list[tuple[str, Measure]]:
    """The wrong occupations, worst first."""
    start = f"{reference} occupation "
    wrong = (measure for measure in measures if measure.name in WRONG and measure.group.startswith(start))
    return [(measure.group.removeprefix(start), measure) for measure in wrong]


def tabulate_wrong(measures: Sequence[Measure], reference: str, most: int = _SHOWN) -> Table:
    """The wrong occupations, worst first; those that about as many women as men do are marked."""
    shares = {measure.group: measure.value or 0.0 for measure in measures if measure.name == "women"}
    wrong = find_wrong(measures, reference)
    if not wrong:
        return Table()
    rows: list[tuple[Cell, ...]] = []
    for word, measure in wrong[:most]:
        job = f"{word} ({measure.label})" if measure.label and measure.label != word else word
        said = WRONG[measure.name] + (f" {measure.count}/{measure.n}" if measure.n > 1 else "")
        mark = "≈ " if _is_near_even(shares[measure.group]) else ""
        bias = "∞" if measure.value is None else format_number(measure.value, 2)
        rows.append((job, said, f"{mark}{format_number(shares[measure.group])}", bias))
    even = sum(_is_near_even(shares[measure.group]) for _, measure in wrong)
    note = f"{len(wrong)} wrong, {even} of them with 45–55 % women (≈, last)"
    columns = (Column("occupation", "wrong, worst first", wraps=True), *make_columns(said="said", women="women, %"))
    notes = (note if len(wrong) <= most else f"{note}; all in -f json",)
    return Table("", (*columns, Column("bias", "B")), tuple(rows), notes)


def _is_near_even(women: float) -> bool:
    return NEAR_EVEN[0] <= women <= NEAR_EVEN[1]


def list_sectors(measures: ByName, reference: str) -> dict[str, Measure]:
    """The bias of every sector."""
    sectors = _narrow(measures, "bias", f"{reference} sector ")
    return {sector: bias for sector, bias in sectors.items() if not sector.endswith(tuple(DOMINATED))}


def tabulate_sectors(measures: ByName, reference: str) -> Table:
    """Figures 4 and 5: the bias of sectors, apart for occupations of women and of men."""
    columns = (Column("sector", "bias B by sector"), Column("n", "n"), *(Column(name, name, 1) for name in DOMINATED))
    rows: list[tuple[Cell, ...]] = [
        (sector, bias.n, *(measures["bias", f"{reference} sector {sector} {whose}"] for whose in DOMINATED))
        for sector, bias in list_sectors(measures, reference).items()
    ]
    constant = [measures["bias", f"{reference} {ALWAYS_HE} {whose}"] for whose in DOMINATED]
    rows.append((f"all, if {ALWAYS_HE}", sum(bias.n for bias in constant), *constant))
    return Table("", columns, tuple(rows))


def _shorten(note: str) -> str:
    """A note in at most three lines; JSON has all of it."""
    lines = textwrap.wrap(note, _WIDTH - 2, subsequent_indent="  ")
    return "\n".join(lines if len(lines) <= 3 else [*lines[:2], "  … all in -f json"])
