"""What a matrix comes to, in a few sentences: how large the rates are, then which system is first, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from epicene.check.language import called
from epicene.compare.table import Cell, Column, Matrix
from epicene.measures.claims import SMALL
from epicene.sets import title

_NAMED = 3  # systems that a sentence names at most
_FAR = 0.5  # one language is news of its own where its rate is under this part of every system's mean

Lead = tuple[Column, Cell]  # a language and the system that is first in it


def headline(matrix: Matrix) -> str:
    """What the systems of each set come to; for sets without right answers, how often they use the feminine."""
    return " ".join(_describe_set(matrix, name) for name in dict.fromkeys(column.set for column in matrix.columns))


def name_test(set_name: str) -> str:
    """What a test is called in a sentence."""
    short = title(set_name).partition(":")[0]
    return short.lower() if short.startswith("Your own") else short


def _describe_set(matrix: Matrix, name: str) -> str:
    contested = [column for column in matrix.columns if column.set == name and len(column.cells) > 1]
    if not contested:
        return "Nothing can be compared: no two systems translate into the same language."
    leads = [(column, cell) for column in contested if (cell := column.first())]
    if not leads:
        return (
            f"No system can be named first in {name_test(name)}: of all, or all but one, too few genders were detected "
            "or the results are doubtful."
        )
    means = [column for column in matrix.means if column.set == name]
    sentences = [_describe_size(matrix, name, contested, means), _describe_first(matrix, leads, contested)]
    if means and (exception := _describe_exception(matrix, contested, means[0], leads)):
        sentences.append(exception)
    doubtful = [system for system in matrix.systems if all(_is_doubtful(column, system) for column in contested)]
    if doubtful:
        sentences.append(f"Not named first, since too few genders were detected: {_list(doubtful)}.")
    return " ".join(filter(None, sentences))


def _describe_size(matrix: Matrix, name: str, contested: Sequence[Column], means: Sequence[Column]) -> str:
    """The rates of the first and the last system: in the one language that there is, or their means."""
    whole = contested[0] if len(contested) == 1 else next(iter(means), None)
    cells = _sound(whole) if whole else []
    if whole is None or len(cells) < 2:
        return _describe_range(matrix, name, contested) if len(contested) > 1 else ""
    kind, (first, *_, last) = matrix.kind, sorted(cells, key=lambda cell: -matrix.kind.best * _value(cell))
    where = f"into {called(whole.target)}" if len(contested) == 1 else f"mean of {len(contested)} languages"
    test = f"{kind.people} in {name_test(name)} ({where}{f', n = {first.n}' if first.n < SMALL else ''})"
    if len(cells) > 2:
        ends = f"{_value(first):.1f} % ({first.system}) to {_value(last):.1f} % ({last.system})"
        return f"{len(cells)} systems {kind.plural} {ends} of {test}."
    tied = "; the difference is not significant" if last.system in first.tied else ""
    return f"{first.system} {kind.verb} {_value(first):.1f} % of {test}, {last.system} {_value(last):.1f} %{tied}."


def _describe_range(matrix: Matrix, name: str, contested: Sequence[Column]) -> str:
    """The first and the last rate of any system in any language, where no two systems have all languages."""
    leads = [(column, cell) for column in contested for cell in _sound(column)]
    if len(leads) < 2:
        return ""
    leads.sort(key=lambda lead: -matrix.kind.best * _value(lead[1]))
    ends = [
        f"{_value(cell):.1f} % ({cell.system} into {called(column.target)})"
        for column, cell in leads[:: len(leads) - 1]
    ]
    systems = len({cell.system for _, cell in leads})
    return f"{systems} systems {matrix.kind.plural} {' to '.join(ends)} of {matrix.kind.people} in {name_test(name)}."


def _describe_first(matrix: Matrix, leads: Sequence[Lead], contested: Sequence[Column]) -> str:
    """Who is first in how many languages, and who is tied with it."""
    wins = Counter(cell.system for _, cell in leads)
    order = sorted(wins, key=lambda system: (-wins[system], matrix.systems.index(system)))
    parts = []
    for system in order:
        won = [column for column, cell in leads if cell.system == system]
        parts.append(f"{system}{_describe_place(won, contested)}{_describe_ties(won, system)}")
    return f"{matrix.kind.first}: {'; '.join(parts)}."


def _describe_place(columns: Sequence[Column], contested: Sequence[Column]) -> str:
    if len(contested) == 1:
        return ""
    if len(columns) == 1:
        return f" into {called(columns[0].target)} ({_value(columns[0].first()):.1f} %)"
    return f" in {len(columns)} of {len(contested)} languages"


def _describe_ties(columns: Sequence[Column], first: str) -> str:
    """Who is tied with the first, and in how many of its languages."""
    tied = [[name for name in column.cells[first].tied if not column.cells[name].doubtful] for column in columns]
    names = list(dict.fromkeys(chain.from_iterable(tied)))
    if not names:
        return ""
    places = sum(map(bool, tied))
    there = "" if places == len(columns) else f" in {places} of them"
    return f", tied with {_list(names)}{there}"


def _describe_exception(matrix: Matrix, contested: Sequence[Column], mean: Column, leads: Sequence[Lead]) -> str:
    """A system that does far better in one language than anybody does on the whole, where its rate is not named yet."""
    means = [_value(cell) for cell in _sound(mean)]
    cells = [(_value(cell), cell.system, column.target) for column in contested for cell in _sound(column)]
    value, system, target = min(cells)
    named = [column.target for column, cell in leads if cell.system == system]
    if len(contested) < 2 or named == [target] or matrix.kind.best > 0 or not means or value >= _FAR * min(means):
        return ""
    return f"Lowest of all: {system} into {called(target)} ({value:.1f} %)."


def _sound(column: Column) -> list[Cell]:
    return [cell for cell in column.cells.values() if not cell.doubtful and cell.value is not None]


def _is_doubtful(column: Column, system: str) -> bool:
    cell = column.cells.get(system)
    return cell is None or cell.doubtful


def _value(cell: Cell | None) -> float:
    return cell.value or 0.0 if cell else 0.0


def _list(names: Sequence[str]) -> str:
    if len(names) > _NAMED + 1:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
