"""Who speaks to whom: which passages of a dialogue mean the same person, and in which grammatical person."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from epicene.reader.clauses import Passage, passage_at
from epicene.reader.grammar import Persons

NARRATOR = "narrator"
_SENTENCE = re.compile(r"[.!?…]+[\"”»]?\s+(?=[A-Z„«“\"ÁÉÍÓÚÑČŠŽÚА-ЯЁІЇЄҐ¿¡])")
_TO = re.compile(r"\b(?:to|at|towards)\s+(?:the|a|an|his|her|their|my)\b", re.IGNORECASE)
_FIRST = frozenset(("1s",))
_SECOND = frozenset(("2s", "2p"))


class Told(NamedTuple):
    """What the narration says around a quotation, as stretches of the text."""

    lead: tuple[int, int]  # the sentence before it
    tag: tuple[int, int]  # the clause after it: she said


class Place(NamedTuple):
    """Where else the same person is meant, and in which grammatical person."""

    passage: int
    persons: Persons


def sentences(text: str, passage: Passage) -> list[tuple[int, int]]:
    """The sentences of a passage, as stretches of the text, without blanks and marks at the ends."""
    ends = [match.end() for match in _SENTENCE.finditer(text, passage.start, passage.end)]
    found = []
    for start, end in pairwise((passage.start, *ends, passage.end)):
        stripped = text[start:end].strip(' "”»“„«.,!?…—-')
        if stripped:
            found.append((start, end))
    return found


def told(text: str, found: tuple[Passage, ...], quoted: int) -> Told:
    """The sentence before a quotation and the clause after it; an empty stretch where there is none."""
    lead = tag = (0, 0)
    if quoted > 0:
        before = sentences(text, found[quoted - 1])
        if before and (quoted == 1 or len(before) > 1):
            lead = before[-1]
    if quoted + 1 < len(found):
        after = sentences(text, found[quoted + 1])
        last = quoted + 2 >= len(found)
        if after and (last or len(after) > 1 or not _begins_upper(text, after[0])):
            tag = after[0]
    return Told(lead, tag)


def _begins_upper(text: str, stretch: tuple[int, int]) -> bool:
    return text[stretch[0] : stretch[1]].strip(' "”»“„«.,!?…—-')[:1].isupper()


def speaker(source: str, found: tuple[Passage, ...], quoted: int) -> str:
    """Who says a quotation in an English text: the narrator ("I said") or what the narration says, lower-case."""
    around = told(source, found, quoted)
    for start, end in (around.tag, around.lead):
        words = re.findall(r"\w+", source[start:end].lower())
        if words:
            return NARRATOR if "i" in words[:3] else " ".join(words)
    return ""


def addressed(source: str, found: tuple[Passage, ...], quoted: int) -> bool:
    """The narration names the listener: she said to the clerk."""
    start, end = told(source, found, quoted).tag
    return _TO.search(source, start, end) is not None


def same_person(source: str, found: tuple[Passage, ...], at: int, persons: Persons) -> list[Place]:
    """The other passages where the speaker or the listener of a passage is meant, in the order to look them up."""
    quotes = [number for number, passage in enumerate(found) if passage.quoted]
    here = passage_at(found, at)
    who = {number: speaker(source, found, number) for number in quotes}
    telling = [number for number in range(len(found)) if not found[number].quoted]
    if here not in quotes:
        if persons & _FIRST:
            return [*(Place(number, persons) for number in telling if number != here), *_spoken(who, NARRATOR, -1)]
        return []
    if persons & _FIRST:
        places = _answered(quotes, here, _SECOND)
        if who[here] == NARRATOR:
            places += [Place(number, _FIRST) for number in telling]
            places += [place for place in _spoken(who, NARRATOR, here) if place not in places]
        return places
    if persons & _SECOND:
        places = [] if addressed(source, found, here) else _answered(quotes, here, _FIRST)
        other = next((number for number in quotes if number != here), None)
        if other is None:
            met = "i" in source[slice(*told(source, found, here).lead)].lower().split()
        else:
            met = who[other] == NARRATOR and who[here] != NARRATOR
        return [*places, *(Place(number, _FIRST) for number in telling if met)]
    return []


def _answered(quotes: list[int], here: int, persons: Persons) -> list[Place]:
    """In a dialogue of two the one's I is the other's you."""
    place = quotes.index(here)
    near = [quotes[other] for other in (place + 1, place - 1) if 0 <= other < len(quotes)]
    return [Place(number, persons) for number in near]


def _spoken(who: dict[int, str], name: str, here: int) -> list[Place]:
    return [Place(number, _FIRST) for number, said in who.items() if said == name and number != here]


def third_person(source: str, found: tuple[Passage, ...], at: int, persons: Persons) -> tuple[int, str] | None:
    """The quotation around which the narration names a speaker or listener, and as what ("speaker", "listener")."""
    here = passage_at(found, at)
    if not found[here].quoted:
        return None
    quotes = [number for number, passage in enumerate(found) if passage.quoted]
    if persons & _FIRST:
        return None if speaker(source, found, here) == NARRATOR else (here, "speaker")
    if persons & _SECOND:
        if addressed(source, found, here):
            return here, "listener"
        place = quotes.index(here)
        near = [quotes[other] for other in (place + 1, place - 1) if 0 <= other < len(quotes)]
        if near and speaker(source, found, near[0]) not in ("", NARRATOR):
            return near[0], "speaker"
    return None
