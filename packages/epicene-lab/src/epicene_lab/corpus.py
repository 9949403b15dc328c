"""Pairs of sentences: read from lines, cleaned, and kept apart from what is tested on."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines

SEED = 20210801
TEST_LINES = 3000
LONGEST = 200  # words; a longer line is no sentence
SentencePair = tuple[str, str]


@dataclass(slots=True)
class Dropped:
    """How many pairs were left out, and why."""

    why: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return ", ".join(f"{number} {reason}" for reason, number in self.why.items()) or "none"


def pairs(lines: Iterable[str], name: str, dropped: Dropped) -> Iterator[SentencePair]:
    """Pairs from tab-separated lines; what is no pair is refused, what cannot be learnt from is counted and dropped."""
    for number, line in enumerate(lines, 1):
        sides = line.split("\t")
        if len(sides) != 2:
            raise InputError(f"{name}:{number}: {len(sides)} columns; expected 2: source, a tab, target")
        source, target = (clean(side) for side in sides)
        if not source or not target:
            dropped.why["with an empty side"] += 1
        elif max(len(source.split()), len(target.split())) > LONGEST:
            dropped.why[f"longer than {LONGEST} words"] += 1
        else:
            yield source, target


def clean(text: str) -> str:
    """Composed, without invisible letters, single blanks."""
    text = unicodedata.normalize("NFC", text)
    seen = (char for char in text if char.isspace() or unicodedata.category(char) not in ("Cf", "Cc"))
    return " ".join("".join(seen).split())


def key(text: str) -> str:
    """What two spellings of one sentence share: its letters and digits."""
    return "".join(char for char in unicodedata.normalize("NFC", text).casefold() if char.isalnum())


def near(text: str) -> Iterator[str]:
    """What a sentence shares with one that differs in a single word: its words less one, each in turn, and all."""
    words = [found for word in text.split() if (found := key(word))]
    yield " ".join(words)
    for place in range(len(words)):
        yield " ".join((*words[:place], *words[place + 1 :]))


def apart(
    found: Iterable[SentencePair], tested: frozenset[str], dropped: Dropped, challenged: frozenset[str] = frozenset()
) -> Iterator[SentencePair]:
    """Pairs that share neither side with a sentence that is tested on, each once.

    ``challenged`` holds what is ``near`` to the sentences of challenge sets: no source may come as near.
    """
    seen: set[SentencePair] = set()
    for pair in found:
        if key(pair[0]) in tested or key(pair[1]) in tested:
            dropped.why["shared with a test"] += 1
        elif challenged and not challenged.isdisjoint(near(pair[0])):
            dropped.why["one word from a challenge set"] += 1
        elif pair in seen:
            dropped.why["repeated"] += 1
        else:
            seen.add(pair)
            yield pair


def training_pairs(path: Path, tested: frozenset[str], dropped: Dropped) -> list[SentencePair]:
    """The pairs of a file that share nothing with what is tested on."""
    return list(apart(pairs(read_lines(path), str(path), dropped), tested, dropped))


def tested_sentences(paths: Iterable[Path]) -> Iterator[str]:
    """Both sides of test files, and the sentences of the challenge sets that are shipped."""
    for path in paths:
        for sides in pairs(read_lines(path), str(path), Dropped()):
            yield from sides
    yield from challenge_sentences("simplegen")


def challenge_sentences(name: str) -> list[str]:
    """The English sentences of a set."""
    from epicene.flow.plan import open_set
    from epicene.types import Pair

    challenge = open_set(name)
    return [item.source for item in challenge.items(Pair("en", "de"))]


def test_pairs(path: Path, number: int = TEST_LINES) -> list[SentencePair]:
    """Seeded lines of a test file, in the order of the file."""
    return sampled(list(pairs(read_lines(path), str(path), Dropped())), number)


def sampled(found: Sequence[SentencePair], number: int) -> list[SentencePair]:
    """Some of the pairs, chosen by the project's seed, in their order."""
    chosen = random.Random(SEED).sample(range(len(found)), min(number, len(found)))
    return [found[place] for place in sorted(chosen)]
