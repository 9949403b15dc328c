"""What a machine with a GPU decoded and trained becomes points and models."""

from __future__ import annotations

import gzip
import json
import math
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError
from epicene.sets import simplegen
from epicene_lab import arrays, corpus, outputs, pieces, points, search, shipped, store
from epicene_lab.recipes.simplegen import arrivals, fleet, jobs, times
from epicene_lab.recipes.simplegen.__main__ import main
from epicene_lab.train import CORPUS
from tests.conftest import Command
from tests.lab.stages.conftest import tiny

pytestmark = pytest.mark.torch
NAME = "labour.1-1.es.1"
LINES = "I am here.\tEstoy aquí.\nShe is a nurse.\tElla es enfermera.\n" * 4


@pytest.fixture(scope="module", autouse=True)
def few_sentences() -> Iterator[None]:
    """SimpleGEN with every thirtieth of its sentences, which tiny models soon decode."""
    some = list(simplegen._generate())[::30]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simplegen, "_generate", lambda: some)
        yield


@pytest.fixture(scope="module")
def arrived(few_sentences: None, models: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fleet of one, trained, decoded and timed on this machine, with all that came back."""
    root = tmp_path_factory.mktemp("arrived")
    (root / "tests").mkdir()
    english, spanish = zip(*(line.split("\t") for line in LINES.splitlines()), strict=True)
    for name, lines in (("eng", english), ("spa", spanish)):
        path = root / "tests" / f"eng-spa.newstest2013.{name}.gz"
        path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    (root / "tests" / "tatoeba_merged_test.eng-spa.tsv.gz").write_bytes(gzip.compress(LINES.encode()))
    shutil.copytree(models[0].parent / CORPUS, root / "data" / "es")
    tested = {"winomt": list(english[:2]), "tatoeba": list(english), "newstest": list(english)}
    jobs.write_quality(root / "data" / "es", {"simplegen": corpus.read_challenge_sentences("simplegen"), **tested}, {})
    recipe = tiny()
    listed = root / "data" / "jobs.json"
    sizes = {"shape": asdict(recipe.shapes[1]), "training": asdict(recipe.training)}
    listed.write_text(json.dumps([{"name": NAME, "data": ["es"], "seed": 1, **sizes}]), encoding="utf-8")
    fleet.run([listed], root / "runs", 1, math.inf, None, "cpu", "", one_mode=False, no_graphs=False)
    (root / "runs" / "labour.6-6.es.1").symlink_to(root / "runs" / NAME)  # a baseline to time beside
    times.run(listed, root / "runs", 1, math.inf, 1, "")
    (root / "runs" / "labour.6-6.es.1").unlink()
    assert fleet.send(root / "runs", root / "out") == [NAME]
    assert fleet.send(root / "runs", root / "again") == []
    fleet.pack([NAME], root / "runs", root / "out")
    return root


def test_decoded_pieces_become_outputs_bleu_and_times(arrived: Path, tmp_path: Path) -> None:
    list(arrivals.measure([arrived / "out"], arrived / "data", arrived / "tests", tmp_path))
    said = outputs.read(tmp_path / "en-es.simplegen.xz")
    modes = sorted(points.MODES, key=lambda mode: (mode[1], mode[0]))  # those that say nearly the same side by side
    assert [run[1:] for run in said.runs] == [("labour", "1-1", 1, *mode) for mode in modes]
    assert len(said.of(said.runs[0])) == 89
    assert len(outputs.read(tmp_path / "en-es.winomt.xz").texts) == 2
    results = shipped.Results(tmp_path)
    assert results.bleu.keys() == set(said.runs) == results.timings.keys()
    assert {row["newstest_lines"] for row in results.bleu.values()} == {"8"}
    codes, _ = results.codes("en-es", "simplegen", "paper")
    assert codes.shape == (4, 89)
    assert [point.key.seed for point in results.points()] == [1] * 4


def test_batches_are_halved_where_memory_is_short(arrived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    whole = search.decode

    def decode(model: Any, sources: Any, beams: int, tokens: int) -> list[Any]:
        asked.append(tokens)
        if tokens > room:
            raise torch.OutOfMemoryError("no room")
        return whole(model, sources, beams, tokens)

    model = store.load(arrived / "runs" / NAME)
    wanted = arrays.load(arrived / "data" / "es" / jobs.QUALITY)
    short = {name: wanted[name] for name in ("winomt", "winomt.lengths")}
    plain = fleet.decode_sets(model, short, [("float", 5)])
    monkeypatch.setattr(search, "decode", decode)
    room = fleet.DECODED // 4
    found = fleet.decode_sets(model, short, [("float", 5)])
    assert asked == [fleet.DECODED, fleet.DECODED // 2, room]
    assert {name: each.tolist() for name, each in found.items()} == {
        name: each.tolist() for name, each in plain.items()
    }
    room = 0
    with pytest.raises(torch.OutOfMemoryError):
        fleet.decode_sets(model, short, [("float", 5)])
    assert asked[-1] < 1024


def test_weights_become_models(arrived: Path, tmp_path: Path) -> None:
    (folder,) = arrivals.unpack([arrived / "out"], arrived / "data", tmp_path)
    assert folder.name == NAME
    found = store.read_record(folder)
    assert (found["pair"], found["seed"]) == ("en-es", 1)
    assert asdict(found["shape"]) == asdict(tiny().shapes[1])
    store.load(folder)
    assert pieces.open_processor(folder / store.PIECES).get_piece_size() == 1000


def test_the_command_scores_and_unpacks(
    epicene: Command, arrived: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--data", arrived / "data", "--tests", arrived / "tests", "-o", tmp_path / "results")
    assert main([str(each) for each in ("collect", arrived / "out", *where, "--models", tmp_path / "models")]) == 0
    *lines, folder = capsys.readouterr().out.splitlines()
    assert folder == str(tmp_path / "models" / NAME)
    assert [Path(line.split(":")[0]).name for line in lines] == [
        "en-es.simplegen.xz",
        "en-es.winomt.xz",
        "bleu.csv",
        "times.csv",
    ]
    exported = epicene("lab", "export", folder, "-o", tmp_path / "ct2")
    assert exported.returncode == 0, exported.stderr
    (tmp_path / "text").write_text("She is a nurse.\n", encoding="utf-8")
    system = f"ctranslate2:{tmp_path / 'ct2'}"
    assert epicene("translate", "-i", tmp_path / "text", "-l", "en-es", "-s", system).returncode == 0


def test_a_name_that_climbs_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text(json.dumps({}), encoding="utf-8")
    with tarfile.open(tmp_path / "outputs.tar.0", "w") as tar:
        tar.add(tmp_path / "model.json", "../model.json")
    with pytest.raises(InputError, match="is not named as they are prepared"):
        list(arrivals.measure([tmp_path], tmp_path, tmp_path, tmp_path))


def test_a_broken_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outputs.tar.0").write_bytes(b"no archive")
    with pytest.raises(InputError, match="broken archive"):
        arrivals.unpack([tmp_path], tmp_path, tmp_path / "models")
