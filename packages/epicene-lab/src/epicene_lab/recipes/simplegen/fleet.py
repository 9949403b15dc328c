"""Trains many models side by side on one GPU and decodes what their quality is measured on.

For a machine that has torch and nothing else: everything was prepared elsewhere, and what comes out are small files.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import tarfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any

from epicene.errors import EpiceneError, InputError
from epicene_lab import arrays
from epicene_lab.points import MODES
from epicene_lab.recipe import Shape, Training

if TYPE_CHECKING:
    from epicene_lab.model import Transformer

OUTPUTS, PACKED, LOG, TIMES = "outputs.npz", "packed.npz", "log.jsonl", "times.json"
PIECE = 16 * 1024 * 1024 - 4096
DECODED = 32768  # source pieces of a batch; ten models side by side have no room for more
_FEWEST = 1024  # of a batch that is not halved again
_LEAST = 20.0  # seconds that must be left to begin another model


@dataclass(frozen=True, slots=True)
class Job:
    """A model to train: its name, the folders of its prepared corpora, its sizes."""

    name: str
    data: tuple[Path, ...]  # the first has what is decoded as well
    shape: Shape
    training: Training
    seed: int
    minutes: float | None = None
    graphs: bool = True


def read_jobs(path: Path) -> list[Job]:
    """The jobs that a JSON file lists, each with its data beside that file."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [
            Job(
                row["name"],
                tuple(path.parent / name for name in row["data"]),
                Shape(**row["shape"]),
                Training(**row["training"]),
                row["seed"],
            )
            for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"cannot read the jobs in {path}: {error!r}") from None


def run(
    jobs: Sequence[Path],
    folder: Path,
    workers: int,
    seconds: float,
    minutes: float | None,
    device: str,
    only: str,
    one_mode: bool,
    no_graphs: bool,
) -> None:
    """Train and decode all jobs that are not finished yet."""
    named = [job for path in jobs for job in read_jobs(path) if only in job.name]
    todo = [replace(job, minutes=minutes, graphs=not no_graphs) for job in named]
    begun = time.monotonic()
    deadline = begun + seconds
    waiting = [job for job in todo if not (folder / job.name / OUTPUTS).is_file()]
    print(f"{len(todo)} jobs, {len(todo) - len(waiting)} of them finished before", flush=True)
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue()
    messages: Any = context.Queue()
    for job in waiting:
        queue.put(job)
    for _ in range(workers):
        queue.put(None)
    processes = [
        context.Process(target=_work, args=(queue, messages, folder, deadline, device, not one_mode), daemon=True)
        for _ in range(workers)
    ]
    for process in processes:
        process.start()
    while any(process.is_alive() for process in processes) or not messages.empty():
        try:
            name, message = messages.get(timeout=1.0)
        except Empty:
            continue
        print(f"{time.monotonic() - begun:6.1f} s  {name}: {message}", flush=True)
    for process in processes:
        process.join()


def _work(queue: Any, messages: Any, folder: Path, deadline: float, device: str, modes: bool) -> None:
    import torch

    torch.set_num_threads(1)
    while (job := queue.get()) is not None:
        if deadline - time.monotonic() < _LEAST:
            return
        try:
            message = _job(job, folder / job.name, deadline, device, modes)
        except (EpiceneError, RuntimeError, ValueError) as error:
            (folder / job.name).mkdir(parents=True, exist_ok=True)
            (folder / job.name / "error.txt").write_text(traceback.format_exc(), encoding="utf-8")
            message = f"failed: {error!r:.300}"
        messages.put((job.name, message))


def _job(job: Job, folder: Path, deadline: float, device: str, modes: bool) -> str:
    from epicene_lab import export, store
    from epicene_lab.corpus import load_decks
    from epicene_lab.loop import Limits
    from epicene_lab.training import train

    begun = time.monotonic()
    if not (folder / store.WEIGHTS).is_file():
        decks, limits = load_decks(job.data, job.training), Limits(job.minutes, deadline, graphs=job.graphs)
        if not train(job.shape, job.training, decks, job.seed, folder, device, limits):
            return "saved, to be resumed"
    trained = time.monotonic()
    last = (folder / LOG).read_text(encoding="utf-8").splitlines()[-1]
    store.describe(folder, job.shape, {"seed": job.seed, "last": json.loads(last), "seconds": trained - begun})
    arrays.save(folder / PACKED, export.pack(arrays.load(folder / store.WEIGHTS)))
    wanted = arrays.load(job.data[0] / "quality.npz")
    outputs = decode_sets(store.load(folder, device), wanted, MODES if modes else [("float", 5)])
    arrays.save(folder / OUTPUTS, outputs, arrays.PACKED)
    return f"trained in {trained - begun:.0f} s, decoded in {time.monotonic() - trained:.0f} s; {last}"


def decode_sets(model: Transformer, quality: dict[str, Any], modes: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """Pieces of all translations by ``SET.PRECISION.BEAMS``, end to end with their lengths."""
    import numpy as np

    from epicene_lab.export import copy_quantised
    from epicene_lab.pieces import join_ragged

    models = {"float": model, "int8": copy_quantised(model)}
    pieces_by_set = {}
    for name in (key for key in quality if f"{key}.lengths" in quality):
        sources = np.split(quality[name], np.cumsum(quality[f"{name}.lengths"].astype(np.int64))[:-1])
        for precision, beams in modes:
            best = join_ragged([list(translation) for translation in _decoded(models[precision], sources, beams)])
            pieces_by_set[f"{name}.{precision}.{beams}"] = best.pieces
            pieces_by_set[f"{name}.{precision}.{beams}.lengths"] = best.lengths.astype(np.uint16)
    return pieces_by_set


def _decoded(model: Transformer, sources: Sequence[Any], beams: int) -> list[Any]:
    """Translations, in batches that are halved for as long as the memory of the GPU, which others share, is short."""
    import torch

    from epicene_lab.search import decode

    tokens = DECODED
    while True:
        try:
            return decode(model, sources, beams, tokens)
        except torch.OutOfMemoryError:
            if tokens < _FEWEST:
                raise
            tokens //= 2
        torch.cuda.empty_cache()


def send(folder: Path, out: Path, most: int = 3 * PIECE) -> list[str]:
    """The small files of finished models that were not sent yet, in pieces that may travel; their names."""
    record = folder / "sent.txt"
    sent = set(record.read_text(encoding="utf-8").split()) if record.is_file() else set()
    ready = sorted(path.parent for path in folder.glob(f"*/{OUTPUTS}") if path.parent.name not in sent)
    buffer, chosen = io.BytesIO(), []
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for place in ready:
            if buffer.tell() > most:
                break
            for name in (OUTPUTS, LOG, "model.json"):
                tar.add(place / name, f"{place.name}/{name}")
            chosen.append(place.name)
    timed = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob(f"*/{TIMES}")}
    out.mkdir(parents=True, exist_ok=True)
    (out / TIMES).write_text(json.dumps(timed), encoding="utf-8")
    if chosen:
        _cut(buffer.getvalue(), out / "outputs.tar")
        with record.open("a", encoding="utf-8") as stream:
            print(*chosen, sep="\n", file=stream)
    return chosen


def pack(models: Sequence[str], folder: Path, out: Path) -> None:
    """The 8-bit weights of models as ``weights.tar``, in pieces that may travel."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name in models:
            if (folder / name / PACKED).is_file():
                tar.add(folder / name / PACKED, f"{name}/weights.npz")
    _cut(buffer.getvalue(), out / "weights.tar")


def _cut(content: bytes, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    for number, start in enumerate(range(0, len(content), PIECE)):
        path.with_name(f"{path.name}.{number}").write_bytes(content[start : start + PIECE])
