"""The recipe of a direct speech translator: the sizes of the model and how it is trained, as TOML."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene_lab.recipe import SPEECH, check_keys, check_positive, check_shares, fill, parse_toml, read_toml

TAUGHT = ("de", "es", "fr")  # what the teacher translates into


@dataclass(frozen=True, slots=True)
class TextPlan:
    """Which sentences are chosen, and how they are translated."""

    tatoeba: int = 34_000  # everyday sentences
    people: int = 19_000  # two people, in frames of our own
    stated: int = 8_000  # one person whose gender is stated, with Italian of our own
    parliament: int = 8_000  # of debates in plain words, with their own Italian
    shortest: int = 4  # words
    longest: int = 20
    often: int = 10  # sentences with a word that was taken less often come first
    heldout: int = 500  # sentences that nobody is trained on
    beam: int = 2  # of the teacher
    seed: int = 20210801
    sets: tuple[str, ...] = ("simplegen", "winomt", "wibemt-verbs", "mt-geneval", "mt-geneval-context", "gate")

    def __post_init__(self) -> None:
        if not 0 < self.shortest <= self.longest:
            raise InputError(f"shortest = {self.shortest}, longest = {self.longest}; expected 0 < shortest <= longest")


@dataclass(frozen=True, slots=True)
class SpeakPlan:
    """How sentences are spoken."""

    passes: int = 2  # how often each sentence is spoken, each time by another draw of voice and manner
    shard: int = 512  # recordings in a file
    noisy: float = 0.3  # the share of recordings with noise
    quietest: float = 30.0  # dB that speech is above the noise at most
    loudest: float = 12.0  # and at least
    warp: float = 0.15  # by how much a voice's throat is lengthened or shortened, at most
    pace: float = 0.2  # by how much a voice is faster or slower, at most
    margin: float = 0.3  # seconds of silence at either end, at most
    seed: int = 20210801

    def __post_init__(self) -> None:
        check_shares(self, "noisy", "warp", "pace")
        for name in ("passes", "shard"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} = {getattr(self, name)}; expected at least 1")


def load_plans(path: Path | None = None) -> tuple[TextPlan, SpeakPlan]:
    """The plans of the shipped recipe, or of one from a TOML file."""
    where, table = read_tables(path)
    text: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in table.get("text", {}).items()
    }
    return fill(TextPlan(), text, f"{where} [text]"), fill(SpeakPlan(), table.get("speak", {}), f"{where} [speak]")


LANGUAGES = ("en", "de", "es", "fr", "it")  # the columns of the text; the first is what is said


@dataclass(frozen=True, slots=True)
class SpeechShape:
    """The sizes of a model in Whisper's layout."""

    encoder: int = 8
    decoder: int = 4
    dim: int = 256
    heads: int = 4
    ffn: int = 1024
    vocabulary: int = 6000  # with the special pieces
    positions: int = 750  # of the encoder, 25 a second: 30 seconds
    length: int = 256  # pieces that are written at most; CTranslate2 writes half as many
    ctc_layer: int = 6  # the encoder layer from which the words are spelt out in training

    def __post_init__(self) -> None:
        check_positive(self, "encoder", "decoder", "dim", "heads", "ffn", "vocabulary", "positions", "length")
        if self.dim % self.heads or self.dim % 2:
            raise InputError(f"dim = {self.dim}; expected an even multiple of heads = {self.heads}")
        if not 1 <= self.ctc_layer <= self.encoder:
            raise InputError(f"ctc_layer = {self.ctc_layer}; expected one of the {self.encoder} encoder layers")

    @property
    def aan(self) -> bool:
        """Whisper's decoder has no average attention."""
        return False

    @property
    def frames(self) -> int:
        """Frames of a recording that the model can take."""
        return 2 * self.positions


@dataclass(frozen=True, slots=True)
class SpeechTraining:
    """How it is trained: first to write down what is said, then to translate as well."""

    updates: int = 40000  # at most; a limit of minutes ends it before
    batch_frames: int = 80_000  # padding included
    recognition: float = 0.2  # the share of the training that is recognition alone
    targets: int = 2  # languages in which a recording is asked for at once, after that
    english: float = 1.0  # how often English is among them, beside 1 for each other language
    rate: float = 1.5e-3
    warmup: int = 800
    dropout: float = 0.15
    smoothing: float = 0.1
    clip: float = 1.0
    decay: float = 0.01
    ctc: float = 0.3  # the weight of spelling the words out from the encoder
    speed: float = 0.1  # recordings are made so much faster or slower, at most
    time_masks: int = 2
    time_mask: float = 0.08  # of a recording, at most
    band_masks: int = 2
    band_mask: int = 16  # of the 80 bands, at most
    averaged: float = 0.1  # the share at the end of which the weights are averaged
    longest: int = 100  # pieces; longer targets are left out

    def __post_init__(self) -> None:
        check_positive(self, "updates", "batch_frames", "targets", "rate", "warmup", "clip", "longest")
        check_shares(self, "recognition", "dropout", "smoothing", "ctc", "speed", "time_mask", "averaged")


@dataclass(frozen=True, slots=True)
class SpeechRecipe:
    """Sizes and training."""

    shape: SpeechShape = SpeechShape()
    training: SpeechTraining = SpeechTraining()


def load(path: Path | None = None) -> SpeechRecipe:
    """The shipped recipe, or one from a TOML file; its tables ``[text]`` and ``[speak]`` are read by ``plan``."""
    where, tables = read_tables(path)
    return SpeechRecipe(
        fill(SpeechShape(), tables.get("model", {}), f"{where} [model]"),
        fill(SpeechTraining(), tables.get("training", {}), f"{where} [training]"),
    )


def read_tables(path: Path | None = None) -> tuple[str, dict[str, dict[str, Any]]]:
    """Where a recipe stands, and its tables."""
    where = str(path or f"{SPEECH}.toml")
    tables = parse_toml(read_toml(str(path or SPEECH), "recipe"), where)
    check_keys(tables, ("text", "speak", "model", "training"), where)
    if not all(isinstance(part, dict) for part in tables.values()):
        raise InputError(f"{where}: expected the tables [text], [speak], [model] and [training]")
    return where, tables
