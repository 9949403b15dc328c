"""What agrees with a noun, or with he and she, where a verb agrees with the object after an ergative, as in Hindi.

Most words for people have one form there: attributes (का and की), adjectives and the verb tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from epicene.languages.language import Lists
from epicene.languages.lexicon import Reading
from epicene.reader.align import folded
from epicene.reader.grammar import GENDERS
from epicene.reader.words import Agreeing, Sentence
from epicene.types import Gender

_REACH = 3  # words before a noun that may agree with it
_LEAD = 2  # words before a relative clause that may name whom it is about
_BREAK = re.compile(r"[।|.;:,()\"“”‘’!?–—]|\s-\s")
_STOP = re.compile(r"[।|.;!?]")


class _Words:
    """Regular expressions over whole words, by name."""

    def __init__(self, lists: Lists) -> None:
        self._patterns = {name: re.compile("|".join(words.split())) for name, words in lists.items()}

    def fits(self, word: str, kind: str) -> bool:
        """Whether a word is of a kind."""
        return self._patterns[kind].fullmatch(word) is not None


class ErgativeNouns(_Words):
    """Reads nouns and what agrees with them."""

    def own(self, word: str) -> Reading:
        """What a noun says by itself: a woman's word tells, a man's may name a woman."""
        if self.fits(word, "feminine_noun"):
            return Reading.FEMININE
        return Reading.MASCULINE_UNLESS if self.fits(word, "masculine_noun") else Reading.EITHER

    def agreeing(self, sentence: Sentence, place: int) -> Agreeing | None:
        """What agrees with the noun at a place: words before it, then the verb of its clause."""
        return self._before(sentence, place) or self._verb(sentence, place)

    def _gender(self, word: str, kind: str) -> Gender | None:
        return next((gender for gender in GENDERS if self.fits(word, f"{gender.value}_{kind}")), None)

    def _before(self, sentence: Sentence, place: int) -> Agreeing | None:
        for number in range(place - 1, max(-1, place - 1 - _REACH), -1):
            word = sentence.words[number]
            if word.clause != sentence.words[place].clause or self.fits(word.lower, "ends"):
                return None
            gender = self._gender(folded(word.lower), "attribute")
            if gender is not None:
                return Agreeing(gender, number, "agreement")
        return None

    def _verb(self, sentence: Sentence, place: int) -> Agreeing | None:
        """The last gendered verb of the noun's sentence; with an ergative it agrees with the object."""
        words = sentence.words
        role = place + 2 < len(words) and self.fits(words[place + 2].lower, "role")
        if place + 1 < len(words) and self.fits(words[place + 1].lower, "postposition") and not role:
            return None  # महिलाओं को: no subject
        last = next((each for each in range(place, len(words)) if _stops(sentence, each)), len(words) - 1)
        found: Agreeing | None = None
        for number in range(place + 1, last + 1):
            if self.fits(words[number].lower, "joins") and found:
                break
            gender = self._gender(folded(words[number].lower), "verb")
            if gender is not None:
                found = Agreeing(gender, number, "verb")
        first = next((each + 1 for each in range(place - 1, -1, -1) if _stops(sentence, each)), 0)
        ergative = any(self.fits(words[each].lower, "ergative") for each in range(first, last + 1))
        return None if ergative else found


def _stops(sentence: Sentence, place: int) -> bool:
    """Whether a full stop follows a word."""
    words = sentence.words
    return place + 1 < len(words) and any(sign in sentence.between(place, place + 1) for sign in "।|.;?!")


class AgreeingVerb(NamedTuple):
    """A verb that agrees with he or she, and how surely."""

    place: int
    gender: Gender
    weight: float
    noun: Sequence[str] = ()  # words that may name its subject where no pronoun does


class ErgativeVerbs(_Words):
    """Finds the verbs of a sentence that agree with a person whom a pronoun means: the last of their clauses."""

    def find(self, sentence: Sentence, they: bool) -> Iterator[AgreeingVerb]:
        """The verbs, in order; ``they`` are others, whom the polite plural may mean as well."""
        words = [word.lower for word in sentence.words]
        polite = any(self.fits(word, "honorific") for word in words)
        carried = pending = False  # the pronoun is the subject of the clause before; its verb has not come yet
        for first, last in self._clauses(sentence, words):
            clause = words[first:last]
            subject = any(self.fits(word, "subject") and not (they and self.fits(word, "several")) for word in clause)
            joined = self.fits(clause[0], "joins")
            relative = self.fits(clause[0], "relative") and not subject
            if _STOP.search(sentence.text, sentence.words[first - 1].end if first else 0, sentence.words[first].start):
                carried = pending = False
            if any(self.fits(word, "ergative") for word in clause):
                carried = pending = False
                continue
            found = self._verb(words, first, last)
            if found is not None and relative:  # Paver, who was 20
                yield AgreeingVerb(*found, 0.5, words[max(0, first - _LEAD) : first])
                found = None
            if found is None:
                pending = subject or pending
                continue
            place, gender = found
            free = not any(self.fits(word, "object") for word in clause) and not self._passive(words, place)
            if subject or (pending and free):
                yield AgreeingVerb(place, gender, 0.95 if subject else 0.7)
            elif free and polite and self.fits(words[place], "plural"):
                yield AgreeingVerb(place, gender, 0.6 if gender is Gender.FEMININE else 0.5)
            elif free and carried and joined:
                yield AgreeingVerb(place, gender, 0.55)
            elif free:
                yield AgreeingVerb(place, gender, 0.5, self._nominative(words, first, place))
            carried, pending = subject or pending or (carried and joined), False

    def _nominative(self, words: list[str], first: int, verb: int) -> Sequence[str]:
        """The words before a verb that no postposition follows, which may name its subject."""
        return [words[place] for place in range(first, verb) if not self.fits(words[place + 1], "postposition")]

    def _clauses(self, sentence: Sentence, words: list[str]) -> Iterator[tuple[int, int]]:
        first = 0
        for place in range(1, len(words)):
            if self.fits(words[place], "opens") or _BREAK.search(sentence.between(place - 1, place)):
                yield first, place
                first = place
        if first < len(words):
            yield first, len(words)

    def _verb(self, words: list[str], first: int, last: int) -> tuple[int, Gender] | None:
        """The last verb of a clause that shows a gender; going and coming as a manner shows none."""
        place = last - 1
        while place > first and self.fits(words[place], "neither"):
            if self.fits(words[place], "others"):
                return None
            place -= 1
        if self.fits(words[place], "participle") and place > first and self.fits(words[place - 1], "manner"):
            return None
        both = "_".join(words[max(first, place - 1) : place + 1])  # दिखाई दी
        for gender in GENDERS:
            final = f"{gender.value}_last"
            if self.fits(words[place], gender.value) or self.fits(words[place], final) or self.fits(both, final):
                return place, gender
        return None

    def _passive(self, words: list[str], place: int) -> bool:
        """Whether a verb is a passive, or the auxiliary of a perfect that may agree with an object."""
        before = words[place - 1] if place else ""
        if any(self.fits(f"{before}_{words[place]}", f"{gender.value}_last") for gender in GENDERS):
            return False
        return self.fits(before, "passive") or (
            place > 1 and self.fits(before, "gone") and self.fits(words[place - 2], "passive")
        )
