"""Measures of professions whose gender the sentence before tells: as of pairs, but no sentence has its twin."""

from __future__ import annotations

from epicene.measures import Family
from epicene.measures.families import pairs
from epicene.measures.tally import Tally
from epicene.types import Measure


def measures(tally: Tally) -> list[Measure]:
    """Those of pairs that are of single sentences."""
    return [measure for measure in pairs.measures(tally) if measure.name != pairs.BOTH]


FAMILY = Family(pairs.key, pairs.groups, measures, gaps=pairs.GAPS, main_gaps=("gap",))
