"""A text cut into what is quoted and what is told, and these into pieces with at most one predicate each."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from epicene.reader.grammar import Grammar
from epicene.reader.words import Sentence, Word

_OPENING = "„«“‹「"
_CLOSING = "”“»›」"
_EITHER = ('"', "&quot;")
_MARK = re.compile(f'[{_OPENING}{_CLOSING}"]|&quot;')
# A dash that opens or closes what is said; one before a full stop only ends the narration: —No —dijo—.
_DASH = re.compile(r"(?:(?<=\s)|^)[-–](?=\s?[\w¿¡])|[-–](?=\s?[,;:])|—(?=\s?[\w¿¡,;:…])")
_SAID = re.compile(r"(?:^|[.!?:…]\s*)[-–—]")  # a dash where a sentence begins
_STOP = re.compile(r"[.!?…\n;؟।]")


class Passage(NamedTuple):
    """A stretch of text inside quotation marks, or between two such stretches."""

    start: int
    end: int
    quoted: bool


class Piece(NamedTuple):
    """Neighbouring words between punctuation, conjunctions and relatives."""

    first: int
    last: int  # one past
    passage: int
    sentence: int
    joined: bool  # by a comma or a conjunction to the piece before
    opened: bool  # by a word that begins a clause
    relative: bool


def passages(text: str) -> tuple[Passage, ...]:
    """What is told and what is quoted in turn; a text without quotation marks is told."""
    cuts: list[int] = []
    for mark in _MARK.finditer(text):
        sign, inside = mark[0], len(cuts) % 2 == 1
        if sign in _EITHER or sign in (_CLOSING if inside else _OPENING):
            cuts.append(mark.start())
    if not cuts and _SAID.search(text):  # dialogue that is marked by dashes
        dashes = [mark.start() for mark in _DASH.finditer(text)]
        cuts = dashes if len(dashes) > 1 else []
    if len(cuts) % 2:  # a mark that is never closed quotes up to the end
        cuts.append(len(text))
    bounds = [0, *cuts, len(text)]
    return tuple(
        Passage(start, max(start, end), bool(number % 2)) for number, (start, end) in enumerate(pairwise(bounds))
    )


def passage_at(found: tuple[Passage, ...], place: int) -> int:
    """The number of the passage that a character stands in."""
    for number, passage in enumerate(found):
        if passage.start <= place < passage.end:
            return number
    return len(found) - 1


def pieces(sentence: Sentence, found: tuple[Passage, ...], grammar: Grammar) -> tuple[Piece, ...]:
    """The pieces of a text, in order."""
    cut: list[Piece] = []
    first = sentences = 0
    joined = opened = relative = False
    for place, word in enumerate(sentence.words):
        between = sentence.text[sentence.words[place - 1].end : word.start] if place else ""
        entry = grammar.entry(word.lower)
        punctuation = place > 0 and sentence.parted(place - 1)
        if place > first and (punctuation or entry.opens or entry.joins):
            where = passage_at(found, sentence.words[first].start)
            cut.append(Piece(first, place, where, sentences, joined, opened, relative))
            first, joined, opened, relative = place, True, False, False
        if place > 0 and punctuation:
            stop = _STOP.search(between) is not None or passage_at(found, word.start) != passage_at(
                found, sentence.words[place - 1].start
            )
            if stop:
                sentences, joined = sentences + 1, False
        if place == first:
            opened, relative = entry.opens, entry.relative
    if first < len(sentence.words):
        where = passage_at(found, sentence.words[first].start)
        cut.append(Piece(first, len(sentence.words), where, sentences, joined, opened, relative))
    return tuple(cut)


def inside(piece: Piece, sentence: Sentence) -> tuple[Word, ...]:
    """The words of a piece."""
    return sentence.words[piece.first : piece.last]
