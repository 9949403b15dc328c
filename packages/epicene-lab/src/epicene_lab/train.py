"""From a file of sentence pairs to trained models, killed and resumed as often as it may be."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.files import write_atomically
from epicene.languages.codes import pair as parse_pair
from epicene_lab import corpus, store
from epicene_lab import origin as origins
from epicene_lab.corpus import Dropped
from epicene_lab.origin import Origin
from epicene_lab.recipe import Recipe, Shape, Training

CORPUS = "corpus"  # the folder that models of one call share
Progress = Callable[[int, int], None]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be trained, on what, and where it goes."""

    data: Path
    pair: str
    recipe: Recipe
    seed: int
    folder: Path
    device: str = "auto"
    apart: tuple[Path, ...] = ()  # tests whose sentences must not be trained on
    origin: Path | None = None  # a model to go on from
    symbols: tuple[str, ...] = ()  # further pieces of that model, as ``<F>`` or ``<F>=woman,she``


def train(order: Order, progress: Progress | None = None, say: Say = print) -> Iterator[Path]:
    """Train every architecture of the recipe; yields a model folder as each is done."""
    device = store.choose_device(order.device, "epicene lab train")
    pair = str(parse_pair(order.pair))
    begun = origins.open_origin(order.origin).known(_symbols(order.symbols)) if order.origin else None
    if begun:
        order = replace(order, recipe=replace(order.recipe, shapes=(begun.shape,)))
    described = _prepare(order, say, begun)
    recipe = order.recipe
    waiting = [shape_folder for shape_folder in _folders(order) if not (shape_folder[1] / store.WEIGHTS).is_file()]
    if waiting and device == "cpu":
        say(_estimate(order, [shape for shape, _ in waiting]))
    for shape, folder in _folders(order):
        if (shape, folder) in waiting:
            _train(order, shape, folder, device, progress, say, begun)
            what = {"pair": pair, "recipe": recipe.name, "training": asdict(recipe.training), **described}
            store.describe(folder, shape, {**what, "seed": order.seed, **store.describe_machine(device)})
        else:
            say(f"{folder}: trained before")
        yield folder


def _train(
    order: Order,
    shape: Shape,
    folder: Path,
    device: str,
    progress: Progress | None,
    say: Say,
    begun: Origin | None,
) -> None:
    from epicene_lab.training import train as run

    training = order.recipe.training
    decks = corpus.load_decks([order.folder / CORPUS], training)
    say(f"{folder}: training {shape.name} on {device}")
    weights = begun.weights if begun else None
    run(shape, training, decks, order.seed, folder, device, progress=progress, weights=weights)
    shutil.copyfile(order.folder / CORPUS / corpus.PIECES, folder / store.PIECES)


def _symbols(given: Sequence[str]) -> dict[str, tuple[str, ...]]:
    parts = (symbol.partition("=") for symbol in given)
    return {name: tuple(word for word in words.split(",") if word) for name, _, words in parts}


def _folders(order: Order) -> list[tuple[Shape, Path]]:
    shapes = order.recipe.shapes
    if len(shapes) == 1:
        return [(shapes[0], order.folder)]
    return [(shape, order.folder / shape.name) for shape in shapes]


def _prepare(order: Order, say: Say, begun: Origin | None) -> dict[str, Any]:
    """Tokenise the corpus, unless that was done; a folder made from other data is refused."""
    folder, recipe = order.folder / CORPUS, order.recipe
    vocabularies = {shape.vocabulary for shape in recipe.shapes}
    if len(vocabularies) > 1:
        raise InputError(f"recipe {recipe.name}: vocabularies of {sorted(vocabularies)}; all models share one")
    made_from: dict[str, Any] = {
        "data": order.data.name,
        "data_sha256": _checksum(order.data),
        "apart": {path.name: _checksum(path) for path in order.apart},
        "vocabulary": vocabularies.pop(),
        "samplings": [recipe.training.samplings, recipe.training.sampling, recipe.training.longest],
    }
    if begun:
        made_from["pieces"] = hashlib.sha256(begun.pieces).hexdigest()
    record = folder / "corpus.json"
    if record.is_file():
        record_content: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
        if {name: record_content.get(name) for name in made_from} != made_from:
            raise InputError(f"{folder} was made from other data or sizes; use another -o, or remove it to begin anew")
        return record_content
    dropped = Dropped()
    tested = frozenset(map(corpus.key, corpus.read_tested_sentences(order.apart)))
    pairs = corpus.read_training_pairs(order.data, tested, dropped)
    corpora = {parse_pair(order.pair).target: pairs}
    known = begun.pieces if begun else None
    number = corpus.prepare(corpora, made_from["vocabulary"], recipe.training, folder, known)
    say(f"{order.data}: {number} pairs of {len(pairs)} short enough; left out before: {dropped}")
    record_content = {**made_from, "pairs": number, "dropped": dict(dropped.why)}
    with write_atomically(record) as stream:
        json.dump(record_content, stream, ensure_ascii=False, indent=1)
    return record_content


def _checksum(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def _estimate(order: Order, shapes: Sequence[Shape]) -> str:
    """How long the CPU will take, from a few updates of each architecture."""
    from epicene_lab.training import count_updates, measure_pace

    training: Training = order.recipe.training
    decks = corpus.load_decks([order.folder / CORPUS], training)
    total = count_updates(training, decks)
    seconds = sum(total / measure_pace(shape, training, decks) for shape in shapes)
    what = f"{len(shapes)} models" if len(shapes) > 1 else "training"
    return f"no GPU: {what} of {total} updates will take about {write_duration(seconds)} on this CPU"


def write_duration(seconds: float) -> str:
    """Seconds in words."""
    for size, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{max(1, round(seconds))} seconds"
