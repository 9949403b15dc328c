"""The detector of protocol ``epicene``: a cascade of steps, each tried where the ones before it found nothing.

1. ``lexicon``: a listed form of the focus that tells its gender itself; ``inclusive`` and ``doublet``: one that names
   all genders.
2. ``agreement``: a listed form that does not tell, by its article, adjective or verb; ``pronoun``: by a pronoun
   that can mean nobody else.
3. ``other-word``: a word for another occupation that can only be the focus, since nobody else claims it.
4. unknown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import pairwise

from epicene.detectors.agreement import Agreement
from epicene.detectors.choice import choose
from epicene.detectors.people import Mention, Reader, Text
from epicene.languages.folder import TABLES, load
from epicene.languages.language import Reading
from epicene.types import Evidence, Focus, Gender, Output, Verdict

_VERSION = 1  # of the rules; the tables have their own checksum
_DOUBLET_GAP = 4  # words between the halves of a doublet, at most


class Cascade:
    """Reads the gender of the focus as well as we can."""

    def __init__(self, target: str) -> None:
        self.language = load(target)
        self.identity = f"cascade{_VERSION}@{_checksum(target)}"
        self._reader = Reader(self.language)
        self._agreement = Agreement(self.language)

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(self._verdict, outputs)

    def _verdict(self, output: Output) -> Verdict:
        focus = output.item.focus
        text = self._reader.read(output.text)
        if inclusive := self._inclusive(output, focus):
            return inclusive
        own = [mention for mention in text.mentions if focus.concept in mention.readings]
        if own:
            if (halves := self._doublet(text, own, focus)) is not None:
                words = range(halves[0].first, halves[1].last)
                return _say(output, text, Gender.NEUTRAL, "doublet", words)
            mention = choose(text, own, focus, output.item.source)
            return self._read(output, text, mention, mention.readings[focus.concept], "lexicon")
        if free := self._free(text, focus):
            mention = choose(text, free, focus, output.item.source)
            return self._read(output, text, mention, _common(mention), "other-word")
        return Verdict(output, Gender.UNKNOWN, "none")

    def _read(self, output: Output, text: Text, mention: Mention, reading: Reading, method: str) -> Verdict:
        gender, cues = self._agreement.read(text, mention, reading, output.item.focus.plural)
        if method == "lexicon" and cues:
            method = "agreement"
        if gender is Gender.NEUTRAL and reading is Reading.EITHER and not cues:
            pronoun = self._pronoun(text, mention)
            if pronoun is not None:
                gender, cues, method = self.language.pronouns[text.words[pronoun]], (pronoun,), "pronoun"
        return _say(output, text, gender, method, [*cues, *range(mention.first, mention.last)])

    def _free(self, text: Text, focus: Focus) -> list[Mention]:
        """Mentions that neither another person of the sentence claims nor a relative or passer-by."""
        claimed = {other.concept for other in focus.others}
        return [
            mention
            for mention in text.mentions
            if claimed.isdisjoint(mention.readings) and text.words[mention.first] not in self.language.bystanders
        ]

    def _pronoun(self, text: Text, focus: Mention) -> int | None:
        """A pronoun that can only mean the focus: all are of one gender, and everybody else is of the other."""
        places = [place for place, word in enumerate(text.words) if word in self.language.pronouns]
        genders = {self.language.pronouns[text.words[place]] for place in places}
        others = [mention for mention in text.mentions if mention is not focus]
        taken = {self._agreement.read(text, other, _common(other), plural=False)[0] for other in others}
        alone = len(genders) == 1 and taken.isdisjoint({*genders, Gender.NEUTRAL, Gender.UNKNOWN})
        return places[0] if alone else None

    def _inclusive(self, output: Output, focus: Focus) -> Verdict | None:
        """A spelling that names all genders at once, of a word for the focus."""
        for spelling in self.language.inclusive:
            for match in spelling.pattern.finditer(output.text):
                stem, end = match[1], match[2]
                tries = (attempt.format(stem=stem, end=end) for attempt in spelling.tries)
                for mention in (each for attempt in tries for each in self._reader.read(attempt).mentions):
                    if focus.concept in mention.readings:
                        evidence = Evidence(match[0], match.start(), match.end())
                        return Verdict(output, Gender.NEUTRAL, "inclusive", (evidence,))
        return None

    def _doublet(self, text: Text, own: list[Mention], focus: Focus) -> tuple[Mention, Mention] | None:
        """Two neighbouring forms of opposite gender, joined by a conjunction or a slash."""
        for first, second in pairwise(own):
            genders = {str(mention.readings[focus.concept]).rstrip("?") for mention in (first, second)}
            if genders != {"feminine", "masculine"} or second.first - first.last > _DOUBLET_GAP:
                continue
            joined = not self.language.conjunctions.isdisjoint(
                [*text.words[first.last : second.first], second.proclitics[:1]]
            )
            between = text.text[text.spans[first.last - 1][1] : text.spans[second.first][0]]
            if joined or "/" in between or "(" in between:
                return first, second
        return None


def _common(mention: Mention) -> Reading:
    """What a form says whatever it translates: the reading of all its concepts, or that either may be meant."""
    readings = set(mention.readings.values())
    return readings.pop() if len(readings) == 1 else Reading.EITHER


def _say(output: Output, text: Text, gender: Gender, method: str, words: Iterable[int]) -> Verdict:
    spans = sorted(text.spans[word] for word in words)
    evidence = tuple(Evidence(output.text[start:end], start, end) for start, end in spans)
    return Verdict(output, gender, method, evidence)


def _checksum(target: str) -> str:
    digest = hashlib.sha256()
    for name in TABLES:
        digest.update(files("epicene.languages").joinpath(target, name).read_bytes())
    return digest.hexdigest()[:8]
