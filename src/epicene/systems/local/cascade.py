"""``cascade:RECOGNISER+SYSTEM``: speech written down by a recogniser, then translated as text.

``oracle`` as recogniser is one that never mishears: what was really said is translated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from epicene import systems
from epicene.errors import InputError
from epicene.spec import Options
from epicene.speech import recognisers
from epicene.types import Recogniser, System

ORACLE = "oracle"


@dataclass(frozen=True, slots=True)
class Cascade:
    """Two systems, each of which keeps its own answers, so that another translator need not hear anything again."""

    recogniser: Recogniser | None  # None: what was really said
    translator: System

    @property
    def identity(self) -> str:
        """Both identities."""
        return f"cascade:{self.recogniser.identity if self.recogniser else ORACLE}+{self.translator.identity}"


def _parts(argument: str) -> tuple[str, str]:
    """Recogniser and system, cut at the first plus sign that a system's name follows; folders may have some too."""
    names = "|".join(re.escape(name) for name in systems.SYSTEMS.names())
    found = re.search(rf"(?<=.)\+(?=(?:{names})(?:[:?]|$))", argument)
    if found is None:
        raise InputError(
            f"cascade:{argument}: expected RECOGNISER+SYSTEM, as in cascade:pocketsphinx+bundled; known systems: "
            f"{', '.join(systems.SYSTEMS.names())}"
        )
    return argument[: found.start()], argument[found.end() :]


def build(argument: str, options: Options) -> Cascade:  # noqa: ARG001
    """The system that listens, writes down and translates."""
    recogniser, system = _parts(argument)
    translator = systems.load(system)
    if getattr(translator, "positional", False):
        raise InputError(
            f"cascade:{argument}: {system} translates nothing new; for a file of speech translations: -s {system}"
        )
    return Cascade(None if recogniser == ORACLE else recognisers.load(recogniser), translator)


SYSTEM = systems.SystemFactory(build, __doc__, free_text=True)
