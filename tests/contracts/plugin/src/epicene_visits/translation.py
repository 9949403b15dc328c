"""``visitor:HOW``: translates visits into Esperanto; ``right``, or ``generic``, which makes everybody a man."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from epicene.errors import InputError
from epicene.registry import Options
from epicene.systems import SystemFactory
from epicene.types import Pair
from epicene_visits.visits import PEOPLE


class Visitor:
    """Knows the words of one set."""

    batch_size = 2

    def __init__(self, how: str) -> None:
        if how not in ("right", "generic"):
            raise InputError(f"visitor:{how}: expected visitor:right or visitor:generic")
        self._how = how
        self.identity = f"visitor:{how}"

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterator[str]:
        """One translation per source."""
        for source in sources:
            words = source.split()
            woman = self._how == "right" and "her" in words
            yield f"La {PEOPLE[words[1]]}{'ino' if woman else 'o'} vizitis la patrinon."


def build(argument: str, options: Options) -> Visitor:
    """The system of a name."""
    return Visitor(argument)


SYSTEM = SystemFactory(build, __doc__)
