"""Adapt a trained translator: on a few balanced sentences, on gender tags, or on counterfactual copies.

Three steps, each of which is left alone once it is done: the data (``pairs.LANGUAGE.tsv``, for any toolkit), the
training (``model/``, resumable), and an 8-bit CTranslate2 model beside them.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene.files import write_atomically
from epicene.models import model_folder
from epicene_lab import arrays, corpus, origin, pieces, store
from epicene_lab.adaptation import TAGGED, Order
from epicene_lab.corpus import SentencePair
from epicene_lab.origin import Origin
from epicene_lab.recipe import Shape, Training

if TYPE_CHECKING:
    from epicene_lab.loop import Limits

BUNDLED = "bundled"
MODEL, CORPUS, RECORD = "model", "corpus", "adapt.json"
# Tags, by words that mean what they are to mean.
SYMBOLS = {"<F>": ("woman", "she", "her", "female"), "<M>": ("man", "he", "his", "male")}
_QUICK = 50  # so many updates are not worth an estimate
Say = Callable[[str], None]
Progress = Callable[[int, int], None]


def adapt(order: Order, progress: Progress | None = None, say: Say = print) -> Path:
    """Make the data, train on from the model, export; the folder of the exported model."""
    prepare(order, say)
    train(order.folder, order.device, progress, say)
    return finish(order.folder, say)


def prepare(order: Order, say: Say = print) -> None:
    """Write the pairs of each language, cut them into pieces and write down what is to be trained."""
    from epicene_lab import mixed

    folder, adaptation = order.folder, order.adaptation
    begun = _open_origin(order.origin, adaptation.how)
    asked = {
        **asdict(adaptation),
        "origin": order.origin,
        "origin_sha256": _digest(begun),
        "texts": {target: path.name if path else None for target, path in order.texts.items()},
        "apart": [path.name for path in order.apart],
        "sets": list(order.sets),
        "seed": order.seed,
    }
    if (folder / RECORD).is_file():
        record = _read_record(folder)
        if other := next((name for name in asked if record.get(name) != asked[name]), ""):
            raise InputError(f"{folder} holds another adaptation ({other} differs); use another -o, or remove it")
        say(f"{folder}: data made before")
        return
    _knows(begun, list(order.texts), order.origin)
    guard, counts = mixed.Kept(order), dict[str, dict[str, int]]()
    corpora: dict[str, list[SentencePair]] = {}
    for target in order.texts:
        parts = mixed.make_parts(order, target, guard, begun)
        counts[target] = {name: len(pairs) for name, pairs in parts.items()}
        corpora[target] = [pair for pairs in parts.values() for pair in pairs]
        random.Random(order.seed).shuffle(corpora[target])
        with write_atomically(folder / f"pairs.{target}.tsv") as stream:
            stream.writelines(f"{source}\t{translation}\n" for source, translation in corpora[target])
        say(f"en-{target}: " + ", ".join(f"{number} {name}" for name, number in counts[target].items()))
    say(f"left out: {guard.dropped}")
    corpus.prepare(corpora, begun.shape.vocabulary, adaptation.training, folder / CORPUS, begun.pieces)
    with write_atomically(folder / RECORD) as stream:
        json.dump({**asked, "shape": asdict(begun.shape), "pairs": counts}, stream, ensure_ascii=False, indent=1)


def train(
    folder: Path,
    device: str = "auto",
    progress: Progress | None = None,
    say: Say = print,
    limits: Limits | None = None,
) -> bool:
    """Train on what was prepared, with PyTorch, NumPy and SentencePiece alone; False when its time ran out."""
    from epicene_lab import train as lab
    from epicene_lab.training import count_updates, measure_pace
    from epicene_lab.training import train as run

    device = store.choose_device(device, "epicene lab adapt")
    asked = _read_record(folder)
    shape, training = Shape(**asked["shape"]), Training(**asked["training"])
    if (folder / MODEL / store.MODEL).is_file():
        say(f"{folder / MODEL}: trained before")
        return True
    begun = _open_origin(asked["origin"], asked["how"])
    if _digest(begun) != asked["origin_sha256"]:
        raise InputError(f"{asked['origin']} is another model than {folder} was made for; remove {folder}, or bring it")
    decks = corpus.load_decks([folder / CORPUS], training)
    total = count_updates(training, decks)
    if device == "cpu" and total > _QUICK:
        say(f"{total} updates, about {lab.write_duration(total / measure_pace(shape, training, decks))} on this CPU")
    if not run(shape, training, decks, asked["seed"], folder / MODEL, device, limits, progress, begun.weights):
        say(f"{folder / MODEL}: out of time; give the command again to go on")
        return False
    _average_weights(folder / MODEL, begun, asked["mixture"]["keep"])
    (folder / MODEL / store.PIECES).write_bytes(begun.pieces)
    store.describe(folder / MODEL, shape, {**asked, **store.describe_machine(device)})
    return True


def finish(folder: Path, say: Say = print) -> Path:
    """Export what was trained in 8 bits into the folder itself, for ``-s ctranslate2:DIR``."""
    from epicene_lab.export import export

    if not (folder / origin.BINARY).is_file():
        export(folder / MODEL, folder)
    say(f"use it as -s ctranslate2:{folder}")
    return folder


def _average_weights(folder: Path, begun: Origin, keep: float) -> None:
    """Put the mean of old and new weights in the place of the new ones, which stay beside it."""
    if not keep:
        return
    new = arrays.load(folder / store.WEIGHTS)
    arrays.save(folder / "trained.npz", new)
    mean = {name: (keep * begun.weights[name] + (1 - keep) * value).astype("float32") for name, value in new.items()}
    arrays.save(folder / store.WEIGHTS, mean)


def _open_origin(name: str, how: str) -> Origin:
    """The model to go on from; one that is to learn tags knows them as pieces."""
    folder = model_folder(BUNDLED) if name == BUNDLED else Path(name)
    begun = origin.open_origin(folder)
    return begun.known(SYMBOLS) if how == TAGGED else begun


def _knows(begun: Origin, targets: list[str], name: str) -> None:
    """Refuse languages that the model cannot be asked for."""
    if corpus.has_tags(begun.pieces):
        for target in targets:
            pieces.encode(pieces.load(begun.pieces), [], target)
    elif len(targets) > 1:
        raise InputError(f"{name} translates into one language and has no tags for {', '.join(targets)}; give one")


def _read_record(folder: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder / RECORD}: {error}; epicene lab adapt writes it") from None
    return record


def _digest(begun: Origin) -> str:
    digest = hashlib.sha256(begun.pieces)
    for name in sorted(begun.weights):
        digest.update(begun.weights[name].tobytes())
    return digest.hexdigest()
