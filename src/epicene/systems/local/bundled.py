"""``bundled``: the compact translator that ships with epicene, from English to German, Spanish and French.

For first steps and CI; its card is docs/bundled.md. Options: beam (5), batch (64).
"""

from __future__ import annotations

from pathlib import Path

from epicene.errors import InputError
from epicene.spec import Options
from epicene.systems import SystemFactory
from epicene.systems.local.ctranslate2 import CTranslate2
from epicene.tables import resource
from epicene.types import Pair

FOLDER = Path(str(resource("models", "bundled")))
TARGETS = ("de", "es", "fr")


class Bundled(CTranslate2):
    """A CTranslate2 model that is told the target language by a tag before the sentence."""

    def __init__(self, folder: Path, options: Options) -> None:
        # Its weights are stored as int8 and computed with as float32: sums of int8 are another on each instruction set.
        given = Options(options.kind, {"source_prefix": "<2{target}>", "compute": "float32", "device": "cpu"})
        for name in ("beam", "batch"):
            options.known.append(name)
            if name in options.given:
                given.given[name] = options.given.pop(name)
        super().__init__(folder, given)
        self.identity = "bundled@" + self.identity.partition("@")[2].partition("&source_prefix")[0]

    def _frame(self, pair: Pair) -> tuple[list[str], list[str], list[str]]:
        if pair.source != "en" or pair.target not in TARGETS:
            known = ", ".join(f"en-{target}" for target in TARGETS)
            raise InputError(f"the bundled system knows no {pair}; it translates {known}; name another one with -s")
        return super()._frame(pair)


def build(argument: str, options: Options) -> Bundled:
    """The bundled system; it takes no argument."""
    if argument:
        raise InputError(
            f"bundled:{argument}: the bundled system takes no argument; for a model of yours: ctranslate2:DIR"
        )
    if not (FOLDER / "model.bin").is_file():
        raise InputError(
            f"the bundled model is not in this installation ({FOLDER}); reinstall epicene, "
            "or name another system with -s, for example -s ctranslate2:DIR"
        )
    return Bundled(FOLDER, options)


SYSTEM = SystemFactory(build, __doc__)
