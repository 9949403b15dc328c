"""Which nouns and names of an English sentence mean the person whom he or she means."""

from __future__ import annotations

from functools import lru_cache, partial

from epicene.languages.english import CODE, word_lists
from epicene.reader.forms import forms
from epicene.reader.people import names_person, people
from epicene.reader.words import Sentence, cut
from epicene.types import Person

_words = partial(word_lists, "coreference")
_WIDEST = 6  # words of a noun with its article and adjectives


@lru_cache(maxsize=1 << 10)
def coreferents(source: str, start: int) -> tuple[tuple[Person, ...], tuple[Person, ...]]:
    """Nouns and names that surely mean the person of the pronoun at an offset, and nouns that may."""
    sentence = _Sentence(source, start)
    return sentence.sure(), sentence.possible()


class _Sentence:
    """An English sentence with the people in it, asked for one of its pronouns."""

    def __init__(self, source: str, start: int) -> None:
        self.sentence: Sentence = cut(source, forms(CODE).shows)
        self.words = [word.lower for word in self.sentence.words]
        places = self.sentence.at(start)
        self.asked = places[0] if places else 0
        genders = (_words()["feminine"], _words()["masculine"])
        self.same = next((words for words in genders if self._word(self.asked) in words), frozenset[str]())
        self.subject = self.same & _words()["subjects"]
        self.people = {
            self.sentence.at(person.start, person.start + len(person.text))[-1]: person
            for person in people(source)
            if person.kind != "pronoun" and not person.plural
        }

    def sure(self) -> tuple[Person, ...]:
        """What she is, becomes, works as, was called, and the only one named before her."""
        said = {place for place in self.people if self._said(place)}
        return tuple(self.people[place] for place in sorted(said | self._antecedent(said)))

    def possible(self) -> tuple[Person, ...]:
        """Every noun for one person that is not hers or his, nor an adjective or part of a name."""
        return tuple(
            person
            for place, person in self.people.items()
            if person.kind == "noun"
            and not (self._owned(place) or self._modifies(place) or self._met(place) or self._anothers(place))
        )

    def _anothers(self, place: int) -> bool:
        """He is a dancer: the noun says what somebody of the other gender is."""
        first = self._first(place)
        subject = self._word(first - 2 - (self._word(first - 2) in ("'s", "not", "also")))
        verb = self._word(first - 1) in _words()["verbs"] | {"'s"}
        return verb and subject in _words()["subjects"] - self.subject

    def _met(self, place: int) -> bool:
        """She met the doctor: a noun behind her verb is somebody else."""
        subject = self._word(self.asked) in self.subject and self.asked < place
        return subject and self.sentence.words[self.asked].clause == self.sentence.words[place].clause

    def _modifies(self, place: int) -> bool:
        """Whether a word belongs to the noun or the name behind it: African culture, an Empress Menen School."""
        word = self.sentence.words[place]
        if not names_person(word.lower) or (word.capital and any(show.pos == "adjective" for show in word.shows)):
            return True
        if place + 1 == len(self.words):
            return False
        after = self.sentence.words[place + 1]
        joined = self.sentence.between(place, place + 1).strip() in ("", "-")
        return joined and bool(after.shows) and after.shows[0].pos == "noun" and after.lower not in _words()["stops"]

    def _word(self, place: int) -> str:
        return self.words[place] if 0 <= place < len(self.words) else ""

    def _first(self, place: int) -> int:
        """Where the noun at a place begins with its article and adjectives."""
        first = self.sentence.at(self.people[place].start)[0]
        while first > 0 and place - first < _WIDEST and self._joined(first - 1):
            first -= 1
        return first

    def _joined(self, place: int) -> bool:
        """Whether a word belongs to the noun behind it."""
        if self.sentence.between(place, place + 1).strip() not in ("", "-"):
            return False
        words = _words()
        if self.words[place] in words["determiners"] | self.same:
            return True
        if self.words[place] in words["verbs"] | words["stops"]:
            return False
        shows = self.sentence.words[place].shows
        return bool(shows) and shows[0].pos != "verb"

    def _owned(self, place: int) -> bool:
        """Her mother, his coach: somebody else."""
        return any(self.words[each] in self.same for each in range(self._first(place), place))

    def _said(self, place: int) -> bool:
        """Whether a noun says what the person is: she was a writer, her work as a writer, a writer, she."""
        if self._owned(place):
            return False
        first = self._first(place)
        after = self.sentence.text[self.sentence.words[place].end :][:2]
        before = self._word(first - 1)
        leads = first == 0 or (before in _words()["leading"] and first == 1)
        if leads and "," in after:
            return self._word(place + 1) in self.subject
        if before == "of" and self._word(first - 2) in _words()["offices"]:
            return self._about(first - 2)
        return first > 0 and before in _words()["verbs"] and self._about(first - 1)

    def _about(self, verb: int) -> bool:
        """Whether a verb, or as, is about the person: the nearest subject before it is the pronoun."""
        owner = self.words[verb] == "as"
        if owner and self._word(verb - 1) == "such":
            return False
        for place in range(verb - 1, -1, -1):
            word = self.words[place]
            if word in self.subject or (owner and word in self.same):
                return True
            if word in _words()["others"] or (place in self.people and self._word(self._first(place) - 1) != "of"):
                return False
        return False

    def _antecedent(self, said: set[int]) -> set[int]:
        """The only person named before the pronoun, else the only one behind it."""
        before = [place for place in self.people if place < self.asked and place not in said]
        before = [place for place in before if not self._acts(place)]
        before = [place for place in before if not self._named_again(place, before[0])]
        free = [place for place in before if not self._owned(place) and not self._other(place)]
        if not before and len(self.people) == 1 and not said and self._awaited(next(iter(self.people))):
            before = free = list(self.people)
        return set(free) if len(before) == len(free) == 1 and self._person(free[0]) else set()

    def _acts(self, place: int) -> bool:
        """Ann followed him: who acts on him in his own clause is somebody else."""
        between = self.sentence.words[place + 1 : self.asked]
        parting = _words()["stops"] | _words()["others"] | self.subject
        near = all(word.clause == self.sentence.words[place].clause and word.lower not in parting for word in between)
        return near and self._word(self.asked) == "him" and bool(between)

    def _named_again(self, place: int, first: int) -> bool:
        """Ambassador Modise was a member: the noun says what the one is who is named first."""
        verb = self._first(place) - 1
        return first < verb and self._word(verb) in _words()["verbs"] and self._word(verb - 1) not in _words()["others"]

    def _other(self, place: int) -> bool:
        """Every spy: nobody certain; this guy she met: a clause about the noun in which she is somebody else."""
        first = self._first(place)
        if _words()["quantifiers"] & {self._word(first - 1), *self.words[first:place]}:
            return True
        follows = place + 1 == self.asked and self._word(self.asked) in self.subject
        return follows and not self.sentence.parted(place) and self._word(first - 1) not in _words()["leading"]

    def _awaited(self, place: int) -> bool:
        """After her success, Street: the first noun of the main clause, which the pronoun's phrase comes before."""
        first = self._first(place)
        begins = self.asked == 0 and self._word(0) in self.subject  # she met Ann: nobody acts on herself by name
        return first > self.asked and self.sentence.parted(first - 1) and not (begins or self._owned(place))

    def _person(self, place: int) -> bool:
        """Whether a name names a person rather than part of something's name."""
        first = self.sentence.at(self.people[place].start)[0]
        before = self.sentence.words[first - 1]
        titled = self.words[first] in word_lists("names")["titles"]
        alone = first == 0 or not before.capital or names_person(before.lower)
        return self.people[place].kind != "name" or titled or alone
