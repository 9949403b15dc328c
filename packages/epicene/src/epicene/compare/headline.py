"""What a matrix comes to, in a sentence or two: who stands first, where, and who cannot be told apart from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from epicene.check.language import called
from epicene.compare.table import Column, Matrix

_NAMED = 3  # systems that a sentence names at most


def headline(matrix: Matrix) -> str:
    """Who is best and where; for sets without right answers, who writes women most often."""
    sets = dict.fromkeys(column.set for column in matrix.columns)
    parts = [_of_set(matrix, [column for column in matrix.columns if column.set == name]) for name in sets]
    if len(parts) == 1:
        return parts[0]
    return " ".join(f"{name}: {part}" for name, part in zip(sets, parts, strict=True))


def _of_set(matrix: Matrix, columns: Sequence[Column]) -> str:
    contested = [column for column in columns if len(column.cells) > 1]
    if not contested:
        return "Nothing can be compared: no two systems translate into the same language."
    led = {column.langs: cell for column in contested if (cell := column.first())}
    doubtful = [name for name in matrix.systems if all(_doubtful(column, name) for column in contested)]
    if not led:
        return "Nobody can be named: of all systems, or all but one, more than 5 % could not be read or is doubtful."
    leads = Counter(cell.system for cell in led.values())
    first = min(leads, key=lambda name: (-leads[name], matrix.systems.index(name)))
    own = [column for column in contested if column.langs in led and led[column.langs].system == first]
    said = f"{first} {matrix.kind.verb} {_where(own, contested)}{_values(own, first)}"
    said += _ties(own, first)
    others = [(name, [c for c in contested if c.langs in led and led[c.langs].system == name]) for name in leads]
    rest = [f"{name} {_where(places, contested)}{_with(places, name)}" for name, places in others if name != first]
    if rest:
        said += f"; {_listed(rest)}"
    if doubtful:
        said += f". Not named, since too much of them could not be read: {_listed(doubtful)}"
    return f"{said}."


def _doubtful(column: Column, system: str) -> bool:
    cell = column.cells.get(system)
    return cell is None or cell.doubtful


def _where(columns: Sequence[Column], among: Sequence[Column]) -> str:
    if len(among) == 1:
        return f"in {called(among[0].target)}"
    if len(columns) == 1:
        return f"in {called(columns[0].target)}"
    return f"in {len(columns)} of {len(among)} languages"


def _values(columns: Sequence[Column], system: str) -> str:
    values = [value for column in columns if (value := column.cells[system].value) is not None]
    low, high = (f"{each(values):.1f}" for each in (min, max))
    return f" ({low} %)" if low == high else f" ({low} to {high} %)"


def _ties(columns: Sequence[Column], first: str) -> str:
    """Who cannot be told apart from the first, and in how many of its languages."""
    tied = {column.langs: [n for n in column.cells[first].tied if not column.cells[n].doubtful] for column in columns}
    several = Counter(name for names in tied.values() for name in names)
    if not several:
        return ""
    everywhere = [name for name, number in several.items() if number == len(columns)]
    if everywhere:
        return f"; {_listed(everywhere)} cannot be told apart from it"
    places = sum(bool(names) for names in tied.values())
    some = "there" if len(columns) == 1 else f"in {places} of these"
    return f"; {_listed(list(several))} cannot be told apart from it {some}"


def _with(columns: Sequence[Column], first: str) -> str:
    """The same in brackets, for those who stand first in few languages."""
    tied = dict.fromkeys(n for column in columns for n in column.cells[first].tied if not column.cells[n].doubtful)
    return f" (not told apart from {_listed(list(tied))})" if tied else ""


def _listed(names: Sequence[str]) -> str:
    if len(names) > _NAMED + 1:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
