"""A trained model for CTranslate2's Whisper, in 8 bits, to be used as ``direct:DIR``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene.files import write_atomically
from epicene.speech.direct import LAYOUT, SPOKEN, VERSION
from epicene_lab import arrays, store
from epicene_lab.export import fill_layers, norm, save, unpack
from epicene_lab.speech.recipe import LANGUAGES, SpeechShape
from epicene_lab.speech.targets import Pieces

if TYPE_CHECKING:
    from epicene_lab.speech.model import SpeechModel


PACKED = "packed.npz"


def read_record(folder: Path) -> dict[str, Any]:
    """What a model folder says of itself."""
    return store.read_record(folder, SpeechShape, "epicene lab speech train")


def read_weights(folder: Path) -> dict[str, Any]:
    """The weights by name, in float32; the packed ones where the others are not there."""
    whole, packed = folder / store.WEIGHTS, folder / PACKED
    return unpack(arrays.load(packed if packed.is_file() and not whole.is_file() else whole))


def load(folder: Path, device: str = "cpu") -> SpeechModel:
    """The trained model, in float32."""
    import torch

    from epicene_lab.speech.model import SpeechModel

    model = SpeechModel(read_record(folder)["shape"])
    weights = {name: torch.from_numpy(value) for name, value in read_weights(folder).items()}
    try:
        missing, unknown = model.load_state_dict(weights, strict=False)
    except RuntimeError as error:
        reason = str(error).splitlines()[-1].strip()
        raise InputError(f"{folder / store.WEIGHTS} does not fit {store.MODEL}: {reason}") from None
    lacking = [name for name in missing if not name.startswith("ctc")]  # which nobody needs who does not train
    if lacking or unknown:
        raise InputError(f"{folder / store.WEIGHTS} does not fit {store.MODEL}: {', '.join([*lacking, *unknown][:3])}")
    return model.eval().to(device)


RECORD = "training.json"  # how the model came about, the voices that it was trained on among it


def export(model: Path, to: Path, quantization: str = "int8", languages: Sequence[str] = ()) -> None:
    """Write a model folder as a CTranslate2 model with its pieces, ``direct.json`` and how it was trained.

    ``languages``: those that it shall be asked for, beside English; else all that it was taught.
    """
    import ctranslate2
    from ctranslate2.specs.whisper_spec import WhisperSpec

    record = read_record(model)
    shape = record["shape"]
    known = record.get("languages") or list(LANGUAGES)
    if untaught := [code for code in languages if code not in known]:
        raise InputError(f"{model} was not taught {untaught[0]}; it knows {', '.join(known)}")
    pieces = Pieces(model / store.PIECES)
    spec = WhisperSpec(shape.encoder, shape.heads, shape.decoder, shape.heads)
    _fill(spec, read_weights(model), shape)
    spec.register_vocabulary(pieces.all)
    spec.config.suppress_ids = pieces.banned
    spec.config.suppress_ids_begin = []
    spec.config.lang_ids = [pieces.prompt(code)[1] for code in LANGUAGES]
    spec.config.alignment_heads = [[shape.decoder - 1, head] for head in range(shape.heads)]
    save(spec, model, to, quantization)
    with write_atomically(to / LAYOUT) as stream:
        offered = [code for code in known if not languages or code in (SPOKEN, *languages)]
        layout = {"layout": VERSION, "languages": offered, "frames": shape.frames, "pieces": shape.length}
        json.dump(layout, stream, indent=1)
    with write_atomically(to / RECORD) as stream:
        json.dump({name: value for name, value in record.items() if name != "shape"}, stream, indent=1)
    ctranslate2.models.Whisper(str(to))


def _fill(spec: Any, weights: dict[str, Any], shape: Any) -> None:
    from epicene_lab.model import make_sinusoids

    for part, name in ((spec.encoder.conv1, "first"), (spec.encoder.conv2, "second")):
        part.weight, part.bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    spec.encoder.position_encodings.encodings = make_sinusoids(shape.positions, shape.dim).numpy()
    spec.decoder.position_encodings.encodings = weights["learnt_places"]
    spec.decoder.embeddings.weight = weights["vocabulary.weight"]
    spec.decoder.projection.weight = weights["vocabulary.weight"]
    norm(spec.encoder.layer_norm, weights, "encoder_norm")
    norm(spec.decoder.layer_norm, weights, "decoder_norm")
    fill_layers(spec, weights)
