"""``huggingface:NAME_OR_DIR``: a sequence-to-sequence model of transformers (extra ``huggingface``).

Options: beam (5), batch (32), max_tokens (256).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from epicene.errors import InputError, MissingExtraError, SystemFailure
from epicene.files import fingerprint
from epicene.languages.codes import iso3
from epicene.systems._spec import Options
from epicene.types import Pair


class HuggingFace:
    """Loads its model when the first sentence comes."""

    def __init__(self, name: str, options: Options) -> None:
        self._name = name
        self._beam = options.number("beam", 5)
        self._max_tokens = options.number("max_tokens", 256)
        self.batch_size = options.number("batch", 32)
        self.identity = f"huggingface:{_stable(name)}?beam={self._beam}&max_tokens={self._max_tokens}"
        self._loaded: tuple[Any, Any] | None = None

    def translate(self, sources: Sequence[str], pair: Pair) -> list[str]:
        """The best hypothesis of each source."""
        model, tokenizer = self._load()
        import torch

        options: dict[str, Any] = {"num_beams": self._beam, "max_new_tokens": self._max_tokens}
        options |= _language_options(tokenizer, pair)
        batch = tokenizer(list(sources), return_tensors="pt", padding=True, truncation=True).to(model.device)
        with torch.inference_mode():
            generated = model.generate(**batch, **options)
        return [text.strip() for text in tokenizer.batch_decode(generated, skip_special_tokens=True)]

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            try:
                import torch
                from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
            except ImportError:
                raise MissingExtraError(f"system huggingface:{self._name}", "huggingface") from None
            try:
                tokenizer = AutoTokenizer.from_pretrained(self._name)
                model = AutoModelForSeq2SeqLM.from_pretrained(self._name).eval()
            except (OSError, ValueError, ImportError) as error:
                raise SystemFailure(f"huggingface:{self._name}: {str(error).splitlines()[0]}") from None
            self._loaded = model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer
        return self._loaded


def _language_options(tokenizer: Any, pair: Pair) -> dict[str, Any]:
    """Sets the languages of a many-to-many model, whichever way it spells them."""
    codes = getattr(tokenizer, "additional_special_tokens", None) or []
    source, target = _code(codes, pair.source), _code(codes, pair.target)
    if target is None:
        return {}
    tokenizer.src_lang = source
    return {"forced_bos_token_id": tokenizer.convert_tokens_to_ids(target)}


def _code(codes: Sequence[str], language: str) -> str | None:
    starts = (f"{iso3(language)}_", f"__{language}__", f"{language}_")
    return next((code for code in codes if code.startswith(starts)), None)


def _stable(name: str) -> str:
    """A local folder is named by its weights, so that retraining under one name is seen."""
    folder = Path(name)
    weights = sorted([*folder.glob("*.safetensors"), *folder.glob("pytorch_model*.bin")]) if folder.is_dir() else []
    return f"{folder.name}@{fingerprint(weights)}" if weights else name


def build(argument: str, options: Options) -> HuggingFace:
    """The system that runs a transformers model."""
    if not argument:
        raise InputError("huggingface: needs a model name or folder, as in huggingface:./my-model")
    return HuggingFace(argument, options)
