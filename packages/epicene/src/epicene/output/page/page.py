"""The report: one self-contained page that shows what the numbers hide."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import compress
from pathlib import Path
from typing import Any

from epicene.output.charts.vega import SERIES
from epicene.output.page import filters, sentences
from epicene.output.page.figures import Figure, list_figures, make_grid, trends
from epicene.output.page.first import contrast, headline, in_full, main_figure
from epicene.output.page.listening import examples
from epicene.output.page.series import Series, label_systems, name_languages
from epicene.output.page.standings import differences, open_entrants, standings
from epicene.output.page.templating import hide_folders, write_template
from epicene.output.table import Table, count_digits
from epicene.output.table import format_number as number
from epicene.result import Result
from epicene.sets import of_result, page_words, title
from epicene.sets.about import PageWords
from epicene.text import visible
from epicene.types import Gender, Measure

DIFFERENCES = 12  # pairs of systems whose differences are listed; with more, the table of standings says it

PaperRow = tuple[str, str, list[tuple[Measure | None, str]]]  # language, system, measures and where they lead


@dataclass(frozen=True, slots=True)
class Panel:
    """One language of a set: its figures, and all measures of each system."""

    id: str
    title: str
    langs: str
    figures: list[Figure]
    series: list[Series]
    measures: Table | None = None  # of more systems than are drawn, in one table
    note: str = ""  # which systems the figures show, where they do not show all


@dataclass(frozen=True, slots=True)
class Section:
    """One set: what it asks, the paper's table, and a panel for each language."""

    id: str
    title: str
    family: PageWords
    columns: list[str]  # of the paper's table, those that have a number
    rows: list[PaperRow]
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
    series = label_systems(results, linked=not brief)
    entrants = open_entrants(series)
    tables = standings(series, entrants)
    sound = [
        system for system in series if not system.hides
    ] or series  # the sentence on top is of results that are well read
    compared = tables[0].sentence if tables else ()
    units = {result.counted for result in results}
    unit = units.pop() if len(units) == 1 else "sentences"
    context: dict[str, Any] = {
        "made": datetime.now(UTC).date().isoformat(),
        "days": _name_days(series),
        "series": series,
        "unit": unit,
        "lines": [system for system in series if visible(system.result.set) not in {table.set for table in tables}],
        "doubtful": sum(system.hides for system in series),
        "standings": tables,
        "headline": compared or headline(sound),
        "in_full": in_full(series[0]) if len(series) == 1 else "",
        "contrast": contrast(sound),
        "figure": main_figure(tables, series),
        "sound": len(sound),
        "bundled": any(result.by_bundled for result in results),
        "signatures": list(dict.fromkeys(hide_folders(system.result.signature) for system in series)),
        "failures": failures,
        "outcomes": filters.OUTCOMES,
    }
    if brief:
        return write_template(path, "brief.html", context)
    changes = differences(series, entrants)
    reviews = {
        system.result.signature: system.result for system in series if system.result.review
    }  # a review is of a detector
    context |= {
        "differences": changes if len(changes) <= DIFFERENCES else [],
        "trends": trends(series),
        "runs": _list_runs(series),
        "sections": [_open_section(name, series) for name in dict.fromkeys(result.set for result in results)],
        "examples": examples(series),
        "reviews": list(reviews.values()),
        "commands": list(dict.fromkeys(_spell_command(command) for command in commands if command)),
        "citations": list(dict.fromkeys(filter(None, (of_result(system.set).about.citation for system in results)))),
        "counted": filters.link_counted,
        "link": filters.link,
        "link_rates": filters.link_rates,
        "table": {**sentences.packed(series), "unit": unit},
        "total": sum(len(system.result.verdicts) for system in series),
        "sample": list(sentences.sample(series)),
    }
    return write_template(path, "page.html", context)


def _name_days(series: Sequence[Series]) -> str:
    """When the translations were made, or else the runs."""
    days = sorted({system.day for system in series if system.day})
    if not days:
        return ""
    return f"run of {days[0]}" if len(days) == 1 else f"runs of {days[0]} to {days[-1]}"


def _list_runs(series: Sequence[Series]) -> Table:
    """What each result is of: its system's identity, when it was run and translated, and by which version."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for system in series:
        result = system.result
        version = next((part[2:] for part in result.signature.split("|") if part.startswith("v:")), "")
        run = result.source.day if result.source else ""
        identity = hide_folders(result.identity or result.system)
        key = (system.label, identity, result.set, run, str(result.translated or ""), result.protocol, version)
        rows.setdefault(key, []).append(result.langs)
    cells = [(label, what, name, ", ".join(langs), *rest) for (label, what, name, *rest), langs in rows.items()]
    return make_grid(("system", "identity", "set", "languages", "run", "translated", "protocol", "epicene"), cells)


def _open_section(set_name: str, series: Sequence[Series]) -> Section:
    of_this_set = [system for system in series if system.result.set == set_name]
    words, of_set = page_words(set_name), of_result(set_name).figures
    panels = []
    for langs in dict.fromkeys(system.result.langs for system in of_this_set):
        part = [system for system in of_this_set if system.result.langs == langs]
        name = f"{_make_id(set_name)}-{langs}"
        shown, note = _pick_shown(part)
        figures = [*list_figures(name, shown), *(of_set(name, shown) if of_set else ())]
        measures = _list_measures(part) if len(part) > len(shown) else None
        panels.append(Panel(name, name_languages(langs), langs, figures, part, measures, note))
    samples = (f"Measured on {system.result.sample}." for system in of_this_set if system.result.sample)
    dates = (
        f"{system.label}: translated {system.result.translated}." for system in of_this_set if system.result.translated
    )
    made = list(dict.fromkeys((*samples, *dates)))
    return Section(
        _make_id(set_name), visible(title(set_name)), words, *_fill_paper_table(words, of_this_set), panels, made
    )


def _pick_shown(part: Sequence[Series]) -> tuple[Sequence[Series], str]:
    """The systems that are drawn, no more than colours and shapes can tell apart, and how they were chosen."""
    if len(part) <= SERIES:
        return part, ""
    which = f"{SERIES} of {len(part)} systems"
    values = [0.0] * len(part)  # the order of the results stands
    note = f"The figures show the first {which}: the source does not state gender, so none is better than another."
    for gender, people in ((Gender.MASCULINE, "men"), (Gender.FEMININE, "women")):
        rates = [system.misgendered(gender) for system in part]
        if any(rates):
            values = [rate.value if rate else 100.0 for rate in rates]
            note = f"The figures show the {which} that misgender the fewest {people}."
    doubtful = [system.hides or bool(system.result.warnings) for system in part]
    if len(set(doubtful)) > 1:
        note += " Systems with doubtful results come last."
    chosen = sorted(range(len(part)), key=lambda index: (doubtful[index], values[index]))[:SERIES]
    return [part[index] for index in sorted(chosen)], note


def _list_measures(part: Sequence[Series]) -> Table:
    """All measures of many systems: a line for each system."""
    names = list(dict.fromkeys((m.name, m.group) for system in part for m in system.result.measures if not m.detail))
    rows = []
    for system in part:
        known = {(m.name, m.group): number(m.value, count_digits(m)) for m in system.result.measures}
        rows.append((system.label, *(known.get(name, "–") for name in names)))
    return make_grid(("system", *(f"{name} {group}" for name, group in names)), rows)


def _make_id(name: str) -> str:
    """A name as an anchor."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name)


def _fill_paper_table(words: PageWords, series: Sequence[Series]) -> tuple[list[str], list[PaperRow]]:
    """The headings of the paper's table and its rows, without columns that hold nothing, as adjectives for verbs."""
    if words.table is None:
        return [], []
    rows = []
    for system in series:
        known = {(measure.name, "*"): measure for measure in reversed(system.result.measures)}
        known |= {(measure.name, measure.group): measure for measure in system.result.measures}
        rows.append([known.get((name, group)) for name, group, _ in words.table.columns])
    filled = [any(cell and cell.value is not None for cell in column) for column in zip(*rows, strict=True)]
    headings = compress((heading for _, _, heading in words.table.columns), filled)
    return list(headings), [
        (system.into, system.label, [(m, filters.link_counted(system, m) if m else "") for m in compress(row, filled)])
        for system, row in zip(series, rows, strict=True)
    ]


def _spell_command(command: Sequence[str]) -> str:
    """The command as it is typed: without the folder that the program, or a script that uses the API, lies in."""
    program = Path(command[0]).name
    is_ours = program.partition(".")[0] in ("epicene", "__main__")
    words = [hide_folders(word) for word in command[1:]]
    return visible(shlex.join([*(["epicene"] if is_ours else ["python", program]), *words]))
