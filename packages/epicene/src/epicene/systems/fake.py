"""``echo`` and ``scripted``: fakes for tests, docs and timing the path around a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from epicene.errors import InputError, SystemFailure
from epicene.files import checksum
from epicene.registry import Options
from epicene.systems import SystemFactory
from epicene.types import Pair


class Echo:
    """Answers with the source."""

    identity = "echo"
    batch_size = 1024

    def translate(self, sources: Sequence[str], pair: Pair) -> Sequence[str]:  # noqa: ARG002
        """The sources."""
        return sources


class Scripted:
    """Knows its answers by heart."""

    batch_size = 256

    def __init__(self, answers: Mapping[str, str], identity: str = "scripted") -> None:
        self._answers = answers
        self.identity = identity

    def translate(self, sources: Sequence[str], pair: Pair) -> list[str]:  # noqa: ARG002
        """The scripted answers."""
        for source in sources:
            if source not in self._answers:
                raise SystemFailure(f"{self.identity} has no answer for {source!r}")
        return [self._answers[source] for source in sources]


def build_scripted(argument: str, options: Options) -> Scripted:  # noqa: ARG001
    """The system that a tab-separated file of source and translation scripts."""
    try:
        text = Path(argument).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"scripted:{argument}: {error}") from None
    answers = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
        source, tab, translation = line.partition("\t")
        if not tab:
            raise InputError(f"{argument}:{number}: no tab; expected source TAB translation")
        answers[source] = translation
    return Scripted(answers, f"scripted@{checksum(text)}")


ECHO = SystemFactory(
    lambda *_: Echo(),
    "``echo``: answers with the source itself; a fake for tests, docs and timing the path around a system.",
    bare=True,
)
SCRIPTED = SystemFactory(
    build_scripted, "``scripted:PAIRS.tsv``: answers from a table of source and translation; a fake for tests and docs."
)
