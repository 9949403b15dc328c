"""Subword pieces: a SentencePiece model of both sides, best and sampled tokenisations."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError

if TYPE_CHECKING:
    from epicene_lab.batches import Ragged

SEED = 20210801
GENDERS = ("<F>", "<M>")  # as ``lab pairs tagged`` writes them, for a vocabulary that is to keep them whole


def name_tag(target: str) -> str:
    """The piece that asks for a target language."""
    return f"<2{target}>"


def learn(sentences: Iterable[str], size: int, tags: Sequence[str], path: Path) -> None:
    """Learn a vocabulary of byte pairs; piece 0 is padding, then unknown, begin and end."""
    ids = {"pad_id": 0, "unk_id": 1, "bos_id": 2, "eos_id": 3}
    content = learn_from(sentences, size, ids, tags)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def learn_from(sentences: Iterable[str], size: int, ids: Mapping[str, Any], tags: Sequence[str] = ()) -> bytes:
    """A SentencePiece model of byte pairs, learnt from text; ``ids`` are the numbers of its control pieces."""
    import sentencepiece

    buffer = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences),
            model_writer=buffer,
            model_type="bpe",
            vocab_size=size,
            character_coverage=0.9999,
            user_defined_symbols=list(tags),
            minloglevel=2,
            num_threads=2,
            **ids,
        )
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1]
        raise InputError(f"no vocabulary of {size} pieces can be learnt from this data: {reason}") from None
    return buffer.getvalue()


def open_processor(path: Path) -> Any:
    """The SentencePiece model in a file."""
    import sentencepiece

    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError) as error:
        raise InputError(f"cannot read {path}: {error}") from None


def load(content: bytes) -> Any:
    """The SentencePiece model that these bytes are."""
    import sentencepiece

    try:
        return sentencepiece.SentencePieceProcessor(model_proto=content)
    except (RuntimeError, ValueError) as error:
        raise InputError(f"no SentencePiece model: {error}") from None


def encode(model: Any, sentences: Sequence[str], target: str | None = None, sampling: float = 0.0) -> list[list[int]]:
    """Pieces of each sentence with END after it; sources of a model with tags ask for their target first."""
    before = []
    if target is not None and model.piece_to_id(name_tag(target)) == model.unk_id():
        known = [model.id_to_piece(number)[2:-1] for number in range(4, 16) if model.id_to_piece(number)[:2] == "<2"]
        raise InputError(f"this model has no tag for target {target!r}; it knows: {', '.join(known) or 'none'}")
    if target is not None:
        before = [model.piece_to_id(name_tag(target))]
    options = {"enable_sampling": True, "alpha": sampling, "nbest_size": -1} if sampling else {}
    encoded = model.encode(list(sentences), out_type=int, num_threads=1, **options)
    return [[*before, *pieces, model.eos_id()] for pieces in encoded]


def join_ragged(sequences: Sequence[Sequence[int]]) -> Ragged:
    """Sequences end to end, in two bytes a piece where that is enough."""
    import numpy as np

    from epicene_lab.batches import Ragged

    lengths = np.array([len(sequence) for sequence in sequences], np.int64)
    flat = np.fromiter((piece for sequence in sequences for piece in sequence), np.int64, int(lengths.sum()))
    return Ragged(flat.astype(np.uint16) if not len(flat) or flat.max() < 1 << 16 else flat.astype(np.int32), lengths)
