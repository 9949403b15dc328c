"""Finds the word of a translation that renders a person of the source: a noun, a name, everyone, few, one."""

from __future__ import annotations

from typing import NamedTuple

from epicene.languages.english import concept, gendered, word_lists
from epicene.languages.language import Language
from epicene.reader.align import base
from epicene.reader.forms import Show
from epicene.reader.grammar import Grammar
from epicene.reader.mentions import Text
from epicene.reader.slavic import inanimate
from epicene.reader.words import Rendering, Sentence, Translated
from epicene.types import Gender

_LINKED = 0.12  # the link from which a word counts as the translation
_FREE = 0.5  # how far a word that nothing links may be claimed by others
_NULL = 0.1  # how far a word may be claimed that counts as rendering nothing else
_CLAIMED = 0.7  # how far the last resort may be claimed by others
_ADJECTIVE_TOO = 0.9  # likeness of a noun for a person that may be an adjective and follows no article
_UNSURE = 0.75  # of one that a lexicon is not sure to name a person
_SURE = 0.6
_A_THING = 0.2  # of a noun that names no person
_PERHAPS_A_THING = 0.45  # of one that no lexicon lists, and whose ending is rather that of things
_GUESSED = 0.7  # confidence up to which that is so
_ROOT = 5  # letters by which two English words are known for one root
_MODIFIER = 0.6  # what a link to the word before the person counts: pastry chef, young people
_UNKNOWN, _UNKNOWN_SLAVIC = 0.4, 0.3  # of a word that no lexicon knows
_HEAD = 0.3  # what a noun for a person is worth that another is joined to by a preposition: compañera de trabajo
_NO_MODIFIERS = frozenset(
    "the a an this that these those my your his her its our their one two three and or but of for to in on at by with "  # noqa: SIM905
    "from as is are was were be been being has have had not no so very most more when if because while than".split()
)
_NOUNS = frozenset(("noun", "name"))
_ADJECTIVES = frozenset(("adjective", "participle"))
_RENDERS = 0.05  # the link from which a word counts as the translation of everyone, few, one
_ASIDE = 0.45  # how far from its place by proportion an unlinked word may stand
_OPEN = 0.6  # how far such a word that nothing links may be claimed by others
_LISTED = 0.9  # confidence from which a lexicon lists a word


class Finder:
    """Finds people in translations into a language."""

    def __init__(self, language: Language, grammar: Grammar | None) -> None:
        self._language, self._grammar = language, grammar
        self._capitals = language.writing.nouns_capitalised
        self._slavic = bool(language.endings)  # adjectives stand before their nouns, whose case tells things
        self._unknown = _UNKNOWN_SLAVIC if self._slavic else _UNKNOWN

    def listed(self, translated: Translated, text: Text, places: range, person: str) -> Rendering | None:
        """A listed word for the person's occupation, or for a mother or a prince, the best linked one of several."""
        last = translated.source.words[places[-1]].lower
        names = (concept(person)[0], gendered(last) or base(last))
        known = self._language.lexicon.concepts | self._language.people.concepts
        name = next((each for each in names if each in known), None)
        if name is None:
            return None
        links, size = translated.links[places[-1]], len(translated.target.words)
        around = (places[-1] + 0.5) * size / len(translated.source.words)
        found = text.places(name)
        best = max(found, key=lambda each: links[each] - abs(each + 0.5 - around) / size, default=None)
        return None if best is None else Rendering(best, 0.95, "lexicon")

    def empty(self, word: str) -> bool:
        """Whether a word only joins others: an article, a preposition, an auxiliary."""
        if word in self._language.stops or len(word) < 2:
            return True
        entry = self._grammar.entry(word) if self._grammar else None
        return entry is not None and (
            entry.article is not None or entry.preposition or bool(entry.copula) or entry.have
        )

    def article(self, word: str) -> bool:
        """Whether a word is an article, alone or together with a preposition."""
        return any(cue.place == "before" and not cue.lexical for cue in self._language.cues.get(word, ())) or (
            self._grammar is not None and self._grammar.entry(word).article is not None
        )

    def find(self, translated: Translated, person: range) -> Rendering | None:
        """The word that renders the source words ``person``; None where nothing can be it."""
        source, target, links = translated.source, translated.target, translated.links
        head, own = person[-1], set(person)
        if person[0] > 0 and _modifies(source, person[0] - 1):
            own.add(person[0] - 1)
        # A word of the same root does not claim what renders the person: the listener … is listening.
        root = source.words[head].lower[:_ROOT]
        others = [
            number for number in range(len(links)) if number not in own and source.words[number].lower[:_ROOT] != root
        ]
        best: tuple[float, Rendering] | None = None
        last: tuple[float, Rendering] | None = None
        m, n = len(source.words), len(target.words)
        for place, word in enumerate(target.words):
            likeness = self.personlike(target, place)
            link = links[head][place]
            modifier = max((links[number][place] for number in own if number != head), default=0.0)
            claimed = sum(links[number][place] for number in others)
            near = 1 - abs((head + 0.5) / m - (place + 0.5) / n)
            if likeness == 0 and (link < 2 * _LINKED or self.empty(word.lower)):
                continue
            stead = _MODIFIER * modifier if likeness == 1 or self._nominal(target, place) else 0.0
            linked = max(link * (0.1 + 0.9 * likeness), stead * max(likeness, 0.6))
            if linked < _LINKED and (likeness < _ADJECTIVE_TOO or claimed > _FREE):
                left = likeness - claimed - (0 if place and self.article(target.words[place - 1].lower) else 0.3)
                if likeness >= 0.4 and claimed < _CLAIMED and left > 0 and (last is None or near + left > last[0]):
                    last = near + left, Rendering(place, 0.3 * near, "unclaimed")
                continue
            score = 2 * linked + 0.6 * likeness * (1 - claimed) + 0.5 * near + self._heads(target, place, likeness)
            how = "translated" if link >= _LINKED else "modifier" if linked >= _LINKED else "unclaimed"
            if best is None or score > best[0]:
                best = score, Rendering(place, _strength(how, linked, near, claimed), how)
        chosen = best or last
        if chosen is None:
            return None
        found = self._shifted(target, chosen[1], [sum(links[each][place] for each in others) for place in range(n)])
        return found._replace(place=_last_part(target, found.place))

    def _shifted(self, target: Sentence, found: Rendering, claimed: list[float]) -> Rendering:
        """The person before a word that only says of where or what they are: habitantes da Gronelândia."""
        if self.personlike(target, found.place) >= _UNSURE:
            return self._owner(target, found, claimed)
        for place in range(found.place - 1, max(-1, found.place - 4), -1):
            word = target.words[place]
            if word.clause != target.words[found.place].clause:
                break
            if self.personlike(target, place) >= _ADJECTIVE_TOO:
                return Rendering(place, found.strength * 0.9, found.how) if claimed[place] < _FREE else found
            if not self.empty(word.lower):
                break
        return found

    def _owner(self, target: Sentence, found: Rendering, claimed: list[float]) -> Rendering:
        """The person right before a genitive that nothing else renders: владелица магазина."""
        cases = {show.case for show in target.words[found.place].shows if show.pos in _NOUNS}
        before = found.place - 1
        if not self._slavic or cases != {""} or before < 0 or claimed[before] > _NULL:
            return found
        if self.personlike(target, before) < _ADJECTIVE_TOO or not target.between(before, found.place).isspace():
            return found
        return Rendering(before, found.strength * 0.9, found.how)

    def _heads(self, target: Sentence, place: int, likeness: float) -> float:
        """What it is worth that a noun heads a longer phrase."""
        if (
            likeness < 1
            or place + 2 >= len(target.words)
            or target.words[place + 2].clause != target.words[place].clause
        ):
            return 0.0
        return _HEAD if target.words[place + 1].lower in self._language.of else 0.0

    def _nominal(self, target: Sentence, place: int) -> bool:
        """Whether an adjective stands for the person, right behind an article: los ancianos."""
        word = target.words[place]
        if not any(show.pos in _ADJECTIVES for show in word.shows) or place == 0:
            return False
        return self.article(target.words[place - 1].lower) and target.between(place - 1, place).isspace()

    def attribute(self, target: Sentence, place: int) -> bool:
        """Whether a word is an adjective of a thing, so that nobody is named: el movimiento estudiantil."""
        word = target.words[place]
        kinds = {show.pos for show in word.shows}
        if self._capitals or not kinds or not kinds <= ({"adjective"} if self._slavic else _ADJECTIVES):
            return False
        beside = target.beside(place, 1 if self._slavic else -1)
        if beside is None or self.empty(beside.lower):
            return False
        first = place if self._slavic else place - 1
        thing = any(show.pos == "noun" and show.person is False for show in beside.shows)
        return thing and target.between(first, first + 1).isspace()

    def personlike(self, target: Sentence, place: int) -> float:
        """How well a word's form may name a person, 0 to 1."""
        word = target.words[place]
        if self.empty(word.lower) or len(word.text) < 2 or word.text.isdigit():
            return 0.0
        if self._capitals and not word.capital:
            return 0.05
        if self._slavic and inanimate(word):
            return _A_THING
        name = word.capital and not self._capitals and place > 0
        found = max(
            (_likeness(show, self._capitals, name) for show in word.shows),
            default=self._unknown if len(word.text) > 3 else 0.1,
        )
        if found == 1 and not self._capitals and any(show.pos in _ADJECTIVES for show in word.shows):
            return 1.0 if place and self.article(target.words[place - 1].lower) else _ADJECTIVE_TOO
        return found


def _modifies(source: Sentence, place: int) -> bool:
    """Whether the word before the person stands in its phrase and may have been rendered in its stead."""
    return source.between(place, place + 1).strip() in ("", "-") and source.words[place].lower not in _NO_MODIFIERS


def _last_part(target: Sentence, place: int) -> int:
    """The last part of a word with hyphens, which shows the gender of the whole."""
    words = target.words
    while place + 1 < len(words) and target.between(place, place + 1) == "-" and len(words[place + 1].text) > 2:
        place += 1
    return place


def _likeness(show: Show, capital: bool, name: bool) -> float:
    if show.pos in _NOUNS:
        if show.person:
            return 1.0 if capital or (not show.fixed and show.confidence >= _SURE) else _UNSURE
        if show.person is False:
            return _A_THING if name or show.confidence >= _GUESSED else _PERHAPS_A_THING
        return _UNSURE if show.counterpart else 0.6
    return 0.4 if show.pos in _ADJECTIVES else 0.05


def _strength(how: str, link: float, near: float, claimed: float) -> float:
    if how == "unclaimed":
        return 0.3 * near * (1 - claimed) + 0.3
    return min(1.0, (0.6 if how == "translated" else 0.5) + link / 2)


class Indefinite(NamedTuple):
    """A word that stands for people and the gender it shows."""

    place: int
    gender: Gender
    strength: float


def named(word: str) -> bool:
    """Whether an English word names people without a noun."""
    return word in word_lists("indefinites")["words"]


def people(word: str) -> bool:
    """Whether an English noun says no more than that they are people."""
    return word in word_lists("indefinites")["people"]


class Indefinites:
    """Finds such words in a language."""

    def __init__(self, language: Language, finder: Finder) -> None:
        self._genders, self._finder = language.indefinites, finder

    def find(self, translated: Translated, head: int) -> Indefinite | None:
        """The word that renders an English word at a place, if the language has one for it."""
        words, links = translated.target.words, translated.links
        best: tuple[float, Indefinite] | None = None
        for place, word in enumerate(words):
            gender = self._genders.get(self._spelt(translated, place))
            if gender is None:
                continue
            if (
                gender is not Gender.NEUTRAL
                and self._finder.article(word.lower)
                and self._attributive(translated, place)
            ):
                continue
            link = links[head][place]
            claimed = sum(row[place] for number, row in enumerate(links) if number != head)
            near = 1 - abs((head + 0.5) / len(links) - (place + 0.5) / len(words))
            if link < _RENDERS and (near < 1 - _ASIDE or claimed > _OPEN):
                continue
            score = 2 * link + near - claimed / 2
            if best is None or score > best[0]:
                best = score, Indefinite(place, gender, 0.6 + link / 3 if link >= _RENDERS else 0.45)
        return self._completed(translated, best[1]) if best else None

    def _completed(self, translated: Translated, found: Indefinite) -> Indefinite:
        """A word beside it where that says more: cada una, toutes les deux."""
        words = translated.target.words
        if found.gender is Gender.NEUTRAL:
            for place in (found.place + 1, found.place - 1, found.place - 2):
                gender = self._genders.get(words[place].lower) if 0 <= place < len(words) else None
                if gender is Gender.MASCULINE and words[found.place].lower.endswith("'"):
                    return found  # quelqu'un: its masculine says nothing
                if gender in (Gender.FEMININE, Gender.MASCULINE):
                    return found._replace(place=place, gender=gender)
        return found

    def _spelt(self, translated: Translated, place: int) -> str:
        """A word with what a hyphen joins to it: quelques-unes, кто-то."""
        target = translated.target
        word = target.words[place].lower
        if place + 1 < len(target.words) and target.between(place, place + 1) == "-":
            joined = f"{word}-{target.words[place + 1].lower}"
            return joined if joined in self._genders else word
        return word

    def _attributive(self, translated: Translated, place: int) -> bool:
        """Whether a noun follows that the word belongs to."""
        words = translated.target.words
        if place + 1 >= len(words) or words[place + 1].clause != words[place].clause:
            return False
        if self._finder.empty(words[place + 1].lower) or words[place + 1].lower in self._genders:
            return False
        return any(show.pos == "noun" and show.confidence > _LISTED for show in words[place + 1].shows[:1])
