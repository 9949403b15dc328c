"""The text that an adaptation is trained on: sentences made for it, found in a text, and a text as it is."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines
from epicene_lab import corpus, frames, gendered
from epicene_lab.adaptation import BALANCED, COUNTERFACTUAL, INSTRUCTED, TAGGED, Order
from epicene_lab.corpus import Dropped, SentencePair
from epicene_lab.origin import Origin

Parts = dict[str, list[SentencePair]]  # by what they are
Two = tuple[SentencePair, SentencePair]  # a pair and its copy in the other gender
LOSS = 0.35  # of mean log-probability that a copy may lose: what is no language loses more
_SPARE = 100  # sentences made beyond those wanted, since some are near to a test


class Kept:
    """Pairs that share nothing with what is tested on."""

    def __init__(self, order: Order) -> None:
        challenges = [line for name in order.sets for line in corpus.read_challenge_sentences(name)]
        self.dropped = Dropped()
        self._tested = frozenset(map(corpus.key, corpus.read_tested_sentences(order.apart)))
        self._challenged = frozenset(near for line in challenges for near in corpus.list_near(line))

    def __call__(self, pairs: Iterable[SentencePair]) -> Iterator[SentencePair]:
        return corpus.keep_apart(pairs, self._tested, self.dropped, self._challenged)


def make_parts(order: Order, target: str, guard: Kept, begun: Origin) -> Parts:
    """The parts of one language's text."""
    how, mixture, path = order.adaptation.how, order.adaptation.mixture, order.texts[target]
    text = _text(path, guard, order.seed, mixture.read + mixture.general) if path else []
    if not text and how == COUNTERFACTUAL:
        raise InputError(f"{how} copies are made from text; give it with --data {target}=PAIRS.tsv")
    read = text[: mixture.read]
    there = set(read)
    found: list[SentencePair] = []
    made: Iterable[SentencePair] = ()
    if how == BALANCED:
        made = gendered.make_balanced(target, mixture.made + _SPARE, order.seed)
    elif how == TAGGED:
        made = islice(frames.draw_tagged(target, order.seed), mixture.made + _SPARE)
        found = [pair for pair in gendered.tag_pairs(read, target) if pair not in there]
    elif how == INSTRUCTED:
        made = islice(
            gendered.draw_instructed(frames.draw_tagged(target, order.seed), order.seed), mixture.made + _SPARE
        )
        found = [pair for pair in gendered.add_instructions(read, target, order.seed) if pair not in there]
    else:
        found = choose_likely(list_copies(read, target), begun, target)
    mixed = {
        "made": list(islice(guard(made), mixture.made)),
        "found": found[: mixture.found],
        "general": text[mixture.read :],
    }
    return {name: pairs for name, pairs in mixed.items() if pairs}


def list_copies(read: Sequence[SentencePair], target: str) -> list[Two]:
    """Pairs that state a gender, each with its copy in the other."""
    there = set(read)
    every = list(gendered.make_counterfactual(read, target))
    return [(before, copy) for before, copy in pairwise(every) if copy not in there]


def choose_likely(twos: Sequence[Two], begun: Origin, target: str) -> list[SentencePair]:
    """Both of each two, where the model itself finds the copy hardly less likely than what it was made from."""
    from epicene_lab.origin import score_translations

    scores = score_translations(begun, [pair for two in twos for pair in two], target)
    return [
        pair
        for two, before, after in zip(twos, scores[::2], scores[1::2], strict=True)
        if before - after <= LOSS
        for pair in two
    ]


def _text(path: Path, guard: Kept, seed: int, most: int) -> list[SentencePair]:
    """As many pairs of a file as are wanted, in a seeded order."""
    lines = ["\t".join(line.split("\t")[:2]) for line in read_lines(path)]
    random.Random(seed).shuffle(lines)
    return list(islice(guard(corpus.read_pairs(lines, str(path), guard.dropped)), most))
