"""What recordings are asked for: the pieces of each sentence in each language, learnt and cut once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from epicene.errors import InputError
from epicene_lab import arrays, store
from epicene_lab.pieces import join_ragged
from epicene_lab.speech import shards
from epicene_lab.speech.recipe import LANGUAGES, SpeechRecipe

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


END, START = "<|endoftext|>", "<|startoftranscript|>"
_TASKS = ("<|translate|>", "<|transcribe|>", "<|startoflm|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>")
# In Whisper's order: what stands behind the last one would be a time.
SPECIAL = (END, START, *(f"<|{code}|>" for code in LANGUAGES), *_TASKS)
PROMPT = 4  # pieces that tell what is asked for


class Pieces:
    """A SentencePiece model with the special pieces behind its own; piece 0 is unknown, and padding."""

    def __init__(self, path: Path) -> None:
        import sentencepiece

        try:
            self.model: Any = sentencepiece.SentencePieceProcessor(model_file=str(path))
        except (OSError, RuntimeError) as error:
            raise InputError(f"cannot read {path}: {error}") from None
        self.own: int = self.model.get_piece_size()
        self.end = self.own + SPECIAL.index(END)

    @property
    def all(self) -> list[str]:
        """Every piece by its number."""
        return [*(self.model.id_to_piece(number) for number in range(self.own)), *SPECIAL]

    @property
    def banned(self) -> list[int]:
        """The pieces that may not be written: the unknown one, and the special ones but for the end."""
        return [0, *(number for number in range(self.own, self.own + len(SPECIAL)) if number != self.end)]

    def prompt(self, target: str) -> list[int]:
        """The pieces that ask for a language: English is what was said."""
        return [self.own + SPECIAL.index(piece) for piece in write_prompt(target)]

    def encode(self, sentences: Sequence[str]) -> list[list[int]]:
        """The pieces of each sentence; letters that nobody taught the model are left out."""
        encoded = self.model.encode(list(sentences), out_type=int, num_threads=1)
        return [[piece for piece in pieces if piece] for pieces in encoded]

    def decode(self, pieces: Iterable[int]) -> str:
        """Pieces as text, without the special ones."""
        text: str = self.model.decode([int(piece) for piece in pieces if 0 < piece < self.own])
        return text.strip()


def write_prompt(target: str) -> list[str]:
    """What a translator is asked with before it writes a language."""
    task = "<|transcribe|>" if target == LANGUAGES[0] else "<|translate|>"
    return [START, f"<|{target}|>", task, "<|notimestamps|>"]


def learn(sentences: Iterable[str], size: int, path: Path) -> None:
    """Learn pieces from text; ``size`` counts the special ones too."""
    from epicene_lab.pieces import learn_from

    path.parent.mkdir(parents=True, exist_ok=True)
    own = {"pad_id": -1, "unk_id": 0, "bos_id": -1, "eos_id": -1}
    path.write_bytes(learn_from(sentences, size - len(SPECIAL), own))


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
    text = shards.read_text(table)
    place = folder / store.PIECES
    if pieces is not None:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(pieces.read_bytes())
    else:
        learn((line for lines in text.values() for line in lines if line), recipe.shape.vocabulary, place)
    tool = Pieces(place)
    archive: dict[str, Any] = {}
    for code, lines in text.items():
        cut = join_ragged(
            [[*sentence_pieces, tool.end] if sentence_pieces else [] for sentence_pieces in tool.encode(lines)]
        )
        archive[code], archive[f"{code}.lengths"] = cut.pieces, cut.lengths.astype(np.uint16)
    arrays.save(folder / PREPARED, archive, arrays.PACKED)
    return len(text[LANGUAGES[0]])


def load(folder: Path, longest: int) -> Targets:
    """What ``prepare`` left in a folder; targets of more pieces than ``longest`` are left out."""
    path = folder / PREPARED
    if not path.is_file():
        raise InputError(f"{folder} holds no {PREPARED}; make it with: epicene lab speech prepare TEXT -o {folder}")
    archive = arrays.load(path)
    try:
        lengths = np.stack([archive[f"{code}.lengths"].astype(np.int64) for code in LANGUAGES])
        sides = [archive[code] for code in LANGUAGES]
    except (KeyError, ValueError) as error:
        raise InputError(f"{path}: {error}; make it again with: epicene lab speech prepare") from None
    fitting = np.where(lengths <= longest, lengths, 0)
    matrix = np.zeros((*lengths.shape, max(1, int(fitting.max()))), np.int32)
    columns = np.arange(matrix.shape[2])
    for side, pieces in enumerate(sides):
        inside = columns < fitting[side][:, None]
        places = (np.cumsum(lengths[side]) - lengths[side])[:, None] + columns
        matrix[side][inside] = pieces[places[inside]]
    return Targets(matrix, fitting)
