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
    sound = [one for one in series if not one.hides] or series  # the sentence on top is of results that are well read
    compared = tables[0].sentence if tables else ()
    units = {result.counted for result in results}
    unit = units.pop() if len(units) == 1 else "sentences"
    context: dict[str, Any] = {
        "made": datetime.now(UTC).date().isoformat(),
        "days": _name_days(series),
        "series": series,
        "unit": unit,
        "lines": [one for one in series if visible(one.result.set) not in {table.set for table in tables}],
        "doubtful": sum(one.hides for one in series),
        "standings": tables,
        "headline": compared or headline(sound),
        "in_full": in_full(series[0]) if len(series) == 1 else "",
        "contrast": contrast(sound),
        "figure": main_figure(tables, series),
        "sound": len(sound),
        "bundled": any(result.by_bundled for result in results),
        "signatures": list(dict.fromkeys(hide_folders(one.result.signature) for one in series)),
        "failures": failures,
        "outcomes": filters.OUTCOMES,
    }
    if brief:
        return write_template(path, "brief.html", context)
    changes = differences(series, entrants)
    reviews = {one.result.signature: one.result for one in series if one.result.review}  # a review is of a detector
    context |= {
        "differences": changes if len(changes) <= DIFFERENCES else [],
        "trends": trends(series),
        "runs": _list_runs(series),
        "sections": [_open_section(name, series) for name in dict.fromkeys(result.set for result in results)],
        "examples": examples(series),
        "reviews": list(reviews.values()),
        "commands": list(dict.fromkeys(_spell_command(command) for command in commands if command)),
        "citations": list(dict.fromkeys(filter(None, (of_result(one.set).about.citation for one in results)))),
        "counted": filters.link_counted,
        "link": filters.link,
        "link_rates": filters.link_rates,
        "table": {**sentences.packed(series), "unit": unit},
        "total": sum(len(one.result.verdicts) for one in series),
        "sample": list(sentences.sample(series)),
    }
    return write_template(path, "page.html", context)


def _name_days(series: Sequence[Series]) -> str:
    """When the translations were made, or else the runs."""
    days = sorted({one.day for one in series if one.day})
    if not days:
        return ""
    return f"run of {days[0]}" if len(days) == 1 else f"runs of {days[0]} to {days[-1]}"


def _list_runs(series: Sequence[Series]) -> Table:
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
    return make_grid(("system", "identity", "set", "languages", "run", "translated", "protocol", "epicene"), cells)


def _open_section(set_name: str, series: Sequence[Series]) -> Section:
    own = [one for one in series if one.result.set == set_name]
    words, of_set = page_words(set_name), of_result(set_name).figures
    panels = []
    for langs in dict.fromkeys(one.result.langs for one in own):
        part = [one for one in own if one.result.langs == langs]
        name = f"{_make_id(set_name)}-{langs}"
        shown, note = _pick_shown(part)
        figures = [*list_figures(name, shown), *(of_set(name, shown) if of_set else ())]
        measures = _list_measures(part) if len(part) > len(shown) else None
        panels.append(Panel(name, name_languages(langs), langs, figures, part, measures, note))
    samples = (f"Measured on {one.result.sample}." for one in own if one.result.sample)
    dates = (f"{one.label}: translated {one.result.translated}." for one in own if one.result.translated)
    made = list(dict.fromkeys((*samples, *dates)))
    return Section(_make_id(set_name), visible(title(set_name)), words, *_fill_paper_table(words, own), panels, made)


def _pick_shown(part: Sequence[Series]) -> tuple[Sequence[Series], str]:
    """The systems that are drawn, no more than colours and shapes can tell apart, and how they were chosen."""
    if len(part) <= SERIES:
        return part, ""
    which = f"{SERIES} of {len(part)} systems"
    values = [0.0] * len(part)  # the order of the results stands
    note = f"The figures show the first {which}: the source does not state gender, so none is better than another."
    for gender, people in ((Gender.MASCULINE, "men"), (Gender.FEMININE, "women")):
        rates = [one.misgendered(gender) for one in part]
        if any(rates):
            values = [rate.value if rate else 100.0 for rate in rates]
            note = f"The figures show the {which} that misgender the fewest {people}."
    doubtful = [one.hides or bool(one.result.warnings) for one in part]
    if len(set(doubtful)) > 1:
        note += " Systems with doubtful results come last."
    chosen = sorted(range(len(part)), key=lambda index: (doubtful[index], values[index]))[:SERIES]
    return [part[index] for index in sorted(chosen)], note


def _list_measures(part: Sequence[Series]) -> Table:
    """All measures of many systems: a line for each system."""
    names = list(dict.fromkeys((m.name, m.group) for one in part for m in one.result.measures if not m.detail))
    rows = []
    for one in part:
        known = {(m.name, m.group): number(m.value, count_digits(m)) for m in one.result.measures}
        rows.append((one.label, *(known.get(name, "–") for name in names)))
    return make_grid(("system", *(f"{name} {group}" for name, group in names)), rows)


def _make_id(name: str) -> str:
    """A name as an anchor."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name)


def _fill_paper_table(words: PageWords, own: Sequence[Series]) -> tuple[list[str], list[PaperRow]]:
    """The headings of the paper's table and its rows, without columns that hold nothing, as adjectives for verbs."""
    if words.table is None:
        return [], []
    rows = []
    for one in own:
        known = {(measure.name, "*"): measure for measure in reversed(one.result.measures)}
        known |= {(measure.name, measure.group): measure for measure in one.result.measures}
        rows.append([known.get((name, group)) for name, group, _ in words.table.columns])
    filled = [any(cell and cell.value is not None for cell in column) for column in zip(*rows, strict=True)]
    headings = compress((heading for _, _, heading in words.table.columns), filled)
    return list(headings), [
        (one.into, one.label, [(m, filters.link_counted(one, m) if m else "") for m in compress(row, filled)])
        for one, row in zip(own, rows, strict=True)
    ]


def _spell_command(command: Sequence[str]) -> str:
    """The command as it is typed: without the folder that the program, or a script that uses the API, lies in."""
    program = Path(command[0]).name
    own = program.partition(".")[0] in ("epicene", "__main__")
    words = [hide_folders(word) for word in command[1:]]
    return visible(shlex.join([*(["epicene"] if own else ["python", program]), *words]))
