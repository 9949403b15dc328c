"""Models to go on training from: a folder of ``lab train``, or a CTranslate2 folder that ``lab export`` wrote.

CTranslate2's file holds variables by name; an 8-bit matrix is its bytes, each row divided by its ``weight_scale``.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from epicene.errors import InputError
from epicene_lab import arrays, pieces, store
from epicene_lab.corpus import SentencePair
from epicene_lab.recipe import Shape

if TYPE_CHECKING:
    from epicene_lab.arrays import Arrays


def score_translations(begun: Origin, pairs: Sequence[SentencePair], target: str, rows: int = 32) -> list[float]:
    """The mean log-probability of the pieces of each translation."""
    import numpy as np
    import torch

    from epicene_lab.model import BEGIN, PAD, Transformer

    model = Transformer(begun.shape).eval()
    model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in begun.weights.items()})
    tool = pieces.load(begun.pieces)
    tag = target if tool.piece_to_id(pieces.name_tag(target)) != tool.unk_id() else None
    longest = begun.shape.positions - 1
    sources = [each[-longest:] for each in pieces.encode(tool, [pair[0] for pair in pairs], tag)]
    targets = [[BEGIN, *each][:longest] for each in pieces.encode(tool, [pair[1] for pair in pairs])]
    order = sorted(range(len(pairs)), key=lambda place: len(targets[place]))
    scores = [0.0] * len(pairs)
    with torch.inference_mode():
        for start in range(0, len(order), rows):
            places = order[start : start + rows]
            source, said = (_pad([side[place] for place in places]) for side in (sources, targets))
            logits = model(torch.from_numpy(source), torch.from_numpy(said[:, :-1].copy()))
            wanted = torch.from_numpy(said[:, 1:].copy())
            each = torch.log_softmax(logits, -1).gather(2, wanted[..., None]).squeeze(2)
            real = wanted != PAD
            means = (each * real).sum(1) / real.sum(1)
            for place, mean in zip(places, means.tolist(), strict=True):
                scores[place] = float(mean)
    return scores


def _pad(rows: Sequence[Sequence[int]]):  # type: ignore[no-untyped-def]
    import numpy as np

    padded = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return padded


BINARY = "model.bin"
_VERSIONS = (5, 6)  # of the format; these two are alike in all that is read here
_TYPES = ("<f4", "<i1", "<i2", "<i4", "<f2")  # by the number that stands for them
_FEED_FORWARD = {"ffn/linear_0": "ffn.up", "ffn/linear_1": "ffn.down", "ffn/layer_norm": "ffn_norm"}
_ENCODER = {
    "self_attention/linear_0": "attention.qkv",
    "self_attention/linear_1": "attention.out",
    "self_attention/layer_norm": "attention_norm",
    **_FEED_FORWARD,
}
_DECODER = {
    "self_attention/linear_0": "history.qkv",
    "self_attention/linear_1": "history.out",
    "self_attention/layer_norm": "history_norm",
    "attention/linear_0": "source.q",
    "attention/linear_1": "source.kv",
    "attention/linear_2": "source.out",
    "attention/layer_norm": "source_norm",
    **_FEED_FORWARD,
}


@dataclass(frozen=True)
class Origin:
    """A model as it stands: sizes, float32 weights by the lab's names, and the bytes of its SentencePiece model."""

    shape: Shape
    weights: Arrays
    pieces: bytes

    def known(self, symbols: Mapping[str, Sequence[str]]) -> Origin:
        """The same with further symbols; see ``extended``."""
        return extend(self, symbols)


def open_origin(folder: Path) -> Origin:
    """The model of a folder, of either kind."""
    if not folder.is_dir():
        raise InputError(f"--from {folder}: no such folder; expected a model of epicene lab train or lab export")
    try:
        vocabulary = (folder / store.PIECES).read_bytes()
    except OSError as error:
        raise InputError(f"--from {folder}: {store.PIECES}: {error.strerror}; lab export puts it there") from None
    if (folder / BINARY).is_file():
        shape, weights = _convert(folder / BINARY)
    else:
        from epicene_lab.export import unpack

        shape, weights = store.read_record(folder)["shape"], unpack(arrays.load(folder / store.WEIGHTS))
    return Origin(shape, weights, vocabulary)


def extend(origin: Origin, symbols: Mapping[str, Sequence[str]]) -> Origin:
    """A model that knows further symbols as pieces of their own, each by words that mean what it is to mean.

    A symbol begins as the mean of those of its words that are one piece, else of all pieces. Pieces are appended to the
    SentencePiece model: two messages of its format one after the other are one with the fields of both.
    """
    model = pieces.load(origin.pieces)
    new = {symbol: words for symbol, words in symbols.items() if model.piece_to_id(symbol) == model.unk_id()}
    if not new:
        return origin
    table = origin.weights["vocabulary.weight"]
    rows = []
    for words in new.values():
        like = [number for word in words if (number := model.piece_to_id(f"\u2581{word}")) != model.unk_id()]
        rows.append((table[like] if like else table).mean(axis=0))
    weights = {**origin.weights, "vocabulary.weight": np.concatenate((table, np.array(rows, np.float32)))}
    shape = replace(origin.shape, vocabulary=len(table) + len(new))
    return Origin(shape, weights, origin.pieces + b"".join(map(_piece, new)))


def _piece(symbol: str) -> bytes:
    """A piece of a SentencePiece model as its format has it: field 1, with its text, a score of 0, user-defined."""
    text = symbol.encode()
    body = b"\x0a" + bytes([len(text)]) + text + b"\x15" + struct.pack("<f", 0.0) + b"\x18\x04"
    if len(body) > 127:
        raise InputError(f"symbol {symbol[:40]!r}: too long for a piece of its own; give at most 100 bytes")
    return b"\x0a" + bytes([len(body)]) + body


def _convert(path: Path) -> tuple[Shape, Arrays]:
    variables = _variables(path)
    try:
        table = _matrix(variables, "decoder/embeddings/weight")
        layers = {side: _layers(variables, side) for side in ("encoder", "decoder")}
        weights = {"vocabulary.weight": table}
        for side, names in (("encoder", _ENCODER), ("decoder", _DECODER)):
            weights |= _norm(variables, f"{side}/layer_norm", f"{side}_norm")
            for number in range(layers[side]):
                for theirs, ours in names.items():
                    scope, name = f"{side}/layer_{number}/{theirs}", f"{side}.{number}.{ours}"
                    if theirs.endswith("layer_norm"):
                        weights |= _norm(variables, scope, name)
                    else:
                        weights[f"{name}.weight"] = _matrix(variables, f"{scope}/weight")
        shape = Shape(
            encoder=layers["encoder"],
            decoder=layers["decoder"],
            dim=int(table.shape[1]),
            heads=int(variables["encoder/num_heads"]),
            ffn=int(weights["encoder.0.ffn.up.weight"].shape[0]),
            vocabulary=int(table.shape[0]),
            positions=int(variables["decoder/position_encodings/encodings"].shape[0]),
        )
    except KeyError as error:
        raise InputError(f"{path} is no model that epicene lab export wrote: it has no {error.args[0]}") from None
    other = _foreign(variables)
    if other:
        raise InputError(f"{path} is no model that epicene lab export wrote: {other}; train on with its own toolkit")
    return shape, weights


def _foreign(variables: dict[str, Any]) -> str:
    """What a model has that the lab's have not."""
    for side in ("encoder", "decoder"):
        if not variables.get(f"{side}/pre_norm", True):
            return f"its {side} is normed after each layer"
        if variables.get(f"{side}/activation", 0):
            return f"its {side} has another activation than ReLU"
    biased = next((name for name in variables if name.endswith(("linear_0/bias", "projection/bias"))), "")
    return f"{biased} is there" if biased else ""


def _layers(variables: dict[str, Any], side: str) -> int:
    return len({name.split("/")[1] for name in variables if name.startswith(f"{side}/layer_") and name.count("/") > 2})


def _matrix(variables: dict[str, Any], name: str) -> Any:
    value = variables[name]
    if value.dtype == np.int8:
        return value.astype(np.float32) / variables[f"{name}_scale"][:, None]
    return value.astype(np.float32)


def _norm(variables: dict[str, Any], scope: str, name: str) -> Arrays:
    return {
        f"{name}.weight": variables[f"{scope}/gamma"].astype(np.float32),
        f"{name}.bias": variables[f"{scope}/beta"].astype(np.float32),
    }


def _variables(path: Path) -> dict[str, Any]:
    """All variables of a file, aliases among them."""
    try:
        reader = _Reader(path.read_bytes())
        if (version := reader.number("I")) not in _VERSIONS:
            raise InputError(f"{path}: version {version} of CTranslate2's format; versions 5 and 6 can be read")
        reader.text()  # the name of the kind of model
        reader.number("I")  # its revision
        variables: dict[str, Any] = {}
        for _ in range(reader.number("I")):
            name = reader.text()
            sizes = [reader.number("I") for _ in range(reader.number("B"))]
            kind = _TYPES[reader.number("B")]
            variables[name] = np.frombuffer(reader.taken(reader.number("I")), kind).reshape(sizes)
        for _ in range(reader.number("I")):
            alias, name = reader.text(), reader.text()
            variables[alias] = variables[name]
    except (OSError, struct.error, IndexError, KeyError, ValueError) as error:
        raise InputError(f"{path} is no model of CTranslate2 or is cut short: {error}") from None
    return variables


class _Reader:
    """Bytes from the first on."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._place = 0

    def taken(self, count: int) -> bytes:
        taken = self._content[self._place : self._place + count]
        if len(taken) < count:
            raise ValueError(f"{count} bytes wanted at {self._place}, {len(taken)} are there")
        self._place += count
        return taken

    def number(self, kind: str) -> int:
        return int(struct.unpack(f"<{kind}", self.taken(struct.calcsize(f"<{kind}")))[0])

    def text(self) -> str:
        return self.taken(self.number("H"))[:-1].decode("utf-8")
