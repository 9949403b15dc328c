"""Systems beside each other: paired differences, speed against bias."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from epicene.compare.pairs import Comparison, compare_results
from epicene.measures.paired import PairedTest
from epicene.output.charts.page import LABEL, Series
from epicene.output.charts.vega import SHAPES, WIDTH
from epicene.output.page.figures import Figure, Grid, drawn
from epicene.output.table import format_number as number
from epicene.sets import page_words
from epicene.sets.about import PageWords
from epicene.text import visible


@dataclass(frozen=True, slots=True)
class Difference:
    """A system against the first that was measured in the same way."""

    set: str
    language: str
    comparison: Comparison
    family: PageWords

    @property
    def whole(self) -> PairedTest:
        """The change over all sentences, or of the first group."""
        changes = self.comparison.changes
        return next((change for change in changes if change.group == "all"), changes[0])


def differences(series: Sequence[Series]) -> list[Difference]:
    """Each system against the first that was measured in the same way."""
    tasks = {each.result.signature: each for each in series}
    found = []
    for comparison in compare_results([replace(each.result, system=each.label) for each in series]):
        task = tasks[comparison.signature]
        found.append(Difference(visible(task.result.set), task.into, comparison, page_words(task.result.set)))
    return found


def speed_figure(series: Sequence[Series]) -> Figure | None:
    """Time saved against what was lost, as Figure 1 of Renduchintala et al. (2021); needs decoding times of two."""
    rows = [row for task in _tasks(series) for row in _speed_rows(task)]
    if not rows:
        return None
    cells = [
        (row["system"], row["task"], row["group"], f"{row['rate']:.1f}", number(row["saved"]), number(row["lost"]))
        for row in rows
    ]
    return Figure(
        "Speed against bias",
        "Decoding time saved against the first system, and how much of the rate of right sentences is lost with it, "
        "both in per cent of the first system's. Fast systems that lose more against the stereotype than with it "
        "pay for their speed with people's gender.",
        drawn(lambda: _speed_chart(rows), "speed"),
        Grid(("system", "task", "group", "sentences a second", "time saved, %", "lost, %"), tuple(cells)),
    )


def _tasks(series: Sequence[Series]) -> list[list[Series]]:
    """Results of one signature that were timed."""
    found: dict[str, list[Series]] = {}
    for each in series:
        if each.result.decoding and each.result.decoding.seconds > 0:
            found.setdefault(each.result.signature, []).append(each)
    return [task for task in found.values() if len(task) > 1]


def _speed_rows(task: Sequence[Series]) -> list[dict[str, Any]]:
    words = page_words(task[0].result.set)
    seconds = [_seconds(each) for each in task]
    rows = []
    for place, each in enumerate(task):
        for group in words.compare:
            first, own = _main(task[0], group), _main(each, group)
            if first and own is not None:
                rows.append(
                    {
                        "system": visible(each.label)[:LABEL],
                        "task": f"{each.result.set} {each.result.langs}",
                        "group": words.describe(group),
                        "rate": 1 / seconds[place],
                        "saved": 100 * (1 - seconds[place] / seconds[0]),
                        "lost": 100 * (1 - own / first),
                    }
                )
    return rows


def _seconds(each: Series) -> float:
    """Seconds for one sentence."""
    decoding = each.result.decoding
    return decoding.seconds / max(1, decoding.sentences) if decoding else 0.0


def _main(each: Series, group: str) -> float | None:
    rates = {rate.group: rate.value for rate in page_words(each.result.set).main_rates(each.result)}
    return rates.get(group)


def _speed_chart(rows: list[dict[str, Any]]) -> Any:
    import altair as alt

    groups = list(dict.fromkeys(row["group"] for row in rows))
    base = alt.Chart(alt.Data(values=rows), width=WIDTH, height=WIDTH).encode(
        x=alt.X("saved:Q", title="decoding time saved, %", scale=alt.Scale(zero=True, padding=12)),
        y=alt.Y("lost:Q", title="right sentences lost, %", scale=alt.Scale(zero=True, padding=12)),
    )
    colours = alt.Scale(domain=groups, range=["var(--series-1)", "var(--series-2)"])
    points = base.mark_point(filled=True, size=64, opacity=0.85).encode(
        color=alt.Color("group:N", scale=colours, legend=alt.Legend()),
        shape=alt.Shape("group:N", scale=alt.Scale(domain=groups, range=list(SHAPES[:2])), legend=alt.Legend()),
    )
    short = _told_apart([row["system"] for row in rows])
    last = [{**row, "system": short[row["system"]]} for row in rows if row["group"] == groups[-1]]
    middle = max(row["saved"] for row in rows) / 2
    for align, dx in (("left", 8), ("right", -8)):  # names of the fast ones would run out on the right
        own = [row for row in last if (row["saved"] > middle) == (align == "right")]
        named = alt.Chart(alt.Data(values=own)).encode(x="saved:Q", y="lost:Q", text="system:N")
        points += named.mark_text(align=align, dx=dx, fontSize=12, color="var(--muted)", limit=WIDTH // 2)
    return points


def _told_apart(names: Sequence[str]) -> dict[str, str]:
    """Names without the words that all begin with: "beam=1" and "beam=5"."""
    letters = takewhile(lambda column: len(set(column)) == 1, zip(*names, strict=False))
    shared = "".join(column[0] for column in letters) if len(set(names)) > 1 else ""
    start = len(re.sub(r"[^/?&@:. _-]*$", "", shared))
    return {name: name[start:] or name for name in names}
