"""WiBeMT, its extended WinoBias alone."""

from __future__ import annotations

from epicene.sets import wibemt
from epicene.types import ChallengeSet


def build(argument: str) -> ChallengeSet:
    """The part, with a user's own words or the published sentences if so asked, as ``wibemt.build``."""
    return wibemt.build(argument, "wibemt-adjectives")


SET = build("")
