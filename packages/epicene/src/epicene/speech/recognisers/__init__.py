"""Recognisers: one file per way to write speech down, each with ``RECOGNISER = RecogniserFactory(…)``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from epicene import registry
from epicene.errors import SystemFailure, first_line
from epicene.types import Recogniser


class RecogniserFactory(registry.Factory[Recogniser]):
    """Builds a recogniser from the argument and the options of its name."""


RECOGNISERS = registry.Registry(
    "recogniser",
    "epicene.recognisers",
    (RecogniserFactory,),
    registry.find_modules("RECOGNISER", "epicene.speech.recognisers"),
)


def load(spec: str) -> Recogniser:
    """The recogniser that a name such as ``faster-whisper:DIR?beam=1`` stands for."""
    return registry.build(RECOGNISERS, spec)


def hear_alone(
    clips: Sequence[Path], identity: str, hear: Callable[[Any], str], rate: int | None = None
) -> Iterator[str]:
    """What a model makes of the samples of each recording, one at a time: beside another it may hear otherwise."""
    from epicene.speech import audio

    for clip in clips:
        samples = audio.load(clip, rate or audio.RATE)
        try:
            text = hear(samples)
        except (RuntimeError, ValueError) as error:
            raise SystemFailure(f"{identity}: {clip}: {first_line(error)}") from None
        yield text.strip()
