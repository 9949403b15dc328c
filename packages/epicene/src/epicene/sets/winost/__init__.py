"""WinoST (Costa-jussà et al. 2022): WinoMT read aloud; the published recordings, or anyone's: ``winost:DIR``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from epicene.errors import DataMissingError
from epicene.sets import SetBuilder, winomt
from epicene.speech import recordings
from epicene.speech.recorded import recorded
from epicene.types import ChallengeSet

_SPOKEN = replace(
    winomt.SET,
    title="WinoST: WinoMT read aloud, for speech translation and recognition",
    licence="MIT, not to be used to imitate the speaker's voice; not shipped, see 'epicene data add winost'",
    citation="""@inproceedings{costa-jussa-etal-2022-evaluating,
  title = {Evaluating Gender Bias in Speech Translation},
  author = {Costa-jussà, Marta R. and Basta, Christine and Gállego, Gerard I.},
  booktitle = {Proceedings of LREC 2022},
  year = {2022}
}""",
    card="""The 3,888 sentences of WinoMT, read by an American woman: about 6 hours, 48 kHz, 16 bit (Zenodo 4139080).
With winost:DIR, the recordings of a folder that 'epicene speech synthesize -t winomt' wrote, by any voices.
Labels: those of winomt; sentence, voice, speaker (female, male, unknown), seconds, sha256.
Systems: cascade:RECOGNISER+SYSTEM, huggingface-speech:MODEL, command-speech:CMD, or a file of translations.""",
)


def _published() -> Path:
    try:
        return recordings.folder("winost")
    except DataMissingError as error:
        raise DataMissingError(
            f"{error}; or have it read aloud by epicene speech synthesize -t winomt --voice slt -o DIR: -t winost:DIR"
        ) from None


def build(argument: str) -> ChallengeSet:
    """The recordings of a folder."""
    return recorded(_SPOKEN, "winost", lambda: Path(argument))


SET = SetBuilder(_SPOKEN.title, build, lambda _: _SPOKEN.family, recorded(_SPOKEN, "winost", _published))
