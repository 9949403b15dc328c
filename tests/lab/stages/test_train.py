"""epicene lab train: models from a file of pairs, with a record; bad data and other data are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError
from epicene_lab import arrays, recipe, store
from epicene_lab.recipe import Sizes
from epicene_lab.train import Order, train
from tests.conftest import Command
from tests.lab.stages.conftest import tiny

pytestmark = pytest.mark.torch


def test_each_architecture_becomes_a_model_with_its_record(models: list[Path]) -> None:
    assert [folder.name for folder in models] == ["2-2", "1-1"]
    for folder in models:
        record = json.loads((folder / store.MODEL).read_text(encoding="utf-8"))
        assert record["pair"] == "en-es"
        assert record["seed"] == 1
        assert record["pairs"] > 1000
        assert {"data_sha256", "training", "torch", "epicene", "device", "command", "dropped"} <= record.keys()
        assert store.load(folder).shape.name == folder.name


def test_sizes_given_by_hand_narrow_a_recipe() -> None:
    paper = recipe.load("paper")
    found = Sizes(encoder=6, decoder=2, epochs=3.0).resize(paper)
    assert [shape.name for shape in found.shapes] == ["6-2", "6-2-aan"]
    assert [shape.name for shape in Sizes(encoder=6, decoder=2, aan=True).resize(paper).shapes] == ["6-2-aan"]
    assert found.training.epochs == 3.0


def test_a_finished_model_is_not_trained_again(models: list[Path], pairs: Path) -> None:
    said: list[str] = []
    before = (models[0] / store.WEIGHTS).stat().st_mtime_ns
    order = Order(pairs, "en-es", tiny(), 1, models[0].parent, "cpu")
    assert list(train(order, say=said.append)) == models
    assert (models[0] / store.WEIGHTS).stat().st_mtime_ns == before
    assert said == [f"{folder}: trained before" for folder in models]


def test_other_data_in_the_same_folder_is_refused(models: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("Go.\tVe.\n", encoding="utf-8")
    with pytest.raises(InputError, match="made from other data or sizes"):
        list(train(Order(other, "en-es", tiny(), 1, models[0].parent, "cpu"), say=lambda _: None))


def test_a_killed_training_called_again_gives_the_same_weights(models: list[Path], pairs: Path, tmp_path: Path) -> None:
    one = replace(tiny(), shapes=tiny().shapes[:1])
    order = Order(pairs, "en-es", one, 1, tmp_path, "cpu")

    def kill(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(train(order, kill, lambda _: None))
    assert not (tmp_path / store.WEIGHTS).exists()
    (folder,) = train(order, say=lambda _: None)
    whole, resumed = arrays.load(models[0] / store.WEIGHTS), arrays.load(folder / store.WEIGHTS)
    assert all(np.array_equal(whole[name], resumed[name]) for name in whole)


def test_without_a_gpu_the_command_says_how_long_it_will_take(epicene: Command, pairs: Path, tmp_path: Path) -> None:
    sizes = ("--encoder", 1, "--decoder", 1, "--aan", "--dim", 16, "--heads", 2, "--ffn", 16, "--vocabulary", 300)
    data = ("--data", pairs, "--pair", "en-es", "--epochs", 0.1, "-o", tmp_path / "m", "--device", "cpu")
    done = epicene("lab", "train", *map(str, data), *map(str, sizes))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "m")
    assert "no GPU: training of " in done.stderr
    assert "on this CPU" in done.stderr
    assert store.read_record(tmp_path / "m")["shape"].aan


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_refused(refused: Callable[..., str], pairs: Path, tmp_path: Path) -> None:
    said = refused("lab", "train", "--data", pairs, "--pair", "en-es", "-o", tmp_path, "--device", "cuda")
    assert "sees no GPU" in said


@pytest.mark.parametrize(
    ("content", "arguments", "said"),
    [
        ("Go.\tVe.\tx\n", (), "pairs.tsv:1: 3 columns; expected 2"),
        ("Go.\t\n", (), "no pair is left to train on"),
        ("Go.\tVe.\n", ("--dim", "250"), "cannot be split over heads"),
        ("Go.\tVe.\n", ("--recipe", "papper"), "Did you mean 'paper'"),
        ("Go.\tVe.\n", (), "no vocabulary of 8000 pieces"),
    ],
)
def test_bad_input_is_one_line(
    refused: Callable[..., str], tmp_path: Path, content: str, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "pairs.tsv").write_text(content, encoding="utf-8")
    data = ("--data", tmp_path / "pairs.tsv", "--pair", "en-es", "-o", tmp_path / "m")
    error = refused("lab", "train", *data, *arguments)
    assert said in error
    assert len(error.strip().splitlines()) == 1
