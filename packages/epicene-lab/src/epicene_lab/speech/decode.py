"""The stage ``decode``: what a trained model writes of recordings in shards, where it was trained."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from epicene.files import write_atomically
from epicene.speech.direct import most_pieces
from epicene_lab import store
from epicene_lab.speech import export, shards
from epicene_lab.speech.recipe import LANGUAGES
from epicene_lab.speech.shards import Batch
from epicene_lab.speech.targets import PROMPT, Pieces

if TYPE_CHECKING:
    from epicene_lab.speech.model import SpeechModel

HEADER = ("sentence", "voice", "language", "reference", "output")


@dataclass(frozen=True, slots=True)
class Decoding:
    """What is decoded, and how."""

    model: Path
    text: Path  # whose rows the shards speak
    speech: Path
    output: Path  # a table: sentence, voice, language, reference, output
    languages: tuple[str, ...] = LANGUAGES
    beam: int = 1
    batch_frames: int = 100_000
    most: int = 0  # recordings; 0: all
    device: str = "cpu"


def decode(order: Decoding, say: Callable[[str], None]) -> int:
    """Write the table; the number of its rows."""
    described = export.read_record(order.model)
    text = shards.read_text(order.text)
    rows = len(text[LANGUAGES[0]])
    recordings = shards.read(order.speech, shards.list_names(order.speech), described["shape"].frames, rows, say)
    count = min(len(recordings), order.most) if order.most else len(recordings)
    # A part is drawn evenly, so that every voice is in it.
    chosen = np.linspace(0, len(recordings) - 1, count).astype(np.int64) if count else np.zeros(0, np.int64)
    names = shards.list_voices(order.speech)
    model = export.load(order.model, order.device)
    pieces = Pieces(order.model / store.PIECES)
    lines = 0
    with write_atomically(order.output) as stream:
        print(*HEADER, sep="\t", file=stream)
        for target in (code for code in order.languages if code in described.get("languages", LANGUAGES)):
            for place, output in write_outputs(model, pieces, recordings, chosen, target, order):
                sentence, voice = int(recordings.sentence[place]), int(recordings.voice[place])
                name = names[voice] if voice < len(names) else str(voice)
                print(sentence, name, target, text[target][sentence], output, sep="\t", file=stream)
                lines += 1
            say(f"{target}: {count} recordings")
    return lines


def write_outputs(
    model: SpeechModel,
    pieces: Pieces,
    recordings: shards.Recordings,
    chosen: Sequence[int] | np.ndarray,
    target: str,
    how: Decoding,
) -> Iterator[tuple[int, str]]:
    """Recordings with what the model writes of them, shortest first."""
    import torch

    from epicene_lab.search import search
    from epicene_lab.speech.updates import Sound

    device = torch.device(how.device)
    sound = Sound(recordings, device)
    prompt = torch.tensor([pieces.prompt(target)], device=device)
    with torch.inference_mode():
        for rows in _batches(recordings, np.asarray(chosen), how.batch_frames // how.beam):
            batch = Batch(rows, np.ones(len(rows), np.float32), recordings.frames[rows])
            heard, frames = sound.batch(batch)
            state, begin = model.listen(heard, frames, prompt.expand(len(rows), -1), how.beam)
            most = [most_pieces(int(frames_of_one), model.places().shape[0] - PROMPT) for frames_of_one in batch.frames]
            best = search(model, state, begin, most, pieces.end, pieces.banned).cpu().numpy()
            for row, said in zip(rows, best, strict=True):
                yield int(row), pieces.decode(said)


def _batches(recordings: shards.Recordings, chosen: np.ndarray, frames: int) -> Iterator[np.ndarray]:
    order = chosen[np.argsort(recordings.frames[chosen], kind="stable")]
    first = 0
    while first < len(order):
        count = 1
        while first + count < len(order) and (count + 1) * recordings.frames[order[first + count]] <= frames:
            count += 1
        yield order[first : first + count]
        first += count
