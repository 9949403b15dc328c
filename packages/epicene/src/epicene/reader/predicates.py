"""What agrees with the people of a sentence: with the subject of a piece, an object, all and both, and behind as."""

from __future__ import annotations

from collections.abc import Iterator

from epicene.reader.clauses import (
    NOBODY,
    NOUN,
    THIRD,
    AgreeingForm,
    Anchor,
    Kind,
    Piece,
    Subjects,
    first_fitting,
    fitting,
    unowned,
)
from epicene.reader.grammar import Agreement, Entry, Persons
from epicene.types import Gender

_SHORT = 4  # words of a piece whose verb is the one before
_UNKNOWN = 2  # words that no table knows and that may stand between a verb and its predicate


class Agreements(Subjects):
    """Finds all that agrees with somebody in one translation, piece by piece."""

    def all(self) -> list[AgreeingForm]:
        """All forms that agree with somebody, in order."""
        found: list[AgreeingForm] = []
        inherited: Persons = NOBODY
        for number, piece in enumerate(self.cut):
            if not piece.joined:
                inherited = NOBODY
            anchors = self.anchors(piece)
            found.extend(self.pronouns(piece, number))
            found.extend(self.pasts(piece, number, anchors, inherited))
            found.extend(self.predicates(piece, number, anchors, inherited))
            found.extend(self.objects(piece, number))
            found.extend(self.floating(piece, number, anchors, inherited))
            found.extend(self.roles(piece, number, anchors))
            if piece.relative:
                inherited = inherited if anchors else THIRD
            elif anchors:
                inherited = anchors[-1].persons
            elif any(self.entries[place].past and not self._leads(place, piece) for place in self._places(piece)):
                inherited = THIRD  # a noun is the subject
        return [one for one in found if one.place not in self.both]

    def pasts(self, piece: Piece, number: int, anchors: list[Anchor], inherited: Persons) -> Iterator[AgreeingForm]:
        """Past tenses that agree with their subject."""
        taken: set[int] = set()
        own = any(self.entries[place].own for place in self._places(piece))
        for place in self._places(piece):
            if place > piece.first and self.entries[place].past and self.entries[place - 1].passive:
                return
            for agreement in () if self._inside_capital(place) else self.entries[place].past:
                if agreement.persons:
                    yield AgreeingForm(place, agreement.gender, Kind.PAST, agreement.persons, 0.98, number)
                    break
                anchor = self.owner(place, anchors)
                if anchor is not None:
                    weight = 0.95 if anchor.place not in taken else 0.85
                    persons = fitting(anchor.persons, agreement)
                    if persons:
                        taken.add(anchor.place)
                        yield AgreeingForm(place, agreement.gender, Kind.PAST, persons, weight, number)
                        break
                elif own and agreement.number == "s" and not self._leads(place, piece):
                    yield AgreeingForm(place, agreement.gender, Kind.PAST, THIRD, 0.7, number)  # X потеряла свою работу
                    break
                elif self.grammar.nouns and not self._leads(place, piece):
                    if any(self.entries[other].object for other in self._places(piece)):
                        break  # उन्हें बनाया गया: whom something happens to
                    if (persons := fitting(NOUN, agreement)) and not self._thing_acts(place, piece, agreement.gender):
                        yield AgreeingForm(place, agreement.gender, Kind.PAST, persons, 0.5, number)
                    break
                elif self._leads(place, piece):
                    met = self._met(piece)  # мне понадобилась помощь
                    persons = fitting(inherited - met or (THIRD if self.grammar.nouns else NOBODY), agreement)
                    if persons or not (inherited or met):
                        weight = (0.45 if piece.opened else 0.6) if persons else 0.3
                        yield AgreeingForm(
                            place, agreement.gender, Kind.PAST, persons or unowned(agreement), weight, number
                        )
                        break

    def _inside_capital(self, place: int) -> bool:
        """Whether a word is a name by its capital, whatever it ends in: Литтл."""
        words = self.sentence.words
        inside = place > 0 and words[place].capital and self.sentence.between(place - 1, place) == " "
        return inside and not words[place].text.isupper() and not self.sentence.text.istitle()

    def _thing_acts(self, place: int, piece: Piece, gender: Gender) -> bool:
        """Whether a noun before a verb that can be its subject names a thing, or says nothing of the person."""
        return not self.grammar.votes and any(
            gender in self.entries[other].thing
            or (self.entries[other].plain and not self.entries[other].skipped)
            or self.entries[other].fixed
            for other in range(piece.first, place)
            if not (other > piece.first and self.entries[other - 1].preposition)
        )

    def _met(self, piece: Piece) -> Persons:
        """The speakers and listeners that a piece has as objects: they are not its subject."""
        found = [self.entries[place].object for place in self._places(piece)]
        return frozenset(person for persons in found for person in persons if person[0] != "3")

    def predicates(
        self, piece: Piece, number: int, anchors: list[Anchor], inherited: Persons
    ) -> Iterator[AgreeingForm]:
        """Adjectives, participles and nouns after a verb that takes a predicate."""
        busy = self._busy(piece, anchors)
        for anchor in anchors:
            if anchor.place in busy:
                continue
            if anchor.verb or self._verbless(anchor, piece):
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
                dative = self._dative(place, piece) if near is None or near.persons <= THIRD else NOBODY
                persons = dative or (near.persons if near else inherited)
                if not persons and not self._opens(place, piece):
                    continue
                weight = 0.8 if near else 0.5 if persons else 0.35
                yield from self.scan(place, piece, persons, number, weight, True)
                if self.grammar.fronted and place > piece.first:  # Biologin werden
                    yield from self._fronted(Anchor(place, persons, True, False), number)

    def _opens(self, place: int, piece: Piece) -> bool:
        """Nothing but small words stands before an infinitive in its piece."""
        return all(
            entry.skipped or entry.opens or entry.joins or entry.preposition or entry.object
            for entry in self.entries[piece.first : place]
        )

    def _verbless(self, anchor: Anchor, piece: Piece) -> bool:
        """A pronoun whose predicate follows without a verb: я рада; yo soy alta y tú pequeño."""
        if self.entries[anchor.place].finite:
            return False
        short = piece.last - piece.first <= _SHORT and piece.joined
        return self.grammar.zero_copula or (
            short and not any(self._verbal(self.entries[each]) for each in self._places(piece))
        )

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
            if self.entries[other].object - THIRD:
                return self.entries[other].object
        return NOBODY

    def _fronted(self, anchor: Anchor, number: int) -> Iterator[AgreeingForm]:
        """Unavená jsem: the predicate before its verb."""
        place = anchor.place - 1
        if anchor.persons:
            yield from first_fitting(self.entries[place].predicate, anchor.persons, place, Kind.PREDICATE, 0.6, number)

    def scan(
        self, start: int, piece: Piece, persons: Persons, number: int, weight: float, verb: bool
    ) -> Iterator[AgreeingForm]:
        """The first predicate after a verb, over adverbs and what agrees too."""
        unknown = free = 0
        for place in range(start + 1, piece.last):
            entry = self.entries[place]
            if place < free:
                continue
            if entry.preposition and verb and self.grammar.capitals:  # bin seit Jahren Ingenieurin
                free = self._behind_noun(place, piece)
                continue
            if free and not (entry.person or entry.skipped):
                return
            if entry.one and self._of_several(place, piece) and (kept := fitting(persons, entry.one)):
                yield AgreeingForm(place, entry.one.gender, Kind.PREDICATE, kept, weight, number)
                return
            if (
                (entry.preposition and not (entry.predicate and place + 1 == piece.last))
                or entry.opens
                or entry.joins
                or (entry.subject and persons and not entry.subject & persons)
            ):
                return
            if (entry.plain and not entry.skipped) or (not verb and self._verbal(entry)):
                return
            after = self.entries[place + 1] if place + 1 < piece.last else Entry()
            if (after.thing or after.fixed) and not entry.person:
                return  # su verdadero nombre, la única persona
            agreements = entry.predicate or (entry.oblique if verb else ())
            if verb and self.grammar.zero_copula:
                agreements = entry.oblique or entry.predicate
            if agreements and self._impersonal(place, piece, persons):
                return
            for form in first_fitting(agreements, persons, place, Kind.PREDICATE, weight, number):
                yield form
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

    def _behind_noun(self, place: int, piece: Piece) -> int:
        """The place behind the noun that follows a preposition."""
        nouns = (each for each in range(place + 1, piece.last) if self.sentence.words[each].capital)
        return next(nouns, piece.last) + 1

    def _impersonal(self, place: int, piece: Piece, persons: Persons) -> bool:
        """A name, or what is said of a thing: Stati Uniti, sia chiaro che, sia aggiunto un protocollo."""
        entry, word = self.entries[place], self.sentence.words[place]
        if word.capital and place > piece.first and not entry.person and not self.grammar.capitals:
            return True
        if persons and not persons & THIRD:
            return False
        after = self.entries[place + 1] if place + 1 < piece.last else Entry()
        if self._announces(place, piece):
            return True
        return entry.neuter or (after.article is not None and not after.preposition and not self.grammar.zero_copula)

    def _announces(self, place: int, piece: Piece) -> bool:
        """È stato rivelato che: a clause is what was revealed, and nobody is named."""
        end = place
        while end + 1 < piece.last and self.entries[end + 1].predicate:
            end += 1
        after = self.entries[piece.last] if end + 1 == piece.last < len(self.entries) else Entry()
        if not after.opens or after.as_:
            return False
        masculine = all(agreement.gender is Gender.MASCULINE for agreement in self.entries[end].predicate)
        named = any(entry.subject or entry.article for entry in self.entries[piece.first : place])
        named = named or (place > piece.first and self.entries[place - 1].skipped)  # tão entediado que
        return masculine and not (named or self.entries[end].bare or self.sentence.parted(end))

    def _verbal(self, entry: Entry) -> bool:
        """A verb between a pronoun and its predicate: what follows belongs to the verb."""
        return bool(entry.past or entry.finite or entry.copula or entry.bare)

    def _noun(
        self, place: int, article: Agreement, piece: Piece, persons: Persons, number: int, weight: float
    ) -> Iterator[AgreeingForm]:
        """A predicate noun behind its article and adjectives, else its article, unless the noun has a fixed gender."""
        following = self.entries[place + 1 : min(piece.last, place + 4)]
        for behind, entry in enumerate(following, 1):
            after = following[behind] if behind < len(following) else Entry()
            if entry.fixed or entry.thing or after.fixed:
                return
            capital = self.grammar.capitals and self.sentence.words[place + behind].capital
            nouns = (entry.person,) if entry.person else entry.role if capital else ()
            for form in first_fitting(nouns, persons, place + behind, Kind.PREDICATE, weight * 0.8, number):
                yield form
                return
            if not (entry.plain or entry.adjective):
                break
        if following and not any(entry.plain and not entry.skipped and not entry.epicene for entry in following):
            yield from first_fitting((article,), persons, place, Kind.PREDICATE, weight * 0.7, number)

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
        yield from first_fitting(self.entries[place].adjective, persons, place, Kind.OBJECT, 0.6, number)

    def _object_predicates(self, verb: int, piece: Piece, persons: Persons, number: int) -> Iterator[AgreeingForm]:
        """The participle of a compound tense and the predicate behind it; the last one says most."""
        weight = 0.7
        for place in range(verb + 1, min(verb + 5, piece.last)):
            entry = self.entries[place]
            if entry.preposition or entry.article or (entry.plain and not entry.skipped):
                return
            if entry.indirect or (place + 1 < piece.last and self._has_object(place + 1)):
                return
            for form in first_fitting(entry.predicate, persons, place, Kind.OBJECT, weight, number):
                yield form
                weight += 0.1

    def _has_object(self, place: int) -> bool:
        """A noun follows as the object: m'a envoyé le document."""
        return bool(self.entries[place].article or self.entries[place].possessive)

    def _after_object(self, place: int, piece: Piece, persons: Persons, number: int) -> Iterator[AgreeingForm]:
        for after in range(place + 1, min(place + 4, piece.last)):
            entry = self.entries[after]
            if entry.preposition:
                return
            for form in first_fitting(entry.oblique, persons, after, Kind.OBJECT, 0.7, number):
                yield form
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
