"""Past tenses, adjectives, participles and nouns that agree with the subject of their piece; and all that agrees."""

from __future__ import annotations

from collections.abc import Iterator

from epicene.reader.clauses import NOBODY, NOUN, THIRD, AgreeingForm, Anchor, Kind, Piece, Subjects, fitting, unowned
from epicene.reader.grammar import Agreement, Entry, Persons
from epicene.reader.objects import Objects
from epicene.types import Gender

_SHORT = 4  # words of a piece whose verb is the one before
_UNKNOWN = 2  # words that no table knows and that may stand between a verb and its predicate


class Predicates(Subjects):
    """Finds what agrees with subjects."""

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
        for agreement in self.entries[anchor.place - 1].predicate:
            persons = fitting(anchor.persons, agreement)
            if persons:
                yield AgreeingForm(anchor.place - 1, agreement.gender, Kind.PREDICATE, persons, 0.6, number)
                return

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
            for agreement in agreements:
                kept = fitting(persons, agreement) if persons else unowned(agreement)
                if kept:
                    yield AgreeingForm(place, agreement.gender, Kind.PREDICATE, kept, weight, number)
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
            for noun in (entry.person,) if entry.person else entry.role if capital else ():
                if kept := fitting(persons, noun) if persons else unowned(noun):
                    yield AgreeingForm(place + behind, noun.gender, Kind.PREDICATE, kept, weight * 0.8, number)
                    return
            if not (entry.plain or entry.adjective):
                break
        if following and not any(entry.plain and not entry.skipped and not entry.epicene for entry in following):
            kept = fitting(persons, article) if persons else unowned(article)
            if kept:
                yield AgreeingForm(place, article.gender, Kind.PREDICATE, kept, weight * 0.7, number)


class Agreements(Predicates, Objects):
    """Reads one translation piece by piece."""

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
