"""``spoken:SET@DIR``: any set for text with the recordings of a folder that ``epicene speech synthesize`` wrote."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from epicene import sets
from epicene.errors import InputError
from epicene.sets._recorded import recorded
from epicene.types import ChallengeSet


def build(argument: str) -> ChallengeSet:
    """The set with the recordings of a folder."""
    spec, at, folder = argument.rpartition("@")
    if not at or not spec or not folder:
        raise InputError(f"spoken:{argument}: expected a set and a folder of recordings, as in spoken:simplegen@DIR")
    challenge = sets.load(spec)
    titled = replace(challenge, title=f"{challenge.title}, read aloud")
    return recorded(titled, f"spoken:{challenge.name}", lambda: Path(folder))


def family(name: str) -> str:
    """The measures of a set, by the name that its results carry after the colon."""
    return sets.family(name)
