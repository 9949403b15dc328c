"""Challenge sets: one file each, which defines ``SET``, or ``build(argument)`` where a name says more."""

from __future__ import annotations

import re
from typing import cast

from epicene import registry
from epicene.types import ChallengeSet


def load(spec: str) -> ChallengeSet:
    """The challenge set of a name, of ``custom:FILE.tsv``, ``winost:DIR`` or ``wibemt?adjectives=FILE``."""
    name = re.split("[:?]", spec, maxsplit=1)[0]
    module = registry.find("sets", name)
    if hasattr(module, "build"):
        return cast(ChallengeSet, module.build(spec[len(name) :].removeprefix(":")))
    return cast(ChallengeSet, module.SET)


def family(name: str) -> str:
    """The measures of a set, by the name that results carry; a user's own set need not be there any more."""
    first, _, rest = name.partition(":")
    module = registry.find("sets", first)
    if hasattr(module, "family"):
        return cast(str, module.family(rest))
    return cast(str, module.FAMILY) if hasattr(module, "FAMILY") else load(name).family
