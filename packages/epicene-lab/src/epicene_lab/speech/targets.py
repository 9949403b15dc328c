"""What recordings are asked for: the pieces of each sentence in each language, learnt and cut once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from epicene.errors import InputError
from epicene_lab import arrays, store
from epicene_lab.pieces import ragged
from epicene_lab.speech import shards, vocabulary
from epicene_lab.speech.recipe import LANGUAGES, SpeechRecipe

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

PREPARED = "pieces.npz"


@dataclass(frozen=True, slots=True)
class Targets:
    """Sentences as pieces: languages × sentences × pieces, the end after them and padding after that."""

    pieces: Array
    lengths: Array  # languages × sentences, the end counted; 0 where there is no text, or too long a one

    @property
    def languages(self) -> list[str]:
        """The languages that there is text in."""
        return [code for code, lengths in zip(LANGUAGES, self.lengths, strict=True) if lengths.any()]


def prepare(table: Path, recipe: SpeechRecipe, folder: Path, pieces: Path | None = None) -> int:
    """Learn the pieces of a text, or take those of a model, and cut it into them; the number of sentences."""
    text = shards.text(table)
    place = folder / store.PIECES
    if pieces is not None:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(pieces.read_bytes())
    else:
        vocabulary.learn((line for lines in text.values() for line in lines if line), recipe.shape.vocabulary, place)
    tool = vocabulary.Pieces(place)
    found: dict[str, Any] = {}
    for code, lines in text.items():
        cut = ragged([[*each, tool.end] if each else [] for each in tool.encode(lines)])
        found[code], found[f"{code}.lengths"] = cut.pieces, cut.lengths.astype(np.uint16)
    arrays.save(folder / PREPARED, found, arrays.PACKED)
    return len(text[LANGUAGES[0]])


def load(folder: Path, longest: int) -> Targets:
    """What ``prepare`` left in a folder; targets of more pieces than ``longest`` are left out."""
    path = folder / PREPARED
    if not path.is_file():
        raise InputError(f"{folder} holds no {PREPARED}; make it with: epicene lab speech prepare TEXT -o {folder}")
    found = arrays.load(path)
    try:
        lengths = np.stack([found[f"{code}.lengths"].astype(np.int64) for code in LANGUAGES])
        sides = [found[code] for code in LANGUAGES]
    except (KeyError, ValueError) as error:
        raise InputError(f"{path}: {error}; make it again with: epicene lab speech prepare") from None
    kept = np.where(lengths <= longest, lengths, 0)
    matrix = np.zeros((*lengths.shape, max(1, int(kept.max()))), np.int32)
    columns = np.arange(matrix.shape[2])
    for side, pieces in enumerate(sides):
        inside = columns < kept[side][:, None]
        places = (np.cumsum(lengths[side]) - lengths[side])[:, None] + columns
        matrix[side][inside] = pieces[places[inside]]
    return Targets(matrix, kept)
