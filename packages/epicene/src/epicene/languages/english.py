"""English spelling: a or an, and what is written as one word."""

from __future__ import annotations

import re
import tomllib
from functools import cache

from epicene.tables import resource
from epicene.types import Kind

CODE = "en"  # the language whose people are read in translations

_APART = re.compile(r"\s+(?=['’](?:s|re|ve|ll|d|m)\b)|(?<=\w)\s+(?=n['’]t\b)", re.I)
_ARTICLE = re.compile(r"\b([Aa])n?(\s+)$")
# Letters whose names begin with a vowel, for words such as "HR"; then vowels that sound as consonants, and silent h.
_LETTERS = frozenset("AEFHILMNORSX")
_LIKE_A_CONSONANT = re.compile(
    r"(?:eu|ewe|once|one(?![a-z])|one-|ub[io]|uk[er]|uni(?!m|n)|ur[aio]n|us[aeu]|usi|ut[aeio])", re.I
)
_SILENT_H = re.compile(r"(?:heir|honest|hono|hour)", re.I)
_PRONOUNS = re.compile(
    r"i|me|my|mine|myself|you|yours?|yourself|yourselves|he|him|his|himself|she|hers?|herself|they|them|theirs?|themself"
    r"|themselves|we|us|ours?|ourselves|(?:some|any|every)(?:one|body)"
)


@cache
def word_lists(part: str) -> dict[str, frozenset[str]]:
    """Lists of English words by which people are found: of a part of ``languages/en/people.toml``."""
    lists = tomllib.loads(resource(f"languages/{CODE}", "people.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in lists[part].items()}


def kind_of(words: str) -> Kind:
    """What sort of word names a person: "she's" is a pronoun; a word that could be a name counts as a noun."""
    first = words.lower().replace("’", "'").partition("'")[0]
    return Kind.PRONOUN if _PRONOUNS.fullmatch(first) else Kind.NOUN


def takes_an(word: str) -> bool:
    """Whether the indefinite article before a word is "an"."""
    first = re.split(r"[\s-]", word, maxsplit=1)[0]
    if len(first) > 1 and first.isupper():
        return first[0] in _LETTERS
    if word[0].lower() in "aeiou":
        return _LIKE_A_CONSONANT.match(word) is None
    return _SILENT_H.match(word) is not None


def ready_for(before: str, word: str) -> str:
    """What stands before a word, its last "a" or "an" as the word wants it."""
    found = _ARTICLE.search(before)
    if found is None:
        return before
    return before[: found.start()] + found[1] + ("n" if takes_an(word) else "") + found[2]


def joined(text: str) -> str:
    """A text in which "the nurse 's", as some sets have it, is one word again, as it is said and written."""
    return _APART.sub("", text)
