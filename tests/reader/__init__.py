"""What the tests of the reader share."""

from __future__ import annotations

from functools import cache

from epicene.languages.english import concept
from epicene.reader.reader import Reader
from epicene.types import Item, Kind, Output, Person, Verdict

open_reader = cache(Reader)


def decide(
    language: str, source: str, words: str, translation: str, kind: Kind = Kind.NOUN, start: int | None = None
) -> Verdict:
    """What is read, before it is calibrated, of the person whom words of a source name, where these stand first."""
    person = Person(words, source.index(words) if start is None else start, *concept(words), kind)
    item = Item("1", source, person, None)
    verdict = open_reader(language).decide(Output(item, "test", language, translation))
    assert verdict.confidence is None or 0 < verdict.confidence <= 1
    return verdict
