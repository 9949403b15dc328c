"""The verbs of Hindi that agree with he and she: the last of a clause, where the pronoun is its subject."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from epicene.reader.grammar import GENDERS
from epicene.reader.words import Sentence
from epicene.types import Gender

_BREAK = re.compile(r"[।|.;:,()\"“”‘’!?–—]|\s-\s")
_STOP = re.compile(r"[।|.;!?]")


class Agreeing(NamedTuple):
    """A verb that agrees with the person, and how surely."""

    place: int
    gender: Gender
    weight: float


@cache
def _table() -> dict[str, re.Pattern[str]]:
    text = (files("epicene.reader.tables") / "hindi_verbs.toml").read_text(encoding="utf-8")
    return {name: re.compile("|".join(words.split())) for name, words in tomllib.loads(text).items()}


def _is(word: str, kind: str) -> bool:
    return _table()[kind].fullmatch(word) is not None


def verbs(sentence: Sentence) -> Iterator[Agreeing]:
    """The verbs of a sentence that agree with a person whom a pronoun means."""
    words = [word.lower for word in sentence.words]
    polite = any(_is(word, "honorific") for word in words)
    carried = pending = False  # the pronoun is the subject of the clause before; its verb has not come yet
    for first, last in _clauses(sentence, words):
        clause = words[first:last]
        subject = any(_is(word, "subject") for word in clause)
        joined = _is(clause[0], "joins")
        relative = _is(clause[0], "relative") and not subject
        if _STOP.search(sentence.text, sentence.words[first - 1].end if first else 0, sentence.words[first].start):
            carried = pending = False
        if any(_is(word, "ergative") for word in clause):
            carried = pending = False
            continue
        found = None if relative else _verb(words, first, last)
        if found is None:
            pending = subject or pending
            continue
        place, gender = found
        free = not any(_is(word, "object") for word in clause) and not _passive(words, place)
        if subject or (pending and free):
            yield Agreeing(place, gender, 0.95 if subject else 0.7)
        elif free and polite and _is(words[place], "plural"):
            yield Agreeing(place, gender, 0.6 if gender is Gender.FEMININE else 0.5)
        elif free and carried and joined:
            yield Agreeing(place, gender, 0.55)
        carried, pending = subject or pending or (carried and joined), False


def _clauses(sentence: Sentence, words: list[str]) -> Iterator[tuple[int, int]]:
    first = 0
    for place in range(1, len(words)):
        if _is(words[place], "opens") or _BREAK.search(sentence.between(place - 1, place)):
            yield first, place
            first = place
    if first < len(words):
        yield first, len(words)


def _verb(words: list[str], first: int, last: int) -> tuple[int, Gender] | None:
    """The last verb of a clause that shows a gender; going and coming as a manner shows none."""
    place = last - 1
    while place > first and _is(words[place], "neither"):
        place -= 1
    if words[place] == "हुए" and place > first and _is(words[place - 1], "manner"):
        return None
    for gender in GENDERS:
        if _is(words[place], gender.value) or (_is(words[place], f"{gender.value}_last")):
            return place, gender
    return None


def _passive(words: list[str], place: int) -> bool:
    """Whether a verb is a passive, or the auxiliary of a perfect that may agree with an object."""
    before = words[place - 1] if place else ""
    return _is(before, "passive") or (place > 1 and before in ("गया", "गई", "गए") and _is(words[place - 2], "passive"))
