"""The sentences that training speech says: everyday ones, debates, and people, none of them a test's or near to one."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import read_lines
from epicene_lab import augment, corpus, europarl, gather
from epicene_lab.corpus import Dropped
from epicene_lab.speech import people
from epicene_lab.speech.recipe import TAUGHT, TextPlan

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
# What every voice reads alike: letters, and the marks of plain sentences.
_SAYABLE = re.compile(r"[A-Z][A-Za-z]*(?:[ ]|, |; |: |[-'][A-Za-z]|[A-Za-z])*[.?!](?: [A-Z][A-Za-z ,'-]*[.?!])?")
_SPELT = re.compile(r"\b[A-Z]{2,}\b|\b[B-HJ-Z]\b|'\s|\b(?:Mr|Mrs|Dr|St)\b")
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_EVERY = 6  # sittings of the parliament; more are not needed
_HELD = {"tatoeba": 0.6, "people": 0.3, "parliament": 0.1}  # what held-out sentences are
UNTAUGHT = ("parliament",)  # what the teacher translates badly: it is for recognition, and for Italian
_FAMILIAR = 5  # how often a debate's words stand in everyday sentences, so that few words are heard in debates alone


class Row(NamedTuple):
    """A sentence, where it is from, and its translations, empty where the teacher is asked or there is none."""

    kind: str
    en: str
    de: str = ""
    es: str = ""
    fr: str = ""
    it: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where sentences are."""

    pairs: tuple[Path, ...]  # files of English, a tab, another language
    europarl: Path | None  # a clone of Multilingual-Parallel-Direct-Europarl
    apart: tuple[Path, ...]  # tests: pairs, or lines


def choose(plan: TextPlan, sources: Sources, say: Callable[[str], None]) -> tuple[list[Row], list[Row]]:
    """Training and held-out sentences, both in a seeded order, so that any beginning of them is as mixed as all."""
    dropped = Dropped()
    challenges = [line for name in plan.sets for line in _challenge(name)]
    guard = _Guard(challenges, sources.apart, dropped)
    by_kind = {
        "tatoeba": _tatoeba(plan, sources.pairs, guard),
        "people": _people(plan, guard, people.spans_of(challenges)),
        "stated": _stated(plan, guard),
    }
    by_kind["parliament"] = _parliament(plan, sources, guard) if sources.europarl else []
    generator = random.Random(plan.seed)
    held: list[Row] = []
    for kind, share in _HELD.items():
        held += generator.sample(by_kind[kind], min(round(plan.heldout * share), len(by_kind[kind])))
    guard.close(row.en for row in held)
    held_out = {row.en for row in held}
    rows = [row for each in by_kind.values() for row in each if row.en not in held_out and guard.far(row.en)]
    generator.shuffle(rows)
    generator.shuffle(held)
    parts = [f"{kind} {describe(row.en for row in rows if row.kind == kind)}" for kind in by_kind]
    say(f"{', '.join(parts)}; held out {len(held)}; left out: {dropped}")
    return rows, held


def describe(texts: Iterable[str]) -> str:
    """How many sentences there are, and of how many words."""
    lengths = [len(text.split()) for text in texts]
    return f"{len(lengths)} of {sum(lengths) / max(1, len(lengths)):.1f} words"


class _Guard:
    """Keeps sentences apart from tests, challenge sets and what is held out, and each but once."""

    def __init__(self, challenges: Iterable[str], apart: Iterable[Path], dropped: Dropped) -> None:
        self._tested = {corpus.key(side) for path in apart for line in read_lines(path) for side in line.split("\t")}
        self._near = {near for line in challenges for near in corpus.list_near(line)}
        self._held: set[str] = set()
        self._seen: set[str] = set()
        self.dropped = dropped

    def passes(self, text: str) -> bool:
        """Whether a sentence may be taken; it may not be taken again."""
        key = corpus.key(text)
        if key in self._seen:
            return False
        self._seen.add(key)
        if key in self._tested:
            self.dropped.why["shared with a test"] += 1
            return False
        if not self._near.isdisjoint(corpus.list_near(text)):
            self.dropped.why["one word from a challenge set"] += 1
            return False
        return True

    def close(self, held: Iterable[str]) -> None:
        """From now on, sentences near to these are not far enough."""
        self._held = {near for line in held for near in corpus.list_near(line)}

    def far(self, text: str) -> bool:
        """Whether a sentence is more than a word from all that are held out."""
        if self._held.isdisjoint(corpus.list_near(text)):
            return True
        self.dropped.why["one word from a held-out sentence"] += 1
        return False


def is_sayable(text: str, plan: TextPlan) -> bool:
    """Whether voices read a sentence as it is written: words only, no figures, no abbreviations."""
    words = text.count(" ") + 1
    return plan.shortest <= words <= plan.longest and bool(_SAYABLE.fullmatch(text)) and not _SPELT.search(text)


def _tatoeba(plan: TextPlan, paths: Iterable[Path], guard: _Guard) -> list[Row]:
    plain = [text for text in _everyday(paths) if is_sayable(text, plan)]
    passing = (text for text in _varied(plain, plan) if guard.passes(text))
    return [Row("tatoeba", text) for text in islice(passing, plan.tatoeba)]


def _everyday(paths: Iterable[Path]) -> list[str]:
    """The English side of files of pairs, each sentence once."""
    lines = (pair for path in paths for pair in corpus.read_pairs(read_lines(path), str(path), Dropped()))
    return list(dict.fromkeys(source.translate(_MARKS) for source, _ in lines))


def _varied(texts: list[str], plan: TextPlan) -> Iterator[str]:
    """Seeded, long ones sooner: first those with a word that is still rare, so that few are never heard; then any."""
    generator = random.Random(plan.seed)
    texts = sorted(texts, key=lambda text: generator.random() ** (1 / len(text.split())), reverse=True)
    known = Counter(word for text in texts for word in set(_WORD.findall(text.lower())))
    counts: Counter[str] = Counter()
    left = []
    for text in texts:
        words = set(_WORD.findall(text.lower()))
        # A word that stands once or twice in all of the text teaches little.
        if any(counts[word] < plan.often and known[word] > 2 for word in words):
            counts.update(words)
            yield text
        else:
            left.append(text)
    yield from left


def _people(plan: TextPlan, guard: _Guard, spans: frozenset[str]) -> list[Row]:
    rows: list[Row] = []
    for text in islice(people.make_sentences(plan.seed), 20 * plan.people):
        if len(rows) == plan.people:
            break
        if text.count(" ") >= plan.longest or not guard.passes(text):
            continue
        if spans.isdisjoint(people.list_spans(text)):
            rows.append(Row("people", text))
        else:
            guard.dropped.why[f"with {people.SPAN} words of a challenge set in a row"] += 1
    return rows


def _stated(plan: TextPlan, guard: _Guard) -> list[Row]:
    pairs = [
        pair for pair in augment.make_pairs("it", plan.seed) if plan.shortest <= len(pair[0].split()) <= plan.longest
    ]
    random.Random(plan.seed).shuffle(pairs)
    passing = (Row("stated", english, it=italian) for english, italian in pairs if guard.passes(english))
    return list(islice(passing, plan.stated))


def _parliament(plan: TextPlan, sources: Sources, guard: _Guard) -> list[Row]:
    """Debates in plain words, with their own Italian."""
    counts = Counter(word for text in _everyday(sources.pairs) for word in _WORD.findall(text.lower()))
    familiar = {word for word, count in counts.items() if count >= _FAMILIAR}
    rows: dict[str, Row] = {}
    for english, italian in europarl.read_pairs(sources.europarl or Path(), "en", "it", _EVERY):
        text, side = (corpus.clean(line).translate(_MARKS) for line in (english, italian))
        if is_sayable(text, plan) and _whole(text, side) and familiar.issuperset(_WORD.findall(text.lower())):
            rows.setdefault(text, Row("parliament", text, it=side))
    passing = (rows[text] for text in _varied(list(rows), plan) if guard.passes(text))
    italian_ones = (row for row in passing if gather.is_translated((row.en, row.it), "it", guard.dropped))
    return list(islice(italian_ones, plan.parliament))


def _whole(text: str, side: str) -> bool:
    """Whether two sentences end alike and are about as long."""
    return bool(side) and side[-1] == text[-1] and 0.6 <= len(side) / len(text) <= 1.7


def _challenge(name: str) -> list[str]:
    """The English sentences of a set, whatever it is translated into."""
    from epicene.flow.plan import open_set
    from epicene.types import Pair

    challenge = open_set(name)
    targets = [target for target in (*TAUGHT, "it") if not challenge.about.targets or target in challenge.about.targets]
    if not targets:
        raise InputError(f"set {name} has none of de, es, fr, it; leave it out of sets in the recipe")
    return [item.source for item in challenge.items(Pair("en", targets[0]))]
