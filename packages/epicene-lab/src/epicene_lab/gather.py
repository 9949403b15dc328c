"""One training corpus from several: debates of the European Parliament, files of pairs, sentences about people."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

from epicene.check.language import guess
from epicene.errors import InputError
from epicene.files import read_lines, write_packed
from epicene_lab import augment, corpus, europarl, frames
from epicene_lab.corpus import Dropped, SentencePair

_OTHER = 0.1  # by how much another language must be likelier, as the logarithm of the odds for each byte


@dataclass(frozen=True, slots=True)
class Lesson:
    """How much is taught about people."""

    phrases: tuple[str, ...] = ("phrases", "cues")  # tables of sentences that state a gender
    names: int = 2  # times each of them comes about everybody, with other names
    rounds: int = 60  # of sentences about one or two people that state all genders, each time about others
    open: int = 2  # times a sentence that leaves the gender open is drawn for each person


@dataclass(frozen=True, slots=True)
class Order:
    """What goes into a corpus."""

    source: str
    target: str
    europarl: Path | None = None
    files: tuple[Path, ...] = ()  # tab-separated pairs
    texts: tuple[tuple[Path, Path], ...] = ()  # two files, line by line
    people: str = ""  # a skew of augment.open_pairs; empty: no sentences about people
    most: int = 0  # of the European Parliament's pairs; 0: all
    words: int = 60  # in the longer side
    apart: tuple[Path, ...] = ()  # tests: pairs, or lines
    sets: tuple[str, ...] = ("simplegen",)
    untranslated: bool = False  # whether speeches stay that were never translated
    lesson: Lesson = Lesson()


@dataclass(slots=True)
class Gathered:
    """The parts of a corpus and what was left out."""

    base: list[SentencePair] = field(default_factory=list)
    people: list[SentencePair] = field(default_factory=list)
    dropped: Dropped = field(default_factory=Dropped)
    counts: dict[str, int] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """All pairs, tab-separated."""
        for source, target in (*self.base, *self.people):
            yield f"{source}\t{target}"


def gather(order: Order) -> Gathered:
    """Read, clean and keep apart; a sentence about a person of open gender may come several times, as it was drawn."""
    found = Gathered()
    tested, challenged = _kept_out(order)

    def kept(pairs: Iterable[SentencePair], most: int = 0) -> list[SentencePair]:
        fitting = list(_fitting(pairs, order.words, found.dropped))
        chosen = corpus.sample_lines(fitting, most) if most else fitting
        cleaned = ((corpus.clean(source), corpus.clean(target)) for source, target in chosen)
        return list(corpus.keep_apart(cleaned, tested, found.dropped, challenged))

    for path in order.files:
        taken = kept(corpus.read_pairs(read_lines(path), str(path), found.dropped))
        found.counts[path.name] = len(taken)
        found.base += taken
    for source, target in order.texts:
        taken = kept(_lines(source, target))
        found.counts[f"{source.name}, {target.name}"] = len(taken)
        found.base += taken
    if order.europarl:
        spoken = europarl.read_pairs(order.europarl, order.source, order.target)
        taken = kept(spoken, order.most)
        if not order.untranslated:
            taken = [pair for pair in taken if is_translated(pair, order.target, found.dropped)]
        found.counts["European Parliament"] = len(taken)
        found.base += taken
    if order.people:
        found.people = make_people(order, order.people)
        found.counts["about people"] = len(found.people)
    if not found.base and not found.people:
        raise InputError("no pair is left to train on")
    return found


def make_people(order: Order, skew: str) -> list[SentencePair]:
    """Sentences that state a gender, both equally often, and sentences that leave it open, with a skew."""
    target, lesson = order.target, order.lesson
    left_open = list(augment.make_open_pairs(target, skew, lesson.open))
    seeds = range(1, lesson.names + 1)
    stated = [pair for seed in seeds for name in lesson.phrases for pair in augment.make_pairs(target, seed, name)]
    stated += frames.both(target, ("stated", "done"), lesson.rounds)
    taught = [*dict.fromkeys(stated), *left_open]
    tested, challenged = _kept_out(order)
    return [
        pair
        for pair in taught
        if corpus.key(pair[0]) not in tested and challenged.isdisjoint(corpus.list_near(pair[0]))
    ]


def join_files(given: str) -> tuple[Path, Path]:
    """The two files that an option names."""
    first, comma, second = given.partition(",")
    if not comma or not first or not second or "," in second:
        raise InputError(f"--text {given!r}; expected two files with a comma between: SOURCE,TARGET")
    return Path(first), Path(second)


def write(found: Gathered, path: Path) -> int:
    """Write the corpus in a seeded order, gzipped where the name says so; the number of pairs."""
    lines = list(found.lines())
    random.Random(corpus.SEED).shuffle(lines)
    content = "".join(f"{line}\n" for line in lines).encode()
    write_packed(path, content)
    return len(lines)


def _fitting(pairs: Iterable[SentencePair], words: int, dropped: Dropped) -> Iterator[SentencePair]:
    for source, target in pairs:
        m, n = len(source.split()), len(target.split())
        if not m or not n:
            dropped.why["with an empty side"] += 1
        elif max(m, n) > words:
            dropped.why[f"longer than {words} words"] += 1
        elif m >= 2 * n + 3 or n >= 2 * m + 3:
            dropped.why["of unlike lengths"] += 1
        else:
            yield source, target


def is_translated(pair: SentencePair, target: str, dropped: Dropped) -> bool:
    """Whether a sentence of a debate is in the language it should be: some speeches were never translated."""
    answer = guess(pair[1], target) if pair[0] != pair[1] else None
    if pair[0] == pair[1] or (answer and answer.margin > _OTHER):
        dropped.why["not translated"] += 1
        return False
    return True


def _lines(source: Path, target: Path) -> Iterator[SentencePair]:
    for number, (first, second) in enumerate(zip_longest(read_lines(source), read_lines(target)), 1):
        if first is None or second is None:
            short = source if first is None else target
            raise InputError(
                f"{short} ends at line {number - 1}, the other file does not; both must have as many lines"
            )
        yield first, second


@lru_cache(maxsize=1)
def _kept_out(order: Order) -> tuple[frozenset[str], frozenset[str]]:
    """The sentences of the tests, and what no source may share with a sentence of the challenge sets."""
    challenges = (line for name in order.sets for line in corpus.read_challenge_sentences(name))
    near = frozenset(each for line in challenges for each in corpus.list_near(line))
    return frozenset(map(corpus.key, _tested(order.apart))), near


def _tested(paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        for line in read_lines(path):
            yield from line.split("\t")
