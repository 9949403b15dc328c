"""Whether a translation mentions the person that its sentence is about."""

from __future__ import annotations

from functools import cache

from epicene.detectors.people import Reader
from epicene.errors import UnknownNameError
from epicene.languages.folder import load
from epicene.types import Item


@cache
def _reader(target: str) -> Reader | None:
    try:
        return Reader(load(target))
    except UnknownNameError:
        return None


def mentions(item: Item, text: str, target: str) -> bool:
    """Whether the lexicon finds the focus of an item in a text."""
    reader = _reader(target)
    return reader is not None and any(item.focus.concept in found.readings for found in reader.read(text).mentions)
