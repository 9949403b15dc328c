"""A corpus of the project's own sentences and a tiny model trained on it, once for all tests."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported: tiny models only wait for more threads

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from epicene.cli.main import main
from epicene_lab import augment
from epicene_lab.recipe import Recipe, parse
from epicene_lab.train import Order, train

TINY = """
layers = [[2, 2], [1, 1]]
[model]
dim = 16
heads = 2
ffn = 32
vocabulary = 1000
[training]
epochs = 1
batch_tokens = 2048
warmup = 10
"""


def tiny() -> Recipe:
    """Two architectures that train in seconds."""
    return parse(TINY, "tiny", "tiny.toml")


@pytest.fixture(scope="session")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentence pairs to train on."""
    path = tmp_path_factory.mktemp("corpus") / "pairs.tsv"
    found = list(augment.make_pairs("es"))[:2000]
    path.write_text("".join(f"{source}\t{target}\n" for source, target in found), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def models(pairs: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Both architectures, trained."""
    pytest.importorskip("torch", reason="needs the lab extra")
    order = Order(pairs, "en-es", tiny(), 1, tmp_path_factory.mktemp("models"), "cpu")
    return list(train(order, say=lambda _: None))


@pytest.fixture(scope="session")
def test_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short sentences with references."""
    path = tmp_path_factory.mktemp("test") / "test.tsv"
    path.write_text("I am here.\tEstoy aquí.\nShe is a nurse.\tElla es enfermera.\n" * 5, encoding="utf-8")
    return path


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs a command in this process, which has imported torch already; what it says as it ends with 2."""

    def run(*arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", ["epicene", *map(str, arguments)])
        monkeypatch.setattr(signal, "signal", lambda *_: None)  # the tests keep their own
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        return capsys.readouterr().err

    return run
