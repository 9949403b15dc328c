"""``spoken:SET@DIR``: any set for text with the recordings of a folder that ``epicene speech synthesize`` wrote."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from epicene import sets
from epicene.errors import InputError
from epicene.speech.recorded import recorded
from epicene.types import ChallengeSet


def build(argument: str) -> ChallengeSet:
    """The set with the recordings of a folder; without a folder, what is known of the set, but no sentence."""
    if not argument:
        raise InputError("spoken: expected a set and a folder of recordings, as in spoken:simplegen@DIR")
    spec, at, folder = argument.rpartition("@")
    challenge = sets.load(spec if at else argument)
    titled = replace(challenge, title=f"{challenge.title}, read aloud")

    def place() -> Path:
        if not folder or not at:
            raise InputError(
                f"spoken:{argument}: expected a set and a folder of recordings, as in spoken:simplegen@DIR"
            )
        return Path(folder)

    return recorded(titled, f"spoken:{challenge.name}", place)


SET = sets.SetBuilder(
    "``spoken:SET@DIR``: any set for text with the recordings of a folder that ``epicene speech synthesize`` wrote.",
    build,
    sets.family,
)
