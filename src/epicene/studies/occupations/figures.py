"""What Figures 4 to 7 of the occupation study show, as rows to be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epicene.labour.reference import Reference, Share
from epicene.sets.occupations import occupations
from epicene.studies import Cell, Figure
from epicene.types import Measure

_DOMINATED = ("female-dominated", "male-dominated")


def sector_bars(measures: Sequence[Measure], reference: str, title: str) -> Figure:
    """Figures 4 and 5: the bias of each sector, apart for occupations of women and of men."""
    start = f"{reference} sector "
    found = {each.group: each.value for each in measures if each.name == "bias" and each.group.startswith(start)}
    sectors = [group for group in found if not group.endswith(_DOMINATED)]
    rows: tuple[Mapping[str, Cell], ...] = tuple(
        {"label": sector.removeprefix(start), "value": value, "series": series}
        for sector in sectors
        for series in _DOMINATED
        if (value := found[f"{sector} {series}"]) is not None
    )
    return Figure(f"{title}: bias by sector against {reference}", "ranks", "weighted mean of B", "", rows)


def perception(survey: Reference, statistics: Reference) -> Figure:
    """Figure 6: how feminine people find an occupation, and the share of women in it."""
    rows: list[Mapping[str, Cell]] = []
    for each in occupations("hu"):
        labels = {"occupation": each.word, "english": each.english, "feor08": each.feor08}
        labels |= {"isco08": " ".join(each.isco08), "soc": " ".join(each.soc)}
        opinion, heads = survey.share(labels), statistics.share(labels)
        if isinstance(opinion, Share) and isinstance(heads, Share):
            rows.append({"label": each.english, "x": opinion.women_pct, "y": heads.women_pct})
    axes = (f"perceived femininity, % ({survey.name})", f"women, % ({statistics.name})")
    return Figure("Figure 6: opinion and statistics", "diagonal", *axes, tuple(rows))


def wrong_ranked(measures: Sequence[Measure], references: Sequence[str]) -> Figure:
    """Figure 7: the occupations that are wrong by the first reference, with their bias by each."""
    start = f"{references[0]} occupation "
    found = {each.group: each for each in measures if each.name == "bias" and each.detail}
    biased = [each for group, each in found.items() if group.startswith(start) and each.n and each.value != 0]
    drawn = sorted((each for each in biased if each.value is not None), key=lambda each: -(each.value or 0))
    rows: tuple[Mapping[str, Cell], ...] = tuple(
        {"label": name, "value": value, "series": reference}
        for name in (each.group.removeprefix(start) for each in drawn)
        for reference in references
        if (other := found.get(f"{reference} occupation {name}")) and (value := other.value) is not None
    )
    apart = f", {len(biased) - len(drawn)} unbounded left out" if len(biased) > len(drawn) else ""
    return Figure(f"Figure 7: wrong by {references[0]}{apart}", "ranks", "B", "", rows)
