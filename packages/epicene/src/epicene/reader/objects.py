"""Pronouns that show a gender, and what agrees with an object, with all, with both, and behind as."""

from __future__ import annotations

from collections.abc import Iterator

from epicene.reader.clauses import NOBODY, THIRD, AgreeingForm, Anchor, Kind, Piece, Subjects, fitting, unowned
from epicene.reader.grammar import Entry, Persons
from epicene.types import Gender


class Objects(Subjects):
    """Finds what agrees with people who are not the subject of a verb."""

    def pronouns(self, piece: Piece, number: int) -> Iterator[AgreeingForm]:
        """Pronouns that show a gender by themselves."""
        for place in self._places(piece):
            entry = self.entries[place]
            text = self.sentence.words[place].text
            after = self.entries[place + 1] if place + 1 < piece.last else Entry()
            if entry.demonstrative and after.article:
                continue
            if entry.shown is None or (len(text) > 1 and text.isupper() and not self.sentence.text.isupper()):
                continue
            hyphen = self._hyphen(place)
            if entry.subject:
                persons = entry.subject & entry.only or entry.subject
                if not any(other.impersonal for other in self.entries[place + 1 : place + 3]):  # il y a
                    yield AgreeingForm(place, entry.shown, Kind.PRONOUN, persons, 0.98, number)
            elif entry.possessive:
                yield AgreeingForm(place, entry.shown, Kind.PRONOUN, entry.possessive, 0.9, number)
            elif entry.unsure:
                if (self._before_verb(place, piece) and place + 1 < piece.last) or self._before_unlisted(place, piece):
                    yield AgreeingForm(place, entry.shown, Kind.PRONOUN, entry.object, 0.5, number)
            elif entry.object and (hyphen or not entry.article):
                thing = (self.grammar.nouns and self.grammar.fronted) or (
                    entry.clitic and entry.shown is Gender.MASCULINE
                )  # hacerlo: a thing
                weight = 0.5 if thing else 0.85
                yield AgreeingForm(place, entry.shown, Kind.PRONOUN, entry.object, weight, number)
            elif entry.object and self._before_verb(place, piece):
                yield AgreeingForm(place, entry.shown, Kind.PRONOUN, entry.object, 0.6, number)
            elif entry.object and self._before_unlisted(place, piece):
                yield AgreeingForm(place, entry.shown, Kind.PRONOUN, entry.object, 0.45, number)

    def _before_unlisted(self, place: int, piece: Piece) -> bool:
        """A word that is an article or a pronoun, before one that is no listed noun: la sigue."""
        after = place + 1
        return after < piece.last and self.entries[after].unlisted and not self.sentence.words[after].capital

    def objects(self, piece: Piece, number: int) -> Iterator[AgreeingForm]:
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
            if place + 1 < piece.last and persons - THIRD and self._hyphen(place):
                yield from self._beside_object(place + 1, persons, number)

    def _has_subject(self, place: int, piece: Piece) -> bool:
        """Somebody else stands before a word as the subject of its piece."""
        if piece.relative or self._has_noun(place, piece):
            return True
        own = self.entries[place].subject
        return any(self.entries[other].subject - own for other in range(piece.first, place))

    def _beside_object(self, place: int, persons: Persons, number: int) -> Iterator[AgreeingForm]:
        """Retirou-me vivo: an adjective right behind an object."""
        for agreement in self.entries[place].adjective:
            kept = fitting(persons, agreement)
            if kept:
                yield AgreeingForm(place, agreement.gender, Kind.OBJECT, kept, 0.6, number)
                return

    def _object_predicates(self, verb: int, piece: Piece, persons: Persons, number: int) -> Iterator[AgreeingForm]:
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
                    yield AgreeingForm(place, agreement.gender, Kind.OBJECT, kept, weight, number)
                    weight += 0.1
                    break

    def _has_object(self, place: int) -> bool:
        """A noun follows as the object: m'a envoyé le document."""
        return bool(self.entries[place].article or self.entries[place].possessive)

    def _after_object(self, place: int, piece: Piece, persons: Persons, number: int) -> Iterator[AgreeingForm]:
        for after in range(place + 1, min(place + 4, piece.last)):
            entry = self.entries[after]
            if entry.preposition:
                return
            for agreement in entry.oblique:
                kept = fitting(persons, agreement)
                if kept:
                    yield AgreeingForm(after, agreement.gender, Kind.OBJECT, kept, 0.7, number)
                    return

    def floating(self, piece: Piece, number: int, anchors: list[Anchor], inherited: Persons) -> Iterator[AgreeingForm]:
        """All, both, alone, self: they agree with whom the piece is about."""
        for place in self._places(piece):
            for agreement in self.entries[place].floating:
                if self._attributive(place, piece):
                    continue
                owner = self.owner(place, anchors)
                near = self._beside(place, piece)
                persons = fitting(near, agreement) or fitting(owner.persons if owner else inherited, agreement)
                if persons:
                    yield AgreeingForm(place, agreement.gender, Kind.FLOATING, persons, 0.75, number)
                elif owner is None and agreement.number == "p":
                    yield AgreeingForm(place, agreement.gender, Kind.FLOATING, unowned(agreement), 0.4, number)

    def roles(self, piece: Piece, number: int, anchors: list[Anchor]) -> Iterator[AgreeingForm]:
        """As a teacher: of whom the piece is about, else the one before in the sentence or the one after."""
        for place in self._places(piece):
            behind = self.entries[place - 1] if place else Entry()
            becomes = behind.becomes and (self.entries[place].preposition or self.entries[place].opens)
            if not (becomes or self.entries[place].as_) or (behind.copula and not behind.reflexive):
                continue  # vypadá jako muž: she only looks like one
            before = [anchor for anchor in anchors if anchor.place < place]
            persons = (before or anchors or self._around(number))[-1:]
            for other in range(place + 1, min(place + 4, piece.last)):
                entry = self.entries[other]
                small = entry.preposition or entry.opens or entry.joins or (entry.object and not entry.article)
                if small or entry.subject or entry.finite or entry.copula:
                    break
                one = entry.one if self._of_several(other, piece) else None
                said = one or entry.person
                for agreement in (said,) if said else entry.role:
                    free = NOBODY if agreement.number == "p" else frozenset(("ns", "?s"))
                    kept = fitting(persons[0].persons, agreement) if persons else free
                    if kept:
                        yield AgreeingForm(other, agreement.gender, Kind.ROLE, kept, 0.75, number)
                        return

    def _attributive(self, place: int, piece: Piece) -> bool:
        """Todos los días, el mismo profesor, ahora mismo: it belongs to a word beside it."""
        after = self.entries[place + 1] if place + 1 < piece.last else Entry()
        before = self.entries[place - 1] if place > piece.first else Entry()
        if self.entries[place].partial:
            return not after.preposition
        if after.article and not after.skipped:
            return True
        if self.entries[place].floating[0].number == "p":
            return bool(after.thing) and not after.finite
        noun = (
            (after.thing and not self.grammar.fronted)
            or after.person
            or (after.predicate and not after.copula and not after.finite)
        )
        return bool(noun or before.article or before.skipped)

    def _beside(self, place: int, piece: Piece) -> Persons:
        """The pronoun next to a word: tutti noi, todos nós, algunas de nosotras."""
        for other in (place + 1, place - 1, place + 2, place - 2, place - 3):
            if piece.first <= other < piece.last:
                entry = self.entries[other]
                if entry.subject or entry.object:
                    return entry.subject or entry.object
        return NOBODY
