"""``huggingface:NAME_OR_DIR``: Whisper, wav2vec 2.0 or another recogniser of transformers (extra ``huggingface``).

Options: language (en), beam (1), max_tokens (200). Recordings are heard one at a time, since some models hear one
differently beside a longer one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from epicene.errors import SystemFailure, first_line
from epicene.models import import_transformers, name_with_weights
from epicene.registry import Options, build_identity
from epicene.speech.recognisers import RecogniserFactory, hear_alone


class HuggingFace:
    """Loads its model when the first recording comes."""

    batch_size = 32

    def __init__(self, name: str, options: Options) -> None:
        self._name = name
        self._language = options.text("language", "en")
        self._beam = options.number("beam", 1)
        self._max_tokens = options.number("max_tokens", 200)
        chosen = {"language": self._language, "beam": self._beam, "max_tokens": self._max_tokens}
        self.identity = build_identity(f"huggingface:{name_with_weights(name)}", chosen)

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        """The words of each recording as they come."""
        pipeline = self._pipeline
        rate = pipeline.feature_extractor.sampling_rate
        options = self._options(pipeline.model)

        def hear(samples: Any) -> str:
            text: str = pipeline({"raw": samples, "sampling_rate": rate}, **options)["text"]
            return text

        return hear_alone(clips, self.identity, hear, rate)

    def _options(self, model: Any) -> dict[str, Any]:
        """How a model that writes word by word is to do so; one that labels frames has no such options."""
        if not model.can_generate():
            return {}
        options: dict[str, Any] = {"num_beams": self._beam, "max_new_tokens": self._max_tokens, "do_sample": False}
        if getattr(model.generation_config, "is_multilingual", False):
            options |= {"language": self._language, "task": "transcribe"}
        return {"generate_kwargs": options}

    @cached_property
    def _pipeline(self) -> Any:
        transformers = import_transformers(f"recogniser huggingface:{self._name}")
        import torch

        device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            return transformers.pipeline("automatic-speech-recognition", model=self._name, device=device)
        except (OSError, ValueError, ImportError, KeyError, RuntimeError) as error:
            raise SystemFailure(f"huggingface:{self._name}: {first_line(error)}") from None


RECOGNISER = RecogniserFactory(HuggingFace, __doc__, needs="a model name or folder, as in huggingface:./my-whisper")
