"""What a machine with a GPU decoded and trained becomes points and models."""

from __future__ import annotations

import gzip
import json
import math
import shutil
import tarfile
from dataclasses import asdict
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the lab extra")

from recipes.simplegen import arrivals, fleet, jobs
from recipes.simplegen.__main__ import main
from recipes.simplegen.fleet import Job

from epicene.errors import InputError
from epicene.lab import corpus, pieces, points, store
from epicene.lab.train import CORPUS
from tests.conftest import Command
from tests.lab.stages.conftest import tiny

pytestmark = pytest.mark.torch
NAME = "tiny.1-1.es.1"


@pytest.fixture(scope="module")
def arrived(models: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fleet of one, trained and decoded on this machine, with all that came back."""
    root = tmp_path_factory.mktemp("arrived")
    (root / "tests").mkdir()
    lines = "I am here.\tEstoy aquí.\nShe is a nurse.\tElla es enfermera.\n" * 4
    (root / "tests" / "tatoeba_merged_test.eng-spa.tsv.gz").write_bytes(gzip.compress(lines.encode()))
    shutil.copytree(models[0].parent / CORPUS, root / "data" / "es")
    test = corpus.test_pairs(root / "tests" / "tatoeba_merged_test.eng-spa.tsv.gz")
    jobs.write_quality(
        root / "data" / "es",
        {"simplegen": corpus.challenge_sentences("simplegen"), "test": [pair[0] for pair in test]},
        {},
    )
    recipe = tiny()
    job = Job(NAME, root / "data" / "es", recipe.shapes[1], recipe.training, 1)
    fleet.run([job], root / "runs", root / "out", 1, math.inf, "cpu")
    fleet.collect(root / "runs", [NAME], root / "out")
    return root


def test_decoded_pieces_become_points(arrived: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    found = list(arrivals.measure([arrived / "out"], arrived / "data", arrived / "tests", results))
    assert [point.key[:5] for point in found] == [("en-es", "1-1", 1, *mode) for mode in points.MODES]
    assert all(point.quality and point.quality.lines == 8 for point in found)
    assert points.read([results]) == found
    assert list(arrivals.measure([arrived / "out"], arrived / "data", arrived / "tests", results)) == []


def test_weights_become_models(arrived: Path, tmp_path: Path) -> None:
    (folder,) = arrivals.unpack([arrived / "out"], arrived / "data", tmp_path)
    assert folder.name == NAME
    found = store.described(folder)
    assert (found["pair"], found["seed"]) == ("en-es", 1)
    assert asdict(found["shape"]) == asdict(tiny().shapes[1])
    store.load(folder)
    assert pieces.processor(folder / store.PIECES).get_piece_size() == 1000


def test_the_command_scores_and_unpacks(
    epicene: Command, arrived: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--data", arrived / "data", "--tests", arrived / "tests", "-o", tmp_path / "results.csv")
    assert main([str(each) for each in ("collect", arrived / "out", *where, "--models", tmp_path / "models")]) == 0
    *lines, folder = capsys.readouterr().out.splitlines()
    assert folder == str(tmp_path / "models" / NAME)
    assert len(lines) == 4
    assert all("BLEU" in line and "% unread (n = 2664)" in line for line in lines)
    exported = epicene("lab", "export", folder, "-o", tmp_path / "ct2")
    assert exported.returncode == 0, exported.stderr
    (tmp_path / "text").write_text("She is a nurse.\n", encoding="utf-8")
    system = f"ctranslate2:{tmp_path / 'ct2'}"
    assert epicene("translate", "-i", tmp_path / "text", "-l", "en-es", "-s", system).returncode == 0


def test_another_test_file_is_refused(arrived: Path, tmp_path: Path) -> None:
    (tmp_path / "tatoeba_merged_test.eng-spa.tsv.gz").write_bytes(gzip.compress(b"You are there.\tAhi.\n"))
    with pytest.raises(InputError, match="made from another test file"):
        list(arrivals.measure([arrived / "out"], arrived / "data", tmp_path, tmp_path / "results.csv"))


def test_a_name_that_climbs_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text(json.dumps({}), encoding="utf-8")
    with tarfile.open(tmp_path / "outputs.tar", "w") as tar:
        tar.add(tmp_path / "model.json", "../model.json")
    with pytest.raises(InputError, match="is not named as they are prepared"):
        list(arrivals.measure([tmp_path], tmp_path, tmp_path, tmp_path / "results.csv"))


def test_a_broken_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outputs.tar").write_bytes(b"no archive")
    with pytest.raises(InputError, match="broken archive"):
        arrivals.unpack([tmp_path], tmp_path, tmp_path / "models")
