"""``echo``: answers with the source itself; a fake for tests, docs and timing the path around a system."""

from __future__ import annotations

from collections.abc import Sequence

from epicene.spec import Options
from epicene.systems import SystemFactory
from epicene.types import Pair


class Echo:
    """Translates nothing."""

    identity = "echo"
    batch_size = 1024

    def translate(self, sources: Sequence[str], pair: Pair) -> Sequence[str]:  # noqa: ARG002
        """The sources."""
        return sources


def build(argument: str, options: Options) -> Echo:  # noqa: ARG001
    """The system; it takes no argument."""
    return Echo()


SYSTEM = SystemFactory(build, __doc__)
