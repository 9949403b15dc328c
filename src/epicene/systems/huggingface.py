"""``huggingface:NAME_OR_DIR``: a sequence-to-sequence model of transformers (extra ``huggingface``).

NLLB, M2M-100, mBART and OPUS models are told the languages in their own codes. Options: beam (5), max_tokens (256),
top_k, top_p, temperature, seed (to draw words), device (auto), dtype (auto: float32 on CPU, float16 on GPU),
batch (32; 128 on GPU).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from epicene.errors import InputError, MissingExtraError, SystemFailure
from epicene.spec import Options
from epicene.systems import _devices, _model_codes
from epicene.systems._conversion import weights_checksum
from epicene.systems._search import batches, check_length, search
from epicene.types import Pair

_DTYPES = {"cpu": "float32", "cuda": "float16"}
_CALL = 8  # batches in one call, which are sorted together


class HuggingFace:
    """Loads its model when the first sentence comes."""

    def __init__(self, name: str, options: Options) -> None:
        self._name = name
        self._search = search(options)
        self._device = _devices.resolve(options.text("device", "auto"), options.kind, _devices.torch_sees_gpu)
        dtype = options.text("dtype", "auto")
        self._dtype = _DTYPES[self._device] if dtype == "auto" else dtype
        if self._dtype not in ("float32", "float16", "bfloat16"):
            raise InputError(
                f"system {options.kind}: option dtype={dtype!r} must be auto, float32, float16 or bfloat16"
            )
        self.gpu = self._device == "cuda"
        self._batch = options.number("batch", 128 if self.gpu else 32)
        self.batch_size = _CALL * self._batch
        shown: list[tuple[str, object]] = [("beam", self._search.beam), ("max_tokens", self._search.max_tokens)]
        shown += [("dtype", self._dtype)] if self._dtype != "float32" else []
        changing = "&".join(f"{name}={value}" for name, value in shown + self._search.sampling())
        self.identity = f"huggingface:{_stable(name)}?{changing}"
        self._loaded: tuple[Any, Any] | None = None

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:
        """The best hypothesis of each source, or one that is drawn, as soon as all before it are there."""
        model, tokenizer = self._load()
        texts, options = self._told(tokenizer, list(sources), pair)
        tokens = tokenizer(texts)["input_ids"]
        lengths = [len(each) for each in tokens]
        check_length(lengths, sources, getattr(model.config, "max_position_embeddings", None), self.identity)
        # What is drawn for a sentence depends on that sentence and the seed alone, so it is drawn by itself.
        places = batches(lengths, 1 if self._search.sampled else self._batch)
        return self._answers(model, tokenizer, tokens, places, options)

    def _answers(
        self, model: Any, tokenizer: Any, tokens: list[list[int]], places: Iterator[list[int]], options: dict[str, Any]
    ) -> Iterator[str]:
        answers: dict[int, str] = {}
        for place in range(len(tokens)):
            while place not in answers:
                batch = next(places)
                padded = tokenizer.pad({"input_ids": [tokens[each] for each in batch]}, return_tensors="pt")
                texts = self._generated(model, tokenizer, padded, options)
                answers.update(zip(batch, texts, strict=True))
            yield answers.pop(place)

    def _generated(self, model: Any, tokenizer: Any, padded: Any, options: dict[str, Any]) -> list[str]:
        import torch

        chosen: dict[str, Any] = {"num_beams": self._search.beam, "do_sample": False}
        if self._search.sampled:
            ids = padded["input_ids"].numpy().tobytes()
            torch.manual_seed(int.from_bytes(hashlib.sha256(b"%d " % self._search.seed + ids).digest()[:8], "big"))
            chosen = {"num_beams": 1, "do_sample": True, "top_k": self._search.top_k, "top_p": self._search.top_p}
            chosen |= {"temperature": self._search.temperature}
        try:
            with torch.inference_mode():
                generated = model.generate(
                    **padded.to(model.device), **chosen, **options, max_new_tokens=self._search.max_tokens
                )
        except (RuntimeError, ValueError) as error:
            raise self._failed(error) from None
        # Not every tokenizer knows that the token of the target language is none of the text.
        token = next(iter(options.values()), None)
        kept = [[each for each in row if each != token] for row in generated.tolist()]
        return [text.strip() for text in tokenizer.batch_decode(kept, skip_special_tokens=True)]

    def _told(self, tokenizer: Any, sources: list[str], pair: Pair) -> tuple[list[str], dict[str, Any]]:
        """The sources and options with which the model knows its languages, whichever way it spells them."""
        codes = _model_codes.resolve(lambda token: _has(tokenizer, token), pair, self.identity)
        if codes is None:
            source, target = getattr(tokenizer, "source_lang", None), getattr(tokenizer, "target_lang", None)
            _model_codes.check_only_pair(source, target, pair, self.identity)
            return sources, {}
        if codes.family == "opus":
            return [f"{codes.target} {source}" for source in sources], {}
        # M2M's tokenizer wants the bare code, the others the token.
        tokenizer.src_lang = codes.source.strip("_") if codes.family == "m2m" else codes.source
        target = tokenizer.convert_tokens_to_ids(codes.target)
        if type(tokenizer).__name__.startswith("MBartTokenizer"):
            return sources, {"decoder_start_token_id": target}
        return sources, {"forced_bos_token_id": target}

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            try:
                import torch
                import transformers
            except ImportError:
                raise MissingExtraError(f"system huggingface:{self._name}", "huggingface") from None
            transformers.logging.set_verbosity_error()
            transformers.logging.disable_progress_bar()
            try:
                config = transformers.AutoConfig.from_pretrained(self._name)
                if not config.is_encoder_decoder:
                    raise InputError(
                        f"huggingface:{self._name}: a model of type {config.model_type!r} is no translator; "
                        "expected an encoder-decoder"
                    )
                tokenizer = transformers.AutoTokenizer.from_pretrained(self._name)
                model = transformers.AutoModelForSeq2SeqLM.from_pretrained(
                    self._name, dtype=getattr(torch, self._dtype)
                )
                self._loaded = model.eval().to(self._device), tokenizer
            except (OSError, ValueError, ImportError, RuntimeError, AssertionError) as error:
                raise self._failed(error) from None  # PyTorch asserts that it was built for a device
        return self._loaded

    def _failed(self, error: Exception) -> SystemFailure:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        return SystemFailure(f"{self.identity}: {said}{_devices.elsewhere(self._device)}")


def _has(tokenizer: Any, token: str) -> bool:
    found = tokenizer.convert_tokens_to_ids(token)
    return found is not None and found != tokenizer.unk_token_id


def _stable(name: str) -> str:
    """A local folder is named by its weights, so that retraining under one name is seen."""
    checksum = weights_checksum(Path(name))
    return f"{Path(name).name}@{checksum}" if checksum else name


def build(argument: str, options: Options) -> HuggingFace:
    """The system that runs a transformers model."""
    if not argument:
        raise InputError("huggingface: needs a model name or folder, as in huggingface:./my-model")
    return HuggingFace(argument, options)
