"""Detectors: one file each in ``epicene``, with ``DETECTOR = DetectorFactory(…)``; those of papers are in ``sets``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from epicene import registry
from epicene.types import Detector


@dataclass(frozen=True, slots=True)
class DetectorFactory:
    """Builds the detector for a target language."""

    build: Callable[[str], Detector]  # can be pickled, so that it is built on other machines too


DETECTORS = registry.Kind(
    "detector",
    "epicene.detectors",
    (DetectorFactory,),
    registry.modules("DETECTOR", "epicene.detectors.epicene"),
)
