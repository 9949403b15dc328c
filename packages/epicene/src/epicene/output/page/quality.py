"""The figure of quality against misgendering, where translations have references."""

from __future__ import annotations

from collections.abc import Sequence

from epicene.output.charts import quality as chart
from epicene.output.charts.page import Series
from epicene.output.page.figures import Figure, Grid, drawn
from epicene.output.table import format_number as number


def quality_figure(name: str, series: Sequence[Series]) -> Figure | None:
    """The figure of all systems that have both; None where fewer than two do."""
    rows = chart.quality_rows(series)
    if not rows:
        return None
    ends = ("score", "score_low", "score_high", "wrong", "wrong_low", "wrong_high")
    cells = []
    for row in rows:
        counted = (f"{row['n']:,}", f"{row['unread']:,}")
        cells.append((row["system"], *(number(row[each]) for each in ends), *counted))
    unit = rows[0]["unit"]
    header = ("system", unit, "low", "high", "misgendered, %", "low", "high", "sentences", "undetected")
    return Figure(
        "Quality and misgendering",
        f"Each point is a system: the higher, the nearer to the references ({unit}); the further to the left, the "
        "fewer people are misgendered. Lines are 95 % confidence intervals. The axes do not begin at 0.",
        drawn(lambda: chart.quality_chart(series), name),
        Grid(header, tuple(cells)),
    )
