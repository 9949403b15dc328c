"""A study's figures as charts (extra ``report``)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from epicene.errors import InputError
from epicene.output.charts.vega import write_chart

if TYPE_CHECKING:
    from epicene.studies import Study

_ROOM = {"left": 90, "right": 70, "top": 10, "bottom": 10}


def write(study: Study, path: Path) -> None:
    """Draw all figures of a study below each other into one file: ``.svg``, or ``.json`` for the specification."""
    if not study.figures:
        raise InputError(f"study {study.name} has no figures; leave --charts out")
    scales = dict.fromkeys(("color", "opacity", "xOffset", "shape"), "independent")
    page = {"vconcat": [figure.draw(figure) for figure in study.figures], "resolve": {"scale": scales}}
    # Where a reader's font is wider than the one that was measured, labels and titles still have room.
    write_chart({**page, "padding": _ROOM}, path)
