"""Recognisers: one file per way to write speech down, each with ``build(argument, options)``."""

from __future__ import annotations

from typing import cast

from epicene import registry
from epicene.spec import parse
from epicene.types import Recogniser

# Its argument is free text, so a question mark in it is its own.
_FREE = frozenset({"command"})


def load(spec: str) -> Recogniser:
    """The recogniser that a name such as ``faster-whisper:DIR?beam=1`` stands for."""
    kind, argument, options = parse(spec, _FREE, "recogniser")
    recogniser = registry.find("speech.recognisers", kind).build(argument, options)
    options.done()
    return cast(Recogniser, recogniser)
