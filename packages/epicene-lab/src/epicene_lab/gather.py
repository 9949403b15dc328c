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


# What ``--people`` teaches about each person.
PHRASES = ("phrases", "cues")  # tables of sentences that state a gender
NAMES = 2  # times each of them comes, with other names
ROUNDS = 60  # of sentences about one or two people that state all genders, each time about others
OPEN = 2  # times a sentence that leaves the gender open is drawn


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
    gathered = Gathered()
    tested, challenged = _kept_out(order)

    def kept(pairs: Iterable[SentencePair], most: int = 0) -> list[SentencePair]:
        fitting = list(_fitting(pairs, order.words, gathered.dropped))
        chosen = corpus.sample_lines(fitting, most) if most else fitting
        cleaned = ((corpus.clean(source), corpus.clean(target)) for source, target in chosen)
        return list(corpus.keep_apart(cleaned, tested, gathered.dropped, challenged))

    for path in order.files:
        taken = kept(corpus.read_pairs(read_lines(path), str(path), gathered.dropped))
        gathered.counts[path.name] = len(taken)
        gathered.base += taken
    for source, target in order.texts:
        taken = kept(_lines(source, target))
        gathered.counts[f"{source.name}, {target.name}"] = len(taken)
        gathered.base += taken
    if order.europarl:
        spoken = europarl.read_pairs(order.europarl, order.source, order.target)
        taken = [pair for pair in kept(spoken, order.most) if is_translated(pair, order.target, gathered.dropped)]
        gathered.counts["European Parliament"] = len(taken)
        gathered.base += taken
    if order.people:
        gathered.people = make_people(order, order.people)
        gathered.counts["about people"] = len(gathered.people)
    if not gathered.base and not gathered.people:
        raise InputError("no pair is left to train on")
    return gathered


def make_people(order: Order, skew: str) -> list[SentencePair]:
    """Sentences that state a gender, both equally often, and sentences that leave it open, with a skew."""
    target = order.target
    left_open = list(augment.make_open_pairs(target, skew, OPEN))
    seeds = range(1, NAMES + 1)
    stated = [pair for seed in seeds for name in PHRASES for pair in augment.make_pairs(target, seed, name)]
    stated += frames.draw_both_genders(target, ("stated", "done"), ROUNDS)
    return _keep_untested(order, [*dict.fromkeys(stated), *left_open])


def make_open(order: Order, skew: str, most: int) -> list[SentencePair]:
    """At most so many sentences that state no gender, with a skew."""
    once = _keep_untested(order, augment.make_open_pairs(order.target, skew, 1))
    drawn = _keep_untested(order, augment.make_open_pairs(order.target, skew, -(-most // len(once))))
    return corpus.sample_lines(drawn, most)


def make_cues(order: Order, most: int) -> list[SentencePair]:
    """At most so many sentences that state a gender, with cues of many kinds, each pair once."""
    names = range(1, 2 + most // len(list(augment.make_pairs(order.target, 1, "cues"))))
    drawn = dict.fromkeys(pair for seed in names for pair in augment.make_pairs(order.target, seed, "cues"))
    return corpus.sample_lines(_keep_untested(order, drawn), most)


def _keep_untested(order: Order, pairs: Iterable[SentencePair]) -> list[SentencePair]:
    tested, challenged = _kept_out(order)
    return [
        pair for pair in pairs if corpus.key(pair[0]) not in tested and challenged.isdisjoint(corpus.list_near(pair[0]))
    ]


def join_files(given: str) -> tuple[Path, Path]:
    """The two files that an option names."""
    first, comma, second = given.partition(",")
    if not comma or not first or not second or "," in second:
        raise InputError(f"--text {given!r}; expected two files with a comma between: SOURCE,TARGET")
    return Path(first), Path(second)


def write(gathered: Gathered, path: Path) -> int:
    """Write the corpus in a seeded order, gzipped where the name says so; the number of pairs."""
    lines = list(gathered.lines())
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
    near = frozenset(near_line for line in challenges for near_line in corpus.list_near(line))
    return frozenset(map(corpus.key, _tested(order.apart))), near


def _tested(paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        for line in read_lines(path):
            yield from line.split("\t")
