"""The reader of translations, and the detectors that sets name; a set may also bring one of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from epicene import registry
from epicene.types import Detector


@dataclass(frozen=True, slots=True)
class DetectorFactory:
    """Builds the detector for a target language."""

    build: Callable[[str], Detector]  # can be pickled, so that it is built on other machines too


def _own() -> registry.Loaders:
    return {
        "reading": registry.load_defined("READING", "epicene.reader.reader"),
        "agreement": registry.load_defined("AGREEMENT", "epicene.reader.reader"),
        "contrast": registry.load_defined("CONTRAST", "epicene.reader.contrast"),
    }


DETECTORS = registry.Registry("detector", "epicene.detectors", (DetectorFactory,), _own)
