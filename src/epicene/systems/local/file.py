"""``file:HYP``: translations that are there already, one a line in the order of the sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from epicene.errors import InputError
from epicene.spec import Options
from epicene.systems import SystemFactory
from epicene.types import Pair


class Lines:
    """Answers by position; never cached, since the file itself is the store."""

    batch_size = None
    positional = True

    def __init__(self, path: str) -> None:
        if not path:
            raise InputError("file: needs a path, as in file:hyp.de")
        self.path = path
        self.identity = f"file:{Path(path).name}"

    def translate(self, sources: Sequence[str], pair: Pair) -> Sequence[str]:  # noqa: ARG002
        """The lines of the file; the run reads and checks them, since it knows the sources."""
        raise InputError(f"{self.identity} belongs to a set; use it with score or audit, not to translate new text")


def build(argument: str, options: Options) -> Lines:  # noqa: ARG001
    """The system whose answers lie in a file."""
    return Lines(argument)


SYSTEM = SystemFactory(build, __doc__, free_text=True)
