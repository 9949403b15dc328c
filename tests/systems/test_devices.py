"""Which device and which type a system computes with, told without a GPU."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import ctranslate2
import pytest

from epicene import systems
from epicene.errors import InputError, SystemFailure
from epicene.systems.models.search import ctranslate2_sees_gpu, torch_sees_gpu
from epicene.types import Pair
from epicene_models import BUNDLED as FOLDER

OURS = f"ctranslate2:{FOLDER}?source_prefix=<2{{target}}>"
ENDE = Pair("en", "de")


def machine(monkeypatch: pytest.MonkeyPatch, gpus: int, torch_gpu: bool, *types: str) -> None:
    """A machine with GPUs that CTranslate2 sees, and PyTorch or not, which compute with these types."""
    torch = ModuleType("torch")
    torch.cuda = ModuleType("torch.cuda")  # type: ignore[attr-defined]
    torch.cuda.is_available = lambda: torch_gpu  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(ctranslate2, "get_cuda_device_count", lambda: gpus)
    monkeypatch.setattr(ctranslate2, "get_supported_compute_types", lambda device: set(types))


@pytest.mark.parametrize(
    ("gpus", "types", "chosen"),
    [
        (0, ("int8", "float32"), "int8"),
        (0, ("float32",), "float32"),
        (2, ("int8", "float16", "float32"), "float16"),
        (1, ("int8", "float32"), "float32"),  # an old card
    ],
)
def test_ctranslate2_takes_the_gpu_and_the_type_that_are_there(
    monkeypatch: pytest.MonkeyPatch, gpus: int, types: tuple[str, ...], chosen: str
) -> None:
    machine(monkeypatch, gpus, False, *types)
    system = systems.load(OURS)
    assert system.gpu == bool(gpus)  # type: ignore[attr-defined]
    assert f"compute={chosen}&" in system.identity


@pytest.mark.parametrize("torch_gpu", [True, False])
def test_transformers_takes_the_gpu_that_pytorch_sees(monkeypatch: pytest.MonkeyPatch, torch_gpu: bool) -> None:
    machine(monkeypatch, not torch_gpu, torch_gpu)  # what CTranslate2 sees is not asked
    system = systems.load("huggingface:a-model")
    assert system.gpu == torch_gpu  # type: ignore[attr-defined]
    assert ("dtype=float16" in system.identity) == torch_gpu
    assert not systems.load("huggingface:a-model?device=cpu").gpu  # type: ignore[attr-defined]


@pytest.mark.skipif(ctranslate2_sees_gpu(), reason="there is a GPU")
def test_a_type_is_named_for_workers_that_have_what_this_machine_lacks() -> None:
    # Asked twice, since CTranslate2 gives another answer the second time.
    assert ["compute=float16&" in systems.load(f"{OURS}&device=cuda").identity for _ in range(2)] == [True, True]


def test_without_pytorch_there_is_no_gpu_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert not torch_sees_gpu()


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(InputError, match=r"option compute='int3' must be auto, .*int8"):
        systems.load(f"{OURS}&compute=int3")


@pytest.mark.skipif(ctranslate2_sees_gpu(), reason="there is a GPU")
def test_ctranslate2_on_a_gpu_that_is_not_there_is_one_line() -> None:
    with pytest.raises(SystemFailure, match="add device=cpu"):
        list(systems.load(f"{OURS}&device=cuda").translate(["The doctor."], ENDE))


@pytest.mark.torch
@pytest.mark.skipif(torch_sees_gpu(), reason="there is a GPU")
def test_transformers_on_a_gpu_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from tests.systems import tiny_models

    folder = tiny_models.build("opus", tmp_path / "opus")
    with pytest.raises(SystemFailure, match="add device=cpu"):
        list(systems.load(f"huggingface:{folder}?device=cuda").translate(["the doctor"], ENDE))
