"""Altair charts to files (extra ``charts``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from epicene.errors import InputError, MissingExtraError
from epicene.files import written


def altair() -> Any:
    """The module that draws."""
    try:
        import altair
    except ImportError:
        raise MissingExtraError("drawing charts", "charts") from None
    return altair


def check(path: Path) -> None:
    """Refuse a file name that no chart can be written to."""
    if path.suffix not in (".svg", ".json"):
        raise InputError(f"charts cannot be written to {path}; expected a name that ends in .svg or .json")


def write(chart: Any, path: Path) -> None:
    """Write a chart: ``.svg``, or ``.json`` for the Vega-Lite specification."""
    check(path)
    spec = chart.to_dict()
    with written(path) as stream:
        stream.write(_svg(spec) if path.suffix == ".svg" else json.dumps(spec, ensure_ascii=False, indent=1) + "\n")


def _svg(spec: dict[str, Any]) -> str:
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError("drawing charts", "charts") from None
    found: str = vl_convert.vegalite_to_svg(spec)
    return found
