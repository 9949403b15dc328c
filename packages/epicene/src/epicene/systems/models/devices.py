"""What this machine computes with."""

from __future__ import annotations

import os
from collections.abc import Callable

from epicene.errors import InputError


def resolve(device: str, kind: str, sees_gpu: Callable[[], bool]) -> str:
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


def elsewhere(device: str) -> str:
    """What an error of a GPU's adds: where else it would work."""
    return "; to compute without a GPU, add device=cpu; if its memory is short, a smaller batch" * (device == "cuda")


def threads() -> int:
    """Cores to use: as many as this process may run on, or as OMP_NUM_THREADS says, which cluster workers get."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    if given.isdecimal() and int(given):
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
