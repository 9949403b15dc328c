"""Charts of association tests (extra ``report``): effect sizes, partitions, and the words that carry them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.embeddings.association import FRACTION_BITS
from epicene.output.charts.vega import check_path, write_chart

if TYPE_CHECKING:
    from epicene.embeddings.weat import Association, Weat

WIDTH = 480
_BINS = 40


def write(found: Weat, path: Path) -> None:
    """Draw all charts below each other into one file: ``.svg``, or ``.json`` for the Vega-Lite specification."""
    check_path(path)
    if len(found):
        write_chart(page(found), path)


def page(found: Weat) -> Any:
    """All charts of a call as one Altair chart."""
    import altair as alt

    of_tests = [
        alt.hconcat(partition_chart(each), word_chart(each)).resolve_scale(color="independent") for each in found
    ]
    return alt.vconcat(effect_chart(found), *of_tests).resolve_scale(color="independent")


def effect_chart(found: Weat) -> Any:
    """Effect sizes with their 95 % intervals, one row a test, one colour an embedding."""
    import altair as alt

    rows: list[dict[str, Any]] = [
        {
            "test": each.test.name,
            "embedding": each.embedding,
            "d": each["effect_size"].value,
            "low": each["effect_size"].low,
            "high": each["effect_size"].high,
        }
        for each in found
    ]
    base = alt.Chart(alt.Data(values=rows), width=WIDTH, title="Effect sizes with 95 % intervals").encode(
        y=alt.Y("test:N", sort=None, title=None),
        yOffset=alt.YOffset("embedding:N", sort=None),
        color=alt.Color("embedding:N", sort=None, legend=alt.Legend(orient="bottom", columns=1, labelLimit=WIDTH)),
    )
    # Groups of one size keep d within two; others may not.
    ends = [abs(row[name] or 0) for row in rows for name in ("low", "d", "high")]
    reach = max(2.0, *ends)
    scale = alt.Scale(domain=[-reach, reach], nice=False)
    intervals = base.mark_rule().encode(x=alt.X("low:Q", scale=scale, title="effect size d"), x2="high:Q")
    points = base.mark_point(filled=True, size=60).encode(x=alt.X("d:Q", scale=scale))
    zero = alt.Chart(alt.Data(values=[{"d": 0}])).mark_rule(strokeDash=[4, 4], opacity=0.5).encode(x="d:Q")
    return zero + intervals + points


def partition_chart(each: Association) -> Any:
    """The distribution of the test statistic over partitions, with the observed one."""
    import altair as alt

    rows, exact = _bins(each)
    kind = f"all {each.counts.partitions:,}" if exact else "drawn"
    title = [f"{each.test.name} on {each.embedding}", f"test statistic over {kind} partitions"]
    bars = (
        alt.Chart(alt.Data(values=rows), width=WIDTH // 2, height=200, title=title)
        .mark_bar(binSpacing=0, color="#888")
        .encode(
            x=alt.X("start:Q", bin="binned", title="s(X, Y, A, B)"),
            x2="end:Q",
            y=alt.Y("share:Q", title="share", axis=alt.Axis(format="%")),
        )
    )
    observed = alt.Chart(alt.Data(values=[{"s": each.statistic}])).mark_rule(color="#c00", size=2).encode(x="s:Q")
    return bars + observed


def word_chart(each: Association) -> Any:
    """Which words carry the association: each target's score, the closest to A first."""
    import altair as alt

    test = each.test
    rows = [{"word": s.word, "list": test.lists[s.side].name, "score": s.score} for s in each.scores]
    return (
        alt.Chart(alt.Data(values=rows), width=WIDTH // 2, title=test.title)
        .mark_bar()
        .encode(
            x=alt.X("score:Q", title=f"closer to {test.a.name} (+) or {test.b.name} (-)", aggregate="mean"),
            y=alt.Y("word:N", sort="-x", title=None),
            color=alt.Color("list:N", legend=alt.Legend(orient="bottom", title=None)),
        )
    )


def _bins(each: Association) -> tuple[list[dict[str, float]], bool]:
    """Shares of the partitions by test statistic, and whether all of them were counted."""
    scores = each.fixed_scores
    edges = _edges(scores, each.sizes[0])
    found, exact = each.partition_shares(edges)

    def statistic(first: int) -> float:
        return float((2 * first - sum(scores)) / 2**FRACTION_BITS)

    bins = zip(pairwise(edges), found, strict=True)
    return [{"start": statistic(a), "end": statistic(b), "share": share} for (a, b), share in bins], exact


def _edges(scores: Sequence[int], size: int) -> list[int]:
    """Bins of the first sum: four standard deviations to both sides, more if the observed sum lies farther out."""
    n, total = len(scores), sum(scores)
    centre = size * total // n
    deviation = math.sqrt(size * (n - size) / n * statistics.variance(scores))
    reach = round(max(4 * deviation, 1.1 * abs(sum(scores[:size]) - centre), _BINS))
    return [centre - reach + 2 * reach * place // _BINS for place in range(_BINS + 1)]
