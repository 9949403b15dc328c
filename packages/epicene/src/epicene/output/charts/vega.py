"""Vega-Lite charts: their parts, as files, and as SVG in a page in its colours, without script (extra ``report``)."""

from __future__ import annotations

import html
import importlib.util
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree

from epicene.errors import InputError, MissingExtraError
from epicene.files import write_atomically

Spec = dict[str, Any]  # a Vega-Lite specification, or a part of one
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
WIDTH = 230  # of the plot; with its labels a chart is little wider than a phone
SERIES = 6  # as many systems as shapes and colours that can be told apart
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
# Colours are variables of the page's style sheet, so that one drawing serves light, dark and print.
COLOURS = tuple(f"var(--series-{number})" for number in range(1, SERIES + 1))  # of systems
MUTED, INK, LINE = "var(--muted)", "var(--ink)", "var(--line)"
WOMEN, MEN = "var(--women)", "var(--men)"  # the same in every chart, and of nothing else
FONT = "system-ui, sans-serif"
_TAGS = frozenset({"a", "svg", "g", "path", "text", "tspan", "rect", "line", "defs", "clipPath", "title"})
_TALK = re.compile(r' (?:role|aria-[a-z]+|class|xmlns:xlink|version|pointer-events)="[^"]*"')
_USUAL = re.compile(
    r' (?:opacity="1"|font-family="[^"]*"|font-weight="normal"|stroke-dasharray="")'
)  # the page says it
_LONG = re.compile(r"(\d\.\d\d)\d+")
_SIZE = re.compile(r' width="([\d.]+)" height="[\d.]+"')
_ID = re.compile(r'(id="|url\(#)(?=\w)')
_LINK = re.compile(r'<a xlink:href="([^"]*)">')
_OWN = re.compile(r"[a-z]+://[^#]*(#\?.*)")  # the drawing library puts an address of its own before ours


def quantitative(field: str, **details: Any) -> Spec:
    """A channel that shows a field of numbers."""
    return {"field": field, "type": "quantitative", **details}


def nominal(field: str, **details: Any) -> Spec:
    """A channel that shows a field of names."""
    return {"field": field, "type": "nominal", **details}


def mark(kind: str, encoding: Spec, rows: Iterable[Mapping[str, Any]] | None = None, **look: Any) -> Spec:
    """A layer of a chart: a shape for each row of the chart, or of its own."""
    data = {} if rows is None else {"data": {"values": list(rows)}}
    return {**data, "mark": {"type": kind, **look}, "encoding": encoding}


def layered(rows: Iterable[Mapping[str, Any]], *layers: Spec, **details: Any) -> Spec:
    """A chart of some rows: its layers, the lowest first."""
    return {"data": {"values": list(rows)}, "layer": list(layers), **details}


def need_charts() -> None:
    """Refuse to go on where the extra for charts is not installed."""
    if importlib.util.find_spec("vl_convert") is None:
        raise MissingExtraError("drawing charts", "report")


def rendered(spec: Spec) -> str:
    """A Vega-Lite specification as SVG; nothing is fetched."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return drawn


def check_path(path: Path) -> None:
    """Refuse a file that charts cannot be written to, before anything is computed for them."""
    if path.suffix not in (".svg", ".json"):
        raise InputError(f"charts cannot be written to {path}; expected a name that ends in .svg or .json")
    need_charts()


def write_chart(chart: Spec, path: Path) -> None:
    """Write a chart: ``.svg``, or ``.json`` for the Vega-Lite specification."""
    check_path(path)
    spec = {"$schema": _SCHEMA, **chart}
    content = rendered(spec) if path.suffix == ".svg" else json.dumps(spec, ensure_ascii=False, indent=1) + "\n"
    with write_atomically(path) as stream:
        stream.write(content)


def svg(chart: Spec, name: str) -> str:
    """A chart as an SVG element whose ids begin with a name, so that several can stand in one page."""
    return _fitted(_checked(rendered({**chart, "config": _THEME})), name)


def _checked(drawn: str) -> str:
    """The drawing, if it is well-formed and holds nothing but shapes and text: labels in it come from outside."""
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(drawn).iter()}  # noqa: S314 - our own
    if not tags <= _TAGS:
        raise RuntimeError(f"a chart holds the elements {', '.join(sorted(tags - _TAGS))}")
    return drawn


def _fitted(drawn: str, name: str) -> str:
    """The drawing as small as it can be, and as wide as the page lets it be."""
    small = _LINK.sub(_linked, _ID.sub(rf"\1{name}-", _LONG.sub(r"\1", _USUAL.sub("", _TALK.sub("", drawn)))))
    return _SIZE.sub(lambda size: f' style="max-width:{1.15 * float(size[1]):.0f}px"', small, count=1)


def _linked(link: re.Match[str]) -> str:
    """A link to sentences of the page itself, and nowhere else; the tables beside charts are for the keyboard."""
    own = _OWN.fullmatch(html.unescape(link[1]))
    if own is None:
        raise RuntimeError(f"a chart links to {link[1]}")
    label = ", ".join(value for name, value in parse_qsl(own[1][2:]) if name != "set")
    return f'<a href="{html.escape(own[1])}" tabindex="-1" aria-label="Sentences: {html.escape(label)}">'


_THEME: Spec = {
    "aria": False,
    "background": "transparent",
    "padding": {"left": 18, "right": 14, "top": 4, "bottom": 4},  # a reader's font may be wider than ours
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "titleColor": MUTED,
        "labelFontSize": 13,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "gridColor": LINE,
        "domainColor": LINE,
        "tickColor": LINE,
        "labelLimit": 210,
        "labelFlush": False,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": MUTED,
        "labelFontSize": 13,
        "orient": "bottom",
        "columns": 1,
        "labelLimit": 300,
        "symbolSize": 70,
        "symbolOpacity": 1,
        "title": None,
        "offset": 12,
    },
    "title": {"color": INK, "fontSize": 13, "anchor": "start", "frame": "group", "offset": 10, "limit": 320},
    "text": {"fontSize": 13, "fill": INK},
}
