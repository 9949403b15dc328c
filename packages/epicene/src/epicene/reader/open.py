"""Reads the gender of any person of a sentence from one translation."""

from __future__ import annotations

from functools import lru_cache

from epicene.languages.english import concept, gendered, word_lists
from epicene.languages.folder import load
from epicene.reader.align import Aligner, base, transcribed
from epicene.reader.coreference import coreferents
from epicene.reader.find import Finder, Indefinites, named, people
from epicene.reader.forms import forms_of
from epicene.reader.grammar import GENDERS, grammar_of
from epicene.reader.inclusive import DOUBLET, InclusiveForms, Spelling, names_apart
from epicene.reader.mentions import MentionFinder
from epicene.reader.names import find_name, is_name, read_name
from epicene.reader.nouns import Nouns
from epicene.reader.people import may_name_person
from epicene.reader.people import people as people_of
from epicene.reader.persons import THIRD, Speakers, doubtful, persons
from epicene.reader.slavic import inanimate
from epicene.reader.types import Decision, Rendering
from epicene.reader.words import Sentence, Translated, Word, cut
from epicene.types import Gender, Kind, Person

_SOMEONE = frozenset(("someone", "somebody"))  # whose obligatory masculine says nothing
_OTHERS = frozenset(("3s", "3p"))
_NEAR = 5  # words between one, few, those and the noun that says who they are
_LISTED = 0.9  # confidence from which a lexicon lists a word
_PERSON = 0.8  # likeness from which a noun names a person
_INCLUSIVE = 0.9  # confidence in a pronoun that means everybody
_COREFERENT = 0.4  # confidence from which a noun tells the gender of a pronoun
_SPELT = 0.9  # how surely a word that spells a name is the name
_UNREAD = Decision(Gender.UNKNOWN, "none")


@lru_cache(maxsize=1 << 10)
def _source(text: str) -> Sentence:
    """A source sentence cut into words; its translations by many systems come one after the other."""
    return cut(text)


class OpenReader:
    """Reads nouns, names and pronouns of English sentences in translations into a language."""

    def __init__(self, language: str) -> None:
        self.language = load(language)
        self._forms = forms_of(language)
        self._aligner = Aligner(language)
        self._inclusive = InclusiveForms(self.language, MentionFinder(self.language))
        self._nouns = Nouns(self.language, self._forms)
        self._indefinites = Indefinites(self.language.indefinites, self._empty, self._article)
        self._grammar = grammar_of(language)
        self._cut = lru_cache(maxsize=1 << 8)(self._cut_anew)  # a pronoun is asked of the nouns of its sentence too
        self._speakers = Speakers(self._grammar) if self._grammar else None
        self._slavic = bool(self.language.endings)
        self._finder = Finder(
            self._empty,
            self._article,
            self.language.writing.nouns_capitalised,
            0.3 if self._slavic else 0.4,
            self.language.of,
            inanimate if self._slavic else None,
        )

    def read(self, source: str, person: str, start: int, kind: str, translation: str) -> Decision:
        """The gender of the person whom the source names at an offset."""
        if kind == "pronoun" and (form := self._inclusive_pronoun(source, person, translation)):
            return Decision(Gender.NEUTRAL, "inclusive", (form.evidence,), _INCLUSIVE, inclusive=form.strategy)
        plain, spellings = self._inclusive.respell(translation)
        if spellings:
            read = self._read(source, person, start, kind, plain)
            for spelling, span in spellings:
                if spelling.strategy == DOUBLET and names_apart(source, start + len(person)):
                    continue
                if any(each.start < span.stop and each.end > span.start for each in read.evidence):
                    step = f"{read.step.split(' ')[0]} inclusive"
                    return Decision(
                        Gender.NEUTRAL, step, (spelling.evidence,), read.confidence, inclusive=spelling.strategy
                    )
        return self._read(source, person, start, kind, translation)

    def _inclusive_pronoun(self, source: str, person: str, translation: str) -> Spelling | None:
        """A pronoun that means everybody, for they, or for he or she where the source has no other."""
        words, genders = {word.lower for word in _source(source).words}, word_lists("coreference")
        both = not any(words.isdisjoint(genders[gender]) for gender in ("feminine", "masculine"))
        asked = persons(person)
        if not asked or both or not asked <= _OTHERS:
            return None
        return self._inclusive.pronoun(translation, self._shown)

    def _shown(self, pronoun: str) -> Gender | None:
        """The gender of a pronoun, none of a word that may be an article: ela e o juiz."""
        if self._grammar is None:
            return self.language.pronouns.get(pronoun)
        entry = self._grammar.entry(pronoun)
        return entry.shown if entry.article is None else None

    def _read(self, source: str, person: str, start: int, kind: str, translation: str) -> Decision:
        if (kind == "pronoun" or "'" in person.replace("’", "'")) and persons(person):
            if self._speakers is None:
                return _UNREAD
            reading = self._speakers.read(source, person, start, self._cut(translation))
            third = persons(person) == THIRD and doubtful(reading)
            return self._same_person(reading, source, start, translation) if third else reading
        original = _source(source)
        places = original.at(start, start + len(person))
        target = self._cut(translation)
        if not places or not target.words:
            return _UNREAD
        while len(places) > 1 and original.words[places[-1]].lower in ("'s", "'"):
            places = places[:-1]
        translated = self._aligner.align(original, target, places)
        head = original.words[places[-1]].lower
        if named(head):
            quantified = head in ("one", "ones") and places[-1] > 0 and named(original.words[places[-1] - 1].lower)
            return self._indefinite(translated, places[-1] - quantified) or _UNREAD
        if is_name(translated, places, kind):
            return self._name(translated, places)
        found = self._lexicon(translated, places, person) or self._finder.find(translated, places)
        before = original.words[places[0] - 1].lower if places[0] else ""
        loose = people(head) and named(before) and (found is None or found.how != "translated")
        if loose and (stead := self._indefinite(translated, places[0] - 1)):
            return stead
        if found is None:
            return _UNREAD
        if found.how != "lexicon" and self._finder.attribute(target, found.place):
            return _UNREAD
        if (half := self._inclusive.doublet(translated, places, found.place)) is not None:
            evidence = target.evidence((found.place, half))
            step = f"{found.how} {DOUBLET}"
            return Decision(Gender.NEUTRAL, step, evidence, found.strength, inclusive=DOUBLET)
        always = self.language.people and gendered(head)
        if always and found.how == "unclaimed" and self._nouns.gendered(target, found.place) is None:
            return _UNREAD  # of mothers and princes all words are listed: this is something else
        plural = base(head) != head and not head.endswith(("our", "ours"))
        name = self._shows_nothing(original.words[places[-1]], target.words[found.place])
        read = self._nouns.read(target, found.place, plural, found.strength, name)
        return read._replace(step=f"{found.how} {read.step}")

    def _name(self, translated: Translated, places: range) -> Decision:
        """A name by how the language derives or declines it, else by what is said of the person."""
        source, target = translated.source, translated.target
        name = find_name(translated, places)
        if not name:
            found = self._finder.find(translated, places)
            if found is None or found.how == "unclaimed" or self._finder.personlike(target, found.place) < _PERSON:
                return _UNREAD
            read = self._nouns.read(target, found.place, False, found.strength)  # Americans, a name by its capital only
            return read._replace(step=f"{found.how} {read.step}")
        if said := read_name(self.language, source, places, target, name):
            return said
        people_named = [person for person in people_of(source.text) if person.kind is not Kind.PRONOUN]
        return self._nouns.read_name(target, name, _may_be_subject(source, places), len(people_named) == 1, _SPELT)

    def _cut_anew(self, translation: str) -> Sentence:
        shows = self._forms.shows if self._forms else None
        return cut(translation, shows, capitals=self.language.writing.nouns_capitalised)

    def describes_fixed(self, translation: str, start: int) -> bool:
        """Whether the word at an offset says who people of any gender are: le personnel infirmier."""
        target = self._cut(translation)
        return self._nouns.describes_fixed(target, target.at(start)[-1])

    def agreeing(self, translation: str, start: int, plural: bool) -> Decision | None:
        """What agrees with the noun at an offset of a translation: mi amiga nutricionista, fue ingresada."""
        target = self._cut(translation)
        found = self._nouns.agreeing(target, target.at(start)[-1], plural)
        return Decision(found.gender, found.step, target.evidence((found.place,))) if found else None

    def became(self, translation: str, start: int) -> Decision | None:
        """The feminine verb that says who the noun at an offset is: была художником."""
        target = self._cut(translation)
        found = self._nouns.became(target, target.at(start)[-1])
        return Decision(found.gender, found.step, target.evidence((found.place,))) if found else None

    def _same_person(self, reading: Decision, source: str, start: int, translation: str) -> Decision:
        """He and she by the nouns that mean the same person, where nothing surely agrees with the pronoun."""
        sure, possible = coreferents(source, start)
        if said := self._told(source, sure, translation):
            return said
        if reading.gender in GENDERS:
            return reading
        found = self._told(source, possible, translation)
        return found._replace(step=f"perhaps {found.step}") if found else reading

    def _told(self, source: str, others: tuple[Person, ...], translation: str) -> Decision | None:
        """What nouns and names of the source show that mean one person, if all of them agree."""
        told = [
            each
            for other in others
            if (each := self.read(source, other.text, other.start, other.kind, translation)).gender in GENDERS
            and (other.kind == "noun" or not each.step.endswith("form"))
            and each.confidence > _COREFERENT
        ]
        if len({each.gender for each in told}) != 1:
            return None
        best = max(told, key=lambda each: each.confidence)
        return best._replace(step=f"same person: {best.step}", confidence=best.confidence * 0.9)

    def _lexicon(self, translated: Translated, places: range, person: str) -> Rendering | None:
        """A listed word for the person's occupation, or for a mother or a prince, the best linked one of several."""
        last = translated.source.words[places[-1]].lower
        names = (concept(person)[0], gendered(last) or base(last))
        listed = self.language.lexicon.concepts | self.language.people.concepts
        name = next((each for each in names if each in listed), None)
        if name is None:
            return None
        links, size = translated.links[places[-1]], len(translated.target.words)
        around = (places[-1] + 0.5) * size / len(translated.source.words)
        found = self._nouns.places(translated.target, name)
        best = max(found, key=lambda each: links[each] - abs(each + 0.5 - around) / size, default=None)
        return None if best is None else Rendering(best, 0.95, "lexicon")

    def _shows_nothing(self, word: Word, rendering: Word) -> bool:
        """Whether the person is named by a proper name, or by an English word that the language does not have."""
        if may_name_person(word.lower):
            return word.lower == rendering.lower and all(show.confidence < _LISTED for show in rendering.shows)
        if not word.capital or not rendering.capital:
            return False
        return word.text == rendering.text or transcribed(word.lower, rendering.lower)

    def _indefinite(self, translated: Translated, head: int) -> Decision | None:
        """Everyone, few, one: by the pronoun that renders it, else by what is said of them or the noun beside it."""
        target = translated.target
        found = self._indefinites.find(translated, head)
        if found is not None:
            alone = Decision(found.gender, "indefinite", target.evidence([found.place]), found.strength)
            if found.gender is not Gender.NEUTRAL:
                return alone
            if translated.source.words[head].lower in _SOMEONE:
                return alone
            if said := self._nouns.said_of(target, found.place):
                return said._replace(step="indefinite predicate")
        around = found.place if found else round(head * len(target.words) / len(translated.source.words))
        nouns = [
            place
            for place in range(max(0, around - _NEAR), min(len(target.words), around + _NEAR + 1))
            if self._finder.personlike(target, place) > _PERSON
        ]
        if nouns:
            place = min(nouns, key=lambda each: abs(each - around) + 2 * (each < around))
            read = self._nouns.read(target, place, True, 0.5)
            return read._replace(step=f"indefinite {read.step}")
        return alone if found else None

    def _empty(self, word: str) -> bool:
        """Whether a word only joins others: an article, a preposition, an auxiliary."""
        if word in self.language.stops or len(word) < 2:
            return True
        entry = self._grammar.entry(word) if self._grammar else None
        return entry is not None and (
            entry.article is not None or entry.preposition or bool(entry.copula) or entry.have
        )

    def _article(self, word: str) -> bool:
        """Whether a word is an article, alone or together with a preposition."""
        return any(cue.place == "before" and not cue.lexical for cue in self.language.cues.get(word, ())) or (
            self._grammar is not None and self._grammar.entry(word).article is not None
        )


def _may_be_subject(source: Sentence, places: range) -> bool:
    """Whether the name of one person stands where a subject may: not behind a preposition or and, nor as an owner."""
    before = source.words[places[0] - 1].lower if places[0] else ""
    after = source.words[places.stop].lower if places.stop < len(source.words) else ""
    return before not in word_lists("names")["no_subject_after"] and after not in ("'s", "'", "and")
