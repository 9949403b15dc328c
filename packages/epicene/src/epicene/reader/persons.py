"""Reads the gender of I, you, we, they and the like in a translation, from what agrees with them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache

from epicene.languages.english import CODE
from epicene.reader import dialogue
from epicene.reader.align import skeleton, transcribed
from epicene.reader.clauses import NOUN, AgreeingForm, Kind, Passage, passage_at, passages, pieces
from epicene.reader.ergative import ErgativeVerbs
from epicene.reader.forms import forms
from epicene.reader.grammar import GENDERS, Entry, Grammar, Persons
from epicene.reader.people import people
from epicene.reader.predicates import Agreements
from epicene.reader.words import Decision, Sentence, cut
from epicene.types import Evidence, Gender

_ENGLISH: dict[str, str] = {
    "1s": "i me my mine myself",
    "1p": "we us our ours ourselves let's",
    "2s 2p": "you your yours yourself yourselves ya y'all",
    "3p": "they them their theirs themselves themself",
    "3s": "he him his himself she her hers herself",
    "": "someone somebody anyone anybody everyone everybody no nobody one who whoever whom each either neither other "
    "others another whose",
}
_ENGLISH_WORDS = frozenset(
    ("the", "and", "that", "is", "of", "to", "it", "with", "for", "i'm", "i", "was", "my", "this")
)
_ENGLISH_SHARE = 0.25
THIRD: Persons = frozenset(("3s",))
_ONE_PERSON: Persons = frozenset(("3s", "ns"))
_LISTENER = frozenset(("2s", "2p"))
_MET = re.compile(
    r"you\b\W*(?:$|to\b|with|for|in\b|at\b|on\b|about|if|when|during|and|that|as\b|by|how|what)", re.IGNORECASE
)
_SUBJECT = re.compile(r"\b(?:he|she)\b", re.IGNORECASE)
_BEHIND_HER = "to|as|in|on|with|for|at|from|and|an?|the|by|into|when|that"  # no noun that she has
_AFTERWARDS = "yesterday|today|tomorrow|again|now|then|before|after|while|because|but|or|so|about|over|once|too|until"
_OBJECT = re.compile(
    rf"\b(?:him|her(?= (?:{_BEHIND_HER}|{_AFTERWARDS})\b|\W*$|[.,;:])|(?:s?he) "
    r"(?:was|is|were|be|been|being|ha[sd] been|(?:would|could|to) be) (?:\w+ly )?\w+(?:ed|en|ght|[^a]id|t)\b)",
    re.IGNORECASE,
)
_FEMININE = re.compile(r"she|hers?", re.IGNORECASE)
_ACTING = {"he": re.compile(r"\bhe\b", re.IGNORECASE), "she": re.compile(r"\bshe\b", re.IGNORECASE)}
_ACTED_ON = {
    "he": re.compile(r"\bhim\b", re.IGNORECASE),
    "she": re.compile(
        rf"\bher(?= (?:{_BEHIND_HER}|this|down|up|out|away|back|here|there|who|if|{_AFTERWARDS})\b|\W*$|[.,;:])",
        re.IGNORECASE,
    ),
}
_THEY = re.compile(r"\b(?:they|these|those|who)\b", re.IGNORECASE)
_OWNER = re.compile(r"(?:his|her)\b", re.IGNORECASE)
_RELATIVE = re.compile(
    r"(?:his|her) (?:[\w-]+ )?(?:great-|grand|step)*(?:mother|father|mom|dad|sister|brother|son|daughter|aunt|uncle|"
    r"niece|nephew|wife|husband|widow|widower|cousin)",
    re.IGNORECASE,
)
_LEADING = re.compile(r"\w+(?:ed|en|rn|ful|ous|ive|able)\b[^,]*, (?:s?he\b|[A-Z])")
_LED = re.compile(r"(?!s?he\b)[^.;:]+, s?he\b", re.IGNORECASE)
_SUBJECTS = frozenset((Kind.PREDICATE, Kind.FLOATING, Kind.ROLE))
_NAME = re.compile(r"[A-Z]\w+")
_ALIKE = 3  # consonants by which a name is surely known again
_MOST = 3  # forms of one gender that count, the surest
_FAR = 0.4  # what a word a whole passage away loses against one at the same place


@cache
def _asked() -> dict[str, Persons]:
    return {word: frozenset(key.split()) for key, words in _ENGLISH.items() for word in words.split()}


def persons(pronoun: str) -> Persons | None:
    """The grammatical persons of an English pronoun; empty for someone, None for a word that is no pronoun."""
    words = pronoun.lower().replace("’", "'").split()
    return _asked().get(words[0].split("'")[0] if words else "")


def doubtful(reading: Decision) -> bool:
    """Whether a reading rests on no form that surely agrees with the pronoun."""
    return reading.gender in (Gender.NEUTRAL, Gender.UNKNOWN) or reading.step.startswith("same person")


class Speakers:
    """Reads pronouns of one target language."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def read(self, source: str, pronoun: str, start: int, translation: str | Sentence) -> Decision:
        """The gender that a translation shows of the person whom an English pronoun at ``start`` means."""
        asked = persons(pronoun)
        if asked is None:
            raise ValueError(f"{pronoun} is no pronoun that can be asked for; {' '.join(sorted(_asked()))} are")
        sentence = cut(translation) if isinstance(translation, str) else translation
        if not asked:
            return self._indefinite(sentence)
        return _Question(self.grammar, source, start, asked, sentence).answer()

    def _indefinite(self, sentence: Sentence) -> Decision:
        """Someone is neutral: the masculine that its grammar asks for says nothing."""
        for place, word in enumerate(sentence.words):
            if word.lower in self.grammar.indefinite:
                return Decision(Gender.NEUTRAL, "indefinite", sentence.evidence([place]), 0.9)
        return Decision(Gender.UNKNOWN, "pronoun not found")


class _Question:
    """One pronoun of one source, asked of one translation."""

    def __init__(self, table: Grammar, source: str, start: int, asked: Persons, sentence: Sentence) -> None:
        self.grammar, self.source, self.start, self.asked, self.sentence = table, source, start, asked, sentence
        self.from_passages, self.to_passages = passages(source), passages(sentence.text)
        self.cut = pieces(sentence, self.to_passages, table)
        self.reader = Agreements(sentence, self.cut, table)
        self.found = self.reader.all()
        if table.ergative and asked == THIRD:
            self.found = [
                AgreeingForm(
                    verb.place,
                    verb.gender,
                    Kind.PAST,
                    NOUN if verb.noun else THIRD,
                    verb.weight,
                    self.reader.piece_of(verb.place),
                )
                for verb in ErgativeVerbs(table.ergative).find(sentence, _THEY.search(source) is not None)
                if not verb.noun or self._is_named_by(verb.noun)
            ]
        gender = "she" if _FEMININE.match(source, start) else "he"
        self.met = asked == THIRD and not table.votes and _ACTED_ON[gender].match(source, start) is not None
        if asked == THIRD:
            self.found = self._without_others(self.found)
        self.matched = len(self.from_passages) == len(self.to_passages)

    def _without_others(self, found: list[AgreeingForm]) -> list[AgreeingForm]:
        """He left her: forms of objects belong to her, and those of subjects to him, whatever they show."""
        own, other = ("she", "he") if _FEMININE.match(self.source, self.start) else ("he", "she")
        acting, acted_on = (
            {pronoun for pronoun, pattern in patterns.items() if pattern.search(self.source)}
            for patterns in (_ACTING, _ACTED_ON)
        )
        objects = [one for one in found if one.kind is Kind.OBJECT or self._is_object(one, found)]
        if self.met and acting == {other}:
            return objects
        if self.met:
            sure = [one for one in objects if one.kind is Kind.PRONOUN and self.reader.entries[one.place].object]
            return sure or found
        if acting != {own} or acted_on != {other}:
            return found
        return [one for one in found if one not in objects]

    def _is_object(self, one: AgreeingForm, found: list[AgreeingForm]) -> bool:
        """Whether a form is a pronoun that is no subject: of two that may be, the second of another gender."""
        if one.kind is not Kind.PRONOUN or not self.reader.entries[one.place].subject:
            return one.kind is Kind.PRONOUN
        if one.place and self.reader.entries[one.place - 1].preposition:
            return True
        others = (each for each in found if each.kind is Kind.PRONOUN and each.gender is not one.gender)
        return any(each.place < one.place and self.reader.entries[each.place].subject for each in others)

    def _is_named_by(self, words: Sequence[str]) -> bool:
        """Whether words spell a name of the source that may mean the person, who then acts on no him or her."""
        names = {name.lower() for name in _NAME.findall(self.source) if not _is_adjective(name.lower())}
        spelt = any(transcribed(name, word) for name in names if len(skeleton(name)) >= _ALIKE for word in words)
        return spelt and _OBJECT.match(self.source, self.start) is None

    def answer(self) -> Decision:
        if self.grammar.votes and self.asked == THIRD:
            return self._voted()
        for step, choose in (
            ("agreement", self._here),
            ("agreement elsewhere", self._elsewhere),
            ("named", self._named),
            ("polite", self._polite),
            ("singular", self._singular),
            ("leading", self._leading),
            ("same person", self._same),
            ("unowned", self._unowned),
        ):
            reading = choose(step)
            if reading is not None:
                return reading
        everybody = self.asked | frozenset(
            person for asked in self.asked for person in self.grammar.polite.get(asked, ())
        )
        dropped = self.grammar.drops and len(self.sentence.words) > 1
        if (dropped or self.reader.persons() & everybody) and not self._english():
            return Decision(Gender.NEUTRAL, "nothing agrees", (), 0.6)
        return Decision(Gender.UNKNOWN, "pronoun not found")

    def _english(self) -> bool:
        """The text was left in English, or refused."""
        words = [word.lower for word in self.sentence.words]
        return sum(word in _ENGLISH_WORDS for word in words) > _ENGLISH_SHARE * len(words)

    def _voted(self) -> Decision:
        """What most forms say, each by how often such a form means the person."""
        votes = self.grammar.votes
        found = [
            one._replace(weight=votes.get(self._ballot(one), 0.0) * (1 - (one.weight - self._score(one, None))))
            for one in self.found
            if one.persons & _ONE_PERSON
        ]
        total = {
            gender: sum(sorted((one.weight for one in found if one.gender is gender), reverse=True)[:_MOST])
            for gender in GENDERS
        }
        best = max(GENDERS, key=lambda gender: total[gender])
        margin = 2 * total[best] - sum(total.values())
        if margin < votes["least"]:
            return Decision(Gender.NEUTRAL, "nothing agrees", (), 0.6)
        agreeing, against = ([one for one in found if (one.gender is best) is said] for said in (True, False))
        first = max(agreeing, key=lambda one: one.weight)
        confidence = round(1 / (1 + math.exp(-margin)), 3)
        return Decision(best, f"agreement: {first.kind.value}", self._spans(agreeing), confidence, self._spans(against))

    def _ballot(self, one: AgreeingForm) -> str:
        """The kind of a form, by which its vote counts."""
        entry, relative = self.reader.entries[one.place], self.cut[one.piece].relative
        if one.kind is Kind.PRONOUN:
            kind = "subject pronoun" if entry.subject else "clitic" if entry.clitic else "pronoun"
            return kind if entry.subject or not relative else f"{kind} relative"
        if one.kind is not Kind.PAST:
            return "predicate"
        if relative:
            return "past relative"
        if _SUBJECT.search(self.source) is None:
            return "past possessive"
        return "past" if "3s" in one.persons else "past noun"

    def _passage(self) -> int | None:
        """The passage of the translation that holds the pronoun; None where the two texts are quoted differently."""
        return passage_at(self.from_passages, self.start) if self.matched else None

    def _in(self, passage: int | None, wanted: Persons) -> list[AgreeingForm]:
        return [
            found
            for found in self.found
            if found.persons & wanted and (passage is None or self.cut[found.piece].passage == passage)
        ]

    def _here(self, step: str) -> Decision | None:
        found = self._owned(self._in(self._passage(), self.asked))
        if self._unquoted():  # smála jsem se: what is told of somebody, where nothing is quoted that they say
            found = [one for one in found if one.kind is not Kind.PAST]
        return self._best(found, step, self._passage())

    def _unquoted(self) -> bool:
        """The source quotes who is asked for, and the translation quotes nobody."""
        quoted = self.from_passages[passage_at(self.from_passages, self.start)].quoted
        return quoted and not any(passage.quoted for passage in self.to_passages)

    def _owned(self, found: list[AgreeingForm]) -> list[AgreeingForm]:
        """She: predicates only where she is a subject, doubtful objects only where she is an object."""
        if self.asked != THIRD:
            return found
        subject, met = _SUBJECT.search(self.source) is not None, _OBJECT.search(self.source) is not None
        return [
            one
            for one in found
            if (subject or one.kind not in _SUBJECTS) and (met or one.kind is not Kind.PRONOUN or one.weight > 0.5)
        ]

    def _elsewhere(self, step: str) -> Decision | None:
        if not self.matched:
            return None
        for place in dialogue.same_person(self.source, self.from_passages, self.start, self.asked):
            reading = self._best(self._in(place.passage, place.persons), step, None)
            if reading is not None:
                return reading._replace(confidence=reading.confidence * 0.9)
        return None

    def _named(self, step: str) -> Decision | None:
        """The noun or pronoun by which the narration names the speaker or the listener."""
        if not self.matched:
            return None
        third = dialogue.third_person(self.source, self.from_passages, self.start, self.asked)
        if third is None:
            return None
        quoted, role = third
        around = dialogue.told(self.sentence.text, self.to_passages, quoted)
        for stretch in (around.tag, around.lead) if role == "speaker" else (around.tag,):
            found = self._naming(stretch, last=role == "listener")
            if found is not None:
                place, gender = found
                return Decision(gender, step, self.sentence.evidence([place]), 0.8)
        return None

    def _naming(self, stretch: tuple[int, int], *, last: bool) -> tuple[int, Gender] | None:
        """The pronoun, noun, verb or article of a stretch that shows who acts in it, or, the last, who is met."""
        words, entries = self.sentence.words, self.reader.entries
        places = [place for place, word in enumerate(words) if stretch[0] <= word.start < stretch[1]]
        if last:
            return self._met(places)
        shown: list[tuple[int, Gender]] = []
        for kind in ("pronoun", "noun", "past", "article"):
            for place in places:
                gender = self._acting(place, entries[place], kind)
                if gender is not None:
                    shown.append((place, gender))
            if shown:
                return shown[0]
        return None

    def _acting(self, place: int, entry: Entry, kind: str) -> Gender | None:
        """What a word shows as a pronoun, a noun that names a woman or a man, a past tense, an article."""
        after_preposition = place > 0 and self.reader.entries[place - 1].preposition
        if kind == "pronoun":
            return entry.shown if "3s" in entry.subject and not after_preposition else None
        if kind == "noun":
            return None if after_preposition else entry.name
        if kind == "past":
            fits = entry.past and entry.past[0].number == "s" and not entry.past[0].persons
            return entry.past[0].gender if fits else None
        if entry.article is None or entry.article.number != "s" or entry.preposition or after_preposition:
            return None
        if any(following.thing for following in self.reader.entries[place + 1 : place + 3]):  # devolvió la risa
            return None
        return entry.article.gender

    def _met(self, places: list[int]) -> tuple[int, Gender] | None:
        """The listener whom a tag names behind its verb: le dijo a la enfermera, řekla čiperné učitelce."""
        entries = self.reader.entries
        for place in places[1:]:
            for agreement in entries[place].listener:
                return place, agreement.gender
        shown = [(place, entries[place].article) for place in places[1:]]
        return next(((place, article.gender) for place, article in reversed(shown) if article is not None), None)

    def _polite(self, step: str) -> Decision | None:
        """A listener who is addressed in the third person, where nothing else addresses them: ayudarla."""
        wanted = frozenset(person for asked in self.asked for person in self.grammar.polite.get(asked, ()))
        if not wanted or self.reader.addressed() & self.asked & _LISTENER:
            return None
        entries, met = self.reader.entries, _MET.match(self.source, self.start) is not None
        found = [
            one
            for one in self._in(self._passage(), wanted)
            if (met if one.kind is Kind.PRONOUN else not met) and not entries[one.place].subject
        ]
        return self._best(found, step, self._passage())

    def _singular(self, step: str) -> Decision | None:
        """They, of one person."""
        if "3p" not in self.asked or "3p" in self.reader.persons():
            return None
        reading = self._best(self._in(self._passage(), frozenset(("3s",))), step, self._passage())
        return None if reading is None else reading._replace(confidence=reading.confidence * 0.6)

    def _leading(self, step: str) -> Decision | None:
        """Born in Lisbon, she: the participle or adjective with which both texts begin."""
        entries, source = self.reader.entries, self.source
        place = 1 if entries and entries[0].skipped else 0
        if self.asked != THIRD or len(entries) < place + 2:
            return None
        joined = entries[place + 1].preposition or entries[place + 1].as_
        if not (_LEADING.match(source) or (joined and _LED.match(source))):
            return None
        for agreement in entries[place].predicate:
            if agreement.number != "p":
                return Decision(agreement.gender, f"{step}: predicate", self.sentence.evidence([place]), 0.8)
        return None

    def _same(self, step: str) -> Decision | None:
        """She, where no pronoun shows: a noun that can mean her, and what agrees with it, if all of them agree."""
        if "3s" not in self.asked or self.met:
            return None
        found = [
            one
            for one in self.found
            if "ns" in one.persons or ("3s" in one.persons and one.kind in _SUBJECTS and not self._relative_of())
        ]
        for place, entry in enumerate(self.reader.entries):
            if entry.name is not None and (self._stands_first(place) or self._owns()):
                found.append(AgreeingForm(place, entry.name, Kind.NOUN, frozenset(("ns",)), 0.55, 0))
        if not found or len({one.gender for one in found}) > 1:
            return None
        return self._best(found, step, None)

    def _stands_first(self, place: int) -> bool:
        """Whether a noun can be the subject of its piece or what is said of it: no verb has it for an object."""
        if self.grammar.ergative:
            return not (place and self.reader.entries[place - 1].possessive)
        before = self.reader.entries[self.cut[self.reader.piece_of(place)].first : place]
        return all(
            not (entry.preposition or entry.possessive or entry.as_)
            and (entry.article or entry.copula or entry.skipped or entry.opens or entry.joins or entry.adjective)
            for entry in before
        )

    def _owns(self) -> bool:
        """His, where the source has no noun for anybody else: a noun of the translation renders it (de este hombre)."""
        owner = _OWNER.match(self.source, self.start) is not None
        return owner and not any(person.kind == "noun" and not person.plural for person in people(self.source))

    def _relative_of(self) -> bool:
        """Her mother: what is said may be said of the other one."""
        return _RELATIVE.match(self.source, self.start) is not None

    def _unowned(self, step: str) -> Decision | None:
        """Forms whose person nothing tells, where they can only be meant for a speaker or a listener."""
        third = bool(self.asked & frozenset(("3s", "3p")))
        plural = any(person[1] == "p" for person in self.asked)
        free = [
            found
            for found in self.found
            if found.persons & frozenset(f"?{person[1]}" for person in self.asked)
            and (plural if found.kind is Kind.FLOATING else not third)
            and (self._passage() is None or self.cut[found.piece].passage == self._passage())
        ]
        return self._best(free, step, self._passage())

    def _best(self, found: list[AgreeingForm], step: str, passage: int | None) -> Decision | None:
        """The form that weighs most at the place of the pronoun, and those that contradict it."""
        if not found:
            return None
        if self.asked & frozenset(("3s", "3p")):  # she: the pronoun itself says more than any word near it
            found = [one for one in found if one.kind is Kind.PRONOUN and one.weight > 0.8] or found
        best = max(found, key=lambda one: self._score(one, passage))
        agreeing = [one for one in found if one.gender == best.gender]
        against = [one for one in found if one.gender != best.gender]
        confidence = best.weight * (1 - 0.5 * sum(one.weight for one in against) / sum(one.weight for one in found))
        name = f"{step}: {best.kind.value}"
        ordered = [best, *(one for one in agreeing if one is not best)]
        return Decision(best.gender, name, self._spans(ordered), round(confidence, 3), self._spans(against))

    def _score(self, one: AgreeingForm, passage: int | None) -> float:
        start, end = self._bounds(self.to_passages, passage, len(self.sentence.text))
        word = self.sentence.words[one.place].start
        there = (word - start) / max(1, end - start)
        start, end = self._bounds(self.from_passages, passage, len(self.source))
        here = (self.start - start) / max(1, end - start)
        return one.weight - _FAR * abs(there - here)

    def _bounds(self, found: tuple[Passage, ...], passage: int | None, size: int) -> tuple[int, int]:
        return (0, size) if passage is None else (found[passage].start, found[passage].end)

    def _spans(self, found: list[AgreeingForm]) -> tuple[Evidence, ...]:
        words = {one.place: self.sentence.words[one.place] for one in found}
        return tuple(Evidence(word.text, *word.span) for word in words.values())


def _is_adjective(word: str) -> bool:
    """Whether an English word is an adjective first of all: British."""
    return any(show.pos == "adjective" for show in forms(CODE).shows(word)[:1])
