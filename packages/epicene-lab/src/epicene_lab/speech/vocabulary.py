"""The pieces that a direct translator writes: SentencePiece's, then the special ones of Whisper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene_lab.speech.recipe import LANGUAGES

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
        return [self.own + SPECIAL.index(piece) for piece in prompt(target)]

    def encode(self, sentences: Sequence[str]) -> list[list[int]]:
        """The pieces of each sentence; letters that nobody taught the model are left out."""
        found = self.model.encode(list(sentences), out_type=int, num_threads=1)
        return [[piece for piece in pieces if piece] for pieces in found]

    def decode(self, pieces: Iterable[int]) -> str:
        """Pieces as text, without the special ones."""
        text: str = self.model.decode([int(piece) for piece in pieces if 0 < piece < self.own])
        return text.strip()


def prompt(target: str) -> list[str]:
    """What a translator is asked with before it writes a language."""
    task = "<|transcribe|>" if target == LANGUAGES[0] else "<|translate|>"
    return [START, f"<|{target}|>", task, "<|notimestamps|>"]


def learn(sentences: Iterable[str], size: int, path: Path) -> None:
    """Learn pieces from text; ``size`` counts the special ones too."""
    from epicene_lab.pieces import learnt

    path.parent.mkdir(parents=True, exist_ok=True)
    own = {"pad_id": -1, "unk_id": 0, "bos_id": -1, "eos_id": -1}
    path.write_bytes(learnt(sentences, size - len(SPECIAL), own))
