"""The rule of MT-GenEval's authors: a word that only the reference of the other gender has is wrong.

All else is right, also what holds no such word of either gender. The published decisions on Google take the words as
they stand between blanks; the authors' script takes them in small letters, and ASCII punctuation as blanks.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator

from epicene.errors import InputError
from epicene.reader.contrast import both_told
from epicene.types import Evidence, Gender, Item, Output, Verdict

_OTHER = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
_BLANKS = str.maketrans(string.punctuation, " " * len(string.punctuation))


class UniqueWords:
    """Decides right or wrong; the verdict is the gender that follows from it."""

    verbatim = True  # published decisions rest on the very letters, apostrophes and blanks of a translation

    def __init__(self, target: str, cleaned: bool = False) -> None:  # noqa: ARG002 - the rule is that of all languages
        self.identity = "mt-geneval-cleaned1" if cleaned else "mt-geneval1"
        self._cleaned = cleaned

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        for output in outputs:
            expected = output.item.expected
            if expected not in _OTHER or not both_told(output.item.references):
                raise InputError(f"sentence {output.item.id} has no expected gender and two references to contrast")
            words = self._words(output.text)
            wrong = self._only(output.item, _OTHER[expected], expected) & words
            right = self._only(output.item, expected, _OTHER[expected]) & words
            if wrong:
                yield Verdict(output, _OTHER[expected], "word of the other", _spans(wrong, output.text))
            elif right:
                yield Verdict(output, expected, "own word", _spans(right, output.text))
            else:
                yield Verdict(output, expected, "no such word")

    def _words(self, text: str) -> set[str]:
        return set((text.lower().translate(_BLANKS) if self._cleaned else text).split())

    def _only(self, item: Item, gender: Gender, other: Gender) -> set[str]:
        """The words that only references of one gender have."""
        own, others = (
            {word for text, told in item.references if told is each for word in self._words(text)}
            for each in (gender, other)
        )
        return own - others


def _spans(words: set[str], text: str) -> tuple[Evidence, ...]:
    small = text.lower() if len(text.lower()) == len(text) else text
    places = sorted((small.find(word.lower()), word) for word in words)
    return tuple(Evidence(text[at : at + len(word)], at, at + len(word)) for at, word in places if at >= 0)
