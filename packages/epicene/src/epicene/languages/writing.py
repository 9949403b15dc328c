"""How a language writes words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Writing:
    """How a language writes words."""

    word: re.Pattern[str]
    strip: re.Pattern[str] | None  # marks that carry no meaning here: vowel points, tatweel
    folds: Mapping[int, str]  # letters to be read as others, as in homoglyphs and ё
    proclitics: re.Pattern[str] | None  # what may be written together before a word: ו, ה, ال
    compounds: bool  # a longer word that ends in a form is read as that form
    not_compounds: tuple[str, ...]  # endings of words that only look like such compounds
    nouns_capitalised: bool  # a noun begins with a capital, unless the whole text has none
    latin: bool  # a word in ASCII letters can be one of the language
    foreign: re.Pattern[str] | None  # what no word of the language has, unless it is listed: Il guard, la worker

    @property
    def joins_words(self) -> bool:
        """Whether some phrases count as one word: uomo delle."""
        return r"\s" in self.word.pattern

    def fold(self, word: str) -> str:
        """A word as the tables spell it: composed, lower-case, without marks."""
        word = word.lower() if word.isascii() else unicodedata.normalize("NFKC", word).casefold()
        if self.strip is not None:
            word = self.strip.sub("", word)
        return word.translate(self.folds) if self.folds else word
