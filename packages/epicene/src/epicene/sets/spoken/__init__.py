"""``spoken:SET@DIR``: any set for text with the recordings of a folder that ``epicene speech synthesize`` wrote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from epicene import sets
from epicene.errors import InputError
from epicene.sets import TestSet, read_about
from epicene.sets.custom import MEASURES
from epicene.speech.recordings import recorded

if TYPE_CHECKING:
    from epicene.output.table import Table
    from epicene.result import Result

_USAGE = "expected a set and a folder of recordings, as in spoken:simplegen@DIR"


def variant(argument: str) -> TestSet:
    """The set with the recordings of a folder; without a folder, what is known of the set, but no sentence."""
    if not argument:
        _no_folder()
    spec, at, folder = argument.rpartition("@")
    test_set = sets.load(spec) if at else sets.of_result(argument)

    def place() -> Path:
        if not folder or not at:
            raise InputError(f"spoken:{argument}: {_USAGE}")
        return Path(folder)

    about = replace(
        test_set.about,
        name=f"spoken:{test_set.name}",
        title=f"{test_set.about.title}, read aloud",
        spoken=True,
        filters={**test_set.about.filters, **SET.about.filters},
    )
    return replace(recorded(test_set, about, place), tables=tables)


def tables(result: Result) -> Iterable[Table]:
    """What is shown of a result."""
    from epicene.sets.spoken.results import list_tables

    return list_tables(result)


def _no_folder(*_: object) -> NoReturn:
    raise InputError(f"spoken: {_USAGE}")


SET = TestSet(read_about(__name__), _no_folder, _no_folder, measures=MEASURES, variant=variant, tables=tables)
