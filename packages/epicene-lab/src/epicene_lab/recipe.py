"""Recipes: the sizes of a model and how it is trained, as TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from epicene.errors import InputError, UnknownNameError
from epicene.options import Flag
from epicene.store.records import decode
from epicene_lab.tables import resource


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a model: all that its weights' shapes depend on."""

    encoder: int = 6
    decoder: int = 6
    aan: bool = False  # average attention in place of the decoder's self-attention
    dim: int = 256
    heads: int = 4
    ffn: int = 1024
    vocabulary: int = 8000
    positions: int = 256

    def __post_init__(self) -> None:
        check_positive(self, "encoder", "decoder", "dim", "heads", "ffn", "vocabulary", "positions")
        if self.dim % self.heads:
            raise InputError(f"dim = {self.dim} cannot be split over heads = {self.heads}; give a multiple of it")
        if self.dim % 2:
            raise InputError(f"dim = {self.dim} is odd; positions need an even size")
        if self.encoder > 48 or self.decoder > 48:
            raise InputError(f"{self.encoder} encoder and {self.decoder} decoder layers; at most 48 of each")

    @property
    def name(self) -> str:
        """Short and unique within a recipe: ``6-6``, ``10-2-aan``."""
        return f"{self.encoder}-{self.decoder}" + ("-aan" if self.aan else "")


@dataclass(frozen=True, slots=True)
class Training:
    """How a model is trained."""

    epochs: float = 20.0
    batch_tokens: int = 8192  # target tokens of a batch, padding included
    rate: float = 1e-3
    warmup: int = 600
    dropout: float = 0.2
    smoothing: float = 0.1
    clip: float = 1.0
    decay: float = 0.01
    samplings: int = 1  # tokenisations per sentence: the best one, then sampled ones
    sampling: float = 0.1  # BPE-dropout
    longest: int = 96  # pieces; longer pairs are left out
    grid: int = 4  # lengths in a batch are rounded up to a multiple of this: few shapes, or little padding

    def __post_init__(self) -> None:
        check_positive(self, "epochs", "batch_tokens", "rate", "warmup", "clip", "samplings", "longest", "grid")
        for name in ("dropout", "smoothing", "sampling"):
            if not 0 <= getattr(self, name) < 1:
                raise InputError(f"{name} = {getattr(self, name)}; expected a number from 0 to below 1")
        if self.batch_tokens < self.longest:
            raise InputError(f"batch_tokens = {self.batch_tokens} holds no pair of longest = {self.longest} pieces")


T = TypeVar("T", bound=Any)  # a frozen dataclass
SPEECH = "speech"  # the recipe of another kind: ``lab.speech.recipe`` reads it


@dataclass(frozen=True, slots=True)
class Recipe:
    """Shapes that are trained alike."""

    name: str
    shapes: tuple[Shape, ...]
    training: Training
    pairs: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The recipe as a run record has it."""
        return {
            "name": self.name,
            "pairs": list(self.pairs),
            "shapes": [asdict(shape) for shape in self.shapes],
            "training": asdict(self.training),
        }


@dataclass(frozen=True, slots=True)
class Sizes:
    """What takes the place of a recipe's own numbers."""

    encoder: Annotated[int | None, Flag("Encoder layers.", least=1)] = None
    decoder: Annotated[int | None, Flag("Decoder layers.", least=1)] = None
    aan: Annotated[
        bool | None,
        Flag("Average attention in the decoder, or self-attention.", names=("--aan/--attention",)),
    ] = None
    dim: Annotated[int | None, Flag("Size of all vectors.", least=1)] = None
    heads: Annotated[int | None, Flag("Attention heads.", least=1)] = None
    ffn: Annotated[int | None, Flag("Size of the feed-forward layers.", least=1)] = None
    vocabulary: Annotated[int | None, Flag("Byte pairs, shared by both sides.", least=1)] = None
    epochs: Annotated[float | None, Flag("Times over the data.")] = None
    batch_tokens: Annotated[int | None, Flag("Tokens of a batch, padding included.", least=1)] = None
    rate: Annotated[float | None, Flag("The highest learning rate.")] = None

    @property
    def shape(self) -> dict[str, Any]:
        """The sizes of the model that were given."""
        return self._given(Shape)

    def _given(self, kind: type[Any]) -> dict[str, Any]:
        numbers = {field.name: getattr(self, field.name, None) for field in fields(kind)}
        return {name: number for name, number in numbers.items() if number is not None}

    def resize(self, recipe: Recipe) -> Recipe:
        """A recipe with these numbers; architectures that become the same are trained once."""
        shapes = tuple(dict.fromkeys(replace(shape, **self.shape) for shape in recipe.shapes))
        return replace(recipe, shapes=shapes, training=replace(recipe.training, **self._given(Training)))


def list_names(folder: str = "recipes") -> list[str]:
    """What is shipped: recipes for text, or the TOML files of another folder."""
    return sorted({entry.name.removesuffix(".toml") for entry in resource(folder).iterdir()} - {SPEECH})


def read_toml(name: str, kind: str, folder: str = "recipes") -> str:
    """The TOML of a shipped file by its name, or of a file of the user's."""
    if not name.endswith(".toml") and name not in (*list_names(folder), SPEECH):
        raise UnknownNameError(kind, name, list_names(folder), "Or give the path of a .toml file.")
    try:
        path = Path(name) if name.endswith(".toml") else resource(folder, f"{name}.toml")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {kind} {name}: {error}") from None


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{where}: {error}") from None


def load(name: str) -> Recipe:
    """A shipped recipe by its name, or one from a TOML file."""
    where = name if name.endswith(".toml") else f"{name}.toml"
    return parse(read_toml(name, "recipe"), Path(where).stem, where)


class _Table(NamedTuple):
    """What a recipe's TOML may hold."""

    title: str = ""
    pairs: tuple[str, ...] = ()
    layers: tuple[tuple[int, ...], ...] = ()
    decoders: tuple[str, ...] = ()
    model: Mapping[str, Any] = {}
    training: Mapping[str, Any] = {}


def parse(text: str, name: str, where: str) -> Recipe:
    """A recipe from its TOML: ``[model]``, ``[training]`` and optionally ``layers`` and ``decoders`` to vary."""
    table = parse_toml(text, where)
    decode(_Table, table, where)
    check_keys(table, _Table._fields, where)
    shape = fill(Shape(), table.get("model", {}), f"{where} [model]")
    training = fill(Training(), table.get("training", {}), f"{where} [training]")
    shapes = tuple(_varied(shape, table, where))
    return Recipe(name, shapes, training, tuple(table.get("pairs", ())))


def _varied(shape: Shape, table: Mapping[str, Any], where: str) -> Iterator[Shape]:
    kinds = {"attention": False, "average": True}
    for kind in table.get("decoders", ["average" if shape.aan else "attention"]):
        if kind not in kinds:
            raise UnknownNameError(f"{where}: decoder", str(kind), kinds)
        for layers in table.get("layers", [[shape.encoder, shape.decoder]]):
            if not (isinstance(layers, list) and len(layers) == 2):
                raise InputError(f"{where}: layers {layers!r}; expected pairs such as [6, 2]")
            yield fill(shape, {"encoder": layers[0], "decoder": layers[1], "aan": kinds[kind]}, where)


def fill(default: T, table: Mapping[str, Any], where: str) -> T:
    """Sizes with those of a table in place of the defaults; other names and types are refused."""
    known = {field.name: type(getattr(default, field.name)) for field in fields(default)}
    check_keys(table, tuple(known), where)
    for key, value in table.items():
        if type(value) is not known[key] and not (known[key] is float and type(value) is int):
            raise InputError(f"{where}: {key} = {value!r}; expected {known[key].__name__}")
    try:
        return replace(default, **table)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def check_keys(table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    """Refuse keys of a table that nobody reads."""
    for key in table:
        if key not in keys:
            raise UnknownNameError(f"{where}: key", key, keys)


def check_positive(sizes: object, *names: str) -> None:
    """Refuse sizes that are not above zero."""
    for name in names:
        if not getattr(sizes, name) > 0:
            raise InputError(f"{name} = {getattr(sizes, name)}; expected more than 0")


def check_shares(sizes: object, *names: str) -> None:
    """Refuse shares that are none."""
    for name in names:
        if not 0 <= getattr(sizes, name) <= 1:
            raise InputError(f"{name} = {getattr(sizes, name)}; expected a number from 0 to 1")
