"""Reads the gender that the word for a person shows, and what agrees with it."""

from __future__ import annotations

from epicene.languages.language import Language
from epicene.languages.lexicon import Reading
from epicene.reader.align import folded
from epicene.reader.cues import Agreement
from epicene.reader.ergative import ErgativeNouns
from epicene.reader.forms import Forms, Show
from epicene.reader.mentions import Mention, MentionFinder
from epicene.reader.phrases import Phrases
from epicene.reader.types import Agreeing, Decision
from epicene.reader.words import Sentence, Word, evidence_of
from epicene.types import Gender

_NOUNS = frozenset(("noun", "name"))
_ADJECTIVES = frozenset(("adjective", "participle"))
_CONTRADICTED = 0.6  # what is left of a confidence where an article or adjective says otherwise
_APPOSED = 0.8  # how surely a noun right before a name means the same person
_GUESSED = 0.9  # confidence up to which no lexicon lists a word, and its ending was taken for others
_NEUTER = 0.6  # confidence from which the ending of a word that no lexicon lists makes it a neuter
_NAMES = 9  # words of a list of names behind the noun that says who they are
_WHOLE = 0.95  # confidence from which a word with a hyphen counts as listed
_PLAIN = {
    Gender.FEMININE: Reading.FEMININE,
    Gender.MASCULINE: Reading.MASCULINE,
    Gender.NEUTRAL: Reading.NEUTRAL,
}
_UNLESS = {
    Gender.FEMININE: Reading.FEMININE_UNLESS,
    Gender.MASCULINE: Reading.MASCULINE_UNLESS,
    Gender.NEUTRAL: Reading.NEUTRAL,
}


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


class Nouns:
    """Reads nouns and names of a language."""

    def __init__(self, language: Language, forms: Forms | None) -> None:
        self.language = language
        self._forms = forms
        self._lexicon = MentionFinder(language)
        self._people = MentionFinder(language, language.people)
        self._agreement = Agreement(language)
        self._ergative = ErgativeNouns(language.ergative["nouns"]) if language.ergative else None
        self._phrases = Phrases(language, self._ergative)
        self._last: tuple[str, Sentence, Sentence] | None = None

    def read(self, sentence: Sentence, place: int, plural: bool, strength: float, name: bool = False) -> Decision:
        """The gender of the person whom the word at a place names; a name itself shows none."""
        decision = self._read(sentence, place, plural, strength, name)
        if decision.step != "form" or decision.gender is Gender.NEUTRAL:
            return decision
        beside = self._phrases.before(sentence, place, self._plural(sentence, place, plural))
        if beside is None or beside.gender is decision.gender:
            return decision
        guessed = all(show.confidence < _GUESSED for show in self._shows(sentence, place))
        if guessed and beside.step == "agreement" and self.gendered(sentence, place) is None:
            return _by_agreement(sentence, place, beside, strength)  # la mentore, an ending alone says little
        return decision._replace(
            confidence=decision.confidence * _CONTRADICTED, against=sentence.evidence([beside.place])
        )

    def _read(self, sentence: Sentence, place: int, plural: bool, strength: float, name: bool) -> Decision:
        word = sentence.words[place]
        plural = self._plural(sentence, place, plural)
        text = self.text(sentence)
        gendered = self.gendered(sentence, place)
        listed = gendered or self._listed(text, word)
        mention = self._mention(text, sentence, place)
        gender, cues = self._agreement.read(text, mention, Reading.NEUTRAL, plural)
        if cues:  # a word that says it by meaning: weibliche Flüchtlinge
            return Decision(gender, "meaning", evidence_of((word, *(text.words[cue] for cue in cues))), strength)
        said, sure = own(() if name else self._shows(sentence, place), plural)
        if self._ergative is not None and not name:
            said, sure = self._ergative.own(folded(word.lower)), 0.8
        if listed is not None:
            said, sure = listed, 1.0
        elif self.language.unmarked_is_neutral and said is not Reading.FEMININE:
            said = Reading.EITHER
        if gendered is None and (self.language.is_fixed(word.lower) or self.describes_fixed(sentence, place)):
            said, sure = Reading.NEUTRAL, 1.0
        elif said is Reading.EITHER and not name and (leaning := self._phrases.leaning(word)) is not None:
            said, sure = _PLAIN[leaning], 0.7
        if said is Reading.MASCULINE and listed is None and self._has_one_form(word):
            said = Reading.EITHER
        if said is Reading.MASCULINE and self._may_be_either(word.lower):
            said = Reading.MASCULINE_UNLESS if self.language.verb_decides or _paired(word) else Reading.EITHER
        gender, cues = self._agreement.read(text, mention, said, plural)
        if gendered in (Reading.FEMININE, Reading.MASCULINE):
            gender, cues = Gender(gendered.value), ()  # la categoria masculina
        form = Decision(
            gender,
            "agreement" if cues else "form",
            evidence_of((word, *(text.words[cue] for cue in cues))),
            strength * (0.5 + sure / 2),
        )
        if cues or said in (Reading.FEMININE, Reading.MASCULINE):
            return form
        if said is not Reading.NEUTRAL and (found := self._phrases.agreeing(sentence, place, plural)):
            return _by_agreement(sentence, place, found, strength * 0.9)
        found = self._phrases.corefers(sentence, place, plural) if gender is Gender.NEUTRAL else None
        fixed = said is Reading.NEUTRAL and {show.gender for show in word.shows if show.pos == "noun"}
        if found is not None and not (fixed and found.gender in fixed):  # persona: her words agree with the noun
            return _by_agreement(sentence, place, found, strength * 0.7)
        return form

    def read_name(self, sentence: Sentence, name: range, subject: bool, alone: bool, strength: float) -> Decision:
        """What is said of the person whom words name: title, article, noun before it, verb, a later pronoun."""
        first, last = name[0], name[-1]
        bare = Decision(Gender.NEUTRAL, "name", sentence.evidence(name), strength)
        text = self.text(sentence)
        inside = text.at(sentence.words[first].start, sentence.words[last].end)
        mention = Mention(inside.start, inside.stop, {}, {})
        found = self._agreement.of_name(text, mention, subject) if inside else None
        if found is not None:
            cue = text.words[found.place]
            between = sentence.words[sentence.at(*cue.span)[-1] + 1 : first]
            nouns = any(show.pos == "noun" for word in between for show in word.shows)
            if not nouns and not self._phrases.is_preposition(cue.lower):
                return bare._replace(gender=found.gender, step="agreement", evidence=evidence_of([cue]) + bare.evidence)
        if (noun := self._apposed(sentence, first)) is not None:
            return noun
        agreeing = self._phrases.of_name(sentence, first, last, subject)
        if agreeing is None and alone:
            agreeing = self._phrases.corefers(sentence, last, plural=False)
        return _by_agreement(sentence, last, agreeing, strength * 0.8) if agreeing else bare

    def _apposed(self, sentence: Sentence, first: int) -> Decision | None:
        """The noun right before a name that says who it is: la pianiste Barbara Higbie."""
        place = first - 1
        if place >= 0 and not self._phrases.names_person(sentence, place):
            place = self._before_names(sentence, place)
        elif place >= 0 and not sentence.between(place, first).isspace():
            return None
        if place < 0:
            return None
        noun = self._read(sentence, place, False, _APPOSED, False)
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

    def describes_fixed(self, sentence: Sentence, place: int) -> bool:
        """Whether a word says who people of any gender are: las personas usuarias."""
        if place == 0 or not sentence.between(place - 1, place).isspace():
            return False
        if self.language.writing.nouns_capitalised or self.language.endings or sentence.words[place].capital:
            return False  # there a noun may be a genitive: лицо исследователя
        before = sentence.words[place - 1].lower
        return self.language.is_fixed(before) and not self._phrases.is_verb(before)  # ser ingeniera

    def _has_one_form(self, word: Word) -> bool:
        """Whether a noun is an adjective of one form, which only its article tells: sus familiares."""
        if not self.language.common_endings or _paired(word) or any(show.fixed for show in word.shows):
            return False
        return any(show.pos == "adjective" and show.gender is None for show in word.shows)

    def _shows(self, sentence: Sentence, place: int) -> tuple[Show, ...]:
        """What a word shows, with what a hyphen joins before it where that is a word of its own: porta-voz."""
        if self._forms is not None and place and sentence.between(place - 1, place) == "-":
            joined = sentence.text[sentence.words[place - 1].start : sentence.words[place].end]
            whole = self._forms.shows(joined if self.language.writing.nouns_capitalised else joined.lower())
            if whole and whole[0].confidence > _WHOLE:
                return whole
        return sentence.words[place].shows

    def agreeing(self, sentence: Sentence, place: int, plural: bool) -> Agreeing | None:
        """What agrees with a listed noun, whose articles were asked before: not promovida a gerente, mon architecte.

        Nothing where no adjective shows a gender: de intelligente arts.
        """
        found = None if self.language.unmarked_is_neutral else self._phrases.agreeing(sentence, place, plural)
        article = found and found.place < place and {show.pos for show in sentence.words[found.place].shows}
        if article == {"determiner"}:
            return self._phrases.predicate(sentence, place) or self._phrases.said_of(sentence, place)
        return found

    def became(self, sentence: Sentence, place: int) -> Agreeing | None:
        """The feminine verb that says who the noun at a place is."""
        return self._phrases.became(sentence, place)

    def said_of(self, sentence: Sentence, place: int) -> Decision | None:
        """The gender of what is said of a word that shows none."""
        found = self._phrases.behind(sentence, place) or self._phrases.said_of(sentence, place)
        return _by_agreement(sentence, place, found, 0.6) if found else None

    def text(self, sentence: Sentence) -> Sentence:
        """A translation with the people whom the lexicon of occupations knows in it."""
        found = self._found(sentence)[1]
        return Sentence(found.text, found.words, list(found.mentions))

    def gendered(self, sentence: Sentence, place: int) -> Reading | None:
        """What a word means by itself that stands for a mother or a prince, whoever it translates."""
        return self._listed(self._found(sentence)[2], sentence.words[place])

    def _found(self, sentence: Sentence) -> tuple[str, Sentence, Sentence]:
        if self._last is None or self._last[0] != sentence.text:
            self._last = sentence.text, self._lexicon.read(sentence.text), self._people.read(sentence.text)
        return self._last

    def places(self, sentence: Sentence, concept: str) -> list[int]:
        """The places of the words that the tables list for a concept."""
        return [
            sentence.at(*text.words[each.first].span)[-1]
            for text in self._found(sentence)[1:]
            for each in text.mentions
            if concept in each.readings
        ]

    def _listed(self, text: Sentence, word: Word) -> Reading | None:
        """What a table says of a word, whatever it translates."""
        for each in text.mentions:
            if _touches(text, each, word):
                readings = set(each.readings.values())
                return readings.pop() if len(readings) == 1 else None
        return None

    def _mention(self, text: Sentence, sentence: Sentence, place: int) -> Mention:
        """The word as a mention of a person, put among the others of the text."""
        word = sentence.words[place]
        listed = next((each for each in text.mentions if _touches(text, each, word)), None)
        if listed is not None:
            return listed
        inside = text.at(word.start, word.end) or range(1)
        first, last = inside.start, inside.stop
        mention = Mention(first, last, {}, {})
        text.mentions[:] = [each for each in text.mentions if each.last <= first or each.first >= last] + [mention]
        text.mentions.sort(key=lambda each: each.first)
        return mention


def _paired(word: Word) -> bool:
    """Whether a word has a form for the other gender."""
    return any(show.counterpart for show in word.shows)


def _touches(text: Sentence, mention: Mention, word: Word) -> bool:
    """Whether a mention holds a word."""
    return text.words[mention.first].start < word.end and text.words[mention.last - 1].end > word.start


def _by_agreement(sentence: Sentence, place: int, found: Agreeing, confidence: float) -> Decision:
    """What a word shows that agrees with the one at a place."""
    return Decision(found.gender, found.step, sentence.evidence((place, found.place)), confidence)
