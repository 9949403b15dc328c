"""``huggingface-speech:NAME_OR_DIR``: a model of transformers that translates speech (extra ``huggingface``).

Whisper, Speech2Text and SeamlessM4T, whichever the folder holds. Options: beam (5), max_tokens (256). Recordings are
heard one at a time, since some models hear one differently beside a longer one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from epicene.errors import InputError, SystemFailure, first_line
from epicene.languages.codes import iso3
from epicene.models import import_transformers, name_with_weights
from epicene.registry import Options, build_identity
from epicene.speech.recognisers import hear_alone
from epicene.systems import SystemFactory
from epicene.types import Pair


class HuggingFaceSpeech:
    """Loads its model when the first recording comes."""

    batch_size = 32

    def __init__(self, name: str, options: Options) -> None:
        self._name = name
        self._beam = options.number("beam", 5)
        self._max_tokens = options.number("max_tokens", 256)
        chosen = {"beam": self._beam, "max_tokens": self._max_tokens}
        self.identity = build_identity(f"huggingface-speech:{name_with_weights(name)}", chosen)

    def interpret(self, clips: Sequence[Path], pair: Pair) -> Iterator[str]:
        """The best hypothesis for each recording as it comes."""
        model, hears, writes = self._loaded
        options = {"num_beams": self._beam, "max_new_tokens": self._max_tokens, **self._languages(model, writes, pair)}
        rate = hears.sampling_rate

        def hear(samples: Any) -> str:
            sound = hears(samples, sampling_rate=rate, return_tensors="pt").to(model.device)
            text: str = writes.decode(*model.generate(**sound, **options), skip_special_tokens=True)
            return text

        return hear_alone(clips, self.identity, hear, rate)

    def _languages(self, model: Any, writes: Any, pair: Pair) -> dict[str, Any]:
        """Tells a model of several languages which one to write, in the way of its kind."""
        kind = model.config.model_type
        if kind == "whisper":
            return _whisper(model, pair)
        if kind.startswith("seamless"):
            codes = getattr(model.generation_config, "text_decoder_lang_to_code_id", None) or {}
            return {"tgt_lang": self._check_code(pair, iso3(pair.target), codes)}
        codes = getattr(writes, "lang_code_to_id", None)
        return {"forced_bos_token_id": codes[self._check_code(pair, pair.target, codes)]} if codes else {}

    def _check_code(self, pair: Pair, code: str, codes: dict[str, int]) -> str:
        if code not in codes:
            raise InputError(f"{self.identity} knows no {pair.target}; it translates into {', '.join(sorted(codes))}")
        return code

    @cached_property
    def _loaded(self) -> tuple[Any, Any, Any]:
        """The model, what hears and what writes."""
        transformers = import_transformers(f"system huggingface-speech:{self._name}")
        import torch

        try:
            hears = transformers.AutoFeatureExtractor.from_pretrained(self._name)
            writes = transformers.AutoTokenizer.from_pretrained(self._name)
            model = transformers.AutoModelForSpeechSeq2Seq.from_pretrained(self._name).eval()
        except (OSError, ValueError, ImportError) as error:
            raise SystemFailure(f"huggingface-speech:{self._name}: {first_line(error)}") from None
        return model.to("cuda" if torch.cuda.is_available() else "cpu"), hears, writes


def _whisper(model: Any, pair: Pair) -> dict[str, Any]:
    """Whisper itself translates into English; one that was trained on for another language is told to write that."""
    if not getattr(model.generation_config, "is_multilingual", False):
        return {}
    if pair.target == "en":
        return {"task": "translate", "language": pair.source}
    return {"task": "transcribe", "language": pair.target}


SYSTEM = SystemFactory(HuggingFaceSpeech, __doc__, needs="a model name or folder, as in huggingface-speech:./my-model")
