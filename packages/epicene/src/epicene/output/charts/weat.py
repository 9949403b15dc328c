"""Charts of association tests (extra ``report``): effect sizes, and the words that carry them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.output.charts.vega import Spec, layered, mark, nominal, quantitative, write_chart

if TYPE_CHECKING:
    from epicene.embeddings.weat import Association, Weat

WIDTH = 480


def write(results: Weat, path: Path) -> None:
    """Draw all charts below each other into one file: ``.svg``, or ``.json`` for the Vega-Lite specification."""
    if len(results):
        write_chart(page(results), path)


def page(results: Weat) -> Spec:
    """All charts of a call as one chart."""
    scales: Spec = {"resolve": {"scale": {"color": "independent"}}}
    return {"vconcat": [effect_chart(results), *map(word_chart, results)], **scales}


def effect_chart(results: Weat) -> Spec:
    """Effect sizes with their 95 % intervals, one row a test, one colour an embedding."""
    rows: list[dict[str, Any]] = [
        {
            "test": result.test.name,
            "embedding": result.embedding,
            "d": result["effect_size"].value,
            "low": result["effect_size"].low,
            "high": result["effect_size"].high,
        }
        for result in results
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


def word_chart(result: Association) -> Spec:
    """Which words carry the association: each target's score, the closest to A first."""
    test = result.test
    rows = [{"word": s.word, "list": test.lists[s.side].name, "score": s.score} for s in result.scores]
    title = f"closer to {test.a.name} (+) or {test.b.name} (-)"
    bar = {
        "x": quantitative("score", title=title, aggregate="mean"),
        "y": nominal("word", sort="-x", title=None),
        "color": nominal("list", legend={"orient": "bottom", "title": None}),
    }
    return {**mark("bar", bar, rows), "width": WIDTH // 2, "title": [test.title, result.embedding]}
