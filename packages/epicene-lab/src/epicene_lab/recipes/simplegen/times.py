"""Times models on the processor: one thread, sentence by sentence, the baseline in the same turn, until each time is
known within ``timing.UNCERTAINTY``."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from epicene_lab import arrays, store, timing
from epicene_lab.points import MODES
from epicene_lab.recipes.simplegen.fleet import TIMES, Job, read_jobs

BASELINE = "6-6"
REPEATS, MOST = 9, 90  # of a model's times: at least, and until they are known well enough


def run(jobs: Path, folder: Path, workers: int, seconds: float, sentences: int, only: str) -> None:
    """Time each job once it and its language's baseline are trained, on sentences of newstest."""
    todo = [job for job in read_jobs(jobs) if job.name.startswith(only)]
    deadline = time.monotonic() + seconds
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=_work, args=(todo[number::workers], folder, deadline, sentences), daemon=True)
        for number in range(workers)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _work(todo: Sequence[Job], folder: Path, deadline: float, sentences: int) -> None:
    import torch

    torch.set_num_threads(1)
    waiting = [job for job in todo if not (folder / job.name / TIMES).is_file()]
    while waiting and time.monotonic() < deadline:
        ready = [job for job in waiting if _trained(folder / job.name) and _trained(folder / _baseline(job))]
        if not ready:
            time.sleep(1.0)
            continue
        job = ready[0]
        waiting.remove(job)
        times = _timed(folder / job.name, folder / _baseline(job), arrays.load(job.data[0] / "quality.npz"), sentences)
        part = folder / job.name / f"{TIMES}.{os.getpid()}"
        part.write_text(json.dumps(times), encoding="utf-8")
        part.replace(folder / job.name / TIMES)
        print(f"{job.name}: timed", flush=True)


def _trained(folder: Path) -> bool:
    return (folder / store.MODEL).is_file() and (folder / store.WEIGHTS).is_file()


def _baseline(job: Job) -> str:
    skew, _, target, seed = job.name.split(".")
    return f"{skew}.{BASELINE}.{target}.{seed}"


def _timed(folder: Path, baseline: Path, quality: dict[str, Any], sentences: int) -> dict[str, Any]:
    import numpy as np

    every = np.split(quality["newstest"].astype(np.int64), np.cumsum(quality["newstest.lengths"].astype(np.int64))[:-1])
    step = max(1, len(every) // sentences)
    sources = every[::step][:sentences]
    anchor = timing.lab_work(store.load(baseline), sources, [("float", 5)])["float", 5]
    times = timing.interleave(anchor, timing.lab_work(store.load(folder), sources, MODES), REPEATS, len(sources), MOST)
    rows = [{"precision": mode[0], "beam": mode[1], **asdict(timing_of_mode)} for mode, timing_of_mode in times.items()]
    return {"machine": timing.name_machine(), "date": timing.write_today(), "points": rows}
