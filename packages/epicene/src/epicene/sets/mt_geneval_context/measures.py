"""Measures of professions whose gender the sentence before tells: as of pairs, but no sentence has its twin."""

from __future__ import annotations

from dataclasses import replace

from epicene.measures.rates import Measures
from epicene.sets.mt_geneval.measures import MEASURES as PAIRS

MEASURES: Measures = replace(PAIRS, own=lambda outcomes, references: [])  # noqa: ARG005
