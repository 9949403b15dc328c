"""How likely a model finds given translations."""

from __future__ import annotations

from collections.abc import Sequence

from epicene_lab import pieces
from epicene_lab.corpus import SentencePair
from epicene_lab.origin import Origin


def scores(begun: Origin, pairs: Sequence[SentencePair], target: str, rows: int = 32) -> list[float]:
    """The mean log-probability of the pieces of each translation."""
    import numpy as np
    import torch

    from epicene_lab.model import BEGIN, PAD, Transformer

    model = Transformer(begun.shape).eval()
    model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in begun.weights.items()})
    tool = pieces.loaded(begun.pieces)
    tag = target if tool.piece_to_id(pieces.tag(target)) != tool.unk_id() else None
    longest = begun.shape.positions - 1
    sources = [each[-longest:] for each in pieces.encode(tool, [pair[0] for pair in pairs], tag)]
    targets = [[BEGIN, *each][:longest] for each in pieces.encode(tool, [pair[1] for pair in pairs])]
    order = sorted(range(len(pairs)), key=lambda place: len(targets[place]))
    found = [0.0] * len(pairs)
    with torch.inference_mode():
        for start in range(0, len(order), rows):
            places = order[start : start + rows]
            source, said = (_padded([side[place] for place in places]) for side in (sources, targets))
            logits = model(torch.from_numpy(source), torch.from_numpy(said[:, :-1].copy()))
            wanted = torch.from_numpy(said[:, 1:].copy())
            each = torch.log_softmax(logits, -1).gather(2, wanted[..., None]).squeeze(2)
            real = wanted != PAD
            means = (each * real).sum(1) / real.sum(1)
            for place, mean in zip(places, means.tolist(), strict=True):
                found[place] = float(mean)
    return found


def _padded(rows: Sequence[Sequence[int]]):  # type: ignore[no-untyped-def]
    import numpy as np

    found = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for place, row in enumerate(rows):
        found[place, : len(row)] = row
    return found
