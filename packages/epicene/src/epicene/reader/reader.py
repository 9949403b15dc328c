"""``reading``: a person's gender from all that shows it, and the pronoun alone where the target is English.

Each step is tried where those before found nothing:

1. ``inclusive`` and ``doublet``: a spelling of the word for the person, or a pair, that names all genders.
2. A listed word for the person's occupation: ``lexicon`` where it tells its gender itself, ``agreement`` where its
   article, adjective or verb does, ``pronoun`` where a pronoun does that can mean nobody else.
3. The word that usually renders the person's, by its form and by what agrees with it; so are pronouns read.
4. ``other-word``: for a listed occupation that nothing renders, a listed word for another that nobody else claims.
5. ``none``: unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, lru_cache

from epicene.languages import LANGUAGES
from epicene.languages.english import CODE as ENGLISH
from epicene.languages.english import gendered, word_lists
from epicene.languages.english import known as concepts
from epicene.languages.folder import checksum, load
from epicene.languages.lexicon import Reading
from epicene.reader import DetectorFactory
from epicene.reader.align import Aligner, base, transcribed
from epicene.reader.confidence import calibrate
from epicene.reader.coreference import coreferents
from epicene.reader.english import Pronoun
from epicene.reader.find import Finder, Indefinites, named, people
from epicene.reader.grammar import GENDERS, Grammar, grammar_of
from epicene.reader.inclusive import DOUBLET, InclusiveForms, Spelling, names_apart
from epicene.reader.mentions import Mention, Text, Texts, choose, nearer
from epicene.reader.names import find_name, is_name, read_name
from epicene.reader.nouns import Noun, Nouns
from epicene.reader.people import may_name_person
from epicene.reader.people import people as people_of
from epicene.reader.persons import THIRD, Speakers, doubtful, persons
from epicene.reader.words import Decision, Sentence, Translated, Word, cut
from epicene.types import Detector, Gender, Item, Kind, Output, Person, Verdict

_VERSION = 6
_AGREEMENT = 1  # the version of the rule of AgreementDetector
_HERE = "agreement: "  # begins the steps that rest on a word at the place
# How sure a word must be that stands for a listed occupation but is none of its words: most such words are things.
_STRAY = 0.75
_STEPS = {"form": "lexicon", "pronoun": "pronoun"}  # of listed words; all others rest on what agrees
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


class Reader:
    """Reads any person of an English sentence in translations into a language."""

    def __init__(self, target: str) -> None:
        self.language = load(target)
        self.identity = f"reading{_VERSION}@{checksum(target)}"
        self._texts = Texts(self.language)
        self._nouns = Nouns(self._texts)
        self._inclusive = InclusiveForms(self._texts)

    # These are made when they are first asked: a word that the lexicon lists needs none of them.
    @cached_property
    def _grammar(self) -> Grammar | None:
        return grammar_of(self.language.code)

    @cached_property
    def _speakers(self) -> Speakers | None:
        return Speakers(self._grammar) if self._grammar else None

    @cached_property
    def _aligner(self) -> Aligner:
        return Aligner(self.language.code)

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self.language, self._grammar)

    @cached_property
    def _indefinites(self) -> Indefinites:
        return Indefinites(self.language, self._finder)

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(self.read, outputs)

    def read(self, output: Output) -> Verdict:
        """The gender of the output's person, and how sure that is."""
        return calibrate(self.decide(output))

    def decide(self, output: Output) -> Verdict:
        """The gender of the output's person, with the reader's own degree of certainty, which listed words have not."""
        return _verdict(output, self._decide(output.item, output.text, self._read))

    def read_listed(self, output: Output) -> Verdict | None:
        """What a word shows that is listed for the person's occupation; nothing where none is."""
        found = self._decide(output.item, output.text, self._read_listed)
        return None if found is _UNREAD else _verdict(output, found)

    def read_other(self, output: Output) -> Verdict | None:
        """What a listed word for another occupation shows that nobody else claims."""
        found = self._read_other(output.item, self._texts.of(output.text))
        return None if found is _UNREAD else _verdict(output, found)

    def _decide(self, item: Item, translation: str, read: Callable[[Item, Text], Decision]) -> Decision:
        """What is read of a person, neutral where the deciding word is spelt such that it names everybody."""
        person, text = item.person, self._texts.of(translation)
        if person.kind is Kind.PRONOUN and (form := self._inclusive_pronoun(item.source, person, translation)):
            return Decision(Gender.NEUTRAL, "inclusive", (form.evidence,), _INCLUSIVE, inclusive=form.strategy)
        plain, spellings = self._inclusive.respell(translation)
        if spellings:
            found = read(item, self._texts.of(plain))
            for spelling, span in spellings:
                if spelling.strategy == DOUBLET and names_apart(item.source, person.end):
                    continue
                if any(each.start < span.stop and each.end > span.start for each in found.evidence):
                    step = "inclusive" if found.listed else f"{found.step.split(' ')[0]} inclusive"
                    evidence = (spelling.evidence,)
                    return found._replace(
                        gender=Gender.NEUTRAL, step=step, evidence=evidence, against=(), inclusive=spelling.strategy
                    )
        return read(item, text)

    def _read(self, item: Item, text: Text) -> Decision:
        """A listed word for the person, else the word that renders the person, else one for another occupation."""
        noun = item.person.kind is Kind.NOUN
        found = self._read_listed(item, text) if noun else _UNREAD
        if found.gender is Gender.UNKNOWN:
            found = self._read_any(item.source, item.person, text)
        if noun and (found.gender is Gender.UNKNOWN or self._stray(item.person, found)):
            found = self._read_other(item, text)
        return found

    def _read_listed(self, item: Item, text: Text) -> Decision:
        """What a word shows that is listed for the person's occupation."""
        person, listed = item.person, text.listed
        own = [mention for mention in listed.mentions if person.concept in mention.readings]
        if not own or _anothers(own, listed, item):
            return _UNREAD
        if halves := self._inclusive.listed_doublet(listed, own, item):
            words = listed.evidence(range(halves[0].first, halves[1].last))
            return Decision(Gender.NEUTRAL, DOUBLET, words, inclusive=DOUBLET, listed=True)
        mention = choose(listed, own, item)
        found = self._read_mention(item, text, mention, mention.readings[person.concept])
        return found._replace(step=_STEPS.get(found.step, "agreement"))

    def _read_other(self, item: Item, text: Text) -> Decision:
        """What a listed word for another occupation shows that nobody else claims."""
        if item.person.concept not in concepts() or not (free := _free(self.language.bystanders, text.listed, item)):
            return _UNREAD
        mention = choose(text.listed, free, item)
        return self._read_mention(item, text, mention, mention.common())._replace(step="other-word")

    def _read_mention(self, item: Item, text: Text, mention: Mention, reading: Reading) -> Decision:
        noun = Noun(text, text.listed, mention, reading, item.person.plural)
        return self._nouns.read(noun)._replace(listed=True)

    def _stray(self, person: Person, found: Decision) -> bool:
        """Whether a word was taken for a listed occupation that is none of its words."""
        if found.listed or not self.language.lexicon.concepts or person.concept not in concepts():
            return False
        if any(each.text.casefold() == person.text.casefold() for each in found.evidence):
            return False  # the English word itself, copied
        return found.confidence < _STRAY or found.step.startswith("lexicon")

    def _inclusive_pronoun(self, source: str, person: Person, translation: str) -> Spelling | None:
        """A pronoun that means everybody, for they, or for he or she where the source has no other."""
        words, genders = {word.lower for word in _source(source).words}, word_lists("coreference")
        both = not any(words.isdisjoint(genders[gender]) for gender in ("feminine", "masculine"))
        asked = persons(person.text)
        if not asked or both or not asked <= _OTHERS:
            return None
        return self._inclusive.pronoun(translation, self._shown)

    def _shown(self, pronoun: str) -> Gender | None:
        """The gender of a pronoun, none of a word that may be an article: ela e o juiz."""
        if self._grammar is None:
            return self.language.pronouns.get(pronoun)
        entry = self._grammar.entry(pronoun)
        return entry.shown if entry.article is None else None

    def _read_any(self, source: str, person: Person, text: Text) -> Decision:
        """What the word shows that renders the person, and what agrees with it."""
        owning = "'" in person.text.replace("’", "'")
        if (person.kind is Kind.PRONOUN or owning) and persons(person.text):
            if self._speakers is None:
                return _UNREAD
            reading = self._speakers.read(source, person.text, person.start, text.sentence)
            third = persons(person.text) == THIRD and doubtful(reading)
            return self._same_person(reading, source, person.start, text) if third else reading
        original, target = _source(source), text.sentence
        places = original.at(person.start, person.end)
        if not places or not target.words:
            return _UNREAD
        while len(places) > 1 and original.words[places[-1]].lower in ("'s", "'"):
            places = places[:-1]
        translated = self._aligner.align(original, target, places)
        head = original.words[places[-1]].lower
        if named(head):
            quantified = head in ("one", "ones") and places[-1] > 0 and named(original.words[places[-1] - 1].lower)
            return self._indefinite(translated, text, places[-1] - quantified) or _UNREAD
        if is_name(translated, places, person.kind):
            return self._name(translated, text, places)
        found = self._finder.listed(translated, text, places, person.text) or self._finder.find(translated, places)
        before = original.words[places[0] - 1].lower if places[0] else ""
        loose = people(head) and named(before) and (found is None or found.how != "translated")
        if loose and (stead := self._indefinite(translated, text, places[0] - 1)):
            return stead
        if found is None:
            return _UNREAD
        if found.how != "lexicon" and self._finder.attribute(target, found.place):
            return _UNREAD
        if (half := self._inclusive.doublet(translated, places, found.place)) is not None:
            evidence = target.evidence((found.place, half))
            step = f"{found.how} {DOUBLET}"
            return Decision(Gender.NEUTRAL, step, evidence, found.strength, inclusive=DOUBLET)
        always = self.language.people.concepts and gendered(head)
        if always and found.how == "unclaimed" and text.gendered_at(found.place) is None:
            return _UNREAD  # of mothers and princes all words are listed: this is something else
        plural = person.plural or (base(head) != head and not head.endswith(("our", "ours")))
        name = self._shows_nothing(original.words[places[-1]], target.words[found.place])
        read = self._nouns.read_at(text, found.place, plural, found.strength, name)
        return read._replace(step=f"{found.how} {read.step}")

    def _name(self, translated: Translated, text: Text, places: range) -> Decision:
        """A name by how the language derives or declines it, else by what is said of the person."""
        source, target = translated.source, translated.target
        name = find_name(translated, places)
        if not name:
            found = self._finder.find(translated, places)
            if found is None or found.how == "unclaimed" or self._finder.personlike(target, found.place) < _PERSON:
                return _UNREAD
            read = self._nouns.read_at(
                text, found.place, False, found.strength
            )  # Americans, a name by its capital only
            return read._replace(step=f"{found.how} {read.step}")
        if said := read_name(self.language, source, places, target, name):
            return said
        people_named = [person for person in people_of(source.text) if person.kind is not Kind.PRONOUN]
        return self._nouns.read_name(text, name, _may_be_subject(source, places), len(people_named) == 1, _SPELT)

    def _same_person(self, reading: Decision, source: str, start: int, text: Text) -> Decision:
        """He and she by the nouns that mean the same person, where nothing surely agrees with the pronoun."""
        sure, possible = coreferents(source, start)
        if said := self._told(source, sure, text):
            return said
        if reading.gender in GENDERS:
            return reading
        found = self._told(source, possible, text)
        return found._replace(step=f"perhaps {found.step}") if found else reading

    def _told(self, source: str, others: tuple[Person, ...], text: Text) -> Decision | None:
        """What nouns and names of the source show that mean one person, if all of them agree."""
        told = [
            each
            for other in others
            if (each := self._read_any(source, other, text)).gender in GENDERS
            and (other.kind == "noun" or not each.step.endswith("form"))
            and each.confidence > _COREFERENT
        ]
        if len({each.gender for each in told}) != 1:
            return None
        best = max(told, key=lambda each: each.confidence)
        return best._replace(step=f"same person: {best.step}", confidence=best.confidence * 0.9)

    def _shows_nothing(self, word: Word, rendering: Word) -> bool:
        """Whether the person is named by a proper name, or by an English word that the language does not have."""
        if may_name_person(word.lower):
            return word.lower == rendering.lower and all(show.confidence < _LISTED for show in rendering.shows)
        if not word.capital or not rendering.capital:
            return False
        return word.text == rendering.text or transcribed(word.lower, rendering.lower)

    def _indefinite(self, translated: Translated, text: Text, head: int) -> Decision | None:
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
            read = self._nouns.read_at(text, place, True, 0.5)
            return read._replace(step=f"indefinite {read.step}")
        return alone if found else None


def _may_be_subject(source: Sentence, places: range) -> bool:
    """Whether the name of one person stands where a subject may: not behind a preposition or and, nor as an owner."""
    before = source.words[places[0] - 1].lower if places[0] else ""
    after = source.words[places.stop].lower if places.stop < len(source.words) else ""
    return before not in word_lists("names")["no_subject_after"] and after not in ("'s", "'", "and")


def _anothers(own: list[Mention], text: Sentence, item: Item) -> bool:
    """Whether the only word for the person is a more usual word for the other person, who has none besides."""
    if len(own) > 1 or not item.others:
        return False
    other, concept, ranks = item.others[0].concept, item.person.concept, own[0].ranks
    claimed = other in ranks and other != concept and ranks[other] < ranks[concept]
    return claimed and not any(other in mention.readings for mention in text.mentions if mention is not own[0])


def _free(bystanders: frozenset[str], text: Sentence, item: Item) -> list[Mention]:
    """Mentions that neither another person of the sentence claims nor a relative or passer-by."""
    claimed = {other.concept for other in item.others}
    people = [each for each in text.mentions if text.words[each.first].lower not in bystanders]
    free = [mention for mention in people if claimed.isdisjoint(mention.readings)]
    if all(claimed.isdisjoint(mention.readings) for mention in text.mentions):
        # Nobody is the other person for certain, so a mention where that one would stand is left alone.
        free = [each for each in free if all(nearer(text, each, other, item) for other in item.others)]
    # Both people may have got the same word; then one of its two mentions is the person.
    return free or (people if len(people) > 1 and len(item.others) == 1 else [])


def _verdict(output: Output, found: Decision) -> Verdict:
    if found.gender is Gender.UNKNOWN:
        return Verdict(output, Gender.UNKNOWN, "none")
    confidence = None if found.listed else found.confidence
    return Verdict(output, found.gender, found.step, found.evidence, None, confidence, found.against, found.inclusive)


@cache
def build(target: str) -> Detector:
    """The reader of a language, made once: what it remembers of words serves the next file."""
    LANGUAGES.find(target)
    return Pronoun() if target == ENGLISH else Reader(target)


class AgreementDetector:
    """Reads speakers and listeners from what agrees with I and you, and from nothing else.

    The noun or pronoun by which a narrator names the speaker does not count, nor what agrees elsewhere: where no word
    at the place shows a gender, the form is neutral.
    """

    def __init__(self, target: str) -> None:
        self._reader = build(target)
        self.identity = f"agreement{_AGREEMENT}+{self._reader.identity}"

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(_kept, self._reader.detect(outputs))


def _kept(verdict: Verdict) -> Verdict:
    pronoun = verdict.output.item.person.kind is Kind.PRONOUN
    if not pronoun or verdict.gender is Gender.UNKNOWN or verdict.step.startswith(_HERE):
        return verdict
    return calibrate(Verdict(verdict.output, Gender.NEUTRAL, "nothing agrees"))


READING = DetectorFactory(build)
AGREEMENT = DetectorFactory(AgreementDetector)
