"""Studies: one file per paper, its plan and its published numbers beside ours.

A file defines ``STUDY = StudyPlan(…)``. Inputs are given as NAME=PATH, or lie under their usual names.

A ``Study`` holds tables of published figures with ours beside them, and what was missing to compute ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from epicene import registry
from epicene.output.table import Answer, Cell, Listing, Row, Table, flatten

Progress = Callable[[int, int], None]  # done, total
LINES = 84  # of text, unless everything is asked for
_FEW = 3  # inputs that are not here


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the paper: what a chart of it shows."""

    title: str
    draw: Callable[[Figure], dict[str, Any]]  # as a specification of Vega-Lite
    x: str  # what the axes are called
    y: str
    rows: tuple[Mapping[str, Cell], ...]  # in the keys that ``draw`` takes


@dataclass(frozen=True, slots=True, repr=False)
class Study(Answer):
    """A paper's tables, ours beside the published figures."""

    name: str
    title: str
    parts: tuple[Table, ...]
    missing: Mapping[str, str]  # inputs that were not found: what they are and where to get them
    signatures: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    short: bool = False  # whether only what fits ``LINES`` is printed; JSON and CSV have everything

    def tables(self) -> Iterable[Table]:
        """The tables of the paper, the answer and the main ones first, then what is missing for more of them."""
        yield Table(self.title)
        parts = [
            replace(part, title=f"\n{part.title}", notes=tuple(f"- {note}" for note in part.notes))
            for part in self.parts
        ]
        shown = _cut_tables(parts) if self.short else parts
        yield from shown
        notes = [f"not here: {name}: {how}" for name, how in self.missing.items()]
        if self.short and (shown != parts or len(notes) > _FEW):
            tables = f"{len(parts) - len(shown)} more tables, " if len(shown) < len(parts) else ""
            notes = [f"not here: {', '.join(self.missing)}"] if notes else []
            yield Table(notes=(*notes, f"{tables}all notes, inputs and signatures: epicene study {self.name} --all"))
            return
        yield Table(notes=tuple(notes), signatures=self.signatures)

    def shorten(self) -> Study:
        """The same, of which text, Markdown and LaTeX show the answer and the main tables only."""
        return replace(self, short=True)

    def rows(self) -> list[Row]:
        """The rows of all tables, each with the title of its own."""
        return flatten(self.parts)

    def as_dict(self) -> dict[str, Any]:
        """The study as JSON has it; figures are drawn, not printed."""
        return {
            "study": self.name,
            "title": self.title,
            "tables": [part.as_dict() for part in self.parts],
            "missing": dict(self.missing),
            "signatures": list(self.signatures),
        }


def _cut_tables(parts: list[Table]) -> list[Table]:
    """The first tables that fit a screen or two; where the next one does not, without its notes or not at all."""
    from epicene.output.render import Format, render

    def count_lines(part: Table) -> int:
        return len(render([Listing((part,))], Format.TEXT).splitlines())

    shown: list[Table] = []
    room = LINES
    for part in parts:
        fitting = next((one for one in (part, replace(part, notes=())) if count_lines(one) <= room), None)
        if fitting is None:
            break
        shown.append(fitting)
        room -= count_lines(fitting)
    return shown


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What a study is computed from, and how."""

    title: str
    inputs: Mapping[str, str]  # what each input is, by its name
    run: Callable[[Mapping[str, str]], Study]  # gets the paths of inputs by name
    more: str = ""  # what inputs of any other name are; empty where there are none
    again: tuple[str, ...] = ()  # inputs that may be given again: the second is called "NAME 2"
    # Does what takes long, such as to translate, so that it is in the cache when the study is computed.
    prepare: Callable[[Mapping[str, str], Progress], None] | None = None
    anyway: Callable[[Mapping[str, str]], Study] | None = None  # ``run`` with what it holds back, and a warning there


STUDIES = registry.Registry(
    "study", "epicene.studies", (StudyPlan,), dict, "Studies of papers come with: pip install epicene-lab"
)
