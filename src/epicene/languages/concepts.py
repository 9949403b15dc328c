"""English names of occupations: from the words of a sentence to the concepts that lexicons list."""

from __future__ import annotations

import re
from functools import cache

from epicene.tables import table
from epicene.types import Person

_ARTICLES = ("the ", "a ", "an ", "this ", "that ", "these ", "those ")


@cache
def _plurals() -> dict[str, str]:
    return {row["plural"] or plural(row["concept"]): row["concept"] for row in table("concepts.tsv")}


@cache
def known() -> frozenset[str]:
    """All concepts that the lexicons list."""
    return frozenset(row["concept"] for row in table("concepts.tsv"))


@cache
def _anyone() -> re.Pattern[str]:
    """A determiner and a known name, the longest names first; "someone" needs no determiner."""
    names = sorted(known() | _plurals().keys(), key=len, reverse=True)
    determiners = "|".join(article.strip() for article in (*_ARTICLES, "their", "his", "her", "my", "our", "its"))
    return re.compile(
        rf"\b(?:(?:{determiners})\s+(?:\w+\s+)??({'|'.join(map(re.escape, names))})|(someone))\b", re.IGNORECASE
    )


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
    for match in _anyone().finditer(sentence):
        group = 1 if match[1] else 2
        if match.start(group) != but:
            name, several = concept(match[group])
            found.append(Person(match[group], match.start(group), name, several))
    return tuple(found)
