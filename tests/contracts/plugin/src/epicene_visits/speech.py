"""A voice that hums, and a recogniser that knows by the name of a recording what is said in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from epicene.registry import Options
from epicene.speech.recognisers import RecogniserFactory
from epicene.speech.voices import Voice, VoiceFactory
from epicene.types import Pair
from epicene_visits.visits import items

_RATE = 16_000


class Humming:
    """Hums a second, at a pitch that depends on the text."""

    def speak(self, text: str) -> tuple[npt.NDArray[np.float32], int]:
        """The sound of a text, and its rate."""
        pitch = 200 + sum(text.encode()) % 200
        return (0.5 * np.sin(2 * np.pi * pitch * np.arange(_RATE) / _RATE)).astype(np.float32), _RATE

    def close(self) -> None:
        """There is nothing to end."""


class Remembering:
    """Knows the sentences of the set by their ids."""

    identity = "remembering:1"
    batch_size = None

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        """The sentence of each recording."""
        said = {item.id: item.source for item in items(Pair("en", "eo"))}
        return (said[clip.stem] for clip in clips)


def _voice(argument: str, options: Options) -> Voice:
    return Voice("humming", "humming:1", "female", "en", Humming)


VOICE = VoiceFactory(_voice, "``humming``: a voice that hums", speaker="female", language="en")
RECOGNISER = RecogniserFactory(lambda argument, options: Remembering(), "``remembering``: knows what was said")
