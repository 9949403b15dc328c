"""``ctranslate2:DIR``: a CTranslate2 model with its SentencePiece models.

Options: beam (5), compute (int8 on CPU, as the model is stored otherwise), device (auto), batch (64),
source_prefix and target_prefix: tokens put before the sentence, where {source} and {target} stand for the codes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from epicene.errors import InputError, SystemFailure
from epicene.files import fingerprint
from epicene.systems._spec import Options
from epicene.types import Pair

_SOURCE_MODELS = ("source.spm", "sentencepiece.model", "spm.model", "sentencepiece.bpe.model")
_TARGET_MODELS = ("target.spm", *_SOURCE_MODELS[1:])


class CTranslate2:
    """Loads its model when the first sentence comes."""

    def __init__(self, folder: Path, options: Options) -> None:
        self._folder = folder
        self._source_model = _needed(folder, _SOURCE_MODELS, "SentencePiece model")
        self._target_model = _needed(folder, _TARGET_MODELS, "SentencePiece model")
        model = _needed(folder, ("model.bin",), "CTranslate2 model")
        self._beam = options.number("beam", 5)
        self._device = options.text("device", "auto")
        self._compute = options.text("compute", "default")
        self._source_prefix = options.text("source_prefix", "")
        self._target_prefix = options.text("target_prefix", "")
        self.batch_size = options.number("batch", 64)
        self._add_eos = self._source_model.name == "source.spm" and not _config(folder).get("add_source_eos")
        digest = fingerprint((model, self._source_model, self._target_model))
        shown = [("beam", self._beam), ("compute", self._compute)]
        shown += [("source_prefix", self._source_prefix), ("target_prefix", self._target_prefix)]
        changing = "&".join(f"{name}={value}" for name, value in shown if value != "")
        self.identity = f"ctranslate2:{folder.name}@{digest}?{changing}"
        self._loaded: tuple[Any, Any, Any] | None = None

    def translate(self, sources: Sequence[str], pair: Pair) -> list[str]:
        """The best hypothesis of each source."""
        translator, source_model, target_model = self._load()
        before = _tokens(self._source_prefix, pair)
        after = ["</s>"] if self._add_eos else []
        tokens = [before + source_model.encode(source, out_type=str) + after for source in sources]
        prefix = _tokens(self._target_prefix, pair)
        try:
            results = translator.translate_batch(
                tokens,
                target_prefix=[prefix] * len(tokens) if prefix else None,
                beam_size=self._beam,
                max_batch_size=self.batch_size,
            )
        except (RuntimeError, ValueError) as error:
            raise SystemFailure(f"{self.identity}: {error}") from None
        found = (result.hypotheses[0][len(prefix) :] for result in results)
        return [target_model.decode(hypothesis).strip() for hypothesis in found]

    def _load(self) -> tuple[Any, Any, Any]:
        if self._loaded is None:
            import ctranslate2
            import sentencepiece

            try:
                translator = ctranslate2.Translator(
                    str(self._folder),
                    device=self._device,
                    compute_type=self._compute,
                    inter_threads=max(1, os.cpu_count() or 1),
                    intra_threads=1,
                )
                source_model = sentencepiece.SentencePieceProcessor(model_file=str(self._source_model))
                target_model = sentencepiece.SentencePieceProcessor(model_file=str(self._target_model))
            except (RuntimeError, ValueError, OSError) as error:
                raise SystemFailure(f"{self.identity}: cannot load: {error}") from None
            self._loaded = translator, source_model, target_model
        return self._loaded


def _tokens(prefix: str, pair: Pair) -> list[str]:
    return prefix.replace("{source}", pair.source).replace("{target}", pair.target).split()


def _needed(folder: Path, names: tuple[str, ...], what: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"ctranslate2:{folder}: no {what} there; expected {' or '.join(names)}")


def _config(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"{folder / 'config.json'}: {error}") from None
    return found if isinstance(found, dict) else {}


def build(argument: str, options: Options) -> CTranslate2:
    """The system that runs a converted model."""
    folder = Path(argument)
    if not argument or not folder.is_dir():
        raise InputError(f"ctranslate2:{argument}: no such folder; expected one made by a CTranslate2 converter")
    return CTranslate2(folder, options)
