"""English names of occupations: from the words of a sentence to the concept that lexicons list."""

from __future__ import annotations

from functools import cache

from epicene.data import table

_ARTICLES = ("the ", "a ", "an ", "this ", "that ", "these ", "those ")


@cache
def _plurals() -> dict[str, str]:
    return {row["plural"] or plural(row["concept"]): row["concept"] for row in table("concepts.tsv")}


@cache
def known() -> frozenset[str]:
    """All concepts that the lexicons list."""
    return frozenset(row["concept"] for row in table("concepts.tsv"))


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
