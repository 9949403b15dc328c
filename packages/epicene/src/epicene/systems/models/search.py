"""What CTranslate2 and transformers share: the device that computes, and how the best translation is searched for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
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
        self._beam, self._max_tokens = options.number("beam", 5), options.number("max_tokens", 256)
        self._device = resolve_device(options.text("device", "auto"), options.kind, sees_gpu)
        self.gpu = self._device == "cuda"
        self._batch = options.number("batch", on_gpu if self.gpu else on_cpu)
        self.batch_size = _CALL * self._batch
        self._cut_off = False  # whether a translation was

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:
        """The best hypothesis of each source, as soon as all before it are there."""
        return (candidates[0].text for candidates in self.decode(sources, pair, 1))

    def candidates(self, sources: Sequence[str], pair: Pair, n: int) -> Iterable[list[Candidate]]:
        """The n best hypotheses of each source, by a beam that holds as many."""
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
                self._max_tokens,
                source[:_SHOWN],
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
