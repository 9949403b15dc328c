"""A GPU against the CPU of the same machine: ``huggingface:`` and ``ctranslate2:``, each as it comes.

The model is that of ``translation``: a Transformer of the base size whose random weights never end a sentence.
Nothing is downloaded; torch, transformers, ctranslate2 and sentencepiece are all that it needs.
"""

from __future__ import annotations

import importlib
import os
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.translation import PAIR, TOKENS, model, rates
from epicene import systems
from epicene.errors import EpiceneError
from epicene.flow import plan
from epicene.systems.models import devices as _devices
from epicene.types import LocalModel, System

BEAM = 5
BATCHES = (0, 128, 512, 2048)  # on the GPU; 0: as it comes
MANY, FEW = 8192, 1024  # sentences for the GPU, and for the CPU: a batch for each of many cores
ROUNDS = 3


class Kind(NamedTuple):
    """A system, the library that computes for it and looks for a GPU, and the type that it is to choose there."""

    spec: str
    computes: str
    sees_gpu: Callable[[], bool]
    chosen: str


KINDS = (
    Kind("huggingface:{}?", "torch", _devices.torch_sees_gpu, "dtype=float16"),
    Kind("ctranslate2:{}?convert=yes&", "ctranslate2", _devices.ctranslate2_sees_gpu, "compute=float16"),
)


def lacking(kind: Kind) -> str:
    """Why a system cannot be measured here; nothing if it can."""
    for name in ("torch", "transformers", "sentencepiece", kind.computes):
        try:
            importlib.import_module(name)
        except ImportError as error:
            return f"{name} cannot be imported ({error})"
    if kind.sees_gpu():
        return ""
    library = importlib.import_module(kind.computes)
    return f"{library.__name__} {library.__version__} sees no CUDA device"


def ways(kind: Kind, folder: Path) -> dict[str, tuple[System, int]]:
    """The system on the GPU that it finds by itself, in several batches, and on the CPU; with sentences for each."""
    spec = f"{kind.spec.format(folder)}beam={BEAM}&max_tokens={TOKENS}"
    found = {}
    for batch in BATCHES:
        system = systems.load(f"{spec}&batch={batch}" if batch else spec)
        assert isinstance(system, LocalModel) and system.gpu, f"{spec} did not choose the GPU"
        assert kind.chosen in system.identity, system.identity
        found[f"GPU, {kind.chosen}, {f'batch={batch}' if batch else 'as it comes'}"] = system, MANY
    system = systems.load(f"{spec}&device=cpu")
    assert isinstance(system, LocalModel) and not system.gpu
    found["CPU, as it comes"] = system, FEW
    return found


def translated(system: System, lines: list[str]) -> list[str]:
    """Translations of lines, given to the system as many at a time as it takes at once."""
    step = system.batch_size or len(lines)
    parts = (lines[start : start + step] for start in range(0, len(lines), step))
    return [text for part in parts for text in system.translate(part, PAIR)]


def measure(kind: Kind, folder: Path, lines: list[str]) -> None:
    """Print the sentences a second of each way, the ratios to the CPU, and whether batches changed answers."""
    timed = ways(kind, folder)
    answers: dict[str, list[str]] = {}
    for name, (system, count) in timed.items():
        answers[name] = translated(system, lines[:count])  # a first round that does not count
    found: dict[str, list[float]] = {name: [] for name in timed}
    for _ in range(ROUNDS):
        for name, (system, count) in timed.items():
            speed, _busy = rates(partial(translated, system), lines[:count])
            found[name].append(speed)
    *on_gpu, on_cpu = found
    for name, speeds in found.items():
        ratios = [speed / base for speed, base in zip(speeds, found[on_cpu], strict=True)]
        rounds = ", ".join(f"{ratio:.1f}" for ratio in ratios)
        print(f"  {name:<44} {statistics.median(speeds):>9.1f} sentences/s", end="")
        print(
            f", {statistics.median(ratios):.1f} times the CPU (rounds {rounds})" if name != on_cpu else "", flush=True
        )
    usual, *others = (answers[name] for name in on_gpu)
    for name, other in zip(on_gpu[1:], others, strict=True):
        same = sum(map(str.__eq__, usual, other))
        print(f"  {name}: {same:,} of {len(usual):,} answers are those of the usual batch")


def card() -> str:
    """The name of the GPU, as far as PyTorch knows it."""
    try:
        import torch
    except ImportError:
        return "a GPU"
    return str(torch.cuda.get_device_name()) if torch.cuda.is_available() else "a GPU"


def main() -> None:
    """Measure what can be measured here, and say what is missing for the rest."""
    missing = {kind: lacking(kind) for kind in KINDS}
    for kind, why in missing.items():
        if why:
            print(f"{kind.spec.partition(':')[0]}: not measured: {why}")
    if all(missing.values()):
        return
    sources = list(dict.fromkeys(item.source for item in plan.open_set("simplegen").items(PAIR)))
    lines = (-(-MANY // len(sources)) * sources)[:MANY]
    print(f"{card()} and {len(os.sched_getaffinity(0))} cores; beam {BEAM}, {TOKENS} tokens, {ROUNDS} rounds")
    with tempfile.TemporaryDirectory() as place:
        os.environ["EPICENE_HOME"] = place
        folder = model(Path(place) / "marian-base")
        for kind in (kind for kind, why in missing.items() if not why):
            print(f"{kind.spec.partition(':')[0]}:", flush=True)
            try:
                measure(kind, folder, lines)
            except EpiceneError as error:
                print(f"  not measured: {error}")


if __name__ == "__main__":
    main()
