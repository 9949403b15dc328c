"""Altair charts as files, and as SVG in a page: no script, no network, the colours of the page (extra ``report``)."""

from __future__ import annotations

import html
import importlib.util
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree

from epicene.errors import InputError, MissingExtraError
from epicene.files import write_atomically

WIDTH = 230  # of the plot; with its labels a chart is little wider than a phone
SERIES = 6  # as many systems as shapes and colours that can be told apart
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
# Colours are variables of the page's style sheet, so that one drawing serves light, dark and print.
COLOURS = tuple(f"var(--series-{number})" for number in range(1, SERIES + 1))  # of systems
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


def need_charts() -> None:
    """Refuse to go on where the extra for charts is not installed."""
    if any(importlib.util.find_spec(module) is None for module in ("altair", "vl_convert")):
        raise MissingExtraError("drawing charts", "report")


def rendered(spec: dict[str, Any]) -> str:
    """A Vega-Lite specification as SVG; nothing is fetched."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return drawn


def check_path(path: Path) -> None:
    """Refuse a file that charts cannot be written to, before anything is computed for them."""
    if path.suffix not in (".svg", ".json"):
        raise InputError(f"charts cannot be written to {path}; expected a name that ends in .svg or .json")
    need_charts()


def write_chart(chart: Any, path: Path) -> None:
    """Write a chart: ``.svg``, or ``.json`` for the Vega-Lite specification."""
    check_path(path)
    spec = chart.to_dict()
    content = rendered(spec) if path.suffix == ".svg" else json.dumps(spec, ensure_ascii=False, indent=1) + "\n"
    with write_atomically(path) as stream:
        stream.write(content)


def svg(chart: Any, name: str) -> str:
    """A chart as an SVG element whose ids begin with a name, so that several can stand in one page."""
    return _fitted(_checked(rendered(chart.configure(**_THEME).to_dict(validate=False))), name)


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


_MUTED, _INK, _LINE = "var(--muted)", "var(--ink)", "var(--line)"
_THEME: dict[str, Any] = {
    "aria": False,
    "background": "transparent",
    "padding": {"left": 18, "right": 14, "top": 4, "bottom": 4},  # a reader's font may be wider than ours
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": _INK,
        "titleColor": _MUTED,
        "labelFontSize": 13,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "gridColor": _LINE,
        "domainColor": _LINE,
        "tickColor": _LINE,
        "labelLimit": 210,
        "labelFlush": False,
    },
    "legend": {
        "labelColor": _INK,
        "titleColor": _MUTED,
        "labelFontSize": 13,
        "orient": "bottom",
        "columns": 1,
        "labelLimit": 300,
        "symbolSize": 70,
        "symbolOpacity": 1,
        "title": None,
        "offset": 12,
    },
    "title": {"color": _INK, "fontSize": 13, "anchor": "start", "frame": "group", "offset": 10, "limit": 320},
    "text": {"fontSize": 13, "fill": _INK},
}
