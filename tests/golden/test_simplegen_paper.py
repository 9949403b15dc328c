"""Protocol ``paper`` gives the counts that the authors' scorer gives on the same files, without tolerance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import epicene as package
from tests.conftest import Command

# right, wrong, inconclusive, as the authors' scorer counts them
COUNTS = {
    "de": {"FOFC": (345, 84, 89), "FOMC": (193, 240, 85), "MOFC": (172, 434, 208), "MOMC": (628, 0, 186)},
    "es": {"FOFC": (414, 68, 36), "FOMC": (245, 234, 39), "MOFC": (289, 501, 24), "MOMC": (778, 19, 17)},
}


@pytest.mark.parametrize("target", ["de", "es"])
def test_counts_match_the_authors_scorer(published: Path, epicene: Command, target: str) -> None:
    hypotheses = published / "simplegen" / f"opus-mt.en-{target}.txt"
    done = epicene(
        "score", "-t", "simplegen", "-l", f"en-{target}", "-i", hypotheses, "--protocol", "paper", "-f", "json"
    )
    measures = json.loads(done.stdout)[0]["measures"]
    counts = {(each["group"], each["name"]): each["count"] for each in measures if "count" in each}
    for group, wanted in COUNTS[target].items():
        assert tuple(counts[group, name] for name in ("correct", "wrong", "inconclusive")) == wanted


def test_json_has_the_fields_of_the_contract(published: Path, epicene: Command) -> None:
    hypotheses = published / "simplegen" / "opus-mt.en-de.txt"
    done = epicene(
        "score", "-t", "simplegen", "-l", "eng_Latn-deu_Latn", "-i", hypotheses, "--protocol", "paper", "-f", "json"
    )
    (result,) = json.loads(done.stdout)
    assert (result["set"], result["langs"], result["n"], result["system"]) == (
        "simplegen", "en-de", 2664, "file:opus-mt.en-de.txt",
    )  # fmt: skip
    momc = next(each for each in result["measures"] if (each["name"], each["group"]) == ("correct", "MOMC"))
    assert momc["value"] == pytest.approx(77.15, abs=0.005)
    assert (momc["unit"], momc["count"], momc["n"]) == ("%", 628, 814)
    # Over eleven occupations, some of which are always right and some hardly ever.
    assert (momc["low"], momc["high"]) == (pytest.approx(40.8, abs=0.1), pytest.approx(93.0, abs=0.1))
    names = {each["name"] for each in result["measures"]}
    assert names == {
        *("correct", "wrong", "inconclusive", "other_word", "delta", "delta_fc", "delta_mc"),
        "misgendered",
    }


@pytest.mark.parametrize(("seed", "counts"), [(101, (354, 333, 127)), (202, (368, 315, 131)), (303, (324, 358, 132))])
def test_the_authors_own_seeds_give_their_counts(published: Path, seed: int, counts: tuple[int, int, int]) -> None:
    """Their greedy baseline on MOFC, tokenised as they left it."""
    path = published / "simplegen" / f"authors-mofc-seed{seed}.en-es.txt"
    result = package.score("simplegen:MOFC", "en-es", path, protocol="paper")
    rates = [result[name, "MOFC"] for name in ("correct", "wrong", "inconclusive")]
    assert tuple(rate.count for rate in rates) == counts
    assert {measure.group for measure in result.measures} == {"MOFC", "all", "female"}
