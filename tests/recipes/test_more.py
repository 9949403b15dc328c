"""More of the study: which models narrow its intervals, and less text, cut the same way every time."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from epicene.errors import InputError
from epicene_lab import arrays, recipe
from epicene_lab.corpus import CORPUS, PIECES
from epicene_lab.recipes.simplegen import jobs, more
from epicene_lab.recipes.simplegen.__main__ import main
from epicene_lab.recipes.simplegen.jobs import TAUGHT
from epicene_lab.shipped import Results, shipped


def test_every_architecture_gets_its_seeds_first_and_then_what_narrows_most(tmp_path: Path) -> None:
    results, own = Results(shipped()), recipe.load("paper")
    before = {langs: more.design(results, langs) for langs in results.pairs}
    lines = list(more.plan(results, own, 40, tmp_path / "jobs.json"))
    jobs = json.loads((tmp_path / "jobs.json").read_text(encoding="utf-8"))
    assert len({job["name"] for job in jobs}) == len(jobs) == 40
    for langs, each in before.items():
        seeds = Counter(each.seeds)
        mine = [job["name"].split(".") for job in jobs if job["data"][0] == langs[3:]]
        there = {(run.model, run.seed) for run in each.analysis.runs}
        assert not there & {(job[1], int(job[3])) for job in mine}  # though of some architectures a seed is missing
        seeds.update(job[1] for job in mine)
        assert min(seeds.values()) >= 2
        assert min(seeds[name] for name in ("6-6", "6-1", "6-6-aan", "6-1-aan")) >= 3
        told = next(line for line in lines if line.startswith(f"{langs}: ") and "half-width" in line)
        now, then = (float(number) for number in told.split("epicene ")[1].split(",")[0].split(" -> "))
        assert then < now
    assert jobs[0]["training"]["epochs"] == own.training.epochs
    for job in jobs:
        target, *taught = job["data"]
        assert taught == [f"{target}/labour"] * TAUGHT[target][1]


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    """Ten pairs of one to four pieces, of which four are Tatoeba's."""
    folder = tmp_path / "study" / "es"
    (folder / "labour").mkdir(parents=True)
    lengths = np.array([1, 2, 3, 4, 1, 2, 3, 4, 1, 2], np.uint16)
    pieces = np.repeat(np.arange(10, dtype=np.uint16), lengths)
    found = {"pairs": np.array(10), "source0": pieces, "source0.lengths": lengths}
    found |= {"target0": pieces + 100, "target0.lengths": lengths}
    for place in (folder, folder / "labour"):
        arrays.save(place / CORPUS, found)
    (folder / PIECES).write_bytes(b"pieces")
    (folder / "quality.npz").write_bytes(b"quality")
    return tmp_path / "study"


def test_the_first_pairs_and_every_third_of_the_rest_are_kept(
    prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cut", str(prepared), "--whole", "es=4", "-o", str(tmp_path / "less")]) == 0
    assert capsys.readouterr().out == "es: 6 pairs: the first 4, and every 3. of the rest\n"
    found = arrays.load(tmp_path / "less" / "es" / CORPUS)
    assert list(dict.fromkeys(found["source0"].tolist())) == [0, 1, 2, 3, 4, 7]
    assert found["target0.lengths"].tolist() == [1, 2, 3, 4, 1, 4]
    assert int(found["pairs"]) == 6
    assert (tmp_path / "less" / "es" / "labour" / CORPUS).is_file()
    record = json.loads((tmp_path / "less" / "text.json").read_text(encoding="utf-8"))
    list(jobs.cut(prepared, {"es": 4}, 3, tmp_path / "again"))
    assert record == json.loads((tmp_path / "again" / "text.json").read_text(encoding="utf-8"))
    assert len(record["sha256"]) == 2


def test_what_cannot_be_cut_is_refused(prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="has 10 pairs; cannot keep the first 11"):
        list(jobs.cut(prepared, {"es": 11}, 3, tmp_path / "less"))
    with pytest.raises(InputError, match="holds no fr/corpus"):
        list(jobs.cut(prepared, {"fr": 1}, 3, tmp_path / "less"))
    assert main(["cut", str(prepared), "--whole", "es", "-o", str(tmp_path / "less")]) == 2
    assert "expected LANGUAGE=PAIRS" in capsys.readouterr().err
