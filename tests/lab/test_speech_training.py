"""Training of the speech model: killed and resumed, slowed down where it diverges, while shards arrive."""

from __future__ import annotations

import errno
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError, SystemFailure
from epicene_lab import arrays, store
from epicene_lab.loop import CHECKPOINT
from epicene_lab.speech import export
from epicene_lab.speech.recipe import SpeechRecipe
from epicene_lab.speech.training import Order, learn, rate, train
from epicene_lab.speech.updates import SpeechUpdater
from tests.lab.spoken import SHAPE, TRAINING, prepared, shard

pytestmark = pytest.mark.torch
RECIPE = SpeechRecipe(SHAPE, TRAINING)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared(tmp_path_factory.mktemp("data"), RECIPE)


@pytest.fixture
def order(data: Path, tmp_path: Path) -> Order:
    return Order(RECIPE, data, shard(tmp_path / "shards", "0", [0, 1, 2, 3] * 4), tmp_path / "model")


def _quiet(line: str) -> None:
    assert line


def test_resuming_gives_the_weights_of_an_undisturbed_run(order: Order, tmp_path: Path) -> None:
    _, at = learn(order, _quiet)
    assert (at.done, at.examples) == (TRAINING.updates, 16)
    killed = replace(order, folder=tmp_path / "killed", save_every=-1.0)
    for deaths in (2, 5):

        def kill(done: int, _: int, deaths: int = deaths) -> None:
            if done > deaths:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            learn(killed, _quiet, kill)
    told: list[str] = []
    learn(killed, told.append)
    assert any("resumes from update 6" in line for line in told)
    whole, resumed = (arrays.load(each.folder / store.WEIGHTS) for each in (order, killed))
    assert all(np.array_equal(whole[name], resumed[name]) for name in whole)
    assert not (killed.folder / CHECKPOINT).exists()


def test_a_checkpoint_of_another_training_is_refused(order: Order) -> None:
    def kill(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(replace(order, save_every=-1.0), _quiet, kill)
    with pytest.raises(InputError, match=r"checkpoint\.npz is of another model, data or seed"):
        learn(replace(order, seed=2), _quiet)


def test_the_rate_rises_by_updates_and_is_nothing_when_the_time_is_over() -> None:
    training = replace(TRAINING, updates=1000, warmup=100, rate=1e-3)
    assert rate(0, 0.0, training) == pytest.approx(1e-5)
    assert rate(99, 0.1, training) == pytest.approx(0.9e-3)
    assert rate(500, 0.75, training) == pytest.approx(0.25e-3)  # three quarters of the minutes are over
    assert rate(999, 1.0, training) == 0


def test_a_limit_of_minutes_ends_the_training(order: Order) -> None:
    long = replace(order, recipe=SpeechRecipe(SHAPE, replace(TRAINING, updates=10**6)), minutes=1e-9)
    _, at = learn(long, _quiet)
    assert at.done == 0
    assert (long.folder / store.WEIGHTS).is_file()


def test_shards_that_arrive_later_are_taken(order: Order) -> None:
    def arrive(done: int, _: int) -> None:
        if done > 3:
            shard(order.speech, "1", [0, 2])

    told: list[str] = []
    course, at = learn(order, told.append, arrive)
    assert at.examples == 18
    assert course.heard().sentence.tolist() == [0, 1, 2, 3] * 4 + [0, 2]
    assert [line.split(",")[0] for line in told] == ["16 recordings", "18 recordings"]


def test_divergence_is_told_of_and_goes_back_with_half_the_rate(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    update, calls = SpeechUpdater.__call__, []

    def broken(self: SpeechUpdater, *given: Any) -> None:
        update(self, *given)
        calls.append(given[3])
        if len(calls) == 3:
            self.weights.master.fill_(float("nan"))

    monkeypatch.setattr(SpeechUpdater, "__call__", broken)
    told: list[str] = []
    _, at = learn(replace(order, save_every=-1.0), told.append)
    assert told[1] == "diverged at update 3: the loss is no number; resumes from update 2 with 50 % of the rate"
    assert (at.falls, at.slower, at.done) == (1, 0.5, TRAINING.updates)
    assert calls[3] == pytest.approx(calls[2] / 2)
    assert all(np.isfinite(value).all() for value in arrays.load(order.folder / store.WEIGHTS).values())


def test_a_training_that_always_diverges_ends_in_one_line(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SpeechUpdater, "finite", lambda _: False)
    with pytest.raises(SystemFailure, match=r"the training diverged 7 times; give it a lower rate"):
        learn(replace(order, save_every=-1.0), _quiet)


def test_a_full_disk_is_told_of_and_costs_the_checkpoint_alone(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    write, told = np.lib.format.write_array, []

    def full(stream: Any, values: Any, **given: Any) -> None:
        if values.dtype.kind == "U":  # the identity of a checkpoint
            stream.write(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")
        write(stream, values, **given)

    monkeypatch.setattr(np.lib.format, "write_array", full)
    learn(replace(order, save_every=-1.0), told.append)
    assert any("the disk is full" in line and "the training continues" in line for line in told)
    assert (order.folder / store.WEIGHTS).is_file()
    assert not list(order.folder.glob(".*part"))


def test_no_recordings_and_other_pieces_are_refused(order: Order, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no recording that can be trained on; make some with"):
        learn(replace(order, speech=tmp_path / "nowhere"), _quiet)
    other = SpeechRecipe(replace(SHAPE, vocabulary=100), TRAINING)
    with pytest.raises(InputError, match="has 110 pieces, the recipe 100"):
        learn(replace(order, recipe=other), _quiet)
    with pytest.raises(InputError, match=r"holds no pieces\.npz"):
        learn(replace(order, data=_only_pieces(order.data, tmp_path / "half")), _quiet)


def test_a_device_that_is_none_is_refused() -> None:
    assert store.choose_device("cpu", "epicene lab train") == "cpu"
    with pytest.raises(InputError, match="--device tpu; expected auto, cpu or cuda"):
        store.choose_device("tpu", "epicene lab train")


def _only_pieces(data: Path, to: Path) -> Path:
    to.mkdir()
    (to / store.PIECES).write_bytes((data / store.PIECES).read_bytes())
    return to


def test_a_model_folder_says_what_it_is_and_its_packed_weights_are_the_model(order: Order) -> None:
    told: list[str] = []
    train(order, told.append)
    found = export.read_record(order.folder)
    assert found["shape"] == SHAPE
    assert found["languages"] == ["en", "de", "es", "fr"]
    assert (found["recordings"], found["updates"]) == (16, TRAINING.updates)
    whole = export.read_weights(order.folder)
    (order.folder / store.WEIGHTS).unlink()
    packed = export.load(order.folder)
    assert not [name for name in export.read_weights(order.folder) if name.startswith("ctc")]
    np.testing.assert_allclose(packed.vocabulary.weight.detach().numpy(), whole["vocabulary.weight"], atol=0.02)


BARE = """
import sys
from pathlib import Path
class Nobody:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("typer", "rich", "ctranslate2", "scipy", "platformdirs", "jinja2", "py3langid", "sacrebleu"):
            raise ImportError(f"{name} is not on that machine")
sys.meta_path.insert(0, Nobody())
from epicene_lab.speech import recipe, targets
from epicene_lab.speech.decode import Decoding, decode
from epicene_lab.speech.training import Order, train
sizes, text, shards, out = map(Path, sys.argv[1:])
sizes = recipe.load(sizes)
targets.prepare(text, sizes, out / "data")
train(Order(sizes, out / "data", shards, out / "model"), print)
languages = ("en", "de", "es", "fr", "it")
decode(Decoding(out / "model", text, shards, out / "said.tsv", languages, beam=2, most=5, device="cpu"), print)
"""


def test_the_machine_that_trains_needs_no_more_than_torch_numpy_and_sentencepiece(order: Order, tmp_path: Path) -> None:
    recipe = tmp_path / "tiny.toml"
    sizes = "encoder=1\ndecoder=1\ndim=16\nheads=2\nffn=16\nvocabulary=110\npositions=50\nlength=80\nctc_layer=1"
    recipe.write_text(f"[model]\n{sizes}\n[training]\nupdates=2\nbatch_frames=400\nlongest=70\n", encoding="utf-8")
    out = tmp_path / "out"
    paths = map(str, (recipe, order.data / "text.tsv", order.speech, out))
    done = subprocess.run([sys.executable, "-c", BARE, *paths], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = (out / "said.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "sentence\tvoice\tlanguage\treference\toutput"
    assert len(lines) == 1 + 4 * 5  # Italian is nowhere
