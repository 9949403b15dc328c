"""The metric of ``evaluate``: loaded from its file as users load it, without a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import epicene

METRIC = Path(epicene.__file__).with_name("evaluate_metric.py")


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """``evaluate.load`` of our file, with caches of its own and the hub out of reach."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    evaluate = pytest.importorskip("evaluate")
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(tmp_path / "modules"))
    return lambda *names, **options: evaluate.load(str(METRIC), *names, cache_dir=str(tmp_path), **options)


def test_a_test_set_is_scored_as_score_does(load: Callable[..., Any], published: Path) -> None:
    path = published / "simplegen" / "opus-mt.en-de.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    metric = load("simplegen", langs="en-de")
    for start in range(0, len(lines), 1000):
        metric.add_batch(predictions=lines[start : start + 1000])
    values = metric.compute()
    result = epicene.score("simplegen", "en-de", path)
    assert values["misgendered_female"] == result["misgendered", "female"].value
    assert values["signature"] == result.signature
    assert values["n"] == 2664
    assert {one["name"] for one in values["measures"]} >= {"correct", "misgendered"}


def test_free_text_is_scored_with_its_sources_and_combines_with_other_metrics(load: Callable[..., Any]) -> None:
    import evaluate

    metric = load(langs="en-fr")
    texts = {"predictions": ["Ma voisine chante.", "Il pleut."], "sources": ["My neighbour sings.", "It rains."]}
    assert metric.compute(**texts)["share_feminine"] == 50
    assert evaluate.combine([metric]).compute(**texts)["n"] == 2


def test_options_are_those_of_score(load: Callable[..., Any], published: Path, tmp_path: Path) -> None:
    lines = (published / "simplegen" / "opus-mt.en-de.txt").read_text(encoding="utf-8").splitlines()
    with pytest.raises(epicene.EvidenceError, match="anyway=True"):
        load("simplegen", langs="en-de").compute(predictions=lines[::-1])
    assert load("simplegen", langs="en-de", anyway=True).compute(predictions=lines[::-1])["warnings"]
    assert (
        "protocol:paper" in load("simplegen", langs="en-de", protocol="paper").compute(predictions=lines)["signature"]
    )
    table = tmp_path / "own.tsv"
    table.write_text("id\tsource\tfocus\texpected\n1\tThe nurse came.\tnurse\tfeminine\n", encoding="utf-8")
    values = load(f"custom:{table}", langs="en-de").compute(predictions=["Die Krankenschwester kam."])
    assert values["accuracy_feminine"] == 100


def test_a_set_that_there_is_not_is_named_with_those_that_there_are(load: Callable[..., Any]) -> None:
    with pytest.raises(epicene.UnknownNameError, match="Did you mean 'simplegen'"):
        load("simplegenn", langs="en-de").compute(predictions=["Ja."])
