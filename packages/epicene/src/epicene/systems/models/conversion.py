"""Converts models of transformers for CTranslate2, once, into ``$EPICENE_HOME``."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from epicene.errors import InputError, SystemFailure, first_line
from epicene.files import full_disk, locate_cache
from epicene.models import import_transformers, weights_checksum
from epicene.registry import Options

# What the converted model needs to cut sentences into tokens, and to know its pair.
_COPIED = ("source.spm", "target.spm", "sentencepiece.bpe.model", "sentencepiece.model", "tokenizer_config.json")


def convert_once(folder: Path, options: Options) -> Path:
    """The folder itself if CTranslate2 can read it, else what it was converted to, now or before."""
    wanted = options.text("convert", "no")
    if wanted not in ("yes", "no"):
        raise InputError(f"system {options.kind}: option convert={wanted!r} must be yes or no")
    checksum = "" if (folder / "model.bin").is_file() else weights_checksum(folder)
    if not checksum:
        return folder
    if wanted == "no":
        raise InputError(
            f"ctranslate2:{folder}: a model of transformers; to convert it once (kept in {locate_cache('converted')}), "
            f"use 'ctranslate2:{folder}?convert=yes'; to run it as it is, huggingface:{folder}"
        )
    target = locate_cache("converted") / checksum / folder.resolve().name
    if not (target / "model.bin").is_file():
        _convert(folder, target)
    return target


def _convert(folder: Path, target: Path) -> None:
    """Write a converted model that appears only once it is whole."""
    import_transformers(f"converting {folder}")
    from ctranslate2.converters import TransformersConverter

    _check_translator(folder)
    copied = [name for name in _COPIED if (folder / name).is_file()]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as part:
            # The weights keep their type; which one computes is chosen when they are loaded.
            converter = TransformersConverter(str(folder), copy_files=copied)
            converter.load_tokenizer = _whole_tokenizer
            converter.convert(f"{part}/model")
            _move_whole(Path(part, "model"), target)
    except OSError as error:
        raise full_disk(error, target) from None
    except Exception as error:  # noqa: BLE001 - the converter raises whatever its many loaders raise
        raise SystemFailure(
            f"ctranslate2:{folder}: cannot convert: {first_line(error)}; try huggingface:{folder}"
        ) from None


def _move_whole(model: Path, target: Path) -> None:
    """Give a whole model its name at once; another process may have been quicker with the same."""
    try:
        model.rename(target)
    except OSError:
        if not (target / "model.bin").is_file():
            raise


def _whole_tokenizer(tokenizer_class: Any, name: str, **options: Any) -> Any:
    """A tokenizer with all that the converter asks for: M2M-100's keeps languages apart, mBART's has no first token."""
    tokenizer = tokenizer_class.from_pretrained(name, **options)
    if tokenizer.bos_token is None:
        tokenizer.bos_token = tokenizer.cls_token or tokenizer.eos_token
    vocabulary = {**tokenizer.get_vocab(), **getattr(tokenizer, "lang_token_to_id", {})}
    tokenizer.get_vocab = lambda: vocabulary
    return tokenizer


def _check_translator(folder: Path) -> None:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder / 'config.json'}: {error}") from None
    if not isinstance(config, dict):
        raise InputError(f"{folder / 'config.json'}: expected an object, as transformers saves it")
    if not config.get("is_encoder_decoder"):
        kind = config.get("model_type", "unknown")
        raise InputError(
            f"ctranslate2:{folder}: a model of type {kind!r} is no translator; expected an encoder-decoder"
        )
