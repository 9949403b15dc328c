"""A text cut into what is quoted and what is told, and these into pieces with at most one predicate each; and whom each
piece is about: the pronouns and verbs that say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from epicene.reader.grammar import GENDERS, Agreement, Entry, Grammar, Persons
from epicene.reader.words import Sentence
from epicene.types import Gender

_OPENING = "„«“‹「"
_CLOSING = "”“»›」"
_EITHER = ('"', "&quot;")
_MARK = re.compile(f'[{_OPENING}{_CLOSING}"]|&quot;')
# A dash that opens or closes what is said; one before a full stop only ends the narration: —No —dijo—.
_DASH = re.compile(r"(?:(?<=\s)|^)[-–](?=\s?[\w¿¡])|[-–](?=\s?[,;:])|—(?=\s?[\w¿¡,;:…])")
_SAID = re.compile(r"(?:^|[.!?:…]\s*)[-–—]")  # a dash where a sentence begins
_STOP = re.compile(r"[.!?…\n;؟।]")
THIRD: Persons = frozenset(("3s", "3p"))
NOBODY: Persons = frozenset()
THING: Persons = frozenset(("thing",))  # the subject is nobody whom one can ask for
NOUN: Persons = frozenset(("ns", "np"))  # the subject is a noun
_GROUP = 7  # words behind one in which those stand of whom it is one
_BOTH = re.compile(r"[/(·•*:_]-?\w{1,4}(?!\w)")  # řekl/a, listo(a), prêt·e: both genders are written


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


class Kind(StrEnum):
    """How a word agrees with a person."""

    PAST = "past tense"
    PREDICATE = "predicate"
    OBJECT = "object's predicate"
    PRONOUN = "pronoun"
    NOUN = "noun"
    ROLE = "as"
    FLOATING = "all, both, alone"


class AgreeingForm(NamedTuple):
    """A form that shows a gender, and whom it agrees with."""

    place: int
    gender: Gender
    kind: Kind
    persons: Persons  # "?s" or "?p" where nothing tells whom
    weight: float
    piece: int


class Anchor(NamedTuple):
    """A word that says which person a piece is about."""

    place: int
    persons: Persons
    verb: bool  # takes a predicate
    sure: bool  # one person only


@cache
def numbers(person: str) -> frozenset[str]:
    """The numbers in which a predicate can agree with a person; a polite plural takes a singular one."""
    return frozenset(("s", "p")) if person == "2p" else frozenset((person[1],))


def unowned(agreement: Agreement) -> Persons:
    """Whom a form agrees with where nothing tells: somebody of its number."""
    return frozenset((f"?{agreement.number or 's'}",))


def fitting(persons: Persons, agreement: Agreement) -> Persons:
    """The persons that a form can agree with."""
    number = agreement.number
    kept = frozenset(person for person in persons if not number or number in numbers(person))
    return kept & agreement.persons if agreement.persons else kept


def first_fitting(
    agreements: Iterable[Agreement], persons: Persons, place: int, kind: Kind, weight: float, piece: int
) -> Iterator[AgreeingForm]:
    """The first gender that a word shows of some persons, or of somebody where it is not known of whom."""
    for agreement in agreements:
        if kept := fitting(persons, agreement) if persons else unowned(agreement):
            yield AgreeingForm(place, agreement.gender, kind, kept, weight, piece)
            return


class Subjects:
    """A translation with what each of its words can be, asked piece by piece whom it is about."""

    def __init__(self, sentence: Sentence, cut: tuple[Piece, ...], grammar: Grammar) -> None:
        self.sentence, self.cut, self.grammar = sentence, cut, grammar
        self.entries = tuple(grammar.entry(word.lower) for word in sentence.words)
        self.both = {
            place for place, word in enumerate(sentence.words) if _BOTH.match(sentence.text, word.end) is not None
        }
        for place in range(len(self.entries) - 2):
            first, joint, second = self.entries[place : place + 3]
            if joint.joins and first.subject and second.subject and {first.shown, second.shown} == set(GENDERS):
                self.both |= {place, place + 2}  # он или она
            elif joint.joins and sentence.words[place].lower[:3] == sentence.words[place + 2].lower[:3]:
                genders = ({agreement.gender for agreement in each.predicate} for each in (first, second))
                if sorted(map(sorted, genders)) == [[Gender.FEMININE], [Gender.MASCULINE]]:
                    self.both |= {place, place + 2}  # cansado o cansada

    @staticmethod
    def _places(piece: Piece) -> range:
        return range(piece.first, piece.last)

    def persons(self) -> Persons:
        """Every person that some word of the translation stands for."""
        found: set[str] = set()
        for entry in self.entries:
            found |= entry.subject | entry.object | entry.possessive | entry.copula | entry.finite
            found |= {person for agreement in entry.past for person in agreement.persons}
        return frozenset(found)

    def addressed(self) -> Persons:
        """Every person that a pronoun or a verb stands for; possessives may mean anybody."""
        found: set[str] = set()
        for entry in self.entries:
            found |= entry.subject | entry.object | entry.copula | entry.finite
        return frozenset(found)

    def anchors(self, piece: Piece) -> list[Anchor]:
        """The words of a piece that say whom it is about."""
        found: list[Anchor] = []
        noun: Persons = NOBODY  # what a noun before the verb can be: a person, or nobody whom one can ask for
        verbs = [place for place in self._places(piece) if self.entries[place].copula]
        for place in self._places(piece):
            entry = self.entries[place]
            after_preposition = place > piece.first and self.entries[place - 1].preposition
            if entry.subject and not after_preposition:
                found = self._named(found, Anchor(place, entry.subject, False, True))
            elif (entry.article and not (entry.object and self._before_verb(place, piece))) or entry.possessive:
                noun = noun if after_preposition or noun else self._noun_subject(place, piece)
            elif self._name(place, piece) and not after_preposition:
                noun = noun or NOUN
            elif entry.thing and not entry.copula and self.grammar.fronted and not after_preposition:
                noun = noun or THING  # útok je očekáván
            elif entry.doubtful and len(verbs) > 1:
                continue
            elif entry.copula or (entry.finite and not noun):
                found.append(self._verb(place, entry, piece, found, noun))
        return found

    def _before_verb(self, place: int, piece: Piece) -> bool:
        """A word that is an article or a pronoun is a pronoun before a verb, and at the end."""
        if place + 1 >= piece.last:
            relative = place + 1 < len(self.entries) and self.entries[place + 1].opens  # a la que
            return place > piece.first and not relative
        after = self.entries[place + 1]
        return bool(after.copula or after.finite or after.have)

    def _name(self, place: int, piece: Piece) -> bool:
        """A capital inside a sentence: a name, where it is no verb or pronoun."""
        entry, words = self.entries[place], self.sentence.words
        inside = place > 0 and self.cut[self.piece_of(place - 1)].sentence == piece.sentence
        return words[place].capital and inside and not (entry.copula or entry.finite or entry.object or entry.past)

    def piece_of(self, place: int) -> int:
        """The number of the piece that a word stands in."""
        return next(number for number, piece in enumerate(self.cut) if piece.first <= place < piece.last)

    def _noun_subject(self, place: int, piece: Piece) -> Persons:
        """Whether the noun after an article or a possessive can be a person."""
        for other in range(place + 1, min(place + 4, piece.last)):
            if self.entries[other].thing:
                return THING
            if self.entries[other].preposition:
                break
        return NOUN

    def _named(self, found: list[Anchor], pronoun: Anchor) -> list[Anchor]:
        """A pronoun that follows its verb (êtes-vous) says who the verb's persons are."""
        if found and found[-1].verb and found[-1].place == pronoun.place - 1 and found[-1].persons & pronoun.persons:
            return [*found[:-1], found[-1]._replace(persons=found[-1].persons & pronoun.persons), pronoun]
        return [*found, pronoun]

    def _verb(self, place: int, entry: Entry, piece: Piece, found: list[Anchor], noun: Persons) -> Anchor:
        persons = entry.copula or entry.finite
        before = self.entries[place - 1] if place > piece.first else Entry()
        after = self.entries[place + 1] if place + 1 < piece.last else Entry()
        reflected = bool((before.object | after.object) & persons)
        if before.object and before.object & persons:  # me sentía
            persons = persons & before.object
        elif found and not found[-1].verb and self._subject_of(found[-1], persons, place):
            persons = found[-1].persons & persons or found[-1].persons  # yo era, você está
        elif before.dative and persons & THIRD:
            persons = THING
        elif noun and persons & THIRD:
            persons = THING if noun == THING else NOUN
        elif len(persons) > 1 and persons & THIRD and self._noun_before(place, piece):
            persons = NOUN
        return Anchor(place, persons, bool(entry.copula) and (reflected or not entry.reflexive), len(persons) == 1)

    def _noun_before(self, place: int, piece: Piece) -> bool:
        """Some noun stands before a verb that may be of the first or the third person."""
        return any(self.entries[other].thing or self.entries[other].person for other in range(piece.first, place))

    def _subject_of(self, before: Anchor, persons: Persons, place: int) -> bool:
        """Whether the word before a verb says who acts: a pronoun, not the verb of a clause: che ho visto è partita."""
        says = bool(before.persons & persons or self.entries[before.place].subject)
        return says and self._near(before.place, place)

    def _near(self, first: int, second: int) -> bool:
        """No preposition between a pronoun and a verb."""
        return not any(self.entries[place].preposition for place in range(first + 1, second))

    def owner(self, place: int, anchors: list[Anchor]) -> Anchor | None:
        """The last anchor before a word, else the first after it."""
        before = [anchor for anchor in anchors if anchor.place < place]
        if before:
            return before[-1]
        return next((anchor for anchor in anchors if anchor.place > place), None)

    def _leads(self, place: int, piece: Piece) -> bool:
        """Nothing stands before a word in its piece that could be its subject."""
        return not piece.relative and all(
            self.entries[other].skipped
            or self.entries[other].opens
            or self.entries[other].joins
            or self.entries[other].object
            for other in range(piece.first, place)
        )

    def _of_several(self, place: int, piece: Piece) -> bool:
        """Whether a word for one stands before "of" and people of a gender: una de las mejores, no person's."""
        after = self.entries[place + 1 : min(place + 1 + _GROUP, piece.last)]
        noun = next((entry for entry in after if entry.fixed or entry.thing or entry.person), None)
        return bool(after) and after[0].preposition and (noun is None or noun.person is not None)

    def _has_noun(self, place: int, piece: Piece) -> bool:
        """A noun stands before a word that can be its subject."""
        for other in range(piece.first, place):
            entry = self.entries[other]
            after_preposition = other > piece.first and self.entries[other - 1].preposition
            if (entry.article or entry.possessive) and not entry.preposition and not after_preposition:
                return True
        return False

    def _hyphen(self, place: int) -> bool:
        """Whether a word hangs on the one before: retirou-me."""
        start = self.sentence.words[place].start
        return start > 0 and self.sentence.text[start - 1] == "-"

    def _around(self, number: int) -> list[Anchor]:
        """Whom the neighbouring pieces of the same sentence are about."""
        here = self.cut[number]
        for other in (number - 1, number + 1):
            if 0 <= other < len(self.cut) and self.cut[other].sentence == here.sentence:
                found = self.anchors(self.cut[other])
                if found:
                    return found
        return []
