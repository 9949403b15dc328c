"""Packed text to pieces, on all cores: what a training reads as ``corpus.npz``."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from epicene_lab import arrays, pieces
from epicene_lab.corpus import CORPUS, PIECES
from epicene_lab.recipes.bundled import packed

# How often a pair is taught in an epoch; all but the first time, it is cut into pieces at random. People are a sixth of
# it: a model that read of them as often, but never as objects, took the librarian for the library there.
COPIES = {"europarl": 1, "tatoeba": 8, "people": 4, "done": 8, "everyday": 4}
BLOCK = 20_000  # sentences

Side = tuple[Any, Any]  # pieces end to end, lengths
_MODEL: list[Any] = []


def tokenise(
    folder: Path, copies: Mapping[str, int] = COPIES, workers: int = 0, beside: Sequence[Path] = ()
) -> Iterator[str]:
    """Write ``all/corpus.npz`` of the packed text here and beside; a line for each part."""
    import numpy as np

    training = json.loads((folder / "jobs.json").read_text(encoding="utf-8"))[0]["training"]
    blocks = [block for each in (folder, *beside) for block in _blocks(each, copies, training["sampling"])]
    given = (str(folder / "all" / PIECES), training["longest"])
    if workers == 1:
        _begin(*given)
        done = list(map(_cut, blocks))
    else:
        with multiprocessing.get_context("spawn").Pool(workers or os.cpu_count(), _begin, given) as pool:
            done = pool.map(_cut, blocks, chunksize=1)
    for part in dict.fromkeys(block[0] for block in blocks):
        number = sum(len(found[0][1]) for found, block in zip(done, blocks, strict=True) if block[0] == part)
        yield f"{part}: {number} pairs an epoch"
    found: dict[str, Any] = {"pairs": np.array(sum(len(each[0][1]) for each in done))}
    for place, name in enumerate(("source0", "target0")):
        found[name] = np.concatenate([each[place][0] for each in done])
        found[f"{name}.lengths"] = np.concatenate([each[place][1] for each in done])
        yield f"{name}: {len(found[name])} pieces"
    arrays.save(folder / "all" / CORPUS, found)


def _blocks(folder: Path, copies: Mapping[str, int], sampling: float) -> Iterator[tuple[Any, ...]]:
    for part, target, english, translations in packed.read(folder):
        for copy in range(copies[part.partition("-")[0]]):
            for start in range(0, len(english), BLOCK):
                some = slice(start, start + BLOCK)
                yield (
                    f"{part} en-{target}",
                    target,
                    english[some],
                    translations[some],
                    sampling if copy else 0.0,
                    copy + start,
                )


def _begin(path: str, longest: int) -> None:
    _MODEL[:] = [pieces.open_processor(Path(path)), longest]


def _cut(block: tuple[Any, ...]) -> tuple[Side, Side]:
    import numpy as np
    import sentencepiece

    _, target, english, said, sampling, seed = block
    model, longest = _MODEL
    sentencepiece.set_random_generator_seed(seed)
    sources = pieces.encode(model, english, target, sampling)
    targets = [[model.bos_id(), *each] for each in pieces.encode(model, said, None, sampling)]
    short = [place for place in range(len(sources)) if max(len(sources[place]), len(targets[place])) <= longest]
    sides = (pieces.join_ragged([side[place] for place in short]) for side in (sources, targets))
    first, second = ((side.pieces.astype(np.uint16), side.lengths.astype(np.uint16)) for side in sides)
    return first, second
