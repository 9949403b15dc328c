"""Training: it learns, and however often it is killed the weights come out the same."""

from __future__ import annotations

import errno
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError, StoreError
from epicene_lab import arrays, store
from epicene_lab.batches import Bucket, count_per_epoch, plan
from epicene_lab.export import pack, unpack
from epicene_lab.loop import CHECKPOINT, Limits
from epicene_lab.model import END
from epicene_lab.recipe import Shape, Training
from epicene_lab.search import decode
from epicene_lab.store import WEIGHTS
from epicene_lab.training import rate, train
from tests.lab.conftest import TINY

pytestmark = pytest.mark.torch


def test_resuming_gives_the_weights_of_an_undisturbed_run(
    shape: Shape, training: Training, decks: list[Bucket], tmp_path: Path
) -> None:
    assert train(shape, training, decks, 1, tmp_path / "whole")
    for deaths in (1, 14, 15, 40):

        def kill(done: int, _: int, deaths: int = deaths) -> None:
            if done > deaths:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            train(shape, training, decks, 1, tmp_path / "killed", "cpu", Limits(save_every=0), kill)
    assert train(shape, training, decks, 1, tmp_path / "killed")
    whole, killed = arrays.load(tmp_path / "whole" / WEIGHTS), arrays.load(tmp_path / "killed" / WEIGHTS)
    assert all(np.array_equal(whole[name], killed[name]) for name in whole)


def test_another_seed_gives_other_weights(training: Training, decks: list[Bucket], tmp_path: Path) -> None:
    shape = Shape(encoder=1, decoder=1, **TINY)
    for seed in (1, 2):
        train(shape, training, decks, seed, tmp_path / str(seed))
    first, second = (arrays.load(tmp_path / seed / WEIGHTS) for seed in ("1", "2"))
    assert not np.allclose(first["vocabulary.weight"], second["vocabulary.weight"])


def test_a_model_learns_to_copy(shape: Shape, decks: list[Bucket], sentences: list[list[int]], tmp_path: Path) -> None:
    training = Training(epochs=24, batch_tokens=256, warmup=40, longest=64, dropout=0.0, rate=6e-3)
    train(shape, training, decks, 1, tmp_path)
    store.describe(tmp_path, shape, {})
    found = decode(store.load(tmp_path), [np.array(each) for each in sentences[:50]], 1)
    right = sum([*said, END] == wanted for said, wanted in zip(found, sentences, strict=False))
    assert right > 25


def test_a_full_disk_leaves_the_last_checkpoint(
    shape: Shape, training: Training, decks: list[Bucket], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_an_update = Limits(deadline=time.monotonic())
    assert not train(shape, training, decks, 1, tmp_path, limits=after_an_update)
    before = (tmp_path / CHECKPOINT).read_bytes()

    def full(stream: Any, *_: Any, **__: Any) -> None:
        stream.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np.lib.format, "write_array", full)
    with pytest.raises(StoreError, match="the disk is full"):
        train(shape, training, decks, 1, tmp_path, limits=after_an_update)
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [CHECKPOINT]


def test_a_checkpoint_of_another_model_is_refused(
    shape: Shape, training: Training, decks: list[Bucket], tmp_path: Path
) -> None:
    train(shape, training, decks, 1, tmp_path, limits=Limits(deadline=time.monotonic()))
    with pytest.raises(InputError, match="another model, data or seed"):
        train(shape, training, decks, 2, tmp_path)


def test_every_pair_comes_once_before_any_comes_twice(decks: list[Bucket]) -> None:
    seen: dict[tuple[int, int], int] = {}
    batches = plan(decks, 5, 0)
    for _ in range(round(3 * count_per_epoch(decks))):
        batch = next(batches)
        for pair in batch.pairs:
            seen[batch.bucket, int(pair)] = seen.get((batch.bucket, int(pair)), 0) + 1
    assert len(seen) == sum(deck.size for deck in decks) == 600
    assert set(seen.values()) <= {2, 3, 4}


def test_the_plan_goes_on_from_any_update(decks: list[Bucket]) -> None:
    whole, later = plan(decks, 5, 0), plan(decks, 5, 17)
    for _ in range(17):
        next(whole)
    for _ in range(60):
        one, other = next(whole), next(later)
        assert one.bucket == other.bucket
        assert np.array_equal(one.pairs, other.pairs)


def test_the_rate_rises_and_falls_to_nothing() -> None:
    training = Training(rate=1.0, warmup=10)
    rates = [rate(done, done / 100, 100, training) for done in range(100)]
    assert rates.index(max(rates)) == 9
    assert rates[-1] == pytest.approx(1 / 90)


def test_packed_weights_are_a_quarter_and_keep_their_bytes() -> None:
    weight = np.random.default_rng(1).normal(size=(64, 32)).astype(np.float32)
    once = pack({"w": weight})
    assert once["w"].nbytes == weight.nbytes // 4
    assert np.array_equal(pack(unpack(once))["w"], once["w"])
