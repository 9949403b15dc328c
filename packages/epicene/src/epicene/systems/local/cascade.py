"""``cascade:RECOGNISER+SYSTEM``: speech written down by a recogniser, then translated as text.

``oracle`` as recogniser is one that never mishears: what was really said is translated.
"""

from __future__ import annotations

import re

from epicene import systems
from epicene.errors import InputError
from epicene.registry import Options
from epicene.speech import recognisers
from epicene.types import Cascade, TranslationFile

ORACLE = "oracle"


def _parts(argument: str) -> tuple[str, str]:
    """Recogniser and system, cut at the first plus sign that a system's name follows; folders may have some too."""
    names = "|".join(re.escape(name) for name in systems.SYSTEMS.names())
    plus = re.search(rf"(?<=.)\+(?=(?:{names})(?:[:?]|$))", argument)
    if plus is None:
        raise InputError(
            f"cascade:{argument}: expected RECOGNISER+SYSTEM, as in cascade:pocketsphinx+bundled; known systems: "
            f"{', '.join(systems.SYSTEMS.names())}"
        )
    return argument[: plus.start()], argument[plus.end() :]


def build(argument: str, options: Options) -> Cascade:  # noqa: ARG001
    """The system that listens, writes down and translates."""
    recogniser, system = _parts(argument)
    opened = systems.open_system(system)
    if isinstance(opened, TranslationFile):
        raise InputError(
            f"cascade:{argument}: {system} translates nothing new; for a file of speech translations: -s {system}"
        )
    return Cascade(None if recogniser == ORACLE else recognisers.load(recogniser), systems.for_text(system, opened))


SYSTEM = systems.SystemFactory(build, __doc__, free_text=True)
