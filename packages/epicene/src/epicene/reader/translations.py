"""Which words of a language can translate an English word, and how surely: shipped tables, read on first use."""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from epicene.languages.folder import find_table, load

_SHORTEST = 3  # letters that a stem keeps at least
_ROUNDS = 2  # endings that a word loses at most
_MARKS = re.compile(r"[\u0300-\u036f\u064b-\u0652\u0670\u0640\u0591-\u05c7]")
_DEVANAGARI = re.compile(r"[\u0900-\u0963]")
_LATIN_OR_GREEK = re.compile(r"[a-z\u00c0-\u024f\u0370-\u03ff]")
_PLURALS = {
    "men": "man", "women": "woman", "children": "child", "wives": "wife", "wolves": "wolf", "lives": "life",
    "thieves": "thief", "people": "person", "persons": "person", "heroes": "hero", "feet": "foot",
}  # fmt: skip

Stem = Callable[[str], str]
Translations = Mapping[str, float]


@lru_cache(maxsize=1 << 16)
def base(word: str) -> str:
    """An English word as the tables list it: lower-case, singular, American."""
    word = word.lower().replace("’", "'").removesuffix("'s").strip("'.")
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("women"):
        return word[:-5] + "woman"
    if word.endswith("men") and len(word) > 5:
        return word[:-3] + "man"
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    return word[:-3] + "or" if word.endswith("our") and len(word) > 5 else word


@cache
def stem(language: str) -> Stem:
    """The function that takes a word's endings off, in a language."""
    rules = load(language).stems
    folds = str.maketrans(dict(rules.folds))
    endings = {folded(each).translate(folds) for each in rules.suffixes.split()}
    suffixes = tuple(sorted(endings, key=len, reverse=True))
    before = tuple(sorted(rules.before.translate(folds).split(), key=len, reverse=True))

    @lru_cache(maxsize=1 << 18)
    def cut(word: str) -> str:
        word = folded(word).translate(folds)
        word = next((word[len(each) :] for each in before if _opens(word, each)), word)
        for _ in range(_ROUNDS):
            ending = next((each for each in suffixes if word.endswith(each) and len(word) - len(each) >= _SHORTEST), "")
            word = word[: len(word) - len(ending)]
        return word

    return cut


@cache
def table(language: str) -> Mapping[str, str]:
    """The table of a language: the translations of an English word, unparsed; empty where none is shipped."""
    file = find_table(language, "translations.tsv.gz")
    if file is None:
        return {}
    text = gzip.decompress(file.read_bytes()).decode("utf-8")
    return dict(line.split("\t", 1) for line in text.splitlines())


@lru_cache(maxsize=1 << 16)
def translations(language: str, english: str) -> Translations:
    """The stems that translate an English word in its base form, with how surely, 0 to 1."""
    found = table(language).get(english, "").split()
    return {found[place]: int(found[place + 1]) / 100 for place in range(0, len(found), 2)}


def _opens(word: str, proclitic: str) -> bool:
    """Whether a word begins with what is only written together with it; one letter may well be its own."""
    return word.startswith(proclitic) and len(word) - len(proclitic) >= _SHORTEST + (len(proclitic) == 1)


def folded(word: str) -> str:
    """Lower-case, without vowel points and without the accents of Latin and Greek letters."""
    word = word.lower()
    if word.isascii():
        return word
    if _LATIN_OR_GREEK.search(word):
        return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", word))).replace("ß", "ss")
    if _DEVANAGARI.search(word):  # with a dot below or without: प्रोफ़ेसर, प्रोफेसर
        return unicodedata.normalize("NFD", word).replace("\u093c", "")
    return _MARKS.sub("", word)
