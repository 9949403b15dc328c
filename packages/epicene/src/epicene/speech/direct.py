"""A model that hears recordings and writes text by itself, in Whisper's layout, run by CTranslate2.

``epicene lab speech`` trains and exports such models. One writes what was said, and its translation, as it is asked.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from epicene.errors import InputError, SystemFailure, first_line
from epicene.files import fingerprint
from epicene.models import count_threads, model_folder
from epicene.registry import Options, build_identity
from epicene.speech import audio, features

LAYOUT = "direct.json"  # what must be known of a model beside CTranslate2's own files
VERSION = 1  # of the features and the layout: a model hears only what it was trained on
BUNDLED = "bundled"
SPOKEN = "en"
# No speaker says more; a model that repeats itself would go on.
_PIECES_A_SECOND, _MORE = 15, 20
_FILES = ("model.bin", "config.json", "vocabulary.json", "sentencepiece.model")
_TYPES = ("float32", "int8", "int8_float32", "float16", "int8_float16", "auto")
_log = logging.getLogger(__name__)


class DirectModel:
    """A folder of ``epicene lab speech export``; loaded when the first recording comes."""

    def __init__(self, argument: str, options: Options) -> None:
        self._folder = _folder(argument)
        known = _layout(self._folder, argument)
        self.languages: tuple[str, ...] = tuple(known["languages"])
        self._frames, self._length = int(known["frames"]), int(known["pieces"])
        self.longest = self._frames / features.PER_SECOND  # seconds
        self._beam = options.number("beam", 5)
        # Its weights are stored in 8 bits and computed with in float32: sums of int8 differ by instruction set.
        self._compute = options.text("compute", "float32")
        if self._compute not in _TYPES:
            raise InputError(f"direct: option compute={self._compute!r} must be one of {', '.join(_TYPES)}")
        self._device = options.text("device", "cpu")
        if self._device not in ("cpu", "cuda"):
            raise InputError(f"direct: option device={self._device!r} must be cpu or cuda")
        self._workers = options.number("workers", count_threads())
        name = BUNDLED if argument == BUNDLED else self._folder.name
        digest = fingerprint(self._folder / name for name in (*_FILES, LAYOUT))
        self.identity = build_identity(f"direct:{name}@{digest}", {"beam": self._beam, "compute": self._compute})
        self._warned = False

    def write(self, clips: Sequence[Path], target: str) -> Iterator[str]:
        """What each recording says in a language, in order; each is heard alone, so that no other changes it."""
        if target not in self.languages:
            raise InputError(f"{self.identity} knows no {target}; it writes {', '.join(self.languages)}")
        import ctranslate2

        model, _ = self._loaded
        task = "<|transcribe|>" if target == SPOKEN else "<|translate|>"
        prompt = ["<|startoftranscript|>", f"<|{target}|>", task, "<|notimestamps|>"]
        running: deque[tuple[Path, int, Any]] = deque()
        for clip in clips:
            sound = features.log_mel(audio.load(clip))
            check_length(clip, sound.shape[1] / features.PER_SECOND, self.longest)
            most = most_pieces(sound.shape[1], self._length // 2)
            (answer,) = model.generate(
                ctranslate2.StorageView.from_array(sound[None]),
                [prompt],
                beam_size=self._beam,
                max_length=2 * most,  # of which it writes half
                asynchronous=True,
            )
            running.append((clip, most, answer))
            if len(running) == 2 * self._workers:
                yield self._read(*running.popleft())
        while running:
            yield self._read(*running.popleft())

    def _read(self, clip: Path, most: int, answer: Any) -> str:
        _, pieces = self._loaded
        try:
            (ids,) = answer.result().sequences_ids
        except (RuntimeError, ValueError) as error:
            raise SystemFailure(f"{self.identity}: {clip}: {first_line(error)}") from None
        if len(ids) >= most and not self._warned:
            self._warned = True
            _log.warning("%s: %s: cut off after %d pieces; there may be more", self.identity, clip, len(ids))
        text: str = pieces.decode([piece for piece in ids if piece < pieces.get_piece_size()])
        return text.strip()

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The model, and the pieces of words that it writes."""
        import ctranslate2
        import sentencepiece

        try:
            # Workers of one thread each do more than one worker of several threads.
            model = ctranslate2.models.Whisper(
                str(self._folder),
                device=self._device,
                compute_type=self._compute,
                inter_threads=self._workers,
                intra_threads=1,
            )
            pieces = sentencepiece.SentencePieceProcessor(model_file=str(self._folder / _FILES[-1]))
        except (RuntimeError, ValueError, OSError, TypeError) as error:
            raise SystemFailure(f"{self.identity}: cannot load: {first_line(error)}") from None
        return model, pieces


def most_pieces(frames: int, length: int) -> int:
    """How many pieces are written of so many frames, by a model that writes at most ``length``."""
    return min(_PIECES_A_SECOND * frames // features.PER_SECOND + _MORE, length)


def check_length(clip: Path, seconds: float, longest: float) -> None:
    """Refuse a recording that lasts longer than a model hears."""
    if seconds > longest:
        raise InputError(f"{clip}: lasts {seconds:.1f} s, the model hears at most {longest:g}; cut it into sentences")


def _folder(argument: str) -> Path:
    if argument == BUNDLED:
        folder = model_folder("direct")
        if not (folder / _FILES[0]).is_file():
            raise InputError(f"direct:bundled: no {_FILES[0]} in {folder}; install epicene-models again")
        return folder
    folder = Path(argument)
    if not argument or not folder.is_dir():
        raise InputError(f"direct:{argument}: no such folder; expected bundled, or one of epicene lab speech export")
    return folder


def _layout(folder: Path, argument: str) -> dict[str, Any]:
    """What the folder says of its model; one of another layout is refused with what is missing."""
    if missing := [name for name in (LAYOUT, *_FILES) if not (folder / name).is_file()]:
        other = "; a Whisper model of others is a recogniser: faster-whisper:DIR" if missing == [LAYOUT] else ""
        raise InputError(
            f"direct:{argument}: no {missing[0]} there; expected a folder of epicene lab speech export{other}"
        )
    try:
        layout = json.loads((folder / LAYOUT).read_text(encoding="utf-8"))
        numbers = [layout[name] for name in ("layout", "frames", "pieces")]
        right = all(type(number) is int and number > 0 for number in numbers)
        right = right and all(isinstance(code, str) for code in layout["languages"])
    except (OSError, ValueError, KeyError, TypeError):
        right = False
    if not right:
        raise InputError(f"direct:{argument}: {LAYOUT} is broken; export the model again: epicene lab speech export")
    if layout["layout"] != VERSION:
        raise InputError(
            f"direct:{argument}: layout {layout['layout']}, this version reads {VERSION}; train and export the model "
            "with this version of epicene"
        )
    return dict(layout)
