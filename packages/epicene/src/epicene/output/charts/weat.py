"""Charts of association tests (extra ``report``): effect sizes, partitions, and the words that carry them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.embeddings.association import FRACTION_BITS
from epicene.output.charts.vega import Spec, check_path, layered, mark, nominal, quantitative, write_chart

if TYPE_CHECKING:
    from epicene.embeddings.weat import Association, Weat

WIDTH = 480
_BINS = 40


def write(found: Weat, path: Path) -> None:
    """Draw all charts below each other into one file: ``.svg``, or ``.json`` for the Vega-Lite specification."""
    check_path(path)
    if len(found):
        write_chart(page(found), path)


def page(found: Weat) -> Spec:
    """All charts of a call as one chart."""
    apart: Spec = {"resolve": {"scale": {"color": "independent"}}}
    of_tests = [{"hconcat": [partition_chart(each), word_chart(each)], **apart} for each in found]
    return {"vconcat": [effect_chart(found), *of_tests], **apart}


def effect_chart(found: Weat) -> Spec:
    """Effect sizes with their 95 % intervals, one row a test, one colour an embedding."""
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
    # Groups of one size keep d within two; others may not.
    ends = [abs(row[name] or 0) for row in rows for name in ("low", "d", "high")]
    reach = max(2.0, *ends)
    scale = {"domain": [-reach, reach], "nice": False}
    line = {
        "y": nominal("test", sort=None, title=None),
        "yOffset": nominal("embedding", sort=None),
        "color": nominal("embedding", sort=None, legend={"orient": "bottom", "columns": 1, "labelLimit": WIDTH}),
    }
    interval = {**line, "x": quantitative("low", scale=scale, title="effect size d"), "x2": {"field": "high"}}
    point = {**line, "x": quantitative("d", scale=scale)}
    return layered(
        rows,
        mark("rule", {"x": quantitative("d")}, [{"d": 0}], strokeDash=[4, 4], opacity=0.5),
        mark("rule", interval),
        mark("point", point, filled=True, size=60),
        width=WIDTH,
        title="Effect sizes with 95 % intervals",
    )


def partition_chart(each: Association) -> Spec:
    """The distribution of the test statistic over partitions, with the observed one."""
    rows, exact = _bins(each)
    kind = f"all {each.counts.partitions:,}" if exact else "drawn"
    bins = {
        "x": quantitative("start", bin="binned", title="s(X, Y, A, B)"),
        "x2": {"field": "end"},
        "y": quantitative("share", title="share", axis={"format": "%"}),
    }
    return layered(
        rows,
        mark("bar", bins, binSpacing=0, color="#888"),
        mark("rule", {"x": quantitative("s")}, [{"s": each.statistic}], color="#c00", size=2),
        width=WIDTH // 2,
        height=200,
        title=[f"{each.test.name} on {each.embedding}", f"test statistic over {kind} partitions"],
    )


def word_chart(each: Association) -> Spec:
    """Which words carry the association: each target's score, the closest to A first."""
    test = each.test
    rows = [{"word": s.word, "list": test.lists[s.side].name, "score": s.score} for s in each.scores]
    title = f"closer to {test.a.name} (+) or {test.b.name} (-)"
    bar = {
        "x": quantitative("score", title=title, aggregate="mean"),
        "y": nominal("word", sort="-x", title=None),
        "color": nominal("list", legend={"orient": "bottom", "title": None}),
    }
    return {**mark("bar", bar, rows), "width": WIDTH // 2, "title": test.title}


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
