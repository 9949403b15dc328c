"""Whom a translation mentions, and whether the person that its sentence is about is among them."""

from __future__ import annotations

from functools import cache

from epicene.detectors.reading.people import Mention, Reader, Text
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
    return reader is not None and any(item.person.concept in found.readings for found in reader.read(text).mentions)


def candidates(item: Item, text: str, target: str) -> list[tuple[str, str]]:
    """The words of a text that name people, and what the lexicon says of each."""
    reader = _reader(target)
    if reader is None:
        return []
    found = reader.read(text)
    return [(_words(found, mention), _says(mention, item.person.concept)) for mention in found.mentions]


def _words(text: Text, mention: Mention) -> str:
    return text.text[text.spans[mention.first][0] : text.spans[mention.last - 1][1]]


def _says(mention: Mention, concept: str) -> str:
    readings = {mention.readings[concept]} if concept in mention.readings else set(mention.readings.values())
    return "/".join(sorted(reading.value for reading in readings))


def named(text: str, target: str) -> frozenset[str]:
    """The concepts of all people whom the lexicon finds in a text."""
    reader = _reader(target)
    if reader is None:
        return frozenset()
    return frozenset(concept for mention in reader.read(text).mentions for concept in mention.readings)


@cache
def listed(target: str) -> frozenset[str]:
    """The concepts that a language has words for; none for a language without a lexicon."""
    if _reader(target) is None:
        return frozenset()
    return frozenset(concept for forms in load(target).forms.values() for form in forms for concept in form.readings)
