"""Sentences of the European Parliament that stand in all target languages, chosen so that rare words are among them.

The English side is written once for all languages, so that much text fits into a small file.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path

from epicene.files import read_lines
from epicene.tables import rows
from epicene_lab import augment, corpus, europarl, frames
from epicene_lab.augment import name_in_english
from epicene_lab.corpus import SentencePair

EVERYDAY = Path(__file__).with_name("everyday.tsv")
SEEDS = (1, 2, 3)  # names in the sentences about one person
DONE = 150  # how often a sentence about one or two people comes, each time about others, and in both genders
PEOPLE = 6  # how many people do each thing of every day


def make_people(target: str) -> Iterator[SentencePair]:
    """One person in phrases that state a gender."""
    yield from dict.fromkeys(pair for seed in SEEDS for pair in augment.make_pairs(target, seed))


def make_deeds(target: str) -> Iterator[SentencePair]:
    """People who do things and to whom things are done, given or said, with all genders stated."""
    return iter(dict.fromkeys(frames.draw_both_genders(target, ("stated", "done"), DONE)))


def make_everyday(target: str) -> Iterator[SentencePair]:
    """Things, and what people do with them; nothing for languages that have enough free text."""
    table = list(rows(EVERYDAY.read_text(encoding="utf-8"), EVERYDAY.name))
    if target not in table[0]:
        return
    kinds: dict[str, list[dict[str, str]]] = {}
    for row in table:
        kinds.setdefault(row["kind"], []).append(row)
    for row in kinds["noun"]:
        one, many = row["en"].split("|")
        gender, *words = row[target].split("|")
        for kind, english, word in (("one", one, words[0]), ("many", many, words[1])):
            yield from _named(kinds[kind], target, english, word, gender == "f")
    for row in kinds["mass"]:
        gender, word = row[target].split("|")
        yield from _named(kinds["of"], target, row["en"], word, gender == "f")
    yield from _deeds(kinds, target)


def _named(
    frames_: Iterable[Mapping[str, str]], target: str, english: str, word: str, feminine: bool
) -> Iterator[SentencePair]:
    for frame in frames_:
        source, translation = (frame[language].replace("{occs}", "{occ}") for language in ("en", target))
        yield frames.fill(source, "en", [english], [feminine]), frames.fill(translation, target, [word], [feminine])


def _deeds(kinds: Mapping[str, Sequence[Mapping[str, str]]], target: str) -> Iterator[SentencePair]:
    everybody = frames.list_people(target)
    random.Random(1).shuffle(everybody)
    turn = cycle(everybody)
    for row in kinds["did"]:
        deeds = {language: _done(row[language]) for language in ("en", target)}
        for frame in (*kinds["was"], *kinds["will"]):
            source, translation = (_put(frame[language], deeds[language]) for language in ("en", target))
            for person in islice(turn, PEOPLE if "{occ}" in frame["en"] else 1):
                forms = person[target].split("|")
                for woman in (True, False):
                    english = frames.fill(source, "en", [name_in_english(person["concept"])], [woman])
                    yield english, frames.fill(translation, target, [forms[woman]], [woman])


def _done(cell: str) -> dict[str, str]:
    did, do, what = cell.split("|")
    return {"{did}": f"{did} {what}", "{do}": f"{do} {what}"}


def _put(frame: str, words_by_slot: Mapping[str, str]) -> str:
    for slot, words in words_by_slot.items():
        frame = frame.replace(slot, words)
    return frame


SHORTEST, LONGEST = 3, 30  # words
OFTEN = 40  # a sentence is taken while one of its words was taken less often than this
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_FORMULA = re.compile(r"(?:Mr|Madam|Mrs) (?:President|Commissioner|Chair)|\(|- |The sitting|Report \(|\d|[a-z]")
_ODD = re.compile(r"[�<>|\[\]{}#*_=~^]|\.\.|--|\( |\bNo [a-z]")
_END = (".", "?", "!")
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"'})
Parallel = dict[str, list[str]]  # by language, line by line


def is_translation(source: str, target: str) -> bool:
    """Whether two sentences look like a whole sentence and its translation."""
    m, n = source.count(" ") + 1, target.count(" ") + 1
    if not (SHORTEST <= m <= LONGEST and 2 <= n <= LONGEST + 6 and 0.5 <= n / m <= 1.9):
        return False
    if not 0.6 <= len(target) / len(source) <= 1.8 or source[-1] != target[-1] or source[-1] not in _END:
        return False
    if _FORMULA.match(source) or _ODD.search(source) or _ODD.search(target) or source.isupper():
        return False
    return sorted(_NUMBER.findall(source)) == sorted(_NUMBER.findall(target))


def choose_parallel(folder: Path, targets: Sequence[str], tested: frozenset[str], most: int) -> Parallel:
    """English sentences that stand in all targets, each once, with their translations.

    ``folder``: a clone of the debates, or a folder of ``TARGET.tsv``, English first.
    """
    found: dict[str, tuple[str, ...]] = {}
    for number, target in enumerate(targets):
        for source, translation in _pairs(folder, target):
            before = found.get(source) if number else ()
            if before is not None and len(before) == number and is_translation(source, translation):
                found[source] = (*before, translation)
        found = {source: translation for source, translation in found.items() if len(translation) > number}
    chosen = []
    for source in _varied(list(found), most):
        sides = tuple(map(_plain, (source, *found[source])))
        # A speech that was never translated stands alike in several languages.
        if all(sides) and len(set(sides)) == len(sides) and tested.isdisjoint(map(corpus.key, sides)):
            chosen.append(sides)
    return {language: [sides[place] for sides in chosen] for place, language in enumerate(("en", *targets))}


def _pairs(folder: Path, target: str) -> Iterator[tuple[str, str]]:
    path = folder / f"{target}.tsv"
    if not path.is_file():
        yield from europarl.read_pairs(folder, "en", target)
        return
    for line in read_lines(path):
        source, _, translation = line.partition("\t")
        yield source, translation


def _plain(text: str) -> str:
    return corpus.clean(text).translate(_MARKS)


def _varied(sentences: Sequence[str], most: int) -> list[str]:
    """Seeded: first those with a word that is still rare, then any."""
    order = list(sentences)
    random.Random(corpus.SEED).shuffle(order)
    counts: Counter[str] = Counter()
    taken: list[str] = []
    left: list[str] = []
    for sentence in order:
        words = set(_WORD.findall(sentence.lower()))
        if len(taken) < most and any(counts[word] < OFTEN for word in words):
            counts.update(words)
            taken.append(sentence)
        else:
            left.append(sentence)
    return [*taken, *left[: most - len(taken)]]


def describe(sides: Mapping[str, Sequence[str]]) -> str:
    """How much was chosen."""
    words = sum(line.count(" ") + 1 for line in sides["en"])
    return f"{len(sides['en'])} sentences in {len(sides)} languages, {words / max(1, len(sides['en'])):.1f} words each"
