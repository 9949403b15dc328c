"""``reading``: a person's gender from all that shows it, and the pronoun alone where the target is English.

Each step is tried where those before found nothing:

1. ``inclusive`` and ``doublet``: a listed word for the person in a spelling, or a pair, that names all genders.
2. ``lexicon``: a listed word that tells its gender itself; ``agreement``: one that does not, by its article, adjective
   or verb; ``pronoun``: by a pronoun that can mean nobody else.
3. ``other-word``: for a listed occupation, a listed word for another that nobody else claims. Anybody else is read as
   herself, never by somebody else's word.
4. Anybody else (``open.py``): the word that usually renders the person's, by its form and by what agrees with it; so
   are pronouns read.
5. ``none``: unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from epicene.languages import LANGUAGES
from epicene.languages.english import CODE as ENGLISH
from epicene.languages.english import known as concepts
from epicene.languages.folder import checksum, load
from epicene.languages.lexicon import Reading
from epicene.reader import DetectorFactory
from epicene.reader.confidence import calibrate
from epicene.reader.cues import Agreement
from epicene.reader.english import Pronoun
from epicene.reader.inclusive import DOUBLET, InclusiveForms
from epicene.reader.mentions import Mention, MentionFinder, choose, nearer
from epicene.reader.open import OpenReader
from epicene.reader.types import Decision
from epicene.reader.words import Sentence
from epicene.types import Detector, Gender, Item, Kind, Output, Person, Verdict

_VERSION = 5
_AGREEMENT = 1  # the version of the rule of AgreementDetector
_HERE = "agreement: "  # begins the steps that rest on a word at the place
# How sure a word must be that stands for a listed occupation but is none of its words: most such words are things.
_STRAY = 0.75


class Reader:
    """Reads any person of an English sentence in translations into a language."""

    def __init__(self, target: str) -> None:
        self.language = load(target)
        self.identity = f"reading{_VERSION}@{checksum(target)}"
        self._mentions = MentionFinder(self.language)
        self._agreement = Agreement(self.language)
        self._inclusive = InclusiveForms(self.language, self._mentions)

    @cached_property
    def _open(self) -> OpenReader:
        return OpenReader(self.language.code)  # made when the first word comes that the lexicon does not list

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(self.read, outputs)

    def read(self, output: Output) -> Verdict:
        """The gender of the output's person, and how sure that is."""
        return calibrate(self.decide(output))

    def decide(self, output: Output) -> Verdict:
        """The gender of the output's person: by listed words of a noun, else as anybody is read."""
        listed = self.read_listed(output) if output.item.person.kind is Kind.NOUN else None
        return listed or self._read_open(output) or Verdict(output, Gender.UNKNOWN, "none")

    def read_listed(self, output: Output) -> Verdict | None:
        """What words show that the language's table lists; nothing where none of them can be the person."""
        item, person = output.item, output.item.person
        if not self.language.lexicon:
            return None
        if spelling := self._inclusive.listed(output.text, item):
            evidence = (spelling.evidence,)
            return Verdict(output, Gender.NEUTRAL, "inclusive", evidence, inclusive=spelling.strategy)
        text = self._mentions.read(output.text)
        own = [mention for mention in text.mentions if person.concept in mention.readings]
        if own and not _anothers(own, text, item):
            if halves := self._inclusive.listed_doublet(text, own, item):
                words = range(halves[0].first, halves[1].last)
                return Verdict(output, Gender.NEUTRAL, DOUBLET, text.evidence(words), inclusive=DOUBLET)
            mention = choose(text, own, item)
            return self._read_mention(output, text, mention, mention.readings[person.concept], "lexicon")
        if person.concept in concepts() and (free := self._free(text, item)):
            mention = choose(text, free, item)
            return self._read_mention(output, text, mention, _common(mention), "other-word")
        return None

    def _read_mention(self, output: Output, text: Sentence, mention: Mention, reading: Reading, step: str) -> Verdict:
        plural = output.item.person.plural
        if self._open.describes_fixed(output.text, text.words[mention.first].start):
            return Verdict(output, Gender.NEUTRAL, step, text.evidence(range(mention.first, mention.last)))
        gender, cues = self._agreement.read(text, mention, reading, plural)
        if step == "lexicon" and cues:
            step = "agreement"
        if gender is Gender.NEUTRAL and reading is Reading.EITHER and not cues:
            if said := self._open.agreeing(output.text, text.words[mention.last - 1].start, plural):
                return Verdict(output, said.gender, "agreement", said.evidence)
            pronoun = self._pronoun(text, mention)
            if pronoun is not None:
                gender, cues, step = self.language.pronouns[text.words[pronoun].lower], (pronoun,), "pronoun"
            else:
                gender = self._agreement.bare(text.words[mention.first].lower, plural, "after")
        decided = bool(cues) or plural or not self.language.verb_decides or reading is not Reading.MASCULINE_UNLESS
        if not decided and (said := self._open.became(output.text, text.words[mention.first].start)):
            words = (*text.evidence(range(mention.first, mention.last)), *said.evidence)
            return Verdict(output, said.gender, "agreement", tuple(sorted(words, key=lambda word: word.start)))
        return Verdict(output, gender, step, text.evidence((*cues, *range(mention.first, mention.last))))

    def _free(self, text: Sentence, item: Item) -> list[Mention]:
        """Mentions that neither another person of the sentence claims nor a relative or passer-by."""
        claimed = {other.concept for other in item.others}
        people = [each for each in text.mentions if text.words[each.first].lower not in self.language.bystanders]
        free = [mention for mention in people if claimed.isdisjoint(mention.readings)]
        if all(claimed.isdisjoint(mention.readings) for mention in text.mentions):
            # Nobody is the other person for certain, so a mention where that one would stand is left alone.
            free = [each for each in free if all(nearer(text, each, other, item) for other in item.others)]
        # Both people may have got the same word; then one of its two mentions is the person.
        return free or (people if len(people) > 1 and len(item.others) == 1 else [])

    def _pronoun(self, text: Sentence, focus: Mention) -> int | None:
        """A later pronoun that can only mean the person: all are of one gender, and everybody else is of the other."""
        places = [
            place for place in range(focus.last, len(text.words)) if text.words[place].lower in self.language.pronouns
        ]
        genders = {self.language.pronouns[text.words[place].lower] for place in places}
        others = [mention for mention in text.mentions if mention is not focus]
        taken = {self._agreement.read(text, other, _common(other), plural=False)[0] for other in others}
        alone = len(genders) == 1 and taken.isdisjoint({*genders, Gender.NEUTRAL, Gender.UNKNOWN})
        return places[0] if alone else None

    def _read_open(self, output: Output) -> Verdict | None:
        """What any word shows that renders the person, and what agrees with it."""
        person = output.item.person
        found = self._open.read(output.item.source, person.text, person.start, person.kind.value, output.text)
        if found.gender is Gender.UNKNOWN or self._stray(person, found):
            return None
        decided = found.gender, found.step, found.evidence, None, found.confidence, found.against, found.inclusive
        return Verdict(output, *decided)

    def _stray(self, person: Person, found: Decision) -> bool:
        """Whether a word was taken for a listed occupation that is none of its words."""
        if not self.language.lexicon or person.kind is not Kind.NOUN or person.concept not in concepts():
            return False
        if any(each.text.casefold() == person.text.casefold() for each in found.evidence):
            return False  # the English word itself, copied
        return found.confidence < _STRAY or found.step.startswith("lexicon")


def _anothers(own: list[Mention], text: Sentence, item: Item) -> bool:
    """Whether the only word for the person is a more usual word for the other person, who has none besides."""
    if len(own) > 1 or not item.others:
        return False
    other, concept, ranks = item.others[0].concept, item.person.concept, own[0].ranks
    claimed = other in ranks and other != concept and ranks[other] < ranks[concept]
    return claimed and not any(other in mention.readings for mention in text.mentions if mention is not own[0])


def _common(mention: Mention) -> Reading:
    """What a form says whatever it translates: the reading of all its concepts, or that either may be meant."""
    readings = set(mention.readings.values())
    return readings.pop() if len(readings) == 1 else Reading.EITHER


def build(target: str) -> Detector:
    """The reader of a language."""
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
