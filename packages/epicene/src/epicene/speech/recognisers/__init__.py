"""Recognisers: one file per way to write speech down, each with ``RECOGNISER = RecogniserFactory(…)``."""

from __future__ import annotations

from epicene import registry
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
