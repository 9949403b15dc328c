"""``direct:DIR``: a model that hears English and writes its translation (epicene lab speech); ``direct:bundled`` ships.

Options: beam (5), compute (float32), device (cpu), workers (all cores).
Recordings are heard one at a time, so that none is heard otherwise beside another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from epicene.errors import InputError
from epicene.registry import Options
from epicene.speech.direct import SPOKEN, DirectModel
from epicene.systems import SystemFactory
from epicene.types import Pair


class Direct:
    """The model, asked for a translation."""

    batch_size = 64

    def __init__(self, argument: str, options: Options) -> None:
        self._model = DirectModel(argument, options)
        self.identity = self._model.identity
        self.longest = self._model.longest

    def interpret(self, clips: Sequence[Path], pair: Pair) -> Iterator[str]:
        """The best translation of each recording as it comes."""
        targets = [code for code in self._model.languages if code != SPOKEN]
        if pair.source != SPOKEN or pair.target not in targets:
            known = ", ".join(f"{SPOKEN}-{target}" for target in targets)
            raise InputError(f"{self.identity} knows no {pair}; it translates {known}; name another system with -s")
        return self._model.write(clips, pair.target)


SYSTEM = SystemFactory(Direct, __doc__)
