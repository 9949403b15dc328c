"""``huggingface:DIR``: words and sentences through an encoder of transformers (extra ``huggingface``).

A word gets its static input embedding, averaged over its pieces. A sentence gets what SEAT takes: the last layer at
the classification token, or at the last token of a model that has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from epicene.embeddings.source import Row
from epicene.errors import InputError, MissingExtraError, SystemFailure

if TYPE_CHECKING:
    from epicene.embeddings.source import Vector

_BATCH = 64


def rows(name: str, texts: Sequence[str], sentences: bool) -> Iterator[Row]:
    """A row for each word, or for each sentence; an encoder knows them all."""
    if not name:
        raise InputError("huggingface: needs a model folder, as in huggingface:./my-encoder")
    model, tokenizer = _load(name)
    for start in range(0, len(texts), _BATCH):
        batch = texts[start : start + _BATCH]
        vectors = (
            _sentences(model, tokenizer, batch)
            if sentences
            else [_static(model, tokenizer, word, name) for word in batch]
        )
        for text, vector in zip(batch, vectors, strict=True):
            yield Row(text, f"huggingface:{name}: {text!r}", vector)


def _load(name: str) -> tuple[Any, Any]:
    try:
        from transformers import AutoModel, AutoTokenizer
    except ImportError:
        raise MissingExtraError(f"the encoder huggingface:{name}", "huggingface") from None
    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModel.from_pretrained(name).eval()
    except (OSError, ValueError, ImportError) as error:
        raise SystemFailure(f"huggingface:{name}: {str(error).splitlines()[0]}") from None
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.padding_side = "right"
    return model, tokenizer


def _static(model: Any, tokenizer: Any, word: str, name: str) -> Vector:
    import numpy as np
    import torch

    pieces = tokenizer(word, add_special_tokens=False, return_tensors="pt")["input_ids"][0]
    if len(pieces) == 0:
        raise InputError(f"huggingface:{name}: its tokenizer leaves nothing of {word!r}")
    with torch.inference_mode():
        vectors = model.get_input_embeddings()(pieces).float().numpy()
    return np.asarray(vectors.mean(axis=0), dtype=np.float64)


def _sentences(model: Any, tokenizer: Any, sentences: Sequence[str]) -> list[Vector]:
    import numpy as np
    import torch

    batch = tokenizer(list(sentences), return_tensors="pt", padding=True)
    with torch.inference_mode():
        states = model(**batch).last_hidden_state.float().numpy()
    lengths = batch["attention_mask"].sum(dim=1).numpy()
    places = np.zeros_like(lengths) if tokenizer.cls_token else lengths - 1
    return [np.asarray(state[place], dtype=np.float64) for state, place in zip(states, places, strict=True)]
