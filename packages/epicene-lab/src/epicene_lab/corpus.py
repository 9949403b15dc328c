"""Pairs of sentences: read from lines, cleaned, and kept apart from what is tested on."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene.files import read_lines
from epicene_lab import arrays, pieces
from epicene_lab.recipe import Training

if TYPE_CHECKING:
    from epicene_lab.batches import Bucket


CORPUS, PIECES = "corpus.npz", "sentencepiece.model"


def prepare(
    corpora: Mapping[str, Sequence[SentencePair]],
    vocabulary: int,
    training: Training,
    folder: Path,
    known: bytes | None = None,
) -> int:
    """Write ``sentencepiece.model`` and ``corpus.npz`` for pairs by target language; the number of pairs kept.

    Several targets share one model, so their sources begin with a tag. ``known`` is the SentencePiece model of a model
    that is trained further; whether sources have tags is then its business.
    """
    import numpy as np

    if known is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PIECES).write_bytes(known)
    several = len(corpora) > 1 if known is None else has_tags(known)
    tags = [pieces.name_tag(target) for target in corpora] if several else []
    every = [pair for found in corpora.values() for pair in found]
    if not every:
        raise InputError("no pair is left to train on")
    if not (folder / PIECES).is_file():
        pieces.learn(chain.from_iterable(every), vocabulary, tags, folder / PIECES)
    model = pieces.open_processor(folder / PIECES)
    sides = [_tokenise(model, corpora, bool(tags), number, training) for number in range(training.samplings)]
    short = [
        place
        for place in range(len(every))
        if max(len(side[place]) for pair in sides for side in pair) <= training.longest
    ]
    found: dict[str, Any] = {"pairs": np.array(len(short))}
    for number, (sources, targets) in enumerate(sides):
        for name, side in (("source", sources), ("target", targets)):
            short_side = pieces.join_ragged([side[place] for place in short])
            found[f"{name}{number}"] = short_side.pieces
            found[f"{name}{number}.lengths"] = short_side.lengths.astype(np.uint16)
    arrays.save(folder / CORPUS, found, arrays.PACKED)
    return len(short)


def has_tags(known: bytes) -> bool:
    """Whether a vocabulary has tags for target languages."""
    model = pieces.load(known)
    return any(model.id_to_piece(number).startswith("<2") for number in range(min(16, model.get_piece_size())))


def _tokenise(
    model: Any, corpora: Mapping[str, Sequence[SentencePair]], tagged: bool, number: int, training: Training
) -> tuple[list[list[int]], list[list[int]]]:
    """Both sides of all pairs: the best tokenisation first, then sampled ones."""
    import sentencepiece

    sentencepiece.set_random_generator_seed(pieces.SEED + number)
    sampling = training.sampling if number else 0.0
    sources: list[list[int]] = []
    targets: list[list[int]] = []
    for target, pairs in corpora.items():
        tag = target if tagged else None
        sources += pieces.encode(model, [pair[0] for pair in pairs], tag, sampling)
        targets += pieces.encode(model, [pair[1] for pair in pairs], None, sampling)
    return sources, [[model.bos_id(), *sequence] for sequence in targets]


def load_decks(folders: Sequence[Path], training: Training) -> list[Bucket]:
    """Prepared corpora as buckets of batches; several are trained on as one."""
    import numpy as np

    from epicene_lab.batches import Ragged, make_buckets

    parts = [arrays.load(folder / CORPUS) for folder in folders]

    def sides(name: str) -> list[Ragged]:
        numbers = range(sum(key.startswith(name) and not key.endswith(".lengths") for key in parts[0]))
        return [Ragged(joined(f"{name}{n}"), joined(f"{name}{n}.lengths").astype(np.int64)) for n in numbers]

    def joined(name: str) -> Any:
        return np.concatenate([part[name] for part in parts])

    return make_buckets(sides("source"), sides("target"), training.batch_tokens, training.grid)


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


def read_pairs(lines: Iterable[str], name: str, dropped: Dropped) -> Iterator[SentencePair]:
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


def list_near(text: str) -> Iterator[str]:
    """What a sentence shares with one that differs in a single word: its words less one, each in turn, and all."""
    words = [letters for word in text.split() if (letters := key(word))]
    yield " ".join(words)
    for place in range(len(words)):
        yield " ".join((*words[:place], *words[place + 1 :]))


def keep_apart(
    pairs: Iterable[SentencePair], tested: frozenset[str], dropped: Dropped, challenged: frozenset[str] = frozenset()
) -> Iterator[SentencePair]:
    """Pairs that share neither side with a sentence that is tested on, each once.

    ``challenged`` holds what is ``near`` to the sentences of challenge sets: no source may come as near.
    """
    seen: set[SentencePair] = set()
    for pair in pairs:
        if key(pair[0]) in tested or key(pair[1]) in tested:
            dropped.why["shared with a test"] += 1
        elif challenged and not challenged.isdisjoint(list_near(pair[0])):
            dropped.why["one word from a challenge set"] += 1
        elif pair in seen:
            dropped.why["repeated"] += 1
        else:
            seen.add(pair)
            yield pair


def read_training_pairs(path: Path, tested: frozenset[str], dropped: Dropped) -> list[SentencePair]:
    """The pairs of a file that share nothing with what is tested on."""
    return list(keep_apart(read_pairs(read_lines(path), str(path), dropped), tested, dropped))


def read_tested_sentences(paths: Iterable[Path]) -> Iterator[str]:
    """Both sides of test files, and the sentences of the challenge sets that are shipped."""
    for path in paths:
        for sides in read_pairs(read_lines(path), str(path), Dropped()):
            yield from sides
    yield from read_challenge_sentences("simplegen")


def read_challenge_sentences(name: str) -> list[str]:
    """The English sentences of a set."""
    from epicene.flow.plan import open_set
    from epicene.types import Pair

    challenge = open_set(name)
    return [item.source for item in challenge.items(Pair("en", "de"))]


def read_test_pairs(path: Path, number: int = TEST_LINES) -> list[SentencePair]:
    """Seeded lines of a test file, in the order of the file."""
    return sample_lines(list(read_pairs(read_lines(path), str(path), Dropped())), number)


def sample_lines(pairs: Sequence[SentencePair], number: int) -> list[SentencePair]:
    """Some of the pairs, chosen by the project's seed, in their order."""
    chosen = random.Random(SEED).sample(range(len(pairs)), min(number, len(pairs)))
    return [pairs[place] for place in sorted(chosen)]
