"""Times decoding as in production: one sentence at a time, on one thread of a CPU.

What counts is CPU time, which other work on the machine disturbs less than it does the clock on the wall.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene_lab.points import Timing

if TYPE_CHECKING:
    from epicene_lab.model import Transformer
    from epicene_lab.search import Pieces

Work = Callable[[], object]
UNCERTAINTY = 0.03  # a time is known well enough when half its 95 % interval is this share of it


def interleave(
    baseline: Work, work: Mapping[Any, Work], repeats: int, sentences: int, most: int = 0
) -> dict[Any, Timing]:
    """Time several ways to do the same and the baseline, turn by turn, so that a busy spell falls on all of them.

    With ``most``, it repeats up to so often until every time is known within ``UNCERTAINTY``.
    """
    anchors: list[float] = []
    seconds: dict[Any, list[float]] = {name: [] for name in work}
    times: dict[Any, Timing] = {}
    while len(anchors) < repeats or (len(anchors) < most and max(map(_uncertainty, times.values())) > UNCERTAINTY):
        anchors.append(_timed(baseline))
        for name, do in work.items():
            seconds[name].append(_timed(do))
        times = {name: _timing(took, anchors, sentences) for name, took in seconds.items()}
    return times


def _uncertainty(time: Timing) -> float:
    """Half the 95 % interval of a time in per cent of the baseline's, as a share of it."""
    return 2 * time.error / time.percent


def _timed(do: Work) -> float:
    begun = time.process_time()
    do()
    return time.process_time() - begun


def _timing(seconds: Sequence[float], anchors: Sequence[float], sentences: int) -> Timing:
    percents = [100 * own / anchor for own, anchor in zip(seconds, anchors, strict=True)]
    parts = [round(of(numbers), 4) for numbers in (seconds, percents) for of in (statistics.median, min, max)]
    return Timing(len(seconds), sentences, *parts)


def lab_work(
    model: Transformer, sources: Sequence[Pieces], modes: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], Work]:
    """The lab's own engine in each precision with each beam; what is loaded lazily is loaded here."""
    from epicene_lab.export import copy_quantised
    from epicene_lab.search import decode

    models = {"float": model, "int8": copy_quantised(model)}

    def work(precision: str, beams: int) -> Work:
        return lambda: decode(models[precision], sources, beams, tokens=1)

    for precision, beams in modes:
        decode(models[precision], sources[:2], beams, tokens=1)
    return {mode: work(*mode) for mode in modes}


def ctranslate2_work(folder: Path, sources: Sequence[Sequence[str]], beams: Sequence[int]) -> dict[int, Work]:
    """An exported model with each beam."""
    import ctranslate2

    translator = ctranslate2.Translator(str(folder), device="cpu", inter_threads=1, intra_threads=1)

    def work(beam: int, some: Sequence[Sequence[str]]) -> None:
        for source in some:
            translator.translate_batch([list(source)], beam_size=beam)

    for beam in beams:
        work(beam, sources[:2])
    return {beam: lambda beam=beam: work(beam, sources) for beam in beams}  # type: ignore[misc]


@contextmanager
def use_one_thread() -> Iterator[None]:
    """PyTorch on a single thread, for as long as this lasts."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def name_machine() -> str:
    """The processor, as a results file names it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return name


def write_today() -> str:
    """The date, as a results file has it."""
    return datetime.now(UTC).date().isoformat()
