"""What agrees with a masculine noun or a name in East Slavic: adjectives, past tenses, participles, relatives."""

from __future__ import annotations

import re
from typing import NamedTuple

from epicene.languages.language import Language
from epicene.reader.grammar import grammar_of
from epicene.reader.words import Agreeing, Sentence, Word
from epicene.types import Gender

_SURE = 0.9  # confidence from which the cases of a noun are known
_NOMINAL = frozenset(("noun", "name", "adjective", "participle"))
_AHEAD = 9  # words behind a noun among which its verb stands


class _Endings(NamedTuple):
    """Endings of words that agree, by gender."""

    feminine: re.Pattern[str]
    masculine: re.Pattern[str]

    def gender(self, word: str) -> Gender | None:
        """The gender that a word shows, if one only."""
        feminine, masculine = self.feminine.fullmatch(word), self.masculine.fullmatch(word)
        if bool(feminine) == bool(masculine):
            return None
        return Gender.FEMININE if feminine else Gender.MASCULINE


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile("|".join(words.split()))


class Slavic:
    """Reads what agrees with nouns of a language."""

    def __init__(self, language: Language) -> None:
        self._grammar = grammar_of(language.code)
        kinds = ("adjective", "oblique", "past", "participle", "relative")
        self._adjective, self._oblique, self._past, self._participle, self._relative = (
            _Endings(*(_any_of(language.endings[kind][gender]) for gender in ("feminine", "masculine")))
            for kind in kinds
        )
        becoming = language.endings["becoming"]
        self._instrumental = re.compile(f"(?:{_any_of(becoming['instrumental']).pattern})$")
        self._role, self._becoming, self._passive = (_any_of(becoming[key]) for key in ("role", "verb", "passive"))
        self._being = frozenset(becoming["being"].split())
        self._feminine_plural, self._stops = language.feminine_plural, language.stops

    def leaning(self, word: str) -> Gender:
        """Whether a plural in -к- is rather that of a woman's word (внучки) than of a man's (внуки)."""
        feminine = self._feminine_plural is not None and self._feminine_plural.search(word)
        return Gender.FEMININE if feminine else Gender.MASCULINE

    def agreeing(self, sentence: Sentence, place: int, plural: bool) -> Agreeing | None:
        """What agrees with the noun at a place and tells the person's gender."""
        if plural:
            return None
        subject = nominative(sentence.words[place])
        steps = (self._before, self._behind_comma, *((self._verb,) if subject else ()), self.became)
        found = [each for each in (step(sentence, place) for step in steps) if each is not None]
        # A masculine adjective goes with any masculine noun; a feminine word is what tells.
        return next((each for each in found if each.gender is Gender.FEMININE), found[0] if found else None)

    def of_name(self, sentence: Sentence, first: int, last: int, subject: bool) -> Agreeing | None:
        """Adjectives before a name, and its verb where it can be the subject."""
        beside = self._before(sentence, first) or self._behind_comma(sentence, last)
        return beside or (self._verb(sentence, last) if subject else None)

    def became(self, sentence: Sentence, place: int) -> Agreeing | None:
        """Была художником, работает в роли дизайнера: the verb of the clause says who the noun is."""
        words = sentence.words
        near = range(max(0, place - 3), place)
        before = [words[number].lower for number in near if not self._opens_clause(sentence, number)]
        role = any(map(self._role.fullmatch, before))
        if not role and (self._governed(sentence, place) or not self._instrumental.search(words[place].lower)):
            return None
        being = bool(self._being.intersection(before))
        own = [word for word in words if word.clause == words[place].clause]
        reach = being or not any(show.pos == "verb" for word in own for show in word.shows)
        clause = [number for number in range(len(words)) if abs(words[number].clause - words[place].clause) <= reach]
        for number in sorted(clause, key=lambda other: abs(other - place)):
            told = self._past.gender(words[number].lower)
            if any(show.pos == "noun" for show in words[number].shows) or self._of_thing(sentence, number):
                continue
            if told is Gender.MASCULINE:
                return None
            if self._becoming.fullmatch(words[number].lower) or (being and told is Gender.FEMININE):
                agent = not role and self._is_passive(sentence, number)
                return None if agent else Agreeing(Gender.FEMININE, number, "verb")
        return None

    def _opens_clause(self, sentence: Sentence, place: int) -> bool:
        """Whether a word is the conjunction of a clause: увидела, как строитель."""
        if self._grammar is None or not place or not sentence.parted(place - 1):
            return False
        return self._grammar.entry(sentence.words[place].lower).opens

    def _governed(self, sentence: Sentence, place: int) -> bool:
        """Whether a preposition stands before a noun and its adjectives: с новым советником."""
        for number in range(place - 1, max(-1, place - 4), -1):
            word = sentence.words[number]
            if self._grammar is not None and self._grammar.entry(word.lower).preposition:
                return True
            if not any(show.pos in ("adjective", "participle") for show in word.shows):
                return False
        return False

    def _is_passive(self, sentence: Sentence, verb: int) -> bool:
        """Whether a verb has a passive participle, so that an instrumental is who did it: была нанята менеджером."""
        words = (sentence.beside(verb, step) for step in (-1, 1, 2))
        return any(
            word is not None
            and not word.capital
            and self._passive.fullmatch(word.lower)
            and not self._becoming.fullmatch(word.lower)
            and not any(show.pos == "noun" and show.confidence > _SURE for show in word.shows)
            for word in words
        )

    def _of_thing(self, sentence: Sentence, verb: int) -> bool:
        """Whether a feminine verb has a subject before it that is no person: репутация врача росла."""
        clause = [word for word in sentence.words[:verb] if word.clause == sentence.words[verb].clause]
        return any(
            show.case == "nominative" and show.gender is Gender.FEMININE and show.number == "singular"
            for word in clause
            for show in word.shows
            if show.pos == "noun" and show.person is False
        )

    def _before(self, sentence: Sentence, place: int) -> Agreeing | None:
        """Adjectives before the noun: in the nominative any, in other cases those that can be of one gender only."""
        kind = self._adjective if nominative(sentence.words[place]) else self._oblique
        for number in range(place - 1, max(-1, place - 4), -1):
            word = sentence.words[number]
            if word.clause != sentence.words[place].clause or _only_noun(word):
                return None
            gender = kind.gender(word.lower)
            agent = kind is self._oblique and any(show.pos == "participle" for show in word.shows)
            if gender is not None and not agent:  # незамеченной противником: by the enemy
                return Agreeing(gender, number, "agreement")
            if not any(show.pos in ("adjective", "participle") for show in word.shows):
                return None
        return None

    def _behind_comma(self, sentence: Sentence, place: int) -> Agreeing | None:
        """A relative pronoun or a participle right behind the noun and a comma."""
        for number in range(place + 1, min(len(sentence.words), place + 4)):
            if "," not in sentence.between(number - 1, number):
                if not any(show.pos in _NOMINAL for show in sentence.words[number].shows):
                    return None
                continue
            for kind, step in ((self._relative, "relative"), (self._participle, "participle")):
                word = sentence.words[number]
                gender = kind.gender(word.lower)
                adjective = kind is self._participle and {show.pos for show in word.shows} == {"adjective"}  # старший
                if gender is not None and not adjective:
                    return Agreeing(gender, number, step)
            return None
        return None

    def _verb(self, sentence: Sentence, place: int) -> Agreeing | None:
        """A past tense or short adjective of the noun's clause: right before it, or behind it."""
        words = sentence.words
        if place and words[place - 1].clause == words[place].clause:
            gender = self._verb_gender(words[place - 1])
            if gender is not None:
                return Agreeing(gender, place - 1, "verb")
        for number in range(place + 1, min(len(words), place + 1 + _AHEAD)):
            word = words[number]
            if word.clause != words[place].clause or word.lower in self._stops or _subject(word):
                break
            gender = self._verb_gender(word)
            if gender is not None:
                return Agreeing(gender, number, "verb")
        return None

    def _verb_gender(self, word: Word) -> Gender | None:
        """The gender of a past tense; правила and перила are nouns."""
        return None if any(show.pos == "noun" for show in word.shows) else self._past.gender(word.lower)


def _only_noun(word: Word) -> bool:
    """Whether a word is nothing but a noun, whatever it ends in: представителей."""
    return bool(word.shows) and all(show.pos == "noun" for show in word.shows)


def nominative(word: Word) -> bool:
    """Whether a noun may be the subject."""
    cases = {show.case for show in word.shows if show.pos in ("noun", "name")}
    return not cases or "nominative" in cases


def inanimate(word: Word) -> bool:
    """Whether a listed noun is a thing: its accusative is its nominative, where that of people is the genitive."""
    shows = [show for show in word.shows if show.pos == "noun"]
    if any(show.confidence < _SURE for show in shows) or len({show.number for show in shows}) != 1:
        return False  # портье: one form for all
    feminine = any(show.number == "singular" and show.gender is not Gender.MASCULINE for show in shows)
    return not feminine and {show.case for show in shows} == {"", "nominative"}


def _subject(word: Word) -> bool:
    """Whether a word is surely another subject."""
    cases = {show.case for show in word.shows if show.pos == "noun" and show.person}
    return cases == {"nominative"}
