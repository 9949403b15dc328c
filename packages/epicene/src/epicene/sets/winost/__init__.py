"""WinoST (Costa-jussà et al. 2022): WinoMT read aloud; the published recordings, or anyone's: ``winost:DIR``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from epicene.errors import DataMissingError
from epicene.sets import TestSet, read_about, winomt
from epicene.sets.spoken import list_tables
from epicene.speech import recordings
from epicene.speech.recordings import make_recorded


def _published() -> Path:
    try:
        return recordings.folder("winost")
    except DataMissingError as error:
        what = read_about(__name__).published[0].title
        raise DataMissingError(
            f"{error} ({what}); or have it read aloud by epicene speech synthesize -t winomt --voice slt -o DIR: "
            "-t winost:DIR"
        ) from None


def _recorded(folder: Callable[[], Path]) -> TestSet:
    return replace(make_recorded(winomt.SET, read_about(__name__), folder), variant=variant, tables=list_tables)


def variant(argument: str) -> TestSet:
    """The recordings of a folder."""
    return _recorded(lambda: Path(argument))


SET = _recorded(_published)
