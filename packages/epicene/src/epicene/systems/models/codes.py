"""How models of several languages are told which: by tokens, which each language lists by family in its codes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from epicene.errors import InputError, UnknownNameError
from epicene.languages.codes import known, language
from epicene.types import Pair

# How a family writes a code as a token.
_TOKENS = {"nllb": "{}", "m2m": "__{}__", "mbart": "{}", "opus": ">>{}<<", "lab": "<2{}>"}
_TARGET_ONLY = ("opus", "lab")  # families that are told the target alone


class Codes(NamedTuple):
    """The tokens that name the languages of a pair."""

    family: str
    source: str  # "" where only the target is named
    target: str


@cache
def _candidates(family: str) -> dict[str, list[str]]:
    """The tokens that may stand for each language, the likeliest first."""
    if family == "lab":  # models of epicene lab have the language's own code
        return {code: [_TOKENS[family].format(code)] for code in known()}
    return {code: [_TOKENS[family].format(model) for model in names.models[family]] for code, names in known().items()}


def family_of(has: Callable[[str], bool]) -> tuple[str, dict[str, str]] | None:
    """The family of a model that has these tokens, and its languages' tokens; None if it is not told languages."""
    for family in _TOKENS:
        languages = {}
        for code, tokens in _candidates(family).items():
            if token := next(filter(has, tokens), None):
                languages[code] = token
        if languages:
            return family, languages
    return None


def resolve(has: Callable[[str], bool], pair: Pair, who: str) -> Codes | None:
    """The tokens of a pair; None for a model of one pair, which needs none."""
    known_family = family_of(has)
    if known_family is None:
        return None
    family, tokens = known_family
    needed = [pair.target] if family in _TARGET_ONLY else [pair.source, pair.target]
    if not all(code in tokens for code in needed):
        kind = "it translates into" if family in _TARGET_ONLY else "its languages are"
        raise InputError(f"{who} knows no {pair}; {kind}: {', '.join(sorted(tokens))}")
    return Codes(family, "" if family in _TARGET_ONLY else tokens[pair.source], tokens[pair.target])


def check_only_pair(source: str | None, target: str | None, pair: Pair, who: str) -> None:
    """Refuse a pair that a model of one pair, named by its tokenizer, does not translate."""
    if not source or not target:
        return
    try:
        known = Pair(language(source), language(target))
    except UnknownNameError:
        return  # a group of languages, or one that epicene has no name for
    if known != pair:
        raise InputError(f"{who} knows no {pair}; it translates {known}")
