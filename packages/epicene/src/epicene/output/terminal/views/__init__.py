"""Views: one file for each set whose results read better in tables of their own, with ``VIEW = View(…)``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from epicene import registry
from epicene.result import Result

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True, slots=True)
class View:
    """How the results of a set are printed."""

    parts: Callable[[Result], Iterator[Table | str]]  # below the heading
    as_latex: Callable[[Sequence[Result]], str] | None = None  # None: as any set


VIEWS = registry.Kind(
    "view of results", "epicene.views", (View,), registry.modules("VIEW", "epicene.output.terminal.views")
)
