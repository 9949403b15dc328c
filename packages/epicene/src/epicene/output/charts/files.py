"""Altair charts to files (extra ``report``)."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

from epicene.errors import InputError, MissingExtraError
from epicene.files import write_atomically


def altair() -> Any:
    """The module that draws."""
    try:
        import altair
    except ImportError:
        raise MissingExtraError("drawing charts", "report") from None
    return altair


def check(path: Path) -> None:
    """Refuse a file that charts cannot be written to, before anything is computed for them."""
    if path.suffix not in (".svg", ".json"):
        raise InputError(f"charts cannot be written to {path}; expected a name that ends in .svg or .json")
    for module in ("altair", "vl_convert"):
        if importlib.util.find_spec(module) is None:
            raise MissingExtraError("drawing charts", "report")


def write(chart: Any, path: Path) -> None:
    """Write a chart: ``.svg``, or ``.json`` for the Vega-Lite specification."""
    check(path)
    import vl_convert

    spec = chart.to_dict()
    svg = path.suffix == ".svg"
    content = vl_convert.vegalite_to_svg(spec) if svg else json.dumps(spec, ensure_ascii=False, indent=1) + "\n"
    with write_atomically(path) as stream:
        stream.write(content)
