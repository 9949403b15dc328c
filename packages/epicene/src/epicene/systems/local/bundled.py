"""``bundled``: the compact translator that epicene-models ships, for first steps and CI.

A model is one that is registered as ``bundled*``. Which pairs it knows it says itself: from English into every language
that its vocabulary has a tag for, or those of its ``pairs.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from epicene.errors import InputError
from epicene.languages.codes import pair as parse_pair
from epicene.models import MODELS, model_folder
from epicene.registry import Options
from epicene.systems import SystemFactory
from epicene.systems.local.ctranslate2 import CTranslate2
from epicene.systems.models.search import SearchingModel
from epicene.types import Candidate, Pair

NAME = "bundled"  # of the model from English; the others are called NAME-…
PAIRS = "pairs.json"  # beside a model that is asked for no language
_TAG = re.compile(r"<2([a-z]{2,3})>")
_OPTIONS = ("beam", "batch")


def read_pairs(folder: Path) -> list[str]:
    """The pairs that a model knows, such as ``en-de``."""
    listed = folder / PAIRS
    path = listed if listed.is_file() else folder / "shared_vocabulary.json"
    try:
        names = json.loads(path.read_text(encoding="utf-8"))
        if listed.is_file():
            return [str(parse_pair(langs)) for langs in names]
        return sorted(f"en-{tag[1]}" for tag in map(_TAG.fullmatch, names) if tag)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{path}: {error}; reinstall epicene-models, or name another system with -s") from None


def folders() -> list[Path]:
    """The models of this installation, the one from English first."""
    return [model_folder(name) for name in MODELS.names() if name == NAME or name.startswith(f"{NAME}-")]


def pairs() -> list[str]:
    """All pairs that models of this installation know."""
    return [pair for folder in folders() if (folder / "model.bin").is_file() for pair in read_pairs(folder)]


class Model(CTranslate2):
    """A CTranslate2 model that is told the target language by a tag before the sentence, if it knows several."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.pairs = read_pairs(folder)
        # Its weights are stored as int8 and computed with as float32: sums of int8 are another on each instruction set.
        prefix = {} if (folder / PAIRS).is_file() else {"source_prefix": "<2{target}>"}
        super().__init__(
            folder, Options(options.kind, {"compute": "float32", "device": "cpu", **options.values, **prefix})
        )
        self.identity = "bundled@" + self.identity.partition("@")[2].partition("&source_prefix")[0]

    def _frame(self, pair: Pair) -> tuple[list[str], list[str], list[str]]:
        if str(pair) not in self.pairs:
            raise InputError(f"this model knows no {pair}; it translates {', '.join(self.pairs)}")
        return super()._frame(pair)


class Bundled(SearchingModel):
    """One or several models; each is asked for the pairs that it knows."""

    def __init__(self, models: Sequence[Model]) -> None:  # they search, not this one
        self._models = {pair: model for model in models for pair in model.pairs}
        first = models[0]
        digests = [model.identity.partition("@")[2].partition("?") for model in models]
        self.identity = f"bundled@{'+'.join(digest for digest, _, _ in digests)}?{digests[0][2]}"
        self.batch_size, self.gpu = first.batch_size, first.gpu

    def decode(
        self, sources: Sequence[str], pair: Pair, n: int, scored: bool = False, beginnings: Sequence[str] = ()
    ) -> Iterable[list[Candidate]]:
        """The n best hypotheses of the pair's model."""
        return self._of(pair).decode(sources, pair, n, scored, beginnings)

    def scores(self, sources: Sequence[str], translations: Sequence[str], pair: Pair) -> list[float]:
        """The mean log-probability of each translation's tokens."""
        return self._of(pair).scores(sources, translations, pair)

    def _of(self, pair: Pair) -> Model:
        if str(pair) not in self._models:
            known_pairs = ", ".join(self._models)
            raise InputError(
                f"the bundled system knows no {pair}; it translates {known_pairs}; name another one with -s"
            )
        return self._models[str(pair)]


def build(argument: str, options: Options) -> Bundled:
    """The bundled system; it takes no argument."""
    if argument:
        raise InputError(
            f"bundled:{argument}: the bundled system takes no argument; for a model of yours: ctranslate2:DIR"
        )
    model_folder(NAME)  # says what to install where there is none
    if missing := next((folder for folder in folders() if not (folder / "model.bin").is_file()), None):
        raise InputError(
            f"the bundled model is not in this installation ({missing}); reinstall epicene-models, "
            "or name another system with -s, for example -s ctranslate2:DIR"
        )
    options.known += _OPTIONS
    taken = {name: options.values.pop(name) for name in _OPTIONS if name in options.values}
    return Bundled([Model(folder, Options(options.kind, dict(taken))) for folder in folders()])


def _about() -> str:
    """What ``systems list`` says; a broken model must not keep other systems from being listed."""
    try:
        known_pairs = ", ".join(pairs())
    except InputError:
        known_pairs = ""
    return (
        f"``bundled``: the compact translator that ships with epicene: {known_pairs or 'not in this installation'}.\n\n"
        "For first steps and CI; its card is docs/models.md. Options: beam (5), batch (64).\n"
    )


SYSTEM = SystemFactory(build, _about())
