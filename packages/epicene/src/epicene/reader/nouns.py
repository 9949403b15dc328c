"""Reads the gender that the word for a person shows, and what agrees with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from epicene.languages.lexicon import Reading
from epicene.reader.align import folded
from epicene.reader.cues import Agreement
from epicene.reader.ergative import ErgativeNouns
from epicene.reader.forms import Show
from epicene.reader.mentions import Mention, Text, Texts
from epicene.reader.phrases import Phrases
from epicene.reader.words import Agreeing, Decision, Sentence, Word, evidence_of
from epicene.types import Gender

_NOUNS = frozenset(("noun", "name"))
_ADJECTIVES = frozenset(("adjective", "participle"))
_CONTRADICTED = 0.6  # what is left of a confidence where an article or adjective says otherwise
_APPOSED = 0.8  # how surely a noun right before a name means the same person
_GUESSED = 0.9  # confidence up to which no lexicon lists a word, and its ending was taken for others
_NEUTER = 0.6  # confidence from which the ending of a word that no lexicon lists makes it a neuter
_NAMES = 9  # words of a list of names behind the noun that says who they are
_WHOLE = 0.95  # confidence from which a word with a hyphen counts as listed
_AGREED = 0.9  # what is left of a confidence where something that agrees decides
_REFERRED = 0.7  # where a later pronoun does
_NAMED = 0.8  # where the person is named by a name
_PLAIN = {
    Gender.FEMININE: Reading.FEMININE,
    Gender.MASCULINE: Reading.MASCULINE,
    Gender.NEUTRAL: Reading.NEUTRAL,
}
_SAID = {reading: gender for gender, reading in _PLAIN.items()}
_UNLESS = {
    Gender.FEMININE: Reading.FEMININE_UNLESS,
    Gender.MASCULINE: Reading.MASCULINE_UNLESS,
    Gender.NEUTRAL: Reading.NEUTRAL,
}
_SAID_UNLESS = {Reading.FEMININE_UNLESS: Gender.FEMININE, Reading.MASCULINE_UNLESS: Gender.MASCULINE}


def own(shows: tuple[Show, ...], plural: bool) -> tuple[Reading, float]:
    """What the form of a word says of the person it names, and how surely."""
    nouns = [show for show in shows if show.pos == "noun" and show.person is not False]
    nouns = nouns or [show for show in shows if show.pos == "name"]
    nouns = nouns or [show for show in shows if show.pos in _ADJECTIVES]
    nouns = nouns or [show for show in shows if show.pos in _NOUNS]
    fitting = [show for show in nouns if show.number in ("", "plural" if plural else "singular")] or nouns
    if not fitting:
        return Reading.EITHER, 0.5
    if any(show.counterpart for show in fitting):  # amigo, beside which there is amiga, tells by itself
        fitting = [show for show in fitting if show.gender is not None]
    genders = {show.gender for show in fitting}
    if len(genders) > 1 and fitting[0].pos in _ADJECTIVES:  # an adjective that stands for a person is no neuter
        genders -= {Gender.NEUTRAL}
    sure = fitting[0].confidence
    told = genders.pop() if len(genders) == 1 else None
    if told is None or (told is Gender.NEUTRAL and sure < _NEUTER):  # die Neophytin: no ending surely makes it a thing
        return Reading.EITHER, sure
    # Where a lexicon knows no counterpart, what agrees may still tell: el patólogo.
    return (_UNLESS if any(show.fixed for show in fitting) else _PLAIN)[told], sure


@dataclass
class Noun:
    """A word of a translation that names a person, among all the people of the translation."""

    text: Text
    people: Sentence  # the language's own words, with everybody whom they name
    mention: Mention  # the noun among them
    reading: Reading  # what it says by itself
    plural: bool
    strength: float = 1.0  # how surely it renders the person
    sure: float = 1.0  # how surely it says what it does
    means: bool = False  # whether it means a woman or a man by itself: mother, prince
    at: int | None = None  # its place among the words of the text, where that was looked for

    @cached_property
    def place(self) -> int:
        """Its place among the words of the text."""
        return self.text.place(self.people.words[self.mention.last - 1]) if self.at is None else self.at

    @property
    def words(self) -> tuple[Word, ...]:
        """The words that name the person."""
        return self.people.words[self.mention.first : self.mention.last]


class Nouns:
    """Reads nouns and names of a language."""

    def __init__(self, texts: Texts) -> None:
        self.language, self._texts = texts.language, texts
        self._cues = Agreement(self.language)
        self._is_fixed = lru_cache(maxsize=262144)(self.language.is_fixed)
        self._ergative = ErgativeNouns(self.language.ergative["nouns"]) if self.language.ergative else None
        # The kinds of evidence at a noun, in order of rank: see docs/languages.md.
        self._ranked: tuple[Callable[[Noun], Decision | None], ...] = (
            self._names_anybody,
            self._meaning,
            self._determiner,
            self._own_form,
            self._beside,
            self._agrees,
            self._presumed,
            self._bare_form,
        )

    @cached_property
    def _phrases(self) -> Phrases:
        return Phrases(self.language, self._ergative)  # made when it is first asked, since listed nouns seldom need it

    def read(self, noun: Noun) -> Decision:
        """The gender of the person whom a noun names, by the first kind of evidence that speaks."""
        if near := self._read_near(noun):
            return near
        if said := self._corefers(noun):
            return said._replace(confidence=said.confidence * _REFERRED)
        return _by_form(noun, self._bare(noun, "after"))

    def _read_near(self, noun: Noun) -> Decision | None:
        """What the noun shows, or the words around it that agree with it."""
        for kind in self._ranked:
            if decision := kind(noun):
                return decision
        return None

    def read_at(self, text: Text, place: int, plural: bool, strength: float, name: bool = False) -> Decision:
        """The gender of the person whom the word at a place names; a name itself shows none."""
        noun = self._noun(text, place, plural, strength, name)
        decision = self.read(noun)
        if decision.step != "form" or decision.gender is Gender.NEUTRAL:
            return decision
        beside = self._phrases.before(text.sentence, place, noun.plural)
        if beside is None or beside.gender is decision.gender:
            return decision
        guessed = all(show.confidence < _GUESSED for show in self._shows(text.sentence, place))
        if guessed and beside.step == "agreement" and text.gendered_at(place) is None:
            return _by_agreement(noun, beside, strength)  # la mentore, an ending alone says little
        against = text.sentence.evidence([beside.place])
        return decision._replace(confidence=decision.confidence * _CONTRADICTED, against=against)

    def _names_anybody(self, noun: Noun) -> Decision | None:
        """A word that says who people of any gender are: las personas usuarias, le personnel infirmier."""
        words, first, writing = noun.people.words, noun.mention.first, self.language.writing
        if noun.means or first == 0 or writing.nouns_capitalised or self.language.endings:
            return None  # there a noun may be a genitive: лицо исследователя
        before = words[first - 1].text.lower()
        if words[first].capital or not self._is_fixed(before) or not noun.people.between(first - 1, first).isspace():
            return None
        return None if self._phrases.is_verb(before) else _by_form(noun, Gender.NEUTRAL)  # ser ingeniera

    def _meaning(self, noun: Noun) -> Decision | None:
        """A word that shows a gender by what it means, unless a listed noun itself does: weibliche Flüchtlinge."""
        if noun.means or (noun.at is None and noun.reading in (Reading.FEMININE, Reading.MASCULINE)):
            return None
        return _by_cue(noun, self._cues.meaning(noun.people, noun.mention, noun.plural), "meaning")

    def _determiner(self, noun: Noun) -> Decision | None:
        """La médico: a determiner makes a masculine noun feminine, where the language says so."""
        if noun.reading is not Reading.MASCULINE or noun.means or not self.language.determiner_wins:
            return None
        cue = self._cues.determiner(noun.people, noun.mention, noun.plural)
        return _by_cue(noun, cue) if cue and cue.gender is Gender.FEMININE else None

    def _own_form(self, noun: Noun) -> Decision | None:
        """The form of a noun that tells by itself."""
        return _by_form(noun, _SAID[noun.reading]) if noun.reading in _SAID else None

    def _beside(self, noun: Noun) -> Decision | None:
        """What agrees with a noun by the language's cues: an article, an adjective, a relative, a verb."""
        return _by_cue(noun, self._cues.agreeing(noun.people, noun.mention, noun.plural))

    def _agrees(self, noun: Noun) -> Decision | None:
        """What agrees with a noun by the forms and the grammar of the words around it."""
        found = self._agreeing(noun)
        return _by_agreement(noun, found, noun.strength * _AGREED) if found else None

    def _presumed(self, noun: Noun) -> Decision | None:
        """The form of a noun that tells where nothing says otherwise: die Nanny, врач."""
        return _by_form(noun, _SAID_UNLESS[noun.reading]) if noun.reading in _SAID_UNLESS else None

    def _bare_form(self, noun: Noun) -> Decision | None:
        """What a noun of either gender means where no cue stands beside it: infermiere."""
        gender = self._bare(noun, "before")
        return _by_form(noun, gender) if gender is not Gender.NEUTRAL else None

    def _bare(self, noun: Noun, place: str) -> Gender:
        return self._cues.bare(noun.people.words[noun.mention.first].lower, noun.plural, place)

    def _agreeing(self, noun: Noun) -> Agreeing | None:
        """What agrees with a noun farther off."""
        sentence, place = noun.text.sentence, noun.place
        if noun.at is not None:
            return self._phrases.agreeing(sentence, place, noun.plural)
        if self.language.unmarked_is_neutral:
            return None  # de intelligente arts
        if noun.reading is not Reading.EITHER and not self._is_alone(noun):
            decides = self.language.verb_decides and noun.reading is Reading.MASCULINE_UNLESS and not noun.plural
            return self._phrases.became(sentence, place) if decides else None
        found = self._phrases.agreeing(sentence, place, noun.plural)
        # Articles of listed nouns were asked before: promovida a gerente, mon architecte.
        asked = found is not None and found.place == place - 1
        if asked and {show.pos for show in sentence.words[place - 1].shows} == {"determiner"}:
            return self._phrases.predicate(sentence, place) or self._phrases.said_of(sentence, place)
        return found

    def _is_alone(self, noun: Noun) -> bool:
        """Whether what agrees may make a listed noun feminine, and nobody else is named whom it could agree with."""
        return len(noun.people.mentions) == 1 and self._may_be_either(noun.words[-1].lower)

    def _corefers(self, noun: Noun) -> Decision | None:
        """A later pronoun that can mean nobody else: all are of one gender, and nobody else in the text is."""
        words, pronouns = noun.people.words, self.language.pronouns
        places = [
            place
            for place, word in enumerate(words)
            if word.lower in pronouns and self._phrases.in_number(word.lower, noun.plural)
        ]
        if not places or places[0] < noun.mention.first:
            return None  # he was born in Saint Mary: whoever is named after a pronoun is somebody else
        genders = {pronouns[words[place].lower] for place in places}
        if len(genders) > 1 or not self._others(noun).isdisjoint({*genders, Gender.NEUTRAL, None}):
            return None
        return Decision(
            genders.pop(), "pronoun", evidence_of((*noun.words, words[places[0]])), noun.strength * _REFERRED
        )

    def _others(self, noun: Noun) -> set[Gender | None]:
        """The genders of everybody else in the text, as far as they show any."""
        people = [mention for mention in noun.people.mentions if mention is not noun.mention]
        nouns = [Noun(noun.text, noun.people, mention, mention.common(), plural=False) for mention in people]
        listed = {near.gender if (near := self._read_near(each)) else None for each in nouns}
        spans = [(each.words[0].start, each.words[-1].end) for each in (noun, *nouns)]
        unlisted = [
            self._phrases.person_genders(word)
            for word in noun.text.sentence.words
            if not any(start < word.end and word.start < end for start, end in spans)
        ]
        return listed.union(*unlisted)

    def _noun(self, text: Text, place: int, plural: bool, strength: float, name: bool) -> Noun:
        """The word at a place with what it says by itself, which a name does not."""
        sentence = text.sentence
        word, plural = sentence.words[place], self._plural(sentence, place, plural)
        reading, sure = own(() if name else self._shows(sentence, place), plural)
        gendered, listed = text.gendered_at(place), text.listed_at(place)
        if self._ergative is not None and not name:
            reading, sure = self._ergative.own(folded(word.lower)), 0.8
        if listed is not None:
            reading, sure = listed, 1.0
        elif self.language.unmarked_is_neutral and reading is not Reading.FEMININE:
            reading = Reading.EITHER
        if gendered is None and self._is_fixed(word.lower):
            reading, sure = Reading.NEUTRAL, 1.0
        elif reading is Reading.EITHER and not name and (leaning := self._phrases.leaning(word)) is not None:
            reading, sure = _PLAIN[leaning], 0.7
        if reading is Reading.MASCULINE and listed is None and self._has_one_form(word):
            reading = Reading.EITHER
        if reading is Reading.MASCULINE and self._may_be_either(word.lower):
            reading = Reading.MASCULINE_UNLESS if self.language.verb_decides or _paired(word) else Reading.EITHER
        means = gendered in (Reading.FEMININE, Reading.MASCULINE)  # la categoria masculina
        people, mention = text.with_mention(place)
        return Noun(
            text, people, mention, gendered if means and gendered else reading, plural, strength, sure, means, place
        )

    def read_name(self, text: Text, name: range, subject: bool, alone: bool, strength: float) -> Decision:
        """What is said of the person whom words name: title, article, noun before it, verb, a later pronoun."""
        sentence, first, last = text.sentence, name[0], name[-1]
        bare = Decision(Gender.NEUTRAL, "name", sentence.evidence(name), strength)
        people, mention = text.with_words(name)
        found = self._cues.of_name(people, mention, subject)
        if found is not None:
            cue = people.words[found.place]
            between = sentence.words[text.place(cue) + 1 : first]
            nouns = any(show.pos == "noun" for word in between for show in word.shows)
            if not nouns and not self._phrases.is_preposition(cue.lower):
                return bare._replace(gender=found.gender, step="agreement", evidence=evidence_of([cue]) + bare.evidence)
        if (apposed := self._apposed(text, first)) is not None:
            return apposed
        agreeing = self._phrases.of_name(sentence, first, last, subject)
        noun = Noun(text, people, mention, Reading.EITHER, False, strength * _NAMED, at=last)
        said = _by_agreement(noun, agreeing, noun.strength) if agreeing else self._corefers(noun) if alone else None
        return said or bare

    def _apposed(self, text: Text, first: int) -> Decision | None:
        """The noun right before a name that says who it is: la pianiste Barbara Higbie."""
        sentence, place = text.sentence, first - 1
        if place >= 0 and not self._phrases.names_person(sentence, place):
            place = self._before_names(sentence, place)
        elif place >= 0 and not sentence.between(place, first).isspace():
            return None
        if place < 0:
            return None
        noun = self.read(self._noun(text, place, False, _APPOSED, False))
        if noun.gender is Gender.FEMININE or (noun.gender is Gender.MASCULINE and not self.language.verb_decides):
            return noun._replace(step="apposition")
        return None

    def _before_names(self, sentence: Sentence, place: int) -> int:
        """The noun of several people before a list of names: i poeti Gary Snyder e Philip Whalen; -1: none."""
        listed = False
        for number in range(place, max(-1, place - _NAMES), -1):
            word = sentence.words[number]
            if self._phrases.names_person(sentence, number):
                return number if listed and self._plural(sentence, number, False) else -1
            joins = word.lower in self.language.conjunctions
            if not (word.capital or joins):
                return -1
            listed = listed or joins or "," in sentence.between(number, number + 1)
        return -1

    def _plural(self, sentence: Sentence, place: int, plural: bool) -> bool:
        """The number of the word itself where its form tells it, else that of the source."""
        numbers = {show.number for show in sentence.words[place].shows if show.pos in _NOUNS}
        return numbers == {"plural"} if len(numbers) == 1 and "" not in numbers else plural

    def _may_be_either(self, word: str) -> bool:
        """Whether what agrees may make a masculine noun feminine: врач сказала, gerente interina."""
        return self.language.verb_decides or word.endswith(self.language.common_endings)

    def _has_one_form(self, word: Word) -> bool:
        """Whether a noun is an adjective of one form, which only its article tells: sus familiares."""
        if not self.language.common_endings or _paired(word) or any(show.fixed for show in word.shows):
            return False
        return any(show.pos == "adjective" and show.gender is None for show in word.shows)

    def _shows(self, sentence: Sentence, place: int) -> tuple[Show, ...]:
        """What a word shows, with what a hyphen joins before it where that is a word of its own: porta-voz."""
        shows = self._texts.shows
        if shows is not None and place and sentence.between(place - 1, place) == "-":
            joined = sentence.text[sentence.words[place - 1].start : sentence.words[place].end]
            whole = shows(joined if self.language.writing.nouns_capitalised else joined.lower())
            if whole and whole[0].confidence > _WHOLE:
                return whole
        return sentence.words[place].shows

    def said_of(self, sentence: Sentence, place: int) -> Decision | None:
        """The gender of what is said of a word that shows none."""
        found = self._phrases.behind(sentence, place) or self._phrases.said_of(sentence, place)
        return Decision(found.gender, found.step, sentence.evidence((place, found.place)), 0.6) if found else None


def _paired(word: Word) -> bool:
    """Whether a word has a form for the other gender."""
    return any(show.counterpart for show in word.shows)


def _by_form(noun: Noun, gender: Gender) -> Decision:
    """What a noun shows by itself."""
    return Decision(gender, "form", evidence_of(noun.words), noun.strength * (0.5 + noun.sure / 2))


def _by_cue(noun: Noun, cue: Agreeing | None, step: str = "agreement") -> Decision | None:
    """What a word shows that stands beside a noun, or agrees with it."""
    if cue is None:
        return None
    strength = noun.strength if step == "meaning" else noun.strength * (0.5 + noun.sure / 2)
    return Decision(cue.gender, step, evidence_of((*noun.words, noun.people.words[cue.place])), strength)


def _by_agreement(noun: Noun, found: Agreeing, confidence: float) -> Decision:
    """What a word of the text shows that agrees with a noun."""
    word = noun.text.sentence.words[found.place]
    return Decision(found.gender, found.step, evidence_of((*noun.words, word)), confidence)
