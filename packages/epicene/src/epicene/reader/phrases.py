"""What agrees with a noun that does not tell: its article over other words, adjectives, a predicate, a pronoun."""

from __future__ import annotations

from epicene.languages.language import Language
from epicene.reader.clauses import Kind, passages, pieces
from epicene.reader.ergative import ErgativeNouns
from epicene.reader.grammar import GENDERS, Grammar, grammar_of
from epicene.reader.predicates import Agreements
from epicene.reader.slavic import Slavic
from epicene.reader.words import Agreeing, Sentence, Word
from epicene.types import Gender

_REACH = 5  # words before a noun among which its article stands
_BEHIND = 4  # words behind it among which an adjective stands
_VERB = 6  # words between a noun and its verb
_THIRD = frozenset(("3s", "3p"))
_LISTED = 0.9  # confidence from which a lexicon lists a word


class Phrases:
    """Reads what stands around nouns of a language."""

    def __init__(self, language: Language, ergative: ErgativeNouns | None) -> None:
        self.language = language
        self._slavic = Slavic(language) if language.endings else None
        self._ergative = ergative
        self._grammar = grammar_of(language.code)
        self._last: Agreements | None = None

    def agreeing(self, sentence: Sentence, place: int, plural: bool) -> Agreeing | None:
        """What agrees with the noun at a place."""
        if self._slavic is not None:
            return self._slavic.agreeing(sentence, place, plural)
        if self._ergative is not None:
            return self._ergative.agreeing(sentence, place)
        return (
            self._before(sentence, place, plural)
            or self._behind(sentence, place, plural)
            or self.predicate(sentence, place)
            or self.said_of(sentence, place)
        )

    def became(self, sentence: Sentence, place: int) -> Agreeing | None:
        """The feminine verb that says who a noun is, where such a verb decides: была художником."""
        return self._slavic.became(sentence, place) if self._slavic is not None else None

    def of_name(self, sentence: Sentence, first: int, last: int, subject: bool) -> Agreeing | None:
        """What agrees with a name: words before it, and what is said of it where it can be the subject."""
        if self._slavic is not None:
            return self._slavic.of_name(sentence, first, last, subject)
        if self._ergative is not None:
            return self._ergative.agreeing(sentence, last) if subject else None
        before = sentence.beside(first, -1)
        behind_noun = before is not None and _is_thing(before)  # Požár Karen byl …
        if not subject or behind_noun or not self._subject(sentence, first):
            return None
        return self.predicate(sentence, last) or self.said_of(sentence, last)

    def names_person(self, sentence: Sentence, place: int) -> bool:
        """Whether a word is first of all a noun that surely names a person."""
        word = sentence.words[place]
        if not self._person(word) or not word.text.isalpha():
            return False
        return word.shows[0].pos == "noun" and word.shows[0].confidence > _LISTED

    def is_preposition(self, word: str) -> bool:
        """Whether a word may be a preposition, whatever else it is: Portuguese a."""
        return self._grammar is not None and self._grammar.entry(word).preposition

    def is_verb(self, word: str) -> bool:
        """Whether a word is a form of a verb that takes a predicate."""
        entry = self._grammar.entry(word) if self._grammar else None
        return entry is not None and (entry.bare or bool(entry.copula))

    def leaning(self, word: Word) -> Gender | None:
        """The likelier gender of a noun that may be a form of a woman's or a man's word."""
        genders = _genders(word, "noun")
        return self._slavic.leaning(word.lower) if self._slavic and genders == set(GENDERS) else None

    def before(self, sentence: Sentence, place: int, plural: bool) -> Agreeing | None:
        """The article or adjective of a noun, where the language's articles show a gender."""
        if self._slavic is not None or self._ergative is not None or self.language.writing.nouns_capitalised:
            return None  # there they agree with the noun whoever is meant, or show several genders at once
        return self._before(sentence, place, plural)

    def said_of(self, sentence: Sentence, place: int) -> Agreeing | None:
        """What is said behind a word, in its clause or a relative one, where nobody else comes between."""
        if self._grammar is None or (place and self._grammar.entry(sentence.words[place - 1].lower).as_):
            return None
        reader = self._agreements(sentence, self._grammar)
        here = reader.piece_of(place)
        for found in reader.all():
            if found.piece > here + 1 or reader.cut[found.piece].sentence != reader.cut[here].sentence:
                return None
            if found.place <= place or found.kind not in (Kind.PREDICATE, Kind.PAST):
                continue
            if found.persons and not found.persons & _THIRD:
                continue
            between = range(place + 1, found.place)
            if found.gender not in GENDERS or any(self._stands_apart(sentence, number) for number in between):
                return None
            if _is_thing(sentence.words[found.place]):
                return None
            return Agreeing(found.gender, found.place, "predicate")
        return None

    def _stands_apart(self, sentence: Sentence, place: int) -> bool:
        """Whether a word names somebody else, who is not joined to the person by and."""
        if not self._person(sentence.words[place]):
            return False
        return not any(
            sentence.words[before].lower in self.language.conjunctions for before in range(max(0, place - 2), place)
        )

    def person_genders(self, word: Word) -> set[Gender | None]:
        """The genders of a noun that surely names a person; none of other words."""
        sure = self._person(word) and any(show.confidence > _LISTED for show in word.shows)
        return _genders(word, "noun") if sure else set()

    def in_number(self, pronoun: str, plural: bool) -> bool:
        """Whether a pronoun has the person's number, as far as the tables say."""
        persons = self._grammar.entry(pronoun).subject if self._grammar else None
        return not persons or ("3p" if plural else "3s") in persons

    def _before(self, sentence: Sentence, place: int, plural: bool) -> Agreeing | None:
        """An article or adjective before the noun, over words that show nothing."""
        noun = sentence.words[place]
        for number in range(place - 1, max(-1, place - 1 - _REACH), -1):
            word = sentence.words[number]
            if word.clause != noun.clause:
                return None
            cues = [each for each in self.language.cues.get(word.lower, ()) if each.place == "before"]
            for cue in cues:
                if not cue.lexical and noun.lower.endswith(cue.ending) and cue.plural in (None, plural):
                    return Agreeing(cue.gender, number, "agreement") if cue.gender in GENDERS else None
            genders = _genders(word, "adjective", "participle")
            if (told := _only(genders)) and not self._stops(word):
                return Agreeing(told, number, "agreement")
            if number == place - 1 and self.names_person(sentence, number):
                told = _only(_genders(word, "noun"))
                return Agreeing(told, number, "apposition") if told else None
            if not self._transparent(word, genders):
                return None
        return None

    def _transparent(self, word: Word, genders: set[Gender | None]) -> bool:
        """Whether an article may stand before a word that shows nothing: il loro insegnante, la grande artiste."""
        entry = self._grammar.entry(word.lower) if self._grammar else None
        if entry is not None and (entry.as_ or entry.possessive or entry.skipped):
            return True
        return bool(genders) and not self._stops(word)

    def behind(self, sentence: Sentence, place: int) -> Agreeing | None:
        """The adjective right behind a word that stands for people: la plupart concernées, l'autre souriante."""
        after = sentence.beside(place, 1)
        plural = after is not None and any(show.number == "plural" for show in after.shows)
        return None if self._slavic or self._ergative else self._behind(sentence, place, plural)

    def _behind(self, sentence: Sentence, place: int, plural: bool) -> Agreeing | None:
        """An adjective behind the noun, or behind what a preposition joins to it: assistente di volo tedesca."""
        if self.language.writing.nouns_capitalised:
            return None
        number, words = place + 1, sentence.words
        while number < min(len(words), place + 1 + _BEHIND) and words[number].clause == words[place].clause:
            word = words[number]
            told = _only(_genders(word, "adjective", "participle"))
            verb = word.shows and word.shows[0].pos == "noun" and word.shows[0].confidence < _LISTED  # parlavano
            if (
                told
                and not (verb or self._takes_object(sentence, number) or self._paired(sentence, number, told))
                and not self._stops(word)
                and self._agrees_in_number(word, plural)
            ):
                return Agreeing(told, number, "agreement")
            entry = self._grammar.entry(word.lower) if self._grammar else None
            if entry is not None and entry.skipped:  # adolescentes mais velhas
                number += 1
                continue
            if entry is None or not entry.preposition or entry.article or number > place + 1:
                return None
            if number + 1 < len(words) and self._grammar and self._grammar.entry(words[number + 1].lower).article:
                return None
            number += 2
        return None

    def _paired(self, sentence: Sentence, place: int, gender: Gender) -> bool:
        """Whether an adjective of the other gender is joined to one: colega nuevo o nueva."""
        joint, other = sentence.beside(place, 1), sentence.beside(place, 2)
        if joint is None or other is None or joint.lower not in self.language.conjunctions:
            return False
        opposite = _only(_genders(other, "adjective", "participle"))
        return opposite not in (None, gender) and other.lower[:3] == sentence.words[place].lower[:3]

    def _takes_object(self, sentence: Sentence, place: int) -> bool:
        """Whether an article or an owner follows: a verb that looks like an adjective, cada cliente completa el …"""
        word, after = sentence.words[place], sentence.beside(place, 1)
        if after is None or any(show.number == "plural" for show in word.shows):
            return False
        entry = self._grammar.entry(after.lower) if self._grammar else None
        owned = entry is not None and bool(entry.possessive)
        determined = any(show.pos == "determiner" for show in after.shows)
        return (owned or determined) and not self.is_preposition(after.lower)

    def predicate(self, sentence: Sentence, place: int) -> Agreeing | None:
        """What is said of the noun with a verb such as to be."""
        if self._grammar is None or not self._subject(sentence, place):
            return None
        reader = self._agreements(sentence, self._grammar)
        number = reader.piece_of(place)
        piece = reader.cut[number]
        for verb in range(place + 1, min(piece.last, place + 1 + _VERB)):
            if self._person(sentence.words[verb]) or reader.entries[verb].subject:
                return None
            if not reader.entries[verb].copula & _THIRD:
                continue
            for found in reader.scan(verb, piece, _THIRD, number, 1.0, True):
                thing = _is_thing(sentence.words[found.place]) or reader.entries[found.place].article
                if found.kind is Kind.PREDICATE and found.gender in GENDERS and not thing:
                    return Agreeing(found.gender, found.place, "predicate")
            return self._predicate_noun(sentence, reader, verb, piece.last)
        return None

    def _agreements(self, sentence: Sentence, grammar: Grammar) -> Agreements:
        """All that agrees in a sentence, found once for all of its people."""
        if self._last is None or self._last.sentence is not sentence:
            self._last = Agreements(sentence, pieces(sentence, passages(sentence.text), grammar), grammar)
        return self._last

    def _subject(self, sentence: Sentence, place: int) -> bool:
        """Whether no preposition and no as stands before the noun's phrase."""
        for number in range(place - 1, max(-1, place - 4), -1):
            word = sentence.words[number].lower
            entry = self._grammar.entry(word) if self._grammar else None
            if entry is not None and (entry.as_ or entry.preposition):
                return False
            if entry is not None and entry.article:
                continue
            if not _genders(sentence.words[number], "adjective", "participle"):
                break
        return True

    def _predicate_noun(self, sentence: Sentence, reader: Agreements, verb: int, last: int) -> Agreeing | None:
        """The first noun for a person behind a verb such as to be: è anche un pianista."""
        for number in range(verb + 1, min(last, verb + 1 + _REACH)):
            word = sentence.words[number]
            if reader.entries[number].preposition and not reader.entries[number - 1].one:
                return None  # cada menor fue con su madre
            if self._person(word):
                if told := _only(_genders(word, "noun")):
                    return Agreeing(told, number, "predicate")
                return self._before(sentence, number, plural=False)
        return None

    def _agrees_in_number(self, word: Word, plural: bool) -> bool:
        wanted = "plural" if plural else "singular"
        return any(show.number in ("", wanted) for show in word.shows if show.pos in ("adjective", "participle"))

    def _person(self, word: Word) -> bool:
        if (self.language.writing.nouns_capitalised and not word.capital) or self._stops(word):
            return False
        return any(show.pos == "noun" and show.person for show in word.shows)

    def _stops(self, word: Word) -> bool:
        return word.lower in self.language.stops


def _is_thing(word: Word) -> bool:
    """Whether a word is nothing but a noun that names no person: jest tematem."""
    return bool(word.shows) and all(show.pos == "noun" and show.person is False for show in word.shows)


def _genders(word: Word, *kinds: str) -> set[Gender | None]:
    return {show.gender for show in word.shows if show.pos in kinds}


def _only(genders: set[Gender | None]) -> Gender | None:
    """The gender of a form that shows one only, feminine or masculine."""
    return next((gender for gender in GENDERS if genders == {gender}), None)
