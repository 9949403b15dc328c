"""What an English sentence itself states of the gender of its people: by pronouns, by nouns, by adjectives.

Nobody told it whom a pronoun means. Where the grammar leaves one person, that one is sure; where it leaves several, it
is one of them and the sentence does not say which, at least not to a reader without knowledge of the world.
"""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from typing import NamedTuple

from epicene.languages.english import concept, mentioned
from epicene.languages.english import known as concepts
from epicene.reader.forms import forms
from epicene.reader.people import names_person, people
from epicene.reader.words import Sentence, cut
from epicene.tables import resource
from epicene.types import Gender, Kind, Person

GENDERS = (Gender.FEMININE, Gender.MASCULINE)
_FAR = 6  # words between being and the noun that says what somebody is


class Stated(NamedTuple):
    """A gender that a sentence states, and of whom."""

    gender: Gender
    word: str  # that states it
    people: tuple[
        Person, ...
    ]  # one person, by every noun that names them; or one of several, the sentence not saying who
    sure: bool = True

    def __str__(self) -> str:
        joint = " = " if self.sure else " or "
        return f"{joint.join(person.text for person in self.people)}: {self.gender} ({self.word})"


@cache
def _load_words() -> dict[str, dict[str, frozenset[str]]]:
    text = resource("act/tables", "stated.en.toml").read_text(encoding="utf-8")
    return {
        part: {name: frozenset(words.split()) for name, words in lists.items()}
        for part, lists in tomllib.loads(text).items()
    }


@cache
def gender_of(word: str) -> Gender | None:
    """The gender that an English noun or adjective names, in small letters."""
    return next((gender for gender in GENDERS if word in _load_words()[gender.value]["nouns"]), None)


@cache
def _gender_of_pronoun(word: str) -> Gender | None:
    return next((gender for gender in GENDERS if word in _load_words()[gender.value]["pronouns"]), None)


@lru_cache(maxsize=1 << 12)
def find_stated(source: str) -> tuple[Stated, ...]:
    """What a sentence states of the gender of people whose words leave it open, the sure first."""
    return _Sentence(source).find_stated()


@cache
def _load_swaps() -> dict[str, str]:
    others: dict[str, str] = {}
    for pair in _load_words()["swapped"]["words"]:
        man, _, woman = pair.partition("/")
        others.setdefault(man, woman)
        others.setdefault(woman, man)
    return others | {"her": "his", "hers": "his"}


def swap_genders(source: str) -> str:
    """The sentence with its women as men, or the other way round; empty where no word of it states a gender."""
    sentence = _Sentence(source)
    parts, at = list[str](), 0
    for place, word in enumerate(sentence.sentence.words):
        new = _load_swaps().get(word.lower, "")
        if word.lower == "her" and sentence.is_object(place):
            new = "him"
        if new:
            parts += [source[at : word.start], new.capitalize() if word.capital else new]
            at = word.end
    return "".join(parts) + source[at:] if parts else ""


class _Noun(NamedTuple):
    """A noun or name of the sentence."""

    place: int  # of its last word
    first: int  # of its first word
    person: Person
    gender: Gender | None  # that the word itself names


class _Sentence:
    def __init__(self, source: str) -> None:
        self.source = source
        self.sentence: Sentence = cut(source, forms("en").shows)
        self.words = [word.lower for word in self.sentence.words]
        self.structure = _load_words()["structure"]
        self.nouns = self._find_nouns()
        self.places = {noun.place: number for number, noun in enumerate(self.nouns)}
        self.firsts = {noun.first: number for number, noun in enumerate(self.nouns)}
        self.group = list(range(len(self.nouns)))  # of each noun: the number of the person whom it names
        self.genders: dict[int, tuple[Gender, str]] = {
            number: (noun.gender, noun.person.text) for number, noun in enumerate(self.nouns) if noun.gender
        }

    def _find_nouns(self) -> list[_Noun]:
        nouns: dict[int, _Noun] = {}
        for person in (*people(self.source), *mentioned(self.source, but=-1)):
            places = self.sentence.at(person.start, person.end)
            if person.kind is Kind.PRONOUN or not places:
                continue
            head = self.words[places[-1]]
            gender = gender_of(head)
            listed = concept(person.text)[0] in concepts() or names_person(head)
            if gender or (listed and not self._is_description(places[0])) or person.kind is Kind.NAME:
                nouns[places[-1]] = _Noun(places[-1], places[0], person, gender)
        for place, word in enumerate(self.words):  # gal, male, and others whom no list takes for people
            if place not in nouns and (gender := gender_of(word)):
                shown = self.sentence.words[place]
                plural = word in ("men", "women", "ladies") or word.endswith("s")
                nouns[place] = _Noun(place, place, Person(shown.text, shown.start, word, plural), gender)
        return [nouns[place] for place in sorted(nouns)]

    def _is_description(self, place: int) -> bool:
        """Whether a word is an adjective where it stands: she is senior, too weak."""
        shows = self.sentence.words[place].shows
        before = self._word_at(place - 1)
        adjective = any(show.pos == "adjective" for show in shows) or self._word_at(place).endswith("er")
        return adjective and before in self.structure["being"] | self.structure["degrees"]

    def find_stated(self) -> tuple[Stated, ...]:
        """Join the nouns that name one person, then ask whom each pronoun means."""
        for number, noun in enumerate(self.nouns):
            if (other := self._find_same(noun)) is not None:
                self._join(number, other)
        unsure: list[Stated] = []
        for place, word in enumerate(self.words):
            gender = _gender_of_pronoun(word)
            if gender is None:
                continue
            role = self._find_role(place)
            if role is not None:
                self._tell(self.group[role], gender, word)
            means = self._find_meant(place, gender, role)
            if len(means) == 1:
                self._tell(next(iter(means)), gender, word)
            elif means:
                open_ones = [noun.person for number, noun in enumerate(self.nouns) if self.group[number] in means]
                unsure.append(Stated(gender, word, tuple(open_ones), sure=False))
        sure = [Stated(gender, word, self._find_open(group)) for group, (gender, word) in self._find_genders().items()]
        return (*(statement for statement in sure if statement.people), *self._drop_known(unsure, sure))

    def _drop_known(self, unsure: list[Stated], sure: list[Stated]) -> list[Stated]:
        """The unsure of which nothing is known meanwhile; several pronouns of a gender are taken for one person."""
        known = {person: statement.gender for statement in sure for person in statement.people}
        doubtful: dict[Gender, Stated] = {}
        for statement in unsure:
            if any(known.get(person) is statement.gender for person in statement.people):
                continue  # it may be this one
            before = doubtful.get(statement.gender)
            both = tuple(person for person in statement.people if before is None or person in before.people)
            doubtful[statement.gender] = statement._replace(people=both) if both else statement
        return [statement._replace(sure=len(statement.people) == 1) for statement in doubtful.values()]

    def _find_genders(self) -> dict[int, tuple[Gender, str]]:
        """The gender of each person that is told in one way only."""
        genders: dict[int, set[tuple[Gender, str]]] = {}
        for number, known_gender in self.genders.items():
            genders.setdefault(self.group[number], set()).add(known_gender)
        return {group: next(iter(ways)) for group, ways in genders.items() if len({gender for gender, _ in ways}) == 1}

    def _find_open(self, group: int) -> tuple[Person, ...]:
        """The nouns of a person that name no gender themselves, and are no names."""
        return tuple(
            noun.person
            for number, noun in enumerate(self.nouns)
            if self.group[number] == group and noun.gender is None and noun.person.kind is Kind.NOUN
        )

    def _join(self, first: int, second: int) -> None:
        old, new = self.group[first], self.group[second]
        self.group = [new if group == old else group for group in self.group]

    def _tell(self, group: int, gender: Gender, word: str) -> None:
        number = next(number for number, other in enumerate(self.group) if other == group)
        self.genders.setdefault(number, (gender, word))

    def _word_at(self, place: int) -> str:
        return self.words[place] if 0 <= place < len(self.words) else ""

    def _find_same(self, noun: _Noun) -> int | None:
        """The noun that names the same person: Alex is a nurse, as a nurse, Alex; female nurses."""
        if noun.gender and (after := self.firsts.get(noun.place + 1)) is not None:
            between = self.sentence.between(noun.place, noun.place + 1)
            return after if between == " " and self.nouns[after].gender is None else None
        being = self._find_copula(noun)
        if being is None:
            return None
        if self.words[being] == "as" and being == 0:  # as a nurse, Alex
            return next((number for number, other in enumerate(self.nouns) if other.place > noun.place), None)
        return self._find_subject(being)

    def _find_copula(self, noun: _Noun) -> int | None:
        """The word before a noun with its article and adjectives, if it says that somebody is that."""
        place = noun.first - 1
        while place >= 0 and noun.first - place <= _FAR and self._passes(place):
            place -= 1
        return place if place >= 0 and self.words[place] in self.structure["being"] else None

    def _passes(self, place: int) -> bool:
        """Whether a word may stand between being and the noun."""
        word = self.words[place]
        joints = (self.structure[name] for name in ("being", "prepositions", "subordinators", "coordinators"))
        if any(word in joint for joint in joints):
            return False
        shows = self.sentence.words[place].shows
        return word in self.structure["between"] or (bool(shows) and any(show.pos == "adjective" for show in shows))

    def _find_subject(self, verb: int) -> int | None:
        """The person of whom a verb says something: the nearest before it who depends on no preposition."""
        for place in range(verb - 1, -1, -1):
            if _gender_of_pronoun(self.words[place]) and self.words[place] in ("he", "she"):
                return None  # the pronoun is asked for itself
            number = self.places.get(place)
            if number is not None and self._word_before(number) not in self.structure["prepositions"]:
                return number
        return None

    def _word_before(self, number: int) -> str:
        """The word before a noun with its article and adjectives."""
        place = self.nouns[number].first - 1
        while place >= 0 and (self.words[place] in self.structure["between"] or self._is_adjective(place)):
            place -= 1
        return self._word_at(place)

    def _is_adjective(self, place: int) -> bool:
        shows = self.sentence.words[place].shows
        return bool(shows) and shows[0].pos == "adjective"

    def _find_meant(self, place: int, gender: Gender, role: int | None) -> set[int]:
        """The people whom a pronoun may mean, besides the noun that says what it is."""
        known_gender = {self.group[number]: noun for number, (noun, _) in self.genders.items()}
        may = {
            self.group[number]
            for number, noun in enumerate(self.nouns)
            if number != role
            and not noun.person.plural
            and known_gender.get(self.group[number], gender) is gender
            and self._reaches(number, place)
        }
        known = {group for group in may if known_gender.get(group) is gender}
        if len(known) == 1:
            return known
        if self.is_object(place):
            may -= {self.group[number] for number in self._find_subjects(place)}
        return may

    def _reaches(self, number: int, place: int) -> bool:
        """Whether a pronoun can mean a noun: one before it, or behind the comma after "though she argued"."""
        noun = self.nouns[number]
        if noun.gender and (being := self._find_copula(noun)) is not None and self._find_subject(being) is None:
            return False  # she is a woman: nobody else
        if noun.place < place:
            return True
        led = self._word_at(0) in self.structure["subordinators"] | self.structure["prepositions"]
        comma = any("," in self.sentence.between(one, one + 1) for one in range(place, noun.first))
        return led and comma and not any(other.place < place for other in self.nouns)

    def _find_role(self, place: int) -> int | None:
        """The noun that says what the pronoun is: she is a nurse, she works as a nurse."""
        if self.words[place] not in ("he", "she"):
            return None
        for number, noun in enumerate(self.nouns):
            if noun.place <= place or noun.gender:
                continue
            being = self._find_copula(noun)
            if being is None or being <= place:
                continue
            between = range(place + 1, being)
            if not any(self._word_at(one) in self.structure["subordinators"] or one in self.places for one in between):
                return number
        if self._word_at(0) == "as" and self.nouns and self.nouns[0].place + 1 == place:
            return 0 if "," in self.sentence.between(place - 1, place) else None
        return None

    def is_object(self, place: int) -> bool:
        """Whether a pronoun is the object of a verb or preposition, not the owner of something."""
        word = self.words[place]
        if word == "him":
            return True
        if word != "her":
            return False
        after = self._word_at(place + 1)
        if not after or after in self.structure["after_objects"]:
            return True
        return bool(self.sentence.between(place, place + 1).strip())

    def _find_subjects(self, place: int) -> set[int]:
        """Whom an object cannot mean: the subject of its own clause."""
        for back in range(place - 1, -1, -1):
            word = self.words[back]
            if word == "to" and (number := self.places.get(back - 1)) is not None and self._is_told_to(number):
                return {number}  # asked the nurse to help her
            if word in self.structure["subordinators"] and back:
                following = self.places.get(self._find_head(back + 1))
                return {following} if following is not None else set()
            if word in self.structure["subjects"] and word not in self.structure["subordinators"]:
                return set()
            if word in self.structure["coordinators"]:
                following = self.places.get(self._find_head(back + 1))
                if following is not None and self._find_head(back + 1) < place - 1:
                    return {following}
                break
        first = next((number for number, noun in enumerate(self.nouns) if noun.place < place), None)
        return set() if first is None or self._word_before(first) in self.structure["prepositions"] else {first}

    def _is_told_to(self, number: int) -> bool:
        """Whether a verb makes somebody do something: asked the nurse to."""
        return self._word_before(number) in self.structure["telling"]

    def _find_head(self, place: int) -> int:
        """The last word of the noun that begins at a word."""
        while place < len(self.words) and place not in self.places and self._passes(place):
            place += 1
        return place
