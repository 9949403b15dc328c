"""Which words of the sentences stand in which translations: what tells where a translation belongs.

A word stands in a translation if the shipped dictionary has a word there for it, if it was copied, or if it holds
what the file itself puts beside it most often. Words of references, and English names of people, stand for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from epicene.languages.english import CODE as ENGLISH
from epicene.types import Item

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# Scripts without blanks are cut into letters; in the others, marks belong to their letters.
_END = "\x1e"  # of a line
_WORD = re.compile(
    r"[\u0e01-\u0e30\u0e40-\u0e46\u3040-\u30ff\u3400-\u9fff]"
    r"|[\w\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0670\u0900-\u0963\u200c\u200d]+"
    rf"|{_END}"
)
NEAR = 5  # lines before and after from which pairs of words are learnt
_OF_SENTENCE, _OF_TRANSLATION = 4, 7  # the rarest words of each, which tell most
_ITSELF = "="  # before a word that stands for itself


class Line(NamedTuple):
    """A translation, the item at its place, and the number of its line."""

    number: int
    item: Item
    text: str


class _Text(NamedTuple):
    """Which word stands in which line, by line."""

    lines: Integers
    words: Integers
    often: Integers  # in how many lines each word stands
    known: Mapping[str, int]  # the words by their spelling


@dataclass(frozen=True, slots=True)
class Words:
    """The words of sentences, by line, and the lines whose translations hold them."""

    n: int
    words: Integers
    starts: Integers  # where those of each line begin, and the end
    held: Integers  # word × n + line, sorted
    stated: Integers  # the same of the sentences
    weights: Numbers  # of each word: the fewer lines hold it, the more it tells
    learnt: Mapping[str, str]  # for words of the sentences, what the file itself puts beside them
    known: Numbers  # of each line: the share of the sentence's words that the dictionary finds there; NaN: too few

    def fit(self, lines: Integers, places: Integers) -> Numbers:
        """How much of the sentence at each place the translation in each line holds."""
        return self._sum(self.held, lines, places)

    def shared(self, lines: Integers, places: Integers) -> Numbers:
        """How much the sentences of lines and places have in common."""
        return self._sum(self.stated, lines, places)

    def finds_most(self, size: int, bounds: Mapping[str, float]) -> bool:
        """Whether the dictionary finds many words of nearly all lines, in each block of so many lines."""
        blocks = (self.known[start : start + size] for start in range(0, self.n, size))
        return all((block >= bounds["known"]).mean() >= bounds["sure"] for block in blocks)

    def _sum(self, there: Integers, lines: Integers, places: Integers) -> Numbers:
        count = self.starts[places + 1] - self.starts[places]
        rows = np.repeat(np.arange(len(places)), count)
        words = self.words[runs(self.starts[places], count)]
        hit = _among(words * self.n + lines[rows], there)
        held = np.bincount(rows, weights=self.weights[words] * hit, minlength=len(places))
        return held.astype(np.float64)


def _among(codes: Integers, there: Integers) -> Flags:
    """Which numbers stand among sorted ones."""
    if not len(there):
        return np.zeros(len(codes), dtype=bool)
    return np.equal(there[np.minimum(np.searchsorted(there, codes), len(there) - 1)], codes)


def _known(stated: Integers, held: Integers, n: int, least: float) -> Numbers:
    """The share of each sentence's listed words that its translation holds."""
    lines = stated % n
    count = np.bincount(lines, minlength=n)
    there = np.bincount(lines, weights=_among(stated, held), minlength=n)
    return np.where(count >= least, there / np.maximum(count, 1), np.nan)


def runs(starts: Integers, counts: Integers) -> Integers:
    """The numbers from each start on, so many of each."""
    return np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())


def distinct(codes: Integers) -> Integers:
    """The different ones of many numbers, in order."""
    codes = np.sort(codes)
    return codes[np.append(True, codes[1:] != codes[:-1])] if len(codes) else codes


def compare(lines: Sequence[Line], target: str, bounds: Mapping[str, float]) -> Words:
    """The words of sentences and translations, brought together."""
    from epicene.reader.align import base

    n = len(lines)
    itself = _ending(target)
    sentences = _text([line.item.source for line in lines], base)
    stand = [" ".join(_own_words(line.item, target)) for line in lines]
    if any(stand):
        sentences = _joined(sentences, _text(stand, lambda word: _ITSELF + itself(word)))
    translations = _text([line.text for line in lines], itself)
    pairs, listed = _listed(sentences, translations, target, bounds["sure"])
    held = _held(pairs, translations, n)
    stated = np.sort(sentences.words * n + sentences.lines)
    known = _known(stated[listed[stated // n]], held, n, bounds["listed"])
    rare = np.bincount(held // n, minlength=len(sentences.often)) < bounds["rare"] * sentences.often
    learnt = _learnt(sentences, translations, rare, pairs[1], bounds)
    held = distinct(np.concatenate([held, _held(learnt, translations, n)]))
    often = np.bincount(held // n, minlength=len(sentences.often))
    weights = np.where(often > 0, np.log(n / np.maximum(often, 1)), 0.0)
    starts = np.searchsorted(sentences.lines, np.arange(n + 1))
    english, foreign = list(sentences.known), list(translations.known)
    beside = {english[word]: foreign[other] for word, other in zip(*map(np.ndarray.tolist, learnt), strict=True)}
    return Words(n, sentences.words, starts, held, stated, weights, beside, known)


def agreement(lines: Sequence[Line], words: Words, target: str, bounds: Mapping[str, float]) -> float | None:
    """How far words come in the order of their sentences, 1 for all, 0 for any order; None where too few can tell."""
    from epicene.languages.folder import has_table
    from epicene.reader import align

    if not has_table(target, "translations.tsv.gz"):
        return None
    same = other = 0
    ending = _ending(target)
    for line in lines[:: max(1, len(lines) // int(bounds["lines"]))]:
        sentence = [align.base(word) for word in _WORD.findall(line.item.source)]
        held = [ending(word) for word in _WORD.findall(line.text)]
        once = {word: place for place, word in enumerate(held) if held.count(word) == 1}
        places = []
        for word in sentence:
            partners = {*align.translations(target, word), words.learnt.get(word, "")}
            there = [once[partner] for partner in partners if partner in once]
            if len(there) == 1 and sentence.count(word) == 1:
                places += there
        for first, second in combinations(places, 2):
            same += first < second
            other += first > second
    return (same - other) / (same + other) if same + other >= bounds["pairs"] else None


def _own_words(item: Item, target: str) -> Iterable[str]:
    """What can be looked for as it is: words of references, and of a person's English name."""
    yield from (reference.text for reference in item.references)
    if target == ENGLISH:
        yield item.person.concept


def _ending(language: str) -> Callable[[str], str]:
    """What takes the endings off words of a language, as far as they are known."""
    from epicene.errors import UnknownNameError
    from epicene.reader.align import base, stem

    if language == ENGLISH:
        return base
    try:
        return stem(language)
    except UnknownNameError:
        return str.lower


def _text(texts: Sequence[str], bare: Callable[[str], str]) -> _Text:
    """The words that stand in some lines at least, each once a line, in their bare form."""
    words_and_ends = _WORD.findall("".join(text.replace(_END, " ") + _END for text in texts))
    spelt = {word: number for number, word in enumerate(dict.fromkeys(words_and_ends))}
    written = np.fromiter(map(spelt.__getitem__, words_and_ends), dtype=np.int64, count=len(words_and_ends))
    known: dict[str, int] = {}
    form = np.array([known.setdefault(bare(word), len(known)) for word in spelt if word != _END], dtype=np.int64)
    end = spelt.get(_END, 0)
    form = np.insert(form, end, -1)
    lines = np.cumsum(written == end)
    words = form[written]
    size = max(1, len(known))
    lines, words = np.divmod(distinct((lines * size + words)[words >= 0]), size)
    return _Text(lines, words, np.bincount(words, minlength=len(known)), known)


def _joined(first: _Text, second: _Text) -> _Text:
    """Two texts of the same lines as one."""
    size = len(first.known)
    known = {**first.known, **{word: number + size for word, number in second.known.items()}}
    lines, words = np.concatenate([first.lines, second.lines]), np.concatenate([first.words, second.words + size])
    order = np.lexsort((words, lines))
    return _Text(lines[order], words[order], np.concatenate([first.often, second.often]), known)


_Pairs = tuple["Integers", "Integers"]  # words of sentences, and words of translations


def _listed(sentences: _Text, translations: _Text, target: str, sure: float) -> tuple[_Pairs, Flags]:
    """The pairs of words that the dictionary has, and which words it has; another word may have been copied."""
    from epicene.languages.folder import has_table
    from epicene.reader import align

    itself, has = _ending(target), has_table(target, "translations.tsv.gz")
    listed = np.zeros(len(sentences.known), dtype=bool)
    pairs = []
    for word, number in sentences.known.items():
        shares = align.translations(target, word) if has else {}
        listed[number] = bool(shares)
        partners = [partner for partner, share in shares.items() if share >= sure]
        if not partners:
            partners = [word[len(_ITSELF) :] if word.startswith(_ITSELF) else itself(word)]
        pairs += [(number, translations.known[partner]) for partner in partners if partner in translations.known]
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return (first, second), listed


def _held(pairs: _Pairs, translations: _Text, n: int) -> Integers:
    """Word × n + line for the lines that hold a partner of a word."""
    order = np.argsort(translations.words, kind="stable")
    starts = np.cumsum(translations.often) - translations.often
    count = translations.often[pairs[1]]
    lines = translations.lines[order][runs(starts[pairs[1]], count)]
    return distinct(np.repeat(pairs[0], count) * n + lines)


def _rarest(text: _Text, wanted: Flags, most: int) -> tuple[Integers, Integers]:
    """Lines and words, of the wanted words the rarest of each line."""
    is_wanted = wanted[text.words]
    lines, words = text.lines[is_wanted], text.words[is_wanted]
    order = np.lexsort((words, text.often[words], lines))
    lines, words = lines[order], words[order]
    rank = np.arange(len(lines)) - np.searchsorted(lines, lines, "left")
    return lines[rank < most], words[rank < most]


def _learnt(
    sentences: _Text, translations: _Text, wanted: Flags, taken: Integers, bounds: Mapping[str, float]
) -> _Pairs:
    """For each wanted word the one that stands most often in the translations of its sentences.

    Where there is none, the lines before and after are looked at, for words that translate no other word.
    """
    size, n = max(1, len(translations.often)), int(sentences.lines.max(initial=0)) + 1
    best, partner = np.zeros(len(sentences.often)), np.full(len(sentences.often), -1, dtype=np.int64)
    at, words = _rarest(sentences, wanted & (sentences.often >= bounds["often"]), _OF_SENTENCE)
    free = translations.often >= bounds["often"]
    lines, others = _rarest(translations, free, _OF_TRANSLATION)
    for lag in sorted(range(-NEAR, NEAR + 1), key=lambda lag: (abs(lag), lag)):
        if lag == -1:
            free[taken] = free[partner[partner >= 0]] = False
            left, open_ = partner[words] < 0, free[others]
            at, words, lines, others = at[left], words[left], lines[open_], others[open_]
        if not len(at):
            break
        first = np.searchsorted(lines, at - lag, "left")
        count = np.searchsorted(lines, at - lag, "right") - first
        codes = np.sort(np.repeat(words, count) * size + others[runs(first, count)])
        ends = np.flatnonzero(np.append(codes[1:] != codes[:-1], True)) if len(codes) else codes
        code, together = codes[ends], np.diff(ends, prepend=-1)
        source, target = np.divmod(code, size)
        dice = 2 * together / (sentences.often[source] + translations.often[target])
        lift = together * n / (sentences.often[source] * translations.often[target])
        often = (together >= bounds["often"]) & (lift > bounds["lift"])
        sure = np.flatnonzero(often & (dice > bounds["dice"]) & (dice > best[source]))
        sure = sure[np.argsort(dice[sure], kind="stable")]  # of several the last one stays, the best
        best[source[sure]], partner[source[sure]] = dice[sure], target[sure]
    learnt = np.flatnonzero(partner >= 0)
    return learnt, partner[learnt]
