"""Reranking of the lists of Saunders et al. (2022), against the figures that they publish for an oracle."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from benchmarks.act import PUBLISHED
from epicene.act.rerank import rerank
from epicene.sets import files as sets

pytestmark = pytest.mark.data


def test_spanish_lists_gain_more_than_the_published_oracle_by_both_protocols(published: Path, tmp_path: Path) -> None:
    sets.add("winomt", published / "winomt")
    with tarfile.open(published / "nbest4.tar.gz") as archive:
        archive.extractall(tmp_path, [archive.getmember("enes.nbest.4")], filter="data")
    first, oracle = PUBLISHED["es"]
    found = rerank("winomt", "en-es", nbest_file=tmp_path / "enes.nbest.4")  # from the source alone, no label seen
    for comparison in found.comparisons:
        change = next(each for each in comparison.changes if each.group == "all")
        assert change.after > oracle
        assert change.difference > oracle - first
    assert found.counts["changed"] == 395
