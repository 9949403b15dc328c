"""Search for the best translation: greedy or with a beam, by one engine for all models and precisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from epicene_lab.model import BEGIN, END, PAD, State, Transformer

if TYPE_CHECKING:
    import numpy.typing as npt

    Pieces = npt.NDArray[Any]


def decode(model: Transformer, sources: Sequence[Pieces], beams: int, tokens: int = 4096) -> list[Pieces]:
    """The best pieces for each source, in order; ``tokens`` bounds a batch (1: one sentence at a time)."""
    translations: list[Pieces] = [np.zeros(0, np.int32)] * len(sources)
    device = model.positions.device
    with torch.inference_mode():
        for places in _batches([len(source) for source in sources], tokens):
            width = max(len(sources[place]) for place in places)
            matrix = np.zeros((len(places), width), np.int64)
            for row, place in enumerate(places):
                matrix[row, : len(sources[place])] = sources[place]
            limits = [min(2 * len(sources[place]) + 10, model.shape.positions - 1) for place in places]
            state = model.start(torch.from_numpy(matrix).to(device), beams)
            begin = torch.full((len(places), beams), BEGIN, device=device)
            best = search(model, state, begin, limits).cpu().numpy()
            for row, place in enumerate(places):
                translations[place] = best[row][best[row] != PAD].astype(np.int32)
    return translations


def _batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > tokens:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def search(
    model: Transformer,
    state: State,
    begin: Tensor,
    limits: list[int],
    end: int = END,
    banned: Sequence[int] = (PAD, BEGIN),
) -> Tensor:
    """The best pieces of each row after its first, which ``begin`` has once per beam; PAD behind their end."""
    how = _greedy if begin.shape[1] == 1 else _beam
    return how(model, state, begin, limits, end, list(banned))


def _greedy(model: Transformer, state: State, pieces: Tensor, limits: list[int], end: int, banned: list[int]) -> Tensor:
    rows, device = pieces.shape[0], pieces.device
    ended = torch.zeros(rows, 1, dtype=torch.bool, device=device)
    words = []
    for _ in range(max(limits)):
        pieces = _allowed(model.step(pieces, state), banned).argmax(-1)
        ended |= pieces == end
        if bool(ended.all()):
            break
        words.append(pieces.masked_fill(ended, PAD))
    if not words:
        return pieces.new_zeros(rows, 0)
    late = torch.arange(len(words)) >= torch.tensor(limits)[:, None]
    return torch.cat(words, 1).masked_fill_(late.to(device), PAD)


def _beam(model: Transformer, state: State, pieces: Tensor, limits: list[int], end: int, banned: list[int]) -> Tensor:
    """Beam search that ends a sentence once as many hypotheses as beams have ended; the best mean score wins."""
    (rows, beams), device, limit = pieces.shape, pieces.device, max(limits)
    last = torch.tensor(limits, device=device)
    first = torch.arange(rows, device=device)[:, None] * beams
    scores = torch.full((rows, beams), float("-inf"), device=device)
    scores[:, 0] = 0
    said = torch.zeros(rows, beams, limit, dtype=torch.long, device=device)
    best = torch.full((rows,), float("-inf"), device=device)
    best_said = torch.zeros(rows, limit, dtype=torch.long, device=device)
    ended = torch.zeros(rows, dtype=torch.long, device=device)
    for length in range(limit):
        step = torch.log_softmax(_allowed(model.step(pieces, state), banned), -1)
        size = step.shape[-1]
        top, places = (scores[..., None] + step).flatten(1).topk(2 * beams)
        came, piece = places // size, places % size
        ends = piece == end
        # Only an ending that is among the best ``beams`` counts, or the search would end too early.
        ending = ends & (torch.arange(2 * beams, device=device) < beams) & (ended < beams)[:, None]
        mean, which = (top / (length + 1)).masked_fill(~ending, float("-inf")).max(1)
        better = mean > best
        candidate = said[torch.arange(rows, device=device), came.gather(1, which[:, None]).squeeze(1)]
        best, best_said = torch.where(better, mean, best), torch.where(better[:, None], candidate, best_said)
        ended += ending.sum(1)
        if bool((ended >= beams).all()):
            break
        scores, going = top.masked_fill(ends, float("-inf")).topk(beams)
        came, pieces = came.gather(1, going), piece.gather(1, going)
        follow = (first + came).flatten()
        state.follow(follow)
        said = said.flatten(0, 1).index_select(0, follow).view_as(said)
        said[:, :, length] = pieces
        if length + 1 in limits:
            over = last == length + 1
            best_said = torch.where((over & (ended == 0))[:, None], said[:, 0], best_said)
            ended = ended.masked_fill(over, beams)
    return best_said


def _allowed(logits: Tensor, banned: list[int]) -> Tensor:
    """Logits without the pieces that no translation may hold."""
    logits = logits.float()
    for piece in banned:
        logits[..., piece] = float("-inf")
    return logits
