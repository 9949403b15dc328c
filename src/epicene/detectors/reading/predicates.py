"""Whom the words of a translation agree with: every form that shows a gender, and the person it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from epicene.detectors.reading.clauses import Piece
from epicene.detectors.reading.grammar import Agreement, Entry, Grammar, Persons
from epicene.detectors.reading.sentence import Sentence
from epicene.types import Gender

_THIRD = frozenset(("3s", "3p"))
_NOBODY: Persons = frozenset()
_THING: Persons = frozenset(("thing",))  # a noun is the subject: nobody whom one asks for by a pronoun
_NOUN: Persons = frozenset(("ns", "np"))
_BOTH = re.compile(r"[/(·•*:_]-?\w{1,4}(?!\w)")  # řekl/a, listo(a), prêt·e: both genders are written
_UNKNOWN = 2  # words that no table knows and that may stand between a verb and its predicate


class Kind(StrEnum):
    """How a word agrees with a person."""

    PAST = "past tense"
    PREDICATE = "predicate"
    OBJECT = "object's predicate"
    PRONOUN = "pronoun"
    NOUN = "noun"
    ROLE = "as"
    FLOATING = "all, both, alone"


class Found(NamedTuple):
    """A form that shows a gender, and whom it agrees with."""

    place: int
    gender: Gender
    kind: Kind
    persons: Persons  # empty where nothing tells whom
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


def fitting(persons: Persons, agreement: Agreement) -> Persons:
    """The persons that a form can agree with."""
    number = agreement.number
    kept = frozenset(person for person in persons if not number or number in numbers(person))
    return kept & agreement.persons if agreement.persons else kept


class Reader:
    """Reads one translation piece by piece."""

    def __init__(self, sentence: Sentence, cut: tuple[Piece, ...], grammar: Grammar) -> None:
        self.sentence, self.cut, self.grammar = sentence, cut, grammar
        self.entries = tuple(grammar.entry(word.lower) for word in sentence.words)
        self.both = {
            place for place, word in enumerate(sentence.words) if _BOTH.match(sentence.text, word.end) is not None
        }

    def all(self) -> list[Found]:
        """All forms that agree with somebody, in order."""
        found: list[Found] = []
        inherited: Persons = _NOBODY
        for number, piece in enumerate(self.cut):
            if not piece.joined:
                inherited = _NOBODY
            anchors = self.anchors(piece)
            found.extend(self.pronouns(piece, number))
            found.extend(self.pasts(piece, number, anchors, inherited))
            found.extend(self.predicates(piece, number, anchors, inherited))
            found.extend(self.objects(piece, number))
            found.extend(self.floating(piece, number, anchors, inherited))
            found.extend(self.roles(piece, number, anchors))
            if piece.relative:
                inherited = inherited if anchors else _THIRD
            elif anchors:
                inherited = anchors[-1].persons
            elif any(self.entries[place].past and not self._leads(place, piece) for place in self._places(piece)):
                inherited = _THIRD  # a noun is the subject
        return [one for one in found if one.place not in self.both]

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
        noun: Persons = _NOBODY  # what a noun before the verb can be: a person, or nobody whom one can ask for
        verbs = [place for place in self._places(piece) if self.entries[place].copula]
        for place in self._places(piece):
            entry = self.entries[place]
            after_preposition = place > piece.first and self.entries[place - 1].preposition
            if entry.subject and not after_preposition:
                found = self._named(found, Anchor(place, entry.subject, False, True))
            elif (entry.article and not entry.object) or entry.possessive:
                noun = noun if after_preposition or noun else self._noun_subject(place, piece)
            elif self._name(place, piece) and not after_preposition:
                noun = noun or _NOUN
            elif entry.doubtful and len(verbs) > 1:
                continue
            elif entry.copula or (entry.finite and not noun):
                found.append(self._verb(place, entry, piece, found, noun))
        return found

    def _name(self, place: int, piece: Piece) -> bool:
        """A capital inside a sentence: a name, where it is no verb or pronoun."""
        entry, words = self.entries[place], self.sentence.words
        inside = place > 0 and self.cut_sentence(place - 1) == piece.sentence
        return words[place].capital and inside and not (entry.copula or entry.finite or entry.object or entry.past)

    def cut_sentence(self, place: int) -> int:
        """The number of the sentence that a word stands in."""
        return next(piece.sentence for piece in self.cut if piece.first <= place < piece.last)

    def _noun_subject(self, place: int, piece: Piece) -> Persons:
        """Whether the noun after an article or a possessive can be a person."""
        for other in range(place + 1, min(place + 4, piece.last)):
            if self.entries[other].thing:
                return _THING
            if self.entries[other].preposition:
                break
        return _NOUN

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
        elif found and not found[-1].verb and self._near(found[-1].place, place):
            persons = found[-1].persons & persons or found[-1].persons  # yo era, você está
        elif noun and persons & _THIRD:
            persons = _THING if noun == _THING else _NOUN
        return Anchor(place, persons, bool(entry.copula) and (reflected or not entry.reflexive), len(persons) == 1)

    def _near(self, first: int, second: int) -> bool:
        """No preposition between a pronoun and a verb."""
        return not any(self.entries[place].preposition for place in range(first + 1, second))

    def pronouns(self, piece: Piece, number: int) -> Iterator[Found]:
        """Pronouns that show a gender by themselves."""
        for place in self._places(piece):
            entry = self.entries[place]
            text = self.sentence.words[place].text
            if entry.shown is None or (len(text) > 1 and text.isupper() and not self.sentence.text.isupper()):
                continue
            hyphen = self._hyphen(place)
            if entry.subject:
                persons = entry.subject & entry.only or entry.subject
                if not any(other.impersonal for other in self.entries[place + 1 : place + 3]):  # il y a
                    yield Found(place, entry.shown, Kind.PRONOUN, persons, 0.98, number)
            elif entry.possessive:
                yield Found(place, entry.shown, Kind.PRONOUN, entry.possessive, 0.9, number)
            elif entry.object and (hyphen or not entry.article):
                weight = 0.5 if entry.clitic and entry.shown is Gender.MASCULINE else 0.85  # hacerlo: a thing
                yield Found(place, entry.shown, Kind.PRONOUN, entry.object, weight, number)
            elif entry.object and self._before_verb(place, piece):
                yield Found(place, entry.shown, Kind.PRONOUN, entry.object, 0.6, number)

    def _hyphen(self, place: int) -> bool:
        """Whether a word hangs on the one before: retirou-me."""
        start = self.sentence.words[place].start
        return start > 0 and self.sentence.text[start - 1] == "-"

    def _before_verb(self, place: int, piece: Piece) -> bool:
        """A word that is an article or a pronoun is a pronoun before a verb, and at the end."""
        if place + 1 >= piece.last:
            return place > piece.first
        after = self.entries[place + 1]
        return bool(after.copula or after.finite or after.have)

    def pasts(self, piece: Piece, number: int, anchors: list[Anchor], inherited: Persons) -> Iterator[Found]:
        """Past tenses that agree with their subject."""
        taken: set[int] = set()
        own = any(self.entries[place].own for place in self._places(piece))
        for place in self._places(piece):
            for agreement in self.entries[place].past:
                if agreement.persons:
                    yield Found(place, agreement.gender, Kind.PAST, agreement.persons, 0.98, number)
                    break
                anchor = self.owner(place, anchors)
                if anchor is not None:
                    weight = 0.95 if anchor.place not in taken else 0.85
                    persons = fitting(anchor.persons, agreement)
                    if persons:
                        taken.add(anchor.place)
                        yield Found(place, agreement.gender, Kind.PAST, persons, weight, number)
                        break
                elif own and agreement.number == "s" and not self._leads(place, piece):
                    yield Found(place, agreement.gender, Kind.PAST, _THIRD, 0.7, number)  # X потеряла свою работу
                    break
                elif self.grammar.nouns and not self._leads(place, piece):
                    yield Found(place, agreement.gender, Kind.PAST, _NOUN, 0.5, number)
                    break
                elif self._leads(place, piece):
                    met = self._met(piece)  # мне понадобилась помощь
                    persons = fitting(inherited - met or (_THIRD if self.grammar.nouns else _NOBODY), agreement)
                    if persons or not (inherited or met):
                        weight = (0.45 if piece.opened else 0.6) if persons else 0.3
                        yield Found(place, agreement.gender, Kind.PAST, persons, weight, number)
                        break

    def _met(self, piece: Piece) -> Persons:
        """The speakers and listeners that a piece has as objects: they are not its subject."""
        found = [self.entries[place].object for place in self._places(piece)]
        return frozenset(person for persons in found for person in persons if person[0] != "3")

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

    def predicates(self, piece: Piece, number: int, anchors: list[Anchor], inherited: Persons) -> Iterator[Found]:
        """Adjectives, participles and nouns after a verb that takes a predicate."""
        busy = self._busy(piece, anchors)
        for anchor in anchors:
            if anchor.place in busy:
                continue
            if anchor.verb or (self.grammar.zero_copula and not self.entries[anchor.place].finite):
                weight = (0.95 if anchor.sure else 0.7) if anchor.verb else 0.85
                found = list(self.scan(anchor.place, piece, anchor.persons, number, weight, anchor.verb))
                yield from found
                if not found and anchor.verb and anchor.place > piece.first and self.grammar.fronted:
                    yield from self._fronted(anchor, number)
        if self.grammar.zero_copula and not anchors and inherited and not piece.opened:
            yield from self.scan(self._start(piece), piece, inherited, number, 0.5, False)
        for place in self._places(piece):
            entry = self.entries[place]
            article = place > piece.first and (
                self.entries[place - 1].article is not None or self.sentence.words[place - 1].lower == "l'"
            )
            if article or (not anchors and self._has_noun(place, piece)):
                continue  # l'été; mi coche deberá estar reparado
            if entry.bare and (not entry.past or self.owner(place, anchors) or self._leads(place, piece)):
                near = self.owner(place, [anchor for anchor in anchors if anchor.place < place])
                dative = self._dative(place, piece) if near is None or near.persons <= _THIRD else _NOBODY
                persons = dative or (near.persons if near else inherited)
                weight = 0.8 if near else 0.5 if persons else 0.35
                yield from self.scan(place, piece, persons, number, weight, True)

    def _has_noun(self, place: int, piece: Piece) -> bool:
        """A noun stands before a word that can be its subject."""
        for other in range(piece.first, place):
            entry = self.entries[other]
            after_preposition = other > piece.first and self.entries[other - 1].preposition
            if (entry.article or entry.possessive) and not entry.preposition and not after_preposition:
                return True
        return False

    def _busy(self, piece: Piece, anchors: list[Anchor]) -> set[int]:
        """Auxiliaries of a past tense: what follows is the verb's object, not a predicate."""
        owners = (
            self.owner(place, anchors)
            for place in self._places(piece)
            if self.entries[place].past and not self.entries[place].bare
        )
        return {anchor.place for anchor in owners if anchor is not None}

    def _start(self, piece: Piece) -> int:
        """The place before the first word of a piece that is no conjunction."""
        return piece.first if self.entries[piece.first].joins else piece.first - 1

    def _dative(self, place: int, piece: Piece) -> Persons:
        """Тебе следует быть: an object whose infinitive it is."""
        for other in range(place - 1, piece.first - 1, -1):
            if self.entries[other].object - _THIRD:
                return self.entries[other].object
        return _NOBODY

    def _fronted(self, anchor: Anchor, number: int) -> Iterator[Found]:
        """Unavená jsem: the predicate before its verb."""
        for agreement in self.entries[anchor.place - 1].predicate:
            persons = fitting(anchor.persons, agreement)
            if persons:
                yield Found(anchor.place - 1, agreement.gender, Kind.PREDICATE, persons, 0.6, number)
                return

    def scan(
        self, start: int, piece: Piece, persons: Persons, number: int, weight: float, verb: bool
    ) -> Iterator[Found]:
        """The first predicate after a verb, over adverbs and what agrees too."""
        unknown = 0
        for place in range(start + 1, piece.last):
            entry = self.entries[place]
            if (
                entry.preposition
                or entry.opens
                or entry.joins
                or (entry.subject and persons and not entry.subject & persons)
            ):
                return
            if (entry.plain and not entry.skipped) or (not verb and self._verbal(entry)):
                return
            if place + 1 < piece.last and self.entries[place + 1].thing and not entry.person:
                return  # su verdadero nombre
            agreements = entry.predicate or (entry.oblique if verb else ())
            if verb and self.grammar.zero_copula:
                agreements = entry.oblique or entry.predicate
            for agreement in agreements:
                kept = fitting(persons, agreement) if persons else persons
                if kept or not persons:
                    yield Found(place, agreement.gender, Kind.PREDICATE, kept, weight, number)
                    return
            if (entry.past and not entry.bare) or (entry.possessive and not verb):
                return
            if entry.skipped or entry.bare or entry.floating or entry.object or entry.subject:
                continue
            if entry.copula or entry.possessive or entry.have:
                continue
            if entry.article and place + 1 < piece.last and self.entries[place + 1].skipped:
                continue  # un poco, um pouco
            if entry.article:
                yield from self._noun(place, entry.article, piece, persons, number, weight)
                return
            if self.sentence.words[place].lower.endswith("'"):  # об'єктивний
                continue
            unknown += 1
            if unknown > _UNKNOWN or not verb:
                return

    def _verbal(self, entry: Entry) -> bool:
        """A verb between a pronoun and its predicate: what follows belongs to the verb."""
        return bool(entry.past or entry.finite or entry.copula or entry.bare)

    def _noun(
        self, place: int, article: Agreement, piece: Piece, persons: Persons, number: int, weight: float
    ) -> Iterator[Found]:
        """The article of a predicate noun, unless its noun has a fixed gender."""
        following = self.entries[place + 1 : min(piece.last, place + 4)]
        if following and not any(entry.plain and not entry.skipped for entry in following):
            kept = fitting(persons, article) if persons else persons
            if kept or not persons:
                yield Found(place, article.gender, Kind.PREDICATE, kept, weight * 0.7, number)

    def objects(self, piece: Piece, number: int) -> Iterator[Found]:
        """What agrees with an object: mi ha presa, me dejó sorprendida, считают тебя интересной."""
        makes = any(self.entries[place].makes for place in self._places(piece))
        for place in self._places(piece):
            persons = self.entries[place].object
            if self.entries[place].subject and not self._has_subject(place, piece):
                continue  # avez-vous tenté
            if not persons or (self.entries[place].article and not self._before_verb(place, piece)):
                continue
            for verb in range(place + 1, min(place + 4, piece.last)):
                entry = self.entries[verb]
                if entry.have or entry.makes:
                    yield from self._object_predicates(verb, piece, persons, number)
                    break
                if not (entry.skipped or entry.object):
                    break
            else:
                verb = place
            if makes or place + 2 == piece.last:
                yield from self._after_object(place, piece, persons, number)
            if place + 1 < piece.last and persons - _THIRD and self._hyphen(place):
                yield from self._beside_object(place + 1, persons, number)

    def _has_subject(self, place: int, piece: Piece) -> bool:
        """Somebody else stands before a word as the subject of its piece."""
        if piece.relative or self._has_noun(place, piece):
            return True
        own = self.entries[place].subject
        return any(self.entries[other].subject - own for other in range(piece.first, place))

    def _beside_object(self, place: int, persons: Persons, number: int) -> Iterator[Found]:
        """Retirou-me vivo: an adjective right behind an object."""
        for agreement in self.entries[place].adjective:
            kept = fitting(persons, agreement)
            if kept:
                yield Found(place, agreement.gender, Kind.OBJECT, kept, 0.6, number)
                return

    def _object_predicates(self, verb: int, piece: Piece, persons: Persons, number: int) -> Iterator[Found]:
        """The participle of a compound tense and the predicate behind it; the last one says most."""
        weight = 0.7
        for place in range(verb + 1, min(verb + 5, piece.last)):
            entry = self.entries[place]
            if entry.preposition or entry.article or (entry.plain and not entry.skipped):
                return
            if entry.indirect or (place + 1 < piece.last and self._has_object(place + 1)):
                return
            for agreement in entry.predicate:
                kept = fitting(persons, agreement)
                if kept:
                    yield Found(place, agreement.gender, Kind.OBJECT, kept, weight, number)
                    weight += 0.1
                    break

    def _has_object(self, place: int) -> bool:
        """A noun follows as the object: m'a envoyé le document."""
        return bool(self.entries[place].article or self.entries[place].possessive)

    def _after_object(self, place: int, piece: Piece, persons: Persons, number: int) -> Iterator[Found]:
        for after in range(place + 1, min(place + 4, piece.last)):
            entry = self.entries[after]
            if entry.preposition:
                return
            for agreement in entry.oblique:
                kept = fitting(persons, agreement)
                if kept:
                    yield Found(after, agreement.gender, Kind.OBJECT, kept, 0.7, number)
                    return

    def floating(self, piece: Piece, number: int, anchors: list[Anchor], inherited: Persons) -> Iterator[Found]:
        """All, both, alone, self: they agree with whom the piece is about."""
        for place in self._places(piece):
            for agreement in self.entries[place].floating:
                if self._attributive(place, piece):
                    continue
                owner = self.owner(place, anchors)
                near = self._beside(place, piece)
                persons = fitting(near, agreement) or fitting(owner.persons if owner else inherited, agreement)
                if persons:
                    yield Found(place, agreement.gender, Kind.FLOATING, persons, 0.75, number)
                elif owner is None and agreement.number == "p":
                    yield Found(place, agreement.gender, Kind.FLOATING, _NOBODY, 0.4, number)

    def roles(self, piece: Piece, number: int, anchors: list[Anchor]) -> Iterator[Found]:
        """As a teacher: of whom the piece is about, else the one before in the sentence or the one after."""
        for place in self._places(piece):
            if not self.entries[place].as_:
                continue
            before = [anchor for anchor in anchors if anchor.place < place]
            persons = (before or anchors or self._around(number))[-1:]
            for other in range(place + 1, min(place + 4, piece.last)):
                entry = self.entries[other]
                if (
                    entry.preposition
                    or entry.opens
                    or entry.joins
                    or entry.subject
                    or (entry.object and not entry.article)
                ):
                    break
                for agreement in (entry.person,) if entry.person else entry.role:
                    kept = fitting(persons[0].persons, agreement) if persons else frozenset(("ns",))
                    if (kept and agreement.number != "p") or kept - {"ns"}:
                        yield Found(other, agreement.gender, Kind.ROLE, kept, 0.75, number)
                        return

    def _around(self, number: int) -> list[Anchor]:
        """Whom the neighbouring pieces of the same sentence are about."""
        here = self.cut[number]
        for other in (number - 1, number + 1):
            if 0 <= other < len(self.cut) and self.cut[other].sentence == here.sentence:
                found = self.anchors(self.cut[other])
                if found:
                    return found
        return []

    def _attributive(self, place: int, piece: Piece) -> bool:
        """Todos los días, el mismo profesor, ahora mismo: it belongs to a word beside it."""
        after = self.entries[place + 1] if place + 1 < piece.last else Entry()
        before = self.entries[place - 1] if place > piece.first else Entry()
        if self.entries[place].partial:
            return not after.preposition
        if after.article and not after.skipped:
            return True
        if self.entries[place].floating[0].number == "p":
            return False
        noun = after.thing or after.person or (after.predicate and not after.copula and not after.finite)
        return bool(noun or before.article or before.skipped)

    def _beside(self, place: int, piece: Piece) -> Persons:
        """The pronoun next to a word: tutti noi, todos nós, algunas de nosotras."""
        for other in (place + 1, place - 1, place + 2, place - 2, place - 3):
            if piece.first <= other < piece.last:
                entry = self.entries[other]
                if entry.subject or entry.object:
                    return entry.subject or entry.object
        return _NOBODY
