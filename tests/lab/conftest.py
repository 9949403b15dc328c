"""A corpus small enough to be learnt while one waits: the target repeats the source."""

from __future__ import annotations

import os
import shutil

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported: tiny models only wait for more threads

import numpy as np
import pytest

from epicene_lab.batches import Bucket, Ragged, make_buckets
from epicene_lab.recipe import Shape, Training
from tests.browser import missing

BEGIN, END = 2, 3
TINY = {"dim": 32, "heads": 4, "ffn": 64, "vocabulary": 40, "positions": 64}


@pytest.fixture(scope="session")
def sentences() -> list[list[int]]:
    """Random sentences of two to nine pieces, each with END after it."""
    generator = np.random.default_rng(7)
    return [[*map(int, generator.integers(4, 40, generator.integers(2, 10))), END] for _ in range(600)]


@pytest.fixture(scope="session")
def decks(sentences: list[list[int]]) -> list[Bucket]:
    """The copying corpus in buckets."""
    return make_buckets([ragged(sentences)], [ragged([[BEGIN, *sentence] for sentence in sentences])], 256)


@pytest.fixture(scope="session")
def training() -> Training:
    """Short training."""
    return Training(epochs=2, batch_tokens=256, warmup=10, longest=64, dropout=0.1)


@pytest.fixture(params=[False, True], ids=["attention", "average"])
def shape(request: pytest.FixtureRequest) -> Shape:
    """A tiny model of each kind."""
    return Shape(encoder=2, decoder=2, aan=request.param, **TINY)


def ragged(sequences: list[list[int]]) -> Ragged:
    """Sequences end to end."""
    return Ragged(np.concatenate(sequences).astype(np.uint16), np.array([len(each) for each in sequences]))


@pytest.fixture(scope="session")
def flite() -> str:
    """The program, which the tests of training speech need; espeak-ng comes with it."""
    for name in ("flite", "espeak-ng"):
        if shutil.which(name) is None:
            missing(name)
    return str(shutil.which("flite"))
