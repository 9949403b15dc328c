"""English, which is translated from: its names of occupations, its pronouns, and how words are spelt."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache

from epicene.tables import resource, table
from epicene.types import Kind, Person

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
_ARTICLES = ("the ", "a ", "an ", "this ", "that ", "these ", "those ")


@cache
def word_lists(part: str) -> dict[str, frozenset[str]]:
    """Lists of English words by which people are found: of a part of ``languages/en/people.toml``."""
    lists = tomllib.loads(resource(f"languages/{CODE}", "people.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in lists[part].items()}


@lru_cache(maxsize=1 << 14)
def gendered(word: str) -> str | None:
    """The concept of a noun that means a woman or a man by itself: mom is a mother."""
    from epicene.languages.folder import load

    forms = load(CODE).people.find(word.lower())
    return next((concept for form in forms for concept in form.readings if len(form.words) == 1), None)


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


@cache
def _plurals() -> dict[str, str]:
    return {row["plural"] or plural(row["concept"]): row["concept"] for row in table("languages/concepts.tsv")}


@cache
def known() -> frozenset[str]:
    """All concepts that the lexicons list."""
    return frozenset(row["concept"] for row in table("languages/concepts.tsv"))


@cache
def _anyone() -> re.Pattern[str]:
    """A determiner and a known name in small letters, the longest names first; "someone" needs no determiner.

    Names stand together by their first letter, so that most are passed over at a glance.
    """
    by_letter: dict[str, list[str]] = {}
    for name in sorted(known() | _plurals().keys(), key=len, reverse=True):
        by_letter.setdefault(name[0], []).append(re.escape(name[1:]))
    names = "|".join(f"{re.escape(letter)}(?:{'|'.join(rest)})" for letter, rest in by_letter.items())
    determiners = "|".join(article.strip() for article in (*_ARTICLES, "their", "his", "her", "my", "our", "its"))
    return re.compile(rf"\b(?:(?:{determiners})\s+(?:\w+\s+)??({names})|(someone))\b")


def plural(noun: str) -> str:
    """The regular English plural."""
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


@lru_cache(maxsize=1 << 14)
def concept(words: str) -> tuple[str, bool]:
    """The concept that words name, and whether they are plural; unknown nouns are their own concept."""
    words = words.lower().strip()
    for article in _ARTICLES:
        words = words.removeprefix(article)
    if words in known():
        return words, False
    if words in _plurals():
        return _plurals()[words], True
    return words, False


def person_at(sentence: str, start: int, end: int, plural: bool = False) -> Person:
    """The person whom the words between two offsets name."""
    words = sentence[start:end]
    kind = kind_of(words)
    name, several = (words.lower(), False) if kind is Kind.PRONOUN else concept(words)
    return Person(words, start, name, several or plural, kind)


def mentioned(sentence: str, but: int) -> tuple[Person, ...]:
    """The people that a sentence names, other than the one who stands at an offset."""
    found = []
    for match in _anyone().finditer(_small(sentence)):
        start, end = match.span(1 if match[1] else 2)
        if start != but:
            name, several = concept(sentence[start:end])
            found.append(Person(sentence[start:end], start, name, several))
    return tuple(found)


def _small(sentence: str) -> str:
    """A sentence in small letters, every one in its place."""
    small = sentence.lower()
    return small if len(small) == len(sentence) else "".join(each.lower()[0] for each in sentence)
