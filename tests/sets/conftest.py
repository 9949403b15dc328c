"""Published sets, added from the data of the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.sets import files

# What each set is published as, among the data of the tests.
DATA = {
    "winomt": "winomt",
    "mt-geneval": "mt-geneval.tar.gz",
    "mt-geneval-context": "mt-geneval.tar.gz",
    "gest": "gest/gest.tar.gz",
    "gate": "gate.tar.gz",
    "mittens": "mittens_dataset_v5.csv.gz",
    "dialogue": "wmt24-dialogue.tar.gz",
}


@pytest.fixture
def added(request: pytest.FixtureRequest, published: Path) -> Path:
    """Where the files of the set that a module tests, its ``NAME``, lie."""
    return files.add(request.module.NAME, published / DATA[request.module.NAME])
