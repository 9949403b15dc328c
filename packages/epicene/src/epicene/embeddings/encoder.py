"""``huggingface:DIR``: words and sentences through an encoder of transformers (extra ``huggingface``).

A word gets its static input embedding, averaged over its pieces. A sentence gets the last layer at the classification
token or at the last token, as SEAT takes it, or its mean over all tokens. What the tokenizer does not know is not
there: the vector of "unknown" is no word's vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from epicene.embeddings.source import Row
from epicene.errors import InputError, SystemFailure
from epicene.models import import_transformers

if TYPE_CHECKING:
    from epicene.embeddings.source import Vector

_BATCH = 64


def rows(name: str, texts: Sequence[str], sentences: bool, pooling: str = "auto") -> Iterator[tuple[str, Row]]:
    """A row for each word, or for each sentence, whose pieces are all known; its word shows the pieces, if several."""
    model, tokenizer = open_encoder(name)
    known = {text: pieces for text in texts if (pieces := _pieces(tokenizer, text)) is not None}
    listed = list(known)
    for start in range(0, len(listed), _BATCH):
        batch = listed[start : start + _BATCH]
        vectors = (
            _sentences(model, tokenizer, batch, pooling, name)
            if sentences
            else [_static(model, known[word]) for word in batch]
        )
        for text, vector in zip(batch, vectors, strict=True):
            parts = tokenizer.convert_ids_to_tokens(known[text])
            shown = text if sentences or len(parts) == 1 else " ".join(parts)
            yield text, Row(shown, f"huggingface:{name}: {text!r}", vector)


def open_encoder(name: str) -> tuple[Any, Any]:
    """A model of transformers and its tokenizer, which pads at the end."""
    if not name:
        raise InputError("huggingface: needs a model folder, as in huggingface:./my-encoder")
    transformers = import_transformers(f"the encoder huggingface:{name}")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        model = transformers.AutoModel.from_pretrained(name).eval()
    except (OSError, ValueError, ImportError) as error:
        raise SystemFailure(f"huggingface:{name}: {str(error).splitlines()[0]}") from None
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.padding_side = "right"
    return model, tokenizer


def _pieces(tokenizer: Any, text: str) -> list[int] | None:
    """The pieces of a text; None where one of them is unknown, or where nothing is left."""
    pieces: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    unknown = tokenizer.unk_token_id
    # Models of bytes name their end of text as the unknown token, and never meet it in a word.
    return None if not pieces or (unknown is not None and unknown in pieces) else pieces


def _static(model: Any, pieces: Sequence[int]) -> Vector:
    import torch

    with torch.inference_mode():
        vectors = model.get_input_embeddings()(torch.tensor(pieces)).float().numpy()
    return np.asarray(vectors.mean(axis=0), dtype=np.float64)


def _sentences(model: Any, tokenizer: Any, sentences: Sequence[str], pooling: str, name: str) -> list[Vector]:
    import torch

    if pooling == "cls" and not tokenizer.cls_token:
        raise InputError(f"huggingface:{name}: it has no classification token; use --pooling last or mean")
    batch = tokenizer(list(sentences), return_tensors="pt", padding=True)
    with torch.inference_mode():
        states = model(**batch).last_hidden_state.float().numpy()
    lengths = batch["attention_mask"].sum(dim=1).numpy()
    if pooling == "mean":
        pooled = [state[:length].mean(axis=0) for state, length in zip(states, lengths, strict=True)]
    else:
        first = pooling == "cls" or (pooling == "auto" and tokenizer.cls_token)
        pooled = [state[0 if first else length - 1] for state, length in zip(states, lengths, strict=True)]
    return [np.asarray(vector, dtype=np.float64) for vector in pooled]
