"""Ways to adapt a translator, as TOML: what it is trained on further, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from epicene.errors import InputError, UnknownNameError
from epicene.languages.codes import language
from epicene.languages.codes import pair as parse_pair
from epicene_lab.recipe import Training, check_keys, fill, parse_toml, read_toml

BALANCED, TAGGED, COUNTERFACTUAL, INSTRUCTED = HOWS = ("balanced", "tagged", "counterfactual", "instructed")


@dataclass(frozen=True, slots=True)
class Mixture:
    """What an adaptation is trained on, for each language, and how much of the old model is kept."""

    made: int = 400  # sentences made for it
    found: int = 0  # tagged or counterfactual pairs found in the text, at most
    read: int = 0  # pairs of the text that are looked through for them
    general: int = 0  # pairs of the text as they are, against forgetting
    keep: float = 0.0  # the old model's part in the mean of old and new weights

    def __post_init__(self) -> None:
        for name in ("made", "found", "read", "general"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} = {getattr(self, name)}; expected 0 or more")
        if not 0 <= self.keep < 1:
            raise InputError(f"keep = {self.keep}; expected a number from 0 to below 1")


@dataclass(frozen=True, slots=True)
class Adaptation:
    """One way to adapt."""

    how: str
    mixture: Mixture
    training: Training

    def times(self, epochs: float | None) -> Adaptation:
        """The same with other epochs, if any are given."""
        return self if epochs is None else replace(self, training=replace(self.training, epochs=epochs))


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be adapted, with what, and where it goes."""

    adaptation: Adaptation
    origin: str  # a folder, or bundled
    texts: dict[str, Path | None]  # by target language: pairs, English first
    folder: Path
    apart: tuple[Path, ...] = ()
    sets: tuple[str, ...] = ("simplegen",)
    seed: int = 1
    device: str = "auto"


def load(name: str) -> Adaptation:
    """A shipped way by its name, or one from a TOML file."""
    where = name if name.endswith(".toml") else f"{name}.toml"
    table = parse_toml(read_toml(name, "adaptation", "adaptations"), where)
    check_keys(table, ("how", "mixture", "training"), where)
    if table.get("how") not in HOWS:
        raise UnknownNameError(f"{where}: how", str(table.get("how")), HOWS)
    mixture, training = (table.get(part, {}) for part in ("mixture", "training"))
    if not isinstance(mixture, dict) or not isinstance(training, dict):
        raise InputError(f"{where}: mixture and training are tables: [mixture], [training]")
    return Adaptation(
        table["how"],
        fill(Mixture(), mixture, f"{where} [mixture]"),
        fill(Training(), training, f"{where} [training]"),
    )


def parse_texts(data: Sequence[str], langs: Sequence[str]) -> dict[str, Path | None]:
    """Target languages with their text, from options such as ``de=pairs.tsv`` and pairs such as ``en-es``."""
    texts: dict[str, Path | None] = {}
    for each in langs:
        pair = parse_pair(each)
        if pair.source != "en":
            raise InputError(f"people are found in English sentences; the pair {each} translates from {pair.source}")
        texts[pair.target] = None
    for each in data:
        name, equals, path = each.partition("=")
        if not equals or not path:
            raise InputError(f"--data {each!r}; expected a target language and a file, such as de=pairs.tsv.gz")
        texts[language(name)] = Path(path)
    if not texts:
        raise InputError("no language to adapt; give text with --data de=pairs.tsv.gz, or a pair with -l en-de")
    return texts
