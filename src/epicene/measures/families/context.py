"""Measures of professions whose gender the sentence before tells: as of pairs, but no sentence has its twin."""

from __future__ import annotations

from epicene.measures import Family
from epicene.measures.families.pairs import GAPS, groups, key, measures

FAMILY = Family(key, groups, measures, gaps=GAPS, main_gaps=("gap",))
