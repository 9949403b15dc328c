"""Systems for speech, opened as an audit opens them."""

from __future__ import annotations

from epicene import systems
from epicene.types import Cascade, SpeechSystem


def open_speech(spec: str) -> Cascade | SpeechSystem:
    return systems.for_speech(spec, systems.open_system(spec))
