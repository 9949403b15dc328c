"""What Figures 4 to 7 of the occupation study show, and "she" against the share of women, as rows to be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epicene.labour.reference import Reference, Share
from epicene.output.table import Cell
from epicene.sets.occupations import occupations
from epicene.sets.occupations.against import correlation
from epicene.sets.occupations.jobs import Z95
from epicene.sets.occupations.study.charts import calibration, diagonal, panels, ranks
from epicene.studies import Figure
from epicene.types import Measure

_DOMINATED = ("female-dominated", "male-dominated")
_NAMED = 14  # points of a scatter plot that are named: those furthest from the diagonal


def sector_bars(measures: Sequence[Measure], reference: str, title: str) -> Figure:
    """Figures 4 and 5: the bias of each sector, apart for occupations of women and of men."""
    start = f"{reference} sector "
    found = {each.group: each for each in measures if each.name == "bias" and each.group.startswith(start)}
    sectors = [group for group in found if not group.endswith(_DOMINATED)]
    rows: list[Mapping[str, Cell]] = []
    for sector in sectors:
        for series in _DOMINATED:
            bias = found[f"{sector} {series}"]
            if bias.value is not None:
                row: dict[str, Cell] = {"label": sector.removeprefix(start), "value": bias.value, "series": series}
                rows.append({**row, "low": bias.low, "high": bias.high, "n": bias.n})
    return Figure(f"{title}: bias by sector against {reference}", panels, "weighted mean of B", "", tuple(rows))


def opinion_and_statistics(
    survey: Reference, statistics: Reference, language: str
) -> list[tuple[dict[str, str], Share, Share]]:
    """The occupations of a language that both have a figure for.

    A survey and a census are about the words of one country, so those of another language are looked up by the
    Hungarian word of the same English name.
    """
    found = []
    wanted = {occupation.english.lower() for occupation in occupations(language)}
    for labels in (occupation.labels for occupation in occupations("hu")):
        if labels["english"].lower() not in wanted:
            continue
        opinion, heads = survey.share(labels), statistics.share(labels)
        if isinstance(opinion, Share) and isinstance(heads, Share):
            found.append((labels, opinion, heads))
    return found


def coefficient(survey: Reference, statistics: Reference, language: str) -> Measure:
    """How closely opinion follows statistics (Figure 6), over the categories of the statistics."""
    pairs = [
        (heads.unit, opinion.women_pct, heads.women_pct)
        for _, opinion, heads in opinion_and_statistics(survey, statistics, language)
    ]
    return correlation("correlation", f"{survey.name} {statistics.name}", pairs)


def perception(survey: Reference, statistics: Reference) -> Figure:
    """Figure 6: how feminine people find an occupation, and the share of women in it."""
    found = opinion_and_statistics(survey, statistics, "hu")
    gaps = sorted((abs(opinion.women_pct - heads.women_pct) for _, opinion, heads in found), reverse=True)
    least = gaps[_NAMED] if len(gaps) > _NAMED else -1.0
    rows: list[Mapping[str, Cell]] = []
    for labels, opinion, heads in found:
        x, y, half = opinion.women_pct, heads.women_pct, Z95 * opinion.error
        named = labels["english"] if abs(x - y) > least else ""
        rows.append({"label": named, "x": x, "y": y, "low": max(0.0, x - half), "high": min(100.0, x + half)})
    axes = (f"perceived femininity, % ({survey.name})", f"women, % ({statistics.name})")
    r = coefficient(survey, statistics, "hu")
    told = f"r = {r.value:.2f}" if r.value is not None else "r: too few occupations"
    told += f" [{r.low:.2f}, {r.high:.2f}]" if r.low is not None and r.high is not None else ""
    return Figure(f"Figure 6: opinion and statistics, {told}, n = {r.n}", diagonal, *axes, tuple(rows))


def follows(measures: Sequence[Measure], reference: str, title: str) -> Figure:
    """How often "she" is said of jobs with more and more women, and how often the optimal translators say it."""
    start = f"{reference} women "
    rows: list[Mapping[str, Cell]] = []
    for each in measures:
        if each.name == "she_of_gendered" and each.group.startswith(start) and each.value is not None:
            low = int(each.group.removeprefix(start).partition("–")[0])
            rows.append({"x": low + 5, "y": each.value, "low": each.low, "high": each.high, "n": each.n})
    axes = (f"women in the job, % ({reference})", "she, of he and she, %")
    return Figure(f"{title}: she against the share of women", calibration, *axes, tuple(rows))


def wrong_ranked(measures: Sequence[Measure], references: Sequence[str]) -> Figure:
    """Figure 7: the occupations that are wrong by the first reference, with their bias by each."""
    start = f"{references[0]} occupation "
    found = {each.group: each for each in measures if each.name == "bias" and each.detail}
    english = {each.group: each.label for each in measures if each.name == "women"}
    biased = [each for group, each in found.items() if group.startswith(start) and each.n and each.value != 0]
    drawn = sorted((each for each in biased if each.value is not None), key=lambda each: -(each.value or 0))
    rows: list[Mapping[str, Cell]] = []
    for word in (each.group.removeprefix(start) for each in drawn):
        label = english.get(start + word) or word
        for reference in references:
            other = found.get(f"{reference} occupation {word}")
            if other and other.value is not None:
                rows.append({"label": f"{label} ({word})", "value": other.value, "series": reference})
    apart = f", {len(biased) - len(drawn)} unbounded left out" if len(biased) > len(drawn) else ""
    return Figure(f"Figure 7: wrong by {references[0]}{apart}", ranks, "B", "", tuple(rows))
