"""Views: one file for each set whose results read better in tables of their own, with ``VIEW = View(…)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from epicene import registry
from epicene.output.table import Table

if TYPE_CHECKING:
    from epicene.result import Result


@dataclass(frozen=True, slots=True)
class View:
    """How the results of a set are shown."""

    tables: Callable[[Result], Iterable[Table]]  # below the heading


VIEWS = registry.Kind("view of results", "epicene.views", (View,), registry.modules("VIEW", "epicene.output.views"))
