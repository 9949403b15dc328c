"""English names of occupations: from the words of a sentence to the concepts that lexicons list."""

from __future__ import annotations

import re
from functools import cache

from epicene.tables import table
from epicene.types import Person

_ARTICLES = ("the ", "a ", "an ", "this ", "that ", "these ", "those ")


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
