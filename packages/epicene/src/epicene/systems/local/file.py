"""``file:HYP``: translations that are there already, one a line in the order of the sources."""

from __future__ import annotations

from epicene.registry import Options
from epicene.systems import SystemFactory
from epicene.types import TranslationFile


def build(argument: str, options: Options) -> TranslationFile:  # noqa: ARG001
    """The system whose answers lie in a file; the run reads and checks them, since it knows the sources."""
    return TranslationFile(argument)


SYSTEM = SystemFactory(build, __doc__, free_text=True, needs="a path, as in file:hyp.de")
