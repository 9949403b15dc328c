"""Systems: one file per way to translate, in ``local`` or ``services``, each with ``SYSTEM = SystemFactory(…)``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from epicene import registry
from epicene.errors import InputError
from epicene.spec import Options
from epicene.types import SpeechSystem, System

if TYPE_CHECKING:
    from epicene.systems.local.cascade import Cascade


class SystemFactory(registry.Factory["System | Cascade | SpeechSystem"]):
    """Builds a system from the argument and the options of its name."""


SYSTEMS = registry.Kind(
    "system",
    "epicene.systems",
    (SystemFactory,),
    registry.modules("SYSTEM", "epicene.systems.local", "epicene.systems.services"),
)


def load(spec: str) -> System:
    """The system for text that a name such as ``ctranslate2:DIR?beam=5`` stands for."""
    system = open_system(spec)
    if not hasattr(system, "translate"):
        raise InputError(
            f"{spec} translates speech, not text; give it a spoken set, such as -t winost, or name a system for text"
        )
    return cast(System, system)


def load_for_speech(spec: str) -> Cascade | SpeechSystem | None:
    """The system for speech of a name such as ``cascade:pocketsphinx+bundled``; None for a file of answers."""
    system = open_system(spec)
    if getattr(system, "positional", False):
        return None
    if hasattr(system, "translate"):
        raise InputError(
            f"{spec} translates text, but the set is spoken; put a recogniser before it, as in cascade:pocketsphinx+"
            f"{spec}, or cascade:oracle+{spec} to translate what was really said"
        )
    return system


def translator(spec: str) -> System | None:
    """Who translates text in a system: itself, or the second part of a cascade; None where only speech is heard."""
    system = open_system(spec)
    found = getattr(system, "translator", system)
    return cast(System, found) if hasattr(found, "translate") else None


def open_system(spec: str) -> System | Cascade | SpeechSystem:
    """The system of a name, whatever it translates."""
    return registry.build(SYSTEMS, spec)


__all__ = ["SYSTEMS", "Options", "SystemFactory", "load", "load_for_speech", "open_system", "translator"]
