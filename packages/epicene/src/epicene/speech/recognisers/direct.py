"""``direct:DIR``: a model of ``epicene lab speech``, asked for what was said instead of a translation.

Options: beam (5), compute (float32), device (cpu), workers (as many as cores).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from epicene.registry import Options
from epicene.speech.direct import SPOKEN, DirectModel
from epicene.speech.recognisers import RecogniserFactory


class DirectRecogniser:
    """The model, asked for English."""

    batch_size = 64

    def __init__(self, argument: str, options: Options) -> None:
        self._model = DirectModel(argument, options)
        self.identity = self._model.identity

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        """The words of each recording as they come."""
        return self._model.write(clips, SPOKEN)


RECOGNISER = RecogniserFactory(DirectRecogniser, __doc__)
