"""The report: one self-contained page that shows what the numbers hide."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import compress
from pathlib import Path
from typing import Any

from epicene.compare.entrants import Entrant
from epicene.flow.plan import measures_of
from epicene.languages.codes import name as language_name
from epicene.languages.codes import pair
from epicene.output.charts.page import Series
from epicene.output.charts.vega import SERIES
from epicene.output.page import filters, sentences
from epicene.output.page.figures import Figure, Grid, clean, figures
from epicene.output.page.filters import OUTCOMES, groups_of, outcome
from epicene.output.page.first import contrast, main_figure, trends
from epicene.output.page.headline import headline, in_full, of_standings
from epicene.output.page.listening import examples
from epicene.output.page.standings import differences, open_entrants, standings
from epicene.output.page.templating import hide_folders, write_template
from epicene.output.table import count_digits
from epicene.output.table import format_number as number
from epicene.result import Result
from epicene.sets import of_result, page_words, title
from epicene.sets.about import PageWords
from epicene.text import visible
from epicene.types import Gender, Measure

DIFFERENCES = 12  # pairs of systems whose differences are listed; with more, the table of standings says it


@dataclass(frozen=True, slots=True)
class Panel:
    """One language of a set: its figures, and all measures of each system."""

    id: str
    title: str
    langs: str
    figures: list[Figure]
    series: list[Series]
    measures: Grid | None = None  # of more systems than are drawn, in one table
    note: str = ""  # which systems the figures show, where they do not show all


@dataclass(frozen=True, slots=True)
class Section:
    """One set: what it asks, the paper's table, and a panel for each language."""

    id: str
    title: str
    family: PageWords
    columns: list[str]  # of the paper's table, those that have a number
    rows: list[tuple[str, str, list[tuple[Measure | None, str]]]]  # language, system, measures and where they lead
    panels: list[Panel]
    made: list[str]  # when services translated, and of what only a sample was taken


def write_page(
    path: Path,
    results: Sequence[Result],
    commands: Sequence[Sequence[str]] = (),
    failures: Sequence[str] = (),
    brief: bool = False,
) -> Path:
    """Write the page of one or more results, and of what failed; ``brief``: its first screen alone."""
    series = _label_systems(results, linked=not brief)
    entrants = open_entrants(series)
    context: dict[str, Any] = {
        "made": datetime.now(UTC).date().isoformat(),
        "days": _days(series),
        "series": series,
        "unit": _counted(series),
        **_top(series, entrants),
        "bundled": any(result.by_bundled for result in results),
        "signatures": list(dict.fromkeys(hide_folders(one.result.signature) for one in series)),
        "failures": failures,
        "outcomes": OUTCOMES,
    }
    if brief:
        return write_template(path, "brief.html", context)
    context |= {
        "differences": found if len(found := differences(series, entrants)) <= DIFFERENCES else [],
        "trends": trends(series),
        "runs": _runs(series),
        "sections": _sections(series),
        "examples": examples(series),
        "reviews": _reviews(series),
        "commands": list(dict.fromkeys(_command(command) for command in commands if command)),
        "citations": [text for text in dict.fromkeys(of_result(each.set).about.citation for each in results) if text],
        "counted": filters.link_counted,
        "link": filters.link,
        "link_rates": filters.link_rates,
        "table": {**sentences.packed(series), "unit": _counted(series)},
        "total": sum(len(one.result.verdicts) for one in series),
        "sample": list(sentences.sample(series)),
    }
    return write_template(path, "page.html", context)


def _top(series: Sequence[Series], entrants: Sequence[Entrant]) -> dict[str, Any]:
    """The sentence on top, from the results that could be read well; where systems stand, or a line for each result."""
    sound = [one for one in series if not one.hides] or list(series)
    tables = standings(series, entrants)
    compared = of_standings(tables)
    return {
        "lines": [one for one in series if visible(one.result.set) not in {table.set for table in tables}],
        "doubtful": sum(one.hides for one in series),
        "standings": tables,
        "headline": compared or headline(sound),
        "in_full": in_full(series[0]) if len(series) == 1 else "",
        "contrast": contrast(sound),
        "figure": main_figure(tables, series),
        "sound": len(sound),
    }


def _counted(series: Sequence[Series]) -> str:
    """What the numbers of a page count: recordings where every set is spoken."""
    units = {each.result.counted for each in series}
    return units.pop() if len(units) == 1 else "sentences"


def _days(series: Sequence[Series]) -> str:
    """When the translations were made, or else the runs."""
    days = sorted({each.day for each in series if each.day})
    if not days:
        return ""
    return f"run of {days[0]}" if len(days) == 1 else f"runs of {days[0]} to {days[-1]}"


def _runs(series: Sequence[Series]) -> Grid:
    """What each result is of: its system's identity, when it was run and translated, and by which version."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for one in series:
        result = one.result
        version = next((part[2:] for part in result.signature.split("|") if part.startswith("v:")), "")
        run = result.source.day if result.source else ""
        identity = hide_folders(result.identity or result.system)
        key = (one.label, identity, result.set, run, str(result.translated or ""), result.protocol, version)
        rows.setdefault(key, []).append(result.langs)
    cells = [(label, what, name, ", ".join(langs), *rest) for (label, what, name, *rest), langs in rows.items()]
    return Grid(("system", "identity", "set", "languages", "run", "translated", "protocol", "epicene"), clean(cells))


def _label_systems(results: Sequence[Result], linked: bool = True) -> list[Series]:
    """The results with short names of their systems; options, then numbers, tell apart those that have the same."""
    alike = Counter((result.set, result.langs, result.label) for result in results)
    several = len({pair(result.langs).source for result in results}) > 1
    seen = Counter[tuple[str, str, str]]()
    series = []
    for result in results:
        label, options = result.label, result.system.partition("?")[2]
        if alike[result.set, result.langs, label] > 1 and options:
            label = f"{label} {options.replace('&', ' ')}"
        key = (result.set, result.langs, label)
        seen[key] += 1
        label = label if seen[key] == 1 else f"{label} ({seen[key]})"
        into = _into(result.langs, several)
        series.append(Series(visible(hide_folders(label)), result, into, _tallies(result), linked))
    return series


def _tallies(result: Result) -> Counter[tuple[str, str, str]]:
    """How many sentences of each group have each verdict and reading: what a link must lead to."""
    measured, known = measures_of(result.set), Counter[tuple[tuple[str, ...], str, str]]()
    for verdict in result.verdicts:
        known[groups_of(measured, verdict.output.item), outcome(verdict), verdict.gender.value] += 1
    found = Counter[tuple[str, str, str]]()
    for (groups, came_out, read), size in known.items():
        for group in groups:
            found[group, "verdict", came_out] += size
            found[group, "read", read] += size
    return found


def _into(langs: str, several: bool) -> str:
    target = language_name(pair(langs).target)
    return f"{language_name(pair(langs).source)} to {target}" if several else target


def _sections(series: Sequence[Series]) -> list[Section]:
    found = []
    for set_name in dict.fromkeys(each.result.set for each in series):
        own = [each for each in series if each.result.set == set_name]
        words, of_set = page_words(set_name), of_result(set_name).figures
        panels = []
        for langs in dict.fromkeys(each.result.langs for each in own):
            part = [each for each in own if each.result.langs == langs]
            name = f"{_id(set_name)}-{langs}"
            shown, note = _pick_shown(part)
            drawings = [*figures(name, words, shown), *(of_set(name, shown) if of_set else ())]
            table = _all_measures(part) if len(part) > len(shown) else None
            panels.append(Panel(name, _into(langs, several=True), langs, drawings, part, table, note))
        columns, rows = _paper_table(words, own)
        found.append(Section(_id(set_name), visible(title(set_name)), words, columns, rows, panels, _made(own)))
    return found


def _pick_shown(part: Sequence[Series]) -> tuple[Sequence[Series], str]:
    """The systems that are drawn, no more than colours and shapes can tell apart, and how they were chosen."""
    if len(part) <= SERIES:
        return part, ""
    which = f"{SERIES} of {len(part)} systems"
    for gender, people in ((Gender.FEMININE, "women"), (Gender.MASCULINE, "men")):
        rates = [each.misgendered(gender) for each in part]
        if any(rates):
            values = [rate.value if rate else 100.0 for rate in rates]
            note = f"The figures show the {which} that misgender the fewest {people}."
            break
    else:
        values = [0.0] * len(part)  # the order of the results stands
        note = f"The figures show the first {which}: the source does not state gender, so none is better than another."
    doubtful = [each.hides or bool(each.result.warnings) for each in part]
    if len(set(doubtful)) > 1:
        note += " Systems with doubtful results come last."
    chosen = sorted(range(len(part)), key=lambda number: (doubtful[number], values[number]))[:SERIES]
    return [part[number] for number in sorted(chosen)], note


def _all_measures(part: Sequence[Series]) -> Grid:
    """All measures of many systems: a line for each system."""
    names = list(dict.fromkeys((m.name, m.group) for each in part for m in each.result.measures if not m.detail))
    rows = []
    for each in part:
        known = {(m.name, m.group): m for m in each.result.measures}
        rows.append(
            (
                each.label,
                *(number(known[name].value, count_digits(known[name])) if name in known else "–" for name in names),
            )
        )
    return Grid(("system", *(f"{name} {group}" for name, group in names)), clean(rows))


def _id(name: str) -> str:
    """A name as an anchor."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name)


def _made(own: Sequence[Series]) -> list[str]:
    """When it was translated and what was sampled, each once, however many languages it holds for."""
    dates = [f"{each.label}: translated {each.result.translated}." for each in own if each.result.translated]
    samples = [f"Measured on {each.result.sample}." for each in own if each.result.sample]
    return list(dict.fromkeys(samples + dates))


def _paper_table(
    words: PageWords, own: Sequence[Series]
) -> tuple[list[str], list[tuple[str, str, list[tuple[Measure | None, str]]]]]:
    """The headings of the paper's table and its rows, without columns that hold nothing, as adjectives for verbs."""
    if words.table is None:
        return [], []
    rows = []
    for each in own:
        known = {(measure.name, "*"): measure for measure in reversed(each.result.measures)}
        known |= {(measure.name, measure.group): measure for measure in each.result.measures}
        rows.append([known.get((name, group)) for name, group, _ in words.table.columns])
    filled = [any(cell and cell.value is not None for cell in column) for column in zip(*rows, strict=True)]
    headings = compress((heading for _, _, heading in words.table.columns), filled)
    return list(headings), [
        (each.into, each.label, [(m, filters.link_counted(each, m) if m else "") for m in compress(row, filled)])
        for each, row in zip(own, rows, strict=True)
    ]


def _reviews(series: Sequence[Series]) -> list[Result]:
    """One reviewed result of each signature, since its review is that of the detector."""
    found = {each.result.signature: each.result for each in series if each.result.review}
    return list(found.values())


def _command(command: Sequence[str]) -> str:
    """The command as it is typed: without the folder that the program, or a script that uses the API, lies in."""
    program = Path(command[0]).name
    own = program.partition(".")[0] in ("epicene", "__main__")
    words = [hide_folders(word) for word in command[1:]]
    return visible(shlex.join([*(["epicene"] if own else ["python", program]), *words]))
