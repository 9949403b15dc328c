"""Words in the sentences of plain text, and the vector that an encoder gives each of them there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from epicene.embeddings.association import Array
from epicene.embeddings.encoder import open_encoder
from epicene.errors import InputError
from epicene.files import read_lines

_BATCH = 64
_LONGEST = 60  # words of a sentence
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")


def find_uses(texts: Iterable[str | Path], words: set[str], most: int) -> list[tuple[str, str, int]]:
    """The first uses of each word: word, sentence and place; a sentence serves for each word that it holds."""
    counts: dict[str, int] = {}
    uses = []
    for text in texts:
        for line in read_lines(text):
            matches = list(_WORD.finditer(line))
            if len(matches) > _LONGEST:
                continue
            for match in matches:
                word = match[0]
                if word in words and counts.get(word, 0) < most:
                    counts[word] = counts.get(word, 0) + 1
                    uses.append((word, line, match.start()))
    return uses


def embed_uses(name: str, uses: Sequence[tuple[str, str, int]]) -> Iterator[tuple[str, Array]]:
    """The vector of each use of a word: of word, sentence and the word's place in it, the last layer at its pieces."""
    import torch

    model, tokenizer = open_encoder(name)
    if not tokenizer.is_fast:
        raise InputError(f"huggingface:{name}: its tokenizer does not say where pieces stand; a fast one is needed")
    longest = getattr(model.config, "max_position_embeddings", 512)
    for start in range(0, len(uses), _BATCH):
        batch = uses[start : start + _BATCH]
        encoded = tokenizer(
            [sentence for _, sentence, _ in batch],
            return_tensors="pt",
            padding=True,
            truncation=True,
            max_length=longest,
            return_offsets_mapping=True,
        )
        places = encoded.pop("offset_mapping").tolist()
        with torch.inference_mode():
            states = model(**encoded).last_hidden_state.float().numpy()
        for (word, _, at), state, spans, ids in zip(batch, states, places, encoded["input_ids"].tolist(), strict=True):
            own_pieces = [n for n, (low, high) in enumerate(spans) if low < at + len(word) and high > at and high > low]
            if own_pieces and not any(ids[n] == tokenizer.unk_token_id for n in own_pieces):
                yield word, np.asarray(state[own_pieces].mean(axis=0), dtype=np.float64)
