"""Everything before the first update: vocabulary and tokenisations, so that a GPU's minutes go into training alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene_lab import arrays, pieces
from epicene_lab.corpus import SentencePair
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
    tags = [pieces.tag(target) for target in corpora] if several else []
    every = [pair for found in corpora.values() for pair in found]
    if not every:
        raise InputError("no pair is left to train on")
    if not (folder / PIECES).is_file():
        pieces.learn(chain.from_iterable(every), vocabulary, tags, folder / PIECES)
    model = pieces.processor(folder / PIECES)
    sides = [_tokenised(model, corpora, bool(tags), number, training) for number in range(training.samplings)]
    short = [
        place
        for place in range(len(every))
        if max(len(side[place]) for pair in sides for side in pair) <= training.longest
    ]
    found: dict[str, Any] = {"pairs": np.array(len(short))}
    for number, (sources, targets) in enumerate(sides):
        for name, side in (("source", sources), ("target", targets)):
            kept = pieces.ragged([side[place] for place in short])
            found[f"{name}{number}"] = kept.pieces
            found[f"{name}{number}.lengths"] = kept.lengths.astype(np.uint16)
    arrays.save(folder / CORPUS, found, arrays.PACKED)
    return len(short)


def has_tags(known: bytes) -> bool:
    """Whether a vocabulary has tags for target languages."""
    model = pieces.loaded(known)
    return any(model.id_to_piece(number).startswith("<2") for number in range(min(16, model.get_piece_size())))


def _tokenised(
    model: Any, corpora: Mapping[str, Sequence[SentencePair]], tagged: bool, number: int, training: Training
) -> tuple[list[list[int]], list[list[int]]]:
    """Both sides of all pairs: the best tokenisation first, then sampled ones."""
    import sentencepiece

    sentencepiece.set_random_generator_seed(pieces.SEED + number)
    sampling = training.sampling if number else 0.0
    sources: list[list[int]] = []
    targets: list[list[int]] = []
    for target, found in corpora.items():
        tag = target if tagged else None
        sources += pieces.encode(model, [pair[0] for pair in found], tag, sampling)
        targets += pieces.encode(model, [pair[1] for pair in found], None, sampling)
    return sources, [[model.bos_id(), *sequence] for sequence in targets]


def decks(folders: Sequence[Path], training: Training) -> list[Bucket]:
    """Prepared corpora as buckets of batches; several are trained on as one."""
    import numpy as np

    from epicene_lab.batches import Ragged, buckets

    parts = [arrays.load(folder / CORPUS) for folder in folders]

    def sides(name: str) -> list[Ragged]:
        numbers = range(sum(key.startswith(name) and not key.endswith(".lengths") for key in parts[0]))
        return [Ragged(joined(f"{name}{n}"), joined(f"{name}{n}.lengths").astype(np.int64)) for n in numbers]

    def joined(name: str) -> Any:
        return np.concatenate([part[name] for part in parts])

    return buckets(sides("source"), sides("target"), training.batch_tokens, training.grid)
