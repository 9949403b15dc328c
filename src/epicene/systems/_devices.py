"""What this machine computes with."""

from __future__ import annotations

import os

from epicene.errors import InputError


def resolve(device: str, kind: str) -> str:
    """``cpu`` or ``cuda``; ``auto`` takes a GPU where there is one."""
    if device not in ("auto", "cpu", "cuda"):
        raise InputError(f"system {kind}: option device={device!r} must be auto, cpu or cuda")
    if device != "auto":
        return device
    import ctranslate2

    return "cuda" if ctranslate2.get_cuda_device_count() else "cpu"


def threads() -> int:
    """Cores to use: as many as this process may run on, or as OMP_NUM_THREADS says, which cluster workers get."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    if given.isdecimal() and int(given):
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
