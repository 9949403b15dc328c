"""``faster-whisper:DIR_OR_NAME``: Whisper on CTranslate2 (extra ``whisper``).

Options: language (en), beam (5), compute (as the model is stored), device (auto). A recording is heard on its own and
without sampling, so that it always gives the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from epicene.errors import InputError, MissingExtraError, SystemFailure, first_line
from epicene.files import fingerprint
from epicene.registry import Options, build_identity
from epicene.speech.recognisers import RecogniserFactory, hear_alone


class FasterWhisper:
    """Loads its model when the first recording comes."""

    batch_size = 32

    def __init__(self, name: str, options: Options) -> None:
        self._name = name
        self._language = options.text("language", "en")
        self._beam = options.number("beam", 5)
        self._compute = options.text("compute", "default")
        self._device = options.text("device", "auto")
        weights = Path(name) / "model.bin"
        if Path(name).is_dir() and not weights.is_file():
            raise InputError(f"faster-whisper:{name}: no model.bin there; expected a Whisper model of CTranslate2")
        stable = f"{Path(name).name}@{fingerprint([weights])}" if weights.is_file() else name
        chosen = {"language": self._language, "beam": self._beam, "compute": self._compute}
        self.identity = build_identity(f"faster-whisper:{stable}", chosen)

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        """The words of each recording as they come."""

        def hear(samples: Any) -> str:
            segments, _ = self._model.transcribe(
                samples,
                language=self._language,
                beam_size=self._beam,
                temperature=0.0,
                condition_on_previous_text=False,
                without_timestamps=True,
            )
            return "".join(segment.text for segment in segments)

        return hear_alone(clips, self.identity, hear)

    @cached_property
    def _model(self) -> Any:
        try:
            from faster_whisper import WhisperModel
        except ImportError:
            raise MissingExtraError(f"recogniser faster-whisper:{self._name}", "whisper") from None
        try:
            return WhisperModel(self._name, device=self._device, compute_type=self._compute)
        except Exception as error:  # noqa: BLE001 - a hub that cannot be reached fails in many ways
            raise SystemFailure(
                f"faster-whisper:{self._name}: cannot load the model: {first_line(error)}; name a folder made by "
                "ct2-transformers-converter, or a model that can be downloaded"
            ) from None


RECOGNISER = RecogniserFactory(FasterWhisper, __doc__, needs="a model name or folder, as in faster-whisper:base.en")
