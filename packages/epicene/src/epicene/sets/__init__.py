"""Challenge sets: one file each, whose ``SET`` is a ``ChallengeSet``, or a ``SetBuilder`` where a name says more."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from epicene import published, registry
from epicene.errors import InputError
from epicene.types import ChallengeSet, Pair


@dataclass(frozen=True, slots=True)
class SetBuilder:
    """A set that is made from what its name says: ``custom:FILE.tsv``, ``wibemt?adjectives=FILE``."""

    title: str
    build: Callable[[str], ChallengeSet]  # from what stands after the name, without the colon
    family: Callable[[str], str]  # of a result, by what stands after the colon; the set need not be there any more
    plain: ChallengeSet | None = None  # the set of the bare name; None where the name must say more


SETS: registry.Kind[ChallengeSet | SetBuilder] = registry.Kind(
    "set", "epicene.sets", (ChallengeSet, SetBuilder), registry.modules("SET", "epicene.sets")
)

ALL_NATURAL = "all-natural"
_NATURAL = ("mt-geneval", "mt-geneval-context", "gate", "gest", "dialogue", "mittens")


def natural(pair: Pair) -> list[str]:
    """The sets of natural text that have a pair of languages; one that nobody can download only where it is here."""
    found = []
    for name in _NATURAL:
        challenge, entry = load(name), published.entry(name)
        fits = pair.source in challenge.sources and pair.target in (challenge.targets or (pair.target,))
        if fits and (entry.files[0].address or published.is_here(entry)):
            found.append(name)
    return found


def load(spec: str) -> ChallengeSet:
    """The challenge set of a name, of ``custom:FILE.tsv``, ``winost:DIR`` or ``wibemt?adjectives=FILE``."""
    name = re.split("[:?]", spec, maxsplit=1)[0]
    found, argument = SETS.find(name), spec[len(name) :].removeprefix(":")
    if isinstance(found, SetBuilder):
        return found.plain if found.plain and not argument else found.build(argument)
    if argument:
        raise InputError(f"set {name} takes nothing after its name; got {argument!r}")
    return found


def plain(name: str) -> ChallengeSet | None:
    """The set of a name without its argument, for its title and citation; None where there is none without."""
    found = SETS.find(re.split("[:?]", name, maxsplit=1)[0])
    return found.plain if isinstance(found, SetBuilder) else found


def family(name: str) -> str:
    """The measures of a set, by the name that results carry; a user's own set need not be there any more."""
    first, _, rest = name.partition(":")
    found = SETS.find(first)
    return found.family(rest) if isinstance(found, SetBuilder) else found.family
