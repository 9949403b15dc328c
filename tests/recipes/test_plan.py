"""The next study's plan as its recipe carries it out: text in parts, two arms, seeds, one command after the other."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from epicene.sets import files as sets

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene_lab import arrays, augment, outputs, pieces, recipe
from epicene_lab.corpus import CORPUS, PIECES, load_decks
from epicene_lab.outputs import Run
from epicene_lab.recipes.simplegen import fleet, jobs
from epicene_lab.recipes.simplegen.__main__ import main
from epicene_lab.shipped import Results
from epicene_lab.studies.simplegen import answer
from tests.lab.test_gather import debates

__all__ = ["debates"]
pytestmark = pytest.mark.torch
STATED = re.compile(
    r"\b(she|he|her|his|him|hers|herself|himself|wom[ae]n|m[ae]n|gals?|guys?|(?:fe)?males?)\b", re.IGNORECASE
)
TINY = """
pairs = ["en-es"]
layers = [[6, 6], [6, 2], [6, 1]]
decoders = ["attention", "average"]
[model]
dim = 16
heads = 2
ffn = 32
vocabulary = 600
[training]
epochs = 0.5
batch_tokens = 2048
"""


@pytest.fixture
def prepared(debates: Path, published: Path, tmp_path: Path) -> Path:
    """What ``prepare`` writes of a small corpus that names no person."""
    sets.add("winomt", published / "winomt")
    data = tmp_path / "data"
    data.mkdir()
    lines = [f"We saw {number} houses.\tVimos {number} casas.\n" for number in range(1500)]
    tested = "It rains.\tLlueve.\n" * 4
    (data / "tatoeba_eng-spa.tsv.gz").write_bytes(gzip.compress("".join(lines).encode()))
    (data / "tatoeba_merged_test.eng-spa.tsv.gz").write_bytes(gzip.compress(tested.encode()))
    for place, name in enumerate(("eng", "spa")):
        side = "".join(f"{line.split(chr(9))[place]}\n" for line in tested.splitlines())
        (data / f"eng-spa.newstest2013.{name}.gz").write_bytes(gzip.compress(side.encode()))
    (tmp_path / "tiny.toml").write_text(TINY, encoding="utf-8")
    where = ("--data", data, "--europarl", debates, "--recipe", tmp_path / "tiny.toml", "--part", 600)
    assert main([str(each) for each in ("prepare", *where, "-o", tmp_path / "study")]) == 0
    return tmp_path / "study"


def read_sources(folder: Path, place: Path) -> list[str]:
    """The English sentences of a prepared corpus."""
    tool, found = pieces.open_processor(folder / PIECES), arrays.load(place / CORPUS)
    ends = found["source0.lengths"].astype(int).cumsum()
    starts = [0, *map(int, ends[:-1])]
    return [tool.decode(found["source0"][a:b].tolist()) for a, b in zip(starts, map(int, ends), strict=True)]


def test_the_text_travels_in_parts_and_the_arms_differ_in_cues_alone(prepared: Path) -> None:
    parts = [prepared / "es", prepared / "es" / "1", prepared / "es" / "2"]
    assert [len(read_sources(parts[0], part)) for part in parts] == [600, 600, 302]  # Tatoeba, and two of the debates
    whole = [source for part in parts for source in read_sources(parts[0], part)]
    assert len(set(whole)) == 1502
    record = json.loads((prepared / jobs.RECORD).read_text(encoding="utf-8"))["es"]
    assert 0.03 < record["shares"]["open"] <= jobs.SHARE
    assert record["shares"]["cues"] <= jobs.SHARE
    open_, cues = (read_sources(parts[0], prepared / "es" / kind) for kind in ("open", "cues"))
    assert not [source for source in open_ if STATED.search(source)], "the main arm is taught no cue"
    assert sum(bool(STATED.search(source)) for source in cues) > len(cues) / 4
    listed = json.loads((prepared / "jobs.json").read_text(encoding="utf-8"))
    text = ["es", "es/1", "es/2"]
    assert {job["name"].split(".")[0]: job["data"] for job in listed} == {
        "labour": [*text, "es/open"],
        "cues": [*text, "es/open", "es/cues"],
    }


def test_jobs_begin_with_the_baselines_and_have_the_seeds_of_the_plan() -> None:
    listed = list(jobs.list_jobs(recipe.load("plan"), {"es": ["es"], "de": ["de"]}))
    assert [job["name"] for job in listed[:4]] == [
        "labour.6-6.es.1",
        "labour.6-6.de.1",
        "cues.6-6.es.1",
        "cues.6-6.de.1",
    ]
    seeds = Counter(job["name"].rsplit(".", 1)[0] for job in listed)
    assert len(seeds) == 2 * 6 * 2
    assert set(seeds.values()) == {jobs.SEEDS}


def test_a_model_is_trained_on_all_parts_and_decoded(prepared: Path, tmp_path: Path) -> None:
    (job,) = (each for each in fleet.read_jobs(prepared / "jobs.json") if each.name == "cues.6-1-aan.es.1")
    assert sum(deck.size for deck in load_decks(job.data, job.training)) == 1502 + len(
        read_sources(prepared / "es", prepared / "es" / "open")
    ) + len(read_sources(prepared / "es", prepared / "es" / "cues"))
    jobs.write_quality(prepared / "es", {"simplegen": ["The nurse slept."], "newstest": ["It rains."]}, {})
    command = ("run", prepared / "jobs.json", "--only", job.name, "--folder", tmp_path / "runs", "--workers", 1)
    assert main([*map(str, command), "--device", "cpu"]) == 0
    decoded = arrays.load(tmp_path / "runs" / job.name / fleet.OUTPUTS)
    assert {name for name in decoded if not name.endswith(".lengths")} == {
        f"{name}.{bits}.{beam}" for name in ("simplegen", "newstest") for bits in ("float", "int8") for beam in (1, 5)
    }


def test_both_arms_of_a_folder_of_results_are_answered_for(tmp_path: Path) -> None:
    runs = [Run("en-es", arm, "6-6", 1, "float", 5) for arm in ("labour", "cues", "95")]
    outputs.write(tmp_path / "en-es.simplegen.xz", {run: ["Duerme."] for run in runs})
    assert [arm.name for arm in answer.list_arms(Results(tmp_path))] == ["your en-es", "your en-es (cues)"]


def test_no_sentence_of_open_gender_states_one() -> None:
    assert not [source for source, _ in augment.make_open_pairs("de", "labour", 1) if STATED.search(source)]
