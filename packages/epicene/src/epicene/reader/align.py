"""Which word of a translation renders which word of its source, for a single sentence.

The posterior of IBM model 1 with a prior that favours the diagonal (Dyer et al. 2013), over shipped translation
probabilities; names and words that were copied or borrowed are known by their spelling.
"""

from __future__ import annotations

import gzip
import math
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from epicene.languages.folder import find_table, load
from epicene.reader.words import Sentence, Translated
from epicene.tables import resource

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
_ALIKE_FROM = 3  # consonants by which a name is known again
_DOUBLED = re.compile(r"(.)\1+")
_NO_CONSONANT = re.compile(r"[^bcdfghjklmnpqrstvwxz]")
# Letters that transcriptions mix up.
_ALIKE = str.maketrans({"c": "k", "q": "k", "x": "k", "z": "s", "w": "v", "j": "g", "p": "b", "f": "v", "h": None})
_TENSION = 4.0  # how strongly the diagonal is favoured
_FLOOR = 0.15  # what a word far from the diagonal keeps of its prior
_NULL = 0.02  # how much a target word would rather translate nothing
_COPIED = 0.9
_BORROWED = 0.3
_LIKE = 0.4  # the share of a translation's probability that a longer or derived word with its beginning gets
_SHORTEST_SHARED = 4  # letters that two words have in common at least to be taken for one


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
    longest = max(map(len, endings), default=0)
    before = tuple(sorted(rules.before.translate(folds).split(), key=len, reverse=True))

    @lru_cache(maxsize=1 << 18)
    def cut(word: str) -> str:
        word = folded(word).translate(folds)
        word = next((word[len(each) :] for each in before if _opens(word, each)), word)
        for _ in range(_ROUNDS):
            sizes = range(min(longest, len(word) - _SHORTEST), 0, -1)
            size = next((size for size in sizes if word[-size:] in endings), 0)
            word = word[: len(word) - size]
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


@lru_cache(maxsize=1 << 16)
def romanise(word: str) -> str:
    """A word in Latin letters without accents."""
    plain = unicodedata.normalize("NFD", word.lower().translate(_letters()))
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


@lru_cache(maxsize=1 << 16)
def skeleton(word: str) -> str:
    """The consonants of a romanised word, those that transcriptions mix up as one."""
    return _DOUBLED.sub(r"\1", _NO_CONSONANT.sub("", word.replace("ph", "f").replace("th", "t")).translate(_ALIKE))


def transcribed(english: str, word: str) -> bool:
    """Whether a word of another script spells an English name."""
    first, second = skeleton(english), skeleton(romanise(word))
    return (
        romanise(word) != word
        and unicodedata.name(word[0], "")[:5] != "LATIN"
        and first[:_ALIKE_FROM] == second[:_ALIKE_FROM]
    )


@cache
def _letters() -> dict[int, str]:
    text = resource("languages", "romanisation.toml").read_text(encoding="utf-8")
    return {ord(sign): latin for script in tomllib.loads(text).values() for sign, latin in script.items()}


class Aligner:
    """Aligns sentences with their translations into a language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._stem = stem(language)
        self._compounds = load(language).stems.compounds
        self._similar = lru_cache(maxsize=1 << 17)(similar)

    def align(self, source: Sentence, target: Sentence, person: range = range(0)) -> Translated:
        """A sentence and its translation with the strengths of all links, those of ``person`` looked for hardest."""
        likelihoods = self.likelihoods(source, target, person)
        m, n = len(source.words), len(target.words)
        totals = [_NULL] * n
        for place, row in enumerate(likelihoods):
            for word, value in row.items():
                row[word] = value * _prior(place, m, word, n)
                totals[word] += row[word]
        links = []
        for row in likelihoods:
            strengths = [0.0] * n
            for word, value in row.items():
                strengths[word] = value / totals[word]
            links.append(strengths)
        return Translated(source, target, links)

    def likelihoods(self, source: Sentence, target: Sentence, person: range) -> list[dict[int, float]]:
        """For each source word the target words that it may have become, with how likely."""
        places: dict[str, list[int]] = {}
        for place, word in enumerate(target.words):
            places.setdefault(self._stem(word.lower), []).append(place)
        found: list[dict[int, float]] = []
        for number, word in enumerate(source.words):
            key = base(word.lower)
            known = translations(self.language, key)
            row = {place: value for each, value in known.items() if each in places for place in places[each]}
            if number:
                phrase = translations(self.language, f"{base(source.words[number - 1].lower)} {key}")
                row.update({place: value for each, value in phrase.items() if each in places for place in places[each]})
            if (number in person or not row) and len(key) > 2:
                listed = known if number in person else {}
                row = {**self._by_spelling(word.lower, listed, places, word.capital and number > 0), **row}
            found.append(row)
        return found

    def _by_spelling(
        self, english: str, known: Translations, places: dict[str, list[int]], name: bool
    ) -> dict[int, float]:
        """Target words that are spelt like the English word, or like one of its translations."""
        found: dict[int, float] = {}
        longest = tuple(each for each in known if len(each) > _SHORTEST_SHARED - self._compounds)
        opening: dict[str, list[str]] = {}
        for each in longest:
            opening.setdefault(each[:_SHORTEST_SHARED], []).append(each)
        for each, there in places.items():
            alike = each[:1] == english[:1] or not each.isascii()  # else neither copied nor borrowed
            value = self._similar(english, each, name) if alike else 0.0
            if longest and len(each) >= _SHORTEST_SHARED:
                near = [listed for listed in opening.get(each[:_SHORTEST_SHARED], ()) if _derived(each, listed)]
                if each.endswith(longest):  # concidadãos, exmarido, Kleinerzeuger
                    near.extend(listed for listed in longest if each.endswith(listed))
                if len(each) > _SHORTEST_SHARED:
                    near.extend(listed for listed in longest if listed.endswith(each))
                value = max(value, _LIKE * max(map(known.__getitem__, near), default=0.0))
            if value:
                found.update(dict.fromkeys(there, value))
        return found


def _derived(word: str, listed: str) -> bool:
    """Whether a stem begins like a listed one."""
    shared = max(_SHORTEST_SHARED, min(len(word), len(listed)) - 1)
    return abs(len(word) - len(listed)) <= _SHORTEST_SHARED and word[:shared] == listed[:shared]


def similar(english: str, word: str, name: bool) -> float:
    """How surely a word is an English one that was copied, transcribed or borrowed, by its spelling alone."""
    if english.startswith(word) and len(word) >= _SHORTEST_SHARED - 1 and len(english) - len(word) <= 3:
        return _COPIED
    if word.isascii():
        spelt = word
    else:
        spelt = romanise(word)
        first, second = skeleton(english), skeleton(spelt)
        if (len(first) >= _ALIKE_FROM and first == second) or (name and len(first) > 1 and first[:3] == second[:3]):
            return _BORROWED
    shared = 0
    for one, other in zip(english, spelt, strict=False):
        if one != other:
            break
        shared += 1
    if shared >= _SHORTEST_SHARED and shared >= 0.6 * min(len(english), len(spelt)):
        return _BORROWED
    return 0.0


@lru_cache(maxsize=1 << 16)
def _prior(place: int, size: int, word: int, words: int) -> float:
    """How likely a source place becomes a target place by position alone."""
    return _FLOOR + (1 - _FLOOR) * math.exp(-_TENSION * abs((place + 0.5) / size - (word + 0.5) / words))
