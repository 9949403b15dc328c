"""Kinds of systems beside each other, such as cascades and direct models: each system of a kind weighs the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from epicene.compare.standing import pooled, ranked, share_pairs, shares
from epicene.compare.table import KINDS, Cell, Column, Layout, Matrix, Readings, laid_out, name_tests

if TYPE_CHECKING:
    from epicene.compare.standing import Marks


def kind_matrix(readings: Sequence[Readings], kinds: Mapping[str, str], measure: str = "women") -> Matrix | None:
    """The mean of each kind in every language, with tests of all pairs over the sentences' clusters.

    The systems are those that there are, not a sample of their kind: what the intervals tell is how the kinds would
    differ on other occupations, not how other systems of a kind would do.
    """
    columns = []
    for layout in laid_out([each for each in readings if kinds.get(each.system)]):
        marks = layout.marks(measure)
        if marks is not None:
            columns.append(_column(layout, marks[0], marks[1], marks[2], kinds, measure))
    if not columns:
        return None
    names = dict.fromkeys(name for column in columns for name in column.cells)
    mean = {name: [c.cells[name].value or 0.0 for c in columns if name in c.cells] for name in names}
    best = KINDS[measure].best
    ordered = sorted(names, key=lambda name: -best * sum(mean[name]) / len(mean[name]))
    return Matrix(measure, tuple(ordered), tuple(columns), ())


def _column(
    layout: Layout, counted: Marks, among: Marks, unread: Marks, kinds: Mapping[str, str], measure: str
) -> Column:
    own = [kinds[each.system] for each in layout.readings]
    names = list(dict.fromkeys(own))
    whole = shares(counted, among, layout.rows, layout.clusters)
    places = [[place for place, kind in enumerate(own) if kind == name] for name in names]
    together = pooled(whole, places)
    pairs = share_pairs(together, layout.clusters) if len(names) > 1 else None
    found, tests = ranked(together, pairs, layout.clusters, KINDS[measure].best)
    cells = {
        name: Cell(
            *(
                name,
                each.value,
                each.low,
                each.high,
                each.n,
                each.counted,
                round(float(unread[rows].sum(axis=1).mean())),
            ),
            *(each.rank, each.ranks, tuple(names[other] for other in each.tied)),
            why=each.why,
        )
        for name, each, rows in zip(names, found, places, strict=True)
    }
    return Column(layout.set, layout.langs, cells, name_tests(tests, names))
