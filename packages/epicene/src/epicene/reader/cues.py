"""Step 2: where the noun itself does not tell, read what agrees with it: article, adjective, apposition, verb."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from epicene.languages.language import Cue, Language
from epicene.reader.mentions import Mention
from epicene.reader.words import Agreeing, Sentence
from epicene.types import Gender

NOTHING = "∅"  # the cue word for "no cue stands there"
_VERB_WINDOW = 7
_ARTICLE = 3  # letters of the longest article
_TITLE = 4  # letters of a title that a full stop shortens: Sra., dott.ssa


class Agreement:
    """Reads the gender of a mention, with its surroundings where needed."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._cues = lru_cache(maxsize=262144)(self._cues_of)

    def meaning(self, text: Sentence, mention: Mention, plural: bool) -> Agreeing | None:
        """A word beside a mention that shows a gender by what it means: weibliche, mujer."""
        return self._around(text, mention, text.words[mention.first].lower, plural, lexical=True)

    def determiner(self, text: Sentence, mention: Mention, plural: bool) -> Agreeing | None:
        """A word before a mention that agrees with it."""
        return self._near(text, mention, text.words[mention.first].lower, plural, "before", lexical=False)

    def agreeing(self, text: Sentence, mention: Mention, plural: bool) -> Agreeing | None:
        """What agrees with a mention: a word before or behind it, a relative pronoun, a verb."""
        noun = text.words[mention.first].lower
        return (
            self._around(text, mention, noun, plural, lexical=False)
            or self._relative(text, mention, noun, plural)
            or self._verb(text, mention, noun, plural)
        )

    def of_name(self, text: Sentence, mention: Mention, subject: bool) -> Agreeing | None:
        """A title or an article before a name, and its verb where it can be the subject."""
        found = self.meaning(text, mention, False) or self.determiner(text, mention, False)
        if found is not None or not subject:
            return found
        noun = text.words[mention.first].lower
        return self._relative(text, mention, noun, False) or self._verb(text, mention, noun, False)

    def bare(self, noun: str, plural: bool, place: str) -> Gender:
        """What a noun of either gender means without a cue: ``before`` or ``after`` pronouns were asked."""
        for cue in self.language.cues.get(NOTHING, ()):
            if (cue.place == "after") == (place == "after") and _holds(cue, noun, plural):
                return cue.gender
        return Gender.NEUTRAL

    def _around(self, text: Sentence, mention: Mention, noun: str, plural: bool, lexical: bool) -> Agreeing | None:
        return self._near(text, mention, noun, plural, "before", lexical) or self._near(
            text, mention, noun, plural, "after", lexical
        )

    def _near(
        self, text: Sentence, mention: Mention, noun: str, plural: bool, place: str, lexical: bool
    ) -> Agreeing | None:
        for position in self._phrase(text, mention, before=place == "before"):
            found = self._cues(text.words[position].lower)
            cues = [cue for cue in found if cue.place == place]
            # After the noun, an article begins the next phrase.
            if place == "after" and not cues and any(cue.place == "before" and not cue.lexical for cue in found):
                return None
            for cue in cues:
                if cue.lexical == lexical and _holds(cue, noun, plural):
                    paired = not lexical and place == "before" and self._paired(text, position, cue)
                    return Agreeing(Gender.NEUTRAL if paired else cue.gender, position, cue.place)
            # A word that means a gender stands inside the phrase: la mujer policía, not la mujer … el policía;
            # and what stands before such a word is that word's own: las mujeres ingenieros.
            if (
                any(not cue.lexical for cue in cues)
                if lexical
                else text.words[position].lower in self.language.bystanders
            ):
                return None
        return None

    def _paired(self, text: Sentence, position: int, cue: Cue) -> bool:
        """Whether a determiner of the other gender is joined before one: mon ou ma collègue, il nostro o la nostra."""
        own = text.words[position].lower
        while position > 1 and cue.gender in self._determined(text, position - 1):
            position -= 1
        if position < 2 or text.parted(position - 1) or text.parted(position - 2):
            return False
        other, joint = (text.words[place].lower.rstrip("_") for place in (position - 2, position - 1))
        alike = other[0] == own[0] or max(len(other), len(own)) <= _ARTICLE
        others = self._determined(text, position - 2)
        return joint in self.language.conjunctions and alike and bool(others) and cue.gender not in others

    def _determined(self, text: Sentence, place: int) -> set[Gender]:
        """The genders that a word before a noun shows."""
        cues = self._cues(text.words[place].lower.rstrip("_"))
        return {cue.gender for cue in cues if cue.place == "before" and not cue.lexical}

    def _phrase(self, text: Sentence, mention: Mention, before: bool) -> Iterator[int]:
        """Words of the noun phrase on one side of the mention, nearest first."""
        step = -1 if before else 1
        position = mention.first - 1 if before else mention.last
        # A mention that touches this one belongs to its phrase: uma jovem engenheiro.
        others = {
            word
            for each in text.mentions
            if each.last < mention.first or each.first > mention.last
            for word in range(each.first, each.last)
        }
        for _ in range(self.language.window):
            if not 0 <= position < len(text.words):
                return
            left = position if before else position - 1
            short = before and len(text.words[position].lower) <= _TITLE and text.between(left, left + 1).strip() == "."
            if (text.parted(left) and not short) or text.words[position].lower in self.language.stops:
                return
            if short and not any(cue.lexical for cue in self._cues(text.words[position].lower)):
                return
            # Beyond another person begins that person's phrase; only a word such as "woman" may stand in apposition.
            if position in others and not any(cue.lexical for cue in self._cues(text.words[position].lower)):
                return
            yield position
            position += step

    def _relative(self, text: Sentence, mention: Mention, noun: str, plural: bool) -> Agreeing | None:
        """A relative pronoun right after the noun and a comma: врач, которая …"""
        word = mention.last
        if word < len(text.words) and text.between(word - 1, word).strip() == ",":
            for cue in self._cues(text.words[word].lower):
                if cue.place == "relative" and _holds(cue, noun, plural):
                    return Agreeing(cue.gender, word, cue.place)
        return None

    def _verb(self, text: Sentence, mention: Mention, noun: str, plural: bool) -> Agreeing | None:
        """An agreeing verb: in the clause after the noun, or right before it where the verb comes first."""
        for position in self._clause(text, mention):
            for cue in self._cues(text.words[position].lower):
                if cue.place == "verb" and _holds(cue, noun, plural):
                    return Agreeing(cue.gender, position, cue.place)
        return None

    def _clause(self, text: Sentence, mention: Mention) -> Iterator[int]:
        """Words among which the noun's verb may stand."""
        others = {word for each in text.mentions for word in range(each.first, each.last)}
        before = mention.first - 1
        if self.language.oblique is not None and self.language.oblique.fullmatch(mention.proclitics):
            return
        if before >= 0 and text.words[before].lower in self.language.oblique_words:
            return
        for position in range(mention.last, min(len(text.words), mention.last + _VERB_WINDOW)):
            if text.parted(position - 1):
                break
            word = text.words[position].lower
            verb = any(cue.place == "verb" for cue in self._cues(word))
            if not verb and word in self.language.clitics:
                continue
            if not verb and (word in self.language.stops or position in others):
                break
            yield position
            if position in others:
                break
        if not self.language.verb_first or before < 0 or text.parted(before):
            return
        if not self.language.own_verb or not self._subject_before(text, before, others):
            yield before

    def _subject_before(self, text: Sentence, verb: int, people: set[int]) -> bool:
        """Whether somebody stands before a verb in its clause."""
        for word in range(verb - 1, -1, -1):
            if text.parted(word) or text.words[word].lower in self.language.stops:
                return False
            if word in people:
                return True
        return False

    def _cues_of(self, word: str) -> tuple[Cue, ...]:
        """The cues of a word: its own, else those of its longest listed ending."""
        own = self.language.cues.get(word)
        if own is not None:
            return own
        for cut in range(1, len(word)):
            if found := self.language.suffix_cues.get(word[cut:]):
                return found
        return ()


def _holds(cue: Cue, noun: str, plural: bool) -> bool:
    return noun.endswith(cue.ending) and cue.plural in (None, plural)
