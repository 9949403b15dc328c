"""Reads people whom a language's tables list: a cascade of steps, each tried where those before found nothing.

1. ``lexicon``: a listed form of the person that tells its gender itself; ``inclusive`` and ``doublet``: one that names
   all genders.
2. ``agreement``: a listed form that does not tell, by its article, adjective or verb; ``pronoun``: by a pronoun
   that can mean nobody else.
3. ``other-word``: a word for another occupation that can only be the person, since nobody else claims it.
4. unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from epicene.languages.folder import checksum, load
from epicene.languages.lexicon import Reading
from epicene.reader.cues import Agreement
from epicene.reader.mentions import Mention, Reader, Text, choose, nearer
from epicene.types import Evidence, Gender, Item, Output, Person, Verdict

_VERSION = 1  # of the rules; the tables have their own checksum
_DOUBLET_GAP = 4  # words between the halves of a doublet, at most


class LexiconReader:
    """Reads the gender of the person as well as we can."""

    def __init__(self, target: str) -> None:
        self.language = load(target)
        self.identity = f"lexicon{_VERSION}@{checksum(target)}"
        self._reader = Reader(self.language)
        self._agreement = Agreement(self.language)
        # Spellings within a word are looked for word by word, each word once; most words have none.
        self._within = [each.pattern for each in self.language.inclusive if each.in_one_word]
        self._across = tuple(each for each in self.language.inclusive if not each.in_one_word)
        self._plain = lru_cache(maxsize=262144)(self._is_plain)

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(self._verdict, outputs)

    def _verdict(self, output: Output) -> Verdict:
        item, person = output.item, output.item.person
        text = self._reader.read(output.text)
        if inclusive := self._inclusive(output, person):
            return inclusive
        own = [mention for mention in text.mentions if person.concept in mention.readings]
        if own and not _anothers(own, text, item):
            if (halves := self._doublet(text, own, person)) is not None:
                words = range(halves[0].first, halves[1].last)
                return _say(output, text, Gender.NEUTRAL, "doublet", words)
            mention = choose(text, own, item)
            return self._read(output, text, mention, mention.readings[person.concept], "lexicon")
        if free := self._free(text, item):
            mention = choose(text, free, item)
            return self._read(output, text, mention, _common(mention), "other-word")
        return Verdict(output, Gender.UNKNOWN, "none")

    def _read(self, output: Output, text: Text, mention: Mention, reading: Reading, method: str) -> Verdict:
        gender, cues = self._agreement.read(text, mention, reading, output.item.person.plural)
        if method == "lexicon" and cues:
            method = "agreement"
        if gender is Gender.NEUTRAL and reading is Reading.EITHER and not cues:
            pronoun = self._pronoun(text, mention)
            if pronoun is not None:
                gender, cues, method = self.language.pronouns[text.words[pronoun]], (pronoun,), "pronoun"
            else:
                gender = self._agreement.bare(text.words[mention.first], output.item.person.plural, "after")
        return _say(output, text, gender, method, [*cues, *range(mention.first, mention.last)])

    def _free(self, text: Text, item: Item) -> list[Mention]:
        """Mentions that neither another person of the sentence claims nor a relative or passer-by."""
        claimed = {other.concept for other in item.others}
        people = [each for each in text.mentions if text.words[each.first] not in self.language.bystanders]
        free = [mention for mention in people if claimed.isdisjoint(mention.readings)]
        if all(claimed.isdisjoint(mention.readings) for mention in text.mentions):
            # Nobody is the other person for certain, so a mention where that one would stand is left alone.
            free = [each for each in free if all(nearer(text, each, other, item) for other in item.others)]
        # Both people may have got the same word; then one of its two mentions is the person.
        return free or (people if len(people) > 1 and len(item.others) == 1 else [])

    def _pronoun(self, text: Text, focus: Mention) -> int | None:
        """A later pronoun that can only mean the person: all are of one gender, and everybody else is of the other."""
        places = [place for place in range(focus.last, len(text.words)) if text.words[place] in self.language.pronouns]
        genders = {self.language.pronouns[text.words[place]] for place in places}
        others = [mention for mention in text.mentions if mention is not focus]
        taken = {self._agreement.read(text, other, _common(other), plural=False)[0] for other in others}
        alone = len(genders) == 1 and taken.isdisjoint({*genders, Gender.NEUTRAL, Gender.UNKNOWN})
        return places[0] if alone else None

    def _inclusive(self, output: Output, person: Person) -> Verdict | None:
        """A spelling that names all genders at once, of a word for the person."""
        plain = all(map(self._plain, output.text.split()))
        for spelling in self._across if plain else self.language.inclusive:
            for match in spelling.pattern.finditer(output.text):
                stem, end = match[1], match[2]
                tries = (attempt.format(stem=stem, end=end) for attempt in spelling.tries)
                for mention in (each for attempt in tries for each in self._reader.read(attempt).mentions):
                    if person.concept in mention.readings:
                        evidence = Evidence(match[0], match.start(), match.end())
                        return Verdict(output, Gender.NEUTRAL, "inclusive", (evidence,))
        return None

    def _is_plain(self, word: str) -> bool:
        return not any(pattern.search(word) for pattern in self._within)

    def _doublet(self, text: Text, own: list[Mention], person: Person) -> tuple[Mention, Mention] | None:
        """Two neighbouring forms of opposite gender, joined by a conjunction or a slash."""
        for first, second in pairwise(own):
            genders = {str(mention.readings[person.concept]).rstrip("?") for mention in (first, second)}
            if genders != {"feminine", "masculine"} or second.first - first.last > _DOUBLET_GAP:
                continue
            joined = not self.language.conjunctions.isdisjoint(
                [*text.words[first.last : second.first], second.proclitics[:1]]
            )
            between = text.text[text.spans[first.last - 1][1] : text.spans[second.first][0]]
            if joined or "/" in between or "(" in between:
                return first, second
        return None


def _anothers(own: list[Mention], text: Text, item: Item) -> bool:
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


def _say(output: Output, text: Text, gender: Gender, method: str, words: Iterable[int]) -> Verdict:
    spans = sorted(text.spans[word] for word in words)
    evidence = tuple(Evidence(output.text[start:end], start, end) for start, end in spans)
    return Verdict(output, gender, method, evidence)
