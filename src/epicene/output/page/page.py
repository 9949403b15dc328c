"""The report: one self-contained page that shows what the numbers hide."""

from __future__ import annotations

import base64
import hashlib
import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.files import written
from epicene.languages.codes import name as language_name
from epicene.languages.codes import pair
from epicene.output.charts.page import Series
from epicene.output.counts import Rate, count
from epicene.output.families import Family, citations, family, title
from epicene.output.page import sentences
from epicene.output.page.figures import Figure, figures
from epicene.output.page.headline import headline, in_full
from epicene.output.page.listening import examples
from epicene.output.page.matrix import differences, matrix, speed_figure
from epicene.output.terminal.tables import number, p_value
from epicene.output.text import shown
from epicene.pipeline.plan import family_of
from epicene.result import Result
from epicene.types import Gender, Measure
from epicene.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True)
class Line:
    """A result in one line: how often women and men are written as the other, or at all."""

    language: str
    set: str
    system: str
    women: Rate | None  # written as men; where the sentence leaves the gender open, all who are
    men: Rate | None
    n: int
    unread: int
    open: bool

    @property
    def doubtful(self) -> bool:
        """Whether too much could not be read to go by the shares."""
        return Rate(0, self.n, self.unread).doubtful


@dataclass(frozen=True, slots=True)
class Panel:
    """One language of a set: its figures, and all measures of each system."""

    id: str
    title: str
    langs: str
    figures: list[Figure]
    series: list[Series]


@dataclass(frozen=True, slots=True)
class Section:
    """One set: what it asks, the paper's table, and a panel for each language."""

    id: str
    title: str
    family: Family
    columns: list[str]  # of the paper's table, those that have a number
    rows: list[tuple[str, str, list[Measure | None]]]  # language, system, and a measure for each column
    panels: list[Panel]
    made: list[str]  # when services translated, and of what only a sample was taken


def write_page(
    path: Path, results: Sequence[Result], commands: Sequence[Sequence[str]] = (), comparison: bool = False
) -> Path:
    """Write the page of one or more results; ``comparison`` leaves out all but systems beside each other."""
    series = _labelled(results)
    environment = templates("epicene.output.page")
    style, script = (_asset(name) for name in ("page.css", "page.js"))
    context: dict[str, Any] = {
        "style": style,
        "script": script,
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        "version": __version__,
        "made": datetime.now(UTC).strftime("%-d %B %Y"),
        "series": series,
        **_top(series),
        **_compared(series, comparison),
        "sections": [] if comparison else _sections(series),
        "examples": [] if comparison else examples(series),
        "reviews": _reviews(series),
        "commands": list(dict.fromkeys(_command(each) for each in commands if each)),
        "signatures": list(dict.fromkeys(each.result.signature for each in series)),
        "citations": citations(results),
        "comparison": comparison,
        **({"table": None} if comparison else _table(series)),
    }
    page = environment.get_template("page.html").render(context)
    with written(path) as stream:
        stream.write(page)
    return path


def _top(series: Sequence[Series]) -> dict[str, Any]:
    """The sentence on top, from the results that could be read well, and a line for each result."""
    lines = [_line(each) for each in series]
    sound = [each for each, line in zip(series, lines, strict=True) if not line.doubtful] or series
    families, counts = [family(each.result.set) for each in sound], [each.counts for each in sound]
    return {
        "lines": lines,
        "headline": headline(families, counts, len({each.label for each in sound})),
        "in_full": in_full(counts[0]) if len(sound) == 1 else "",
        "sound": len(sound),
    }


def _compared(series: Sequence[Series], comparison: bool) -> dict[str, Any]:
    """Systems beside each other; no matrix where it would say less than the list on top, and nothing else is there."""
    both = {"differences": differences(series), "speed": speed_figure(series)}
    table = matrix(series) if len(series) > 1 else None
    worth = table and (comparison or (table.dense and len(table.rows) > 1) or any(both.values()))
    return {**both, "matrix": table if worth else None}


def templates(package: str) -> Environment:
    """Templates of a package, which escape all that they are given."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shown=shown, number=_number, p_value=p_value, signed=_signed)
    return environment


def _number(value: float | None, digits: int = 1) -> str:
    return number(value, digits).replace("-", "\u2212")


def _signed(value: float) -> str:
    return f"{value:+z.1f}".replace("-", "\u2212")


def _asset(name: str) -> str:
    return files("epicene.output.page").joinpath("templates", name).read_text(encoding="utf-8")


def _labelled(results: Sequence[Result]) -> list[Series]:
    """The results with names that tell them apart, and that are one for files named after their language pair."""
    pairs: dict[str, set[str]] = {}
    for result in results:
        pairs.setdefault(_pattern(result), set()).add(result.langs)
    several = len({pair(result.langs).source for result in results}) > 1
    seen = Counter[tuple[str, str, str]]()
    found = []
    for result in results:
        label = _pattern(result) if len(pairs[_pattern(result)]) > 1 else result.system
        key = (result.set, result.langs, label)
        seen[key] += 1
        label = label if seen[key] == 1 else f"{label} ({seen[key]})"
        found.append(
            Series(
                shown(label),
                result,
                count(result.verdicts, family_of(result.set).stratum),
                _into(result.langs, several),
            )
        )
    return found


def _pattern(result: Result) -> str:
    """``file:hyp.en-*.txt`` for ``file:hyp.en-de.txt``."""
    source, _, target = result.langs.partition("-")
    return re.sub(rf"\b{source}([-_]){target}\b", rf"{source}\1*", result.system)


def _line(each: Series) -> Line:
    women, men = (each.counts.misgendered(gender) for gender in (Gender.FEMININE, Gender.MASCULINE))
    result, is_open = each.result, not women and not men
    if is_open:
        women, men = (each.counts.written(gender) for gender in (Gender.MASCULINE, Gender.FEMININE))
    unread = result.genders[Gender.UNKNOWN]
    return Line(each.into, shown(result.set), each.label, women, men, result.n, unread, is_open)


def _into(langs: str, several: bool) -> str:
    target = language_name(pair(langs).target)
    return f"{language_name(pair(langs).source)} to {target}" if several else target


def _sections(series: Sequence[Series]) -> list[Section]:
    found = []
    for set_name in dict.fromkeys(each.result.set for each in series):
        own = [each for each in series if each.result.set == set_name]
        words = family(set_name)
        panels = []
        for langs in dict.fromkeys(each.result.langs for each in own):
            part = [each for each in own if each.result.langs == langs]
            name = f"{_id(set_name)}-{langs}"
            panels.append(Panel(name, _into(langs, several=True), langs, figures(name, words, part), part))
        columns, rows = _paper_table(words, own)
        found.append(Section(_id(set_name), shown(title(set_name)), words, columns, rows, panels, _made(own)))
    return found


def _id(name: str) -> str:
    """A name as an anchor."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name)


def _made(own: Sequence[Series]) -> list[str]:
    """When it was translated and what was sampled, each once, however many languages it holds for."""
    dates = [f"{each.label}: translated {each.result.translated}." for each in own if each.result.translated]
    samples = [f"Measured on {each.result.sample}." for each in own if each.result.sample]
    return list(dict.fromkeys(samples + dates))


def _paper_table(words: Family, own: Sequence[Series]) -> tuple[list[str], list[tuple[str, str, list[Measure | None]]]]:
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
        (each.into, each.label, list(compress(row, filled))) for each, row in zip(own, rows, strict=True)
    ]


def _table(series: Sequence[Series]) -> dict[str, Any]:
    found = sentences.rows(series)
    return {
        "table": {**sentences.packed(found), "outcomes": _OUTCOMES},
        "total": sum(len(each.result.verdicts) for each in series),
        "sample": list(sentences.sample(series)),
        "outcomes": _OUTCOMES,
    }


# What each outcome is called and the sign that goes with it, so that nothing is told by colour alone.
_OUTCOMES = {
    "wrong": ("✗", "wrong gender"),
    "unread": ("?", "could not be read"),
    "right gender, other word": ("≈", "right gender, other word"),
    "no gender": ("○", "names no gender"),
    "right": ("✓", "right"),
    "no expectation": ("–", "nothing expected"),
}


def _reviews(series: Sequence[Series]) -> list[Result]:
    """One reviewed result of each signature, since its review is that of the detector."""
    found = {each.result.signature: each.result for each in series if each.result.review}
    return list(found.values())


def _command(command: Sequence[str]) -> str:
    """The command as it is typed: without the folder that the program, or a script that uses the API, lies in."""
    program = Path(command[0]).name
    own = program.partition(".")[0] in ("epicene", "__main__")
    return shown(shlex.join([*(["epicene"] if own else ["python", program]), *command[1:]]))
