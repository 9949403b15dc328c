"""What CTranslate2 and transformers share: the device that computes, and how the best translation is searched for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from epicene.errors import InputError
from epicene.registry import Options
from epicene.types import Candidate, Pair


def resolve_device(device: str, kind: str, sees_gpu: Callable[[], bool]) -> str:
    """``cpu`` or ``cuda``; ``auto`` takes a GPU where the library that is to compute sees one."""
    if device not in ("auto", "cpu", "cuda"):
        raise InputError(f"system {kind}: option device={device!r} must be auto, cpu or cuda")
    if device != "auto":
        return device
    return "cuda" if sees_gpu() else "cpu"


def ctranslate2_sees_gpu() -> bool:
    """Whether CTranslate2 can compute on a GPU here."""
    import ctranslate2

    return bool(ctranslate2.get_cuda_device_count())


def torch_sees_gpu() -> bool:
    """Whether PyTorch can, which has builds with and without CUDA; without PyTorch, nothing can."""
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.cuda.is_available())


def suggest_cpu(device: str) -> str:
    """What an error of a GPU's adds: where else it would work."""
    return "; to compute without a GPU, add device=cpu; if its memory is short, a smaller batch" * (device == "cuda")


T = TypeVar("T")
_SHOWN = 60  # characters of a sentence in a message
_TOKENS = 64  # tokens per sentence, with padding, that a full batch may have on average
_CALL = 8  # batches in one call, which are sorted together
_log = logging.getLogger(__name__)


class SearchingModel:
    """A model that searches for translations; who inherits from it writes ``decode``."""

    identity: str
    batch_size: int | None

    def __init__(self, options: Options, sees_gpu: Callable[[], bool], on_cpu: int, on_gpu: int) -> None:
        """``on_cpu`` and ``on_gpu``: sentences in a batch, where the user names no number."""
        self._search = read_search(options)
        self._device = resolve_device(options.text("device", "auto"), options.kind, sees_gpu)
        self.gpu = self._device == "cuda"
        self._batch = options.number("batch", on_gpu if self.gpu else on_cpu)
        self.batch_size = _CALL * self._batch
        self._cut_off = False  # whether a translation was

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:
        """The best hypothesis of each source, or one that is drawn, as soon as all before it are there."""
        return (candidates[0].text for candidates in self.decode(sources, pair, 1))

    def candidates(self, sources: Sequence[str], pair: Pair, n: int) -> Iterable[list[Candidate]]:
        """The n best hypotheses of each source, by a beam that holds as many, or n that are drawn."""
        return self.decode(sources, pair, n, scored=True)

    def completions(
        self, sources: Sequence[str], beginnings: Sequence[str], pair: Pair, n: int
    ) -> Iterable[list[Candidate]]:
        """The n best hypotheses that begin as they are told to."""
        return self.decode(sources, pair, n, scored=True, beginnings=beginnings)

    def decode(
        self, sources: Sequence[str], pair: Pair, n: int, scored: bool = False, beginnings: Sequence[str] = ()
    ) -> Iterable[list[Candidate]]:
        """The n best hypotheses of each source, with scores and beginnings where they are wanted."""
        raise NotImplementedError

    def warn_of_cut(self, source: str) -> None:
        """Warn once that a translation was cut off: a model that repeats itself is no reason to end a run."""
        if not self._cut_off:
            self._cut_off = True
            _log.warning(
                "%s: a translation was cut off after %d tokens, that of %r…; raise max_tokens unless the model "
                "repeats itself there; there may be more of them",
                self.identity,
                self._search.max_tokens,
                source[:_SHOWN],
            )


@dataclass(frozen=True, slots=True)
class Search:
    """Beam search, or sampling where top_k is not 1."""

    beam: int
    max_tokens: int
    top_k: int
    top_p: float
    temperature: float
    seed: int

    @property
    def sampled(self) -> bool:
        """Whether answers are drawn."""
        return self.top_k != 1

    def sampling(self) -> dict[str, object]:
        """What an identity must say about how answers are drawn; nothing where none are."""
        names = ("top_k", "top_p", "temperature", "seed")
        return {name: getattr(self, name) for name in names} if self.sampled else {}


def read_search(options: Options) -> Search:
    """The options beam, max_tokens, top_k (1: no sampling, 0: all words), top_p, temperature and seed."""
    top_k = options.number("top_k", 1, least=0)
    beam = options.number("beam", 5 if top_k == 1 else 1)
    if top_k != 1 and beam != 1:
        raise InputError(f"system {options.kind}: top_k={top_k} draws words, which needs beam=1, not {beam}")
    top_p, temperature = options.real("top_p", 1), options.real("temperature", 1)
    if top_p > 1:
        raise InputError(f"system {options.kind}: option top_p={top_p:g} must be at most 1")
    if top_k == 1 and (top_p != 1 or temperature != 1):
        raise InputError(
            f"system {options.kind}: top_p and temperature are for sampling; add top_k=0 or a number of words"
        )
    return Search(
        beam, options.number("max_tokens", 256), top_k, top_p, temperature, options.number("seed", 1, least=0)
    )


def batches(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Places of sentences by their number of tokens, shortest first, in batches that waste little on padding."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == size or lengths[index] * (len(batch) + 1) > size * _TOKENS):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def in_order(answers: Iterable[tuple[int, T]]) -> Iterator[T]:
    """Answers by their places, which come as their batches do: each as soon as all before it are there."""
    waiting: dict[int, T] = {}
    index = 0
    for place, answer in answers:
        waiting[place] = answer
        while index in waiting:
            yield waiting.pop(index)
            index += 1


def check_length(lengths: Sequence[int], sources: Sequence[str], most: int | None, who: str) -> None:
    """Refuse a sentence that the model would cut off."""
    for length, source in zip(lengths, sources, strict=True):
        if most and length > most:
            raise InputError(
                f"{who}: a sentence of {length} tokens, the model takes {most}; split it: {source[:_SHOWN]!r}…"
            )
