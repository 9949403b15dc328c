"""Run folders can be read back, compared, and are refused if they come from the future."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.conftest import Command, by_rote


@pytest.fixture
def run(epicene: Command, tmp_path: Path) -> Path:
    """An audit of a translator that has every occupation right."""
    sources = epicene("sets", "export", "simplegen", "-l", "en-de").stdout.splitlines()
    script = tmp_path / "script.tsv"
    pairs = zip(sources, by_rote(sources), strict=True)
    script.write_text("".join(f"{source}\t{text}\n" for source, text in pairs), encoding="utf-8")
    folder = tmp_path / "run"
    done = epicene("audit", "-t", "simplegen", "-l", "en-de", "-s", f"scripted:{script}", "-o", folder)
    assert done.returncode == 0, done.stderr
    assert f"report: {folder / 'report.html'}" in done.stderr
    return folder


def test_a_run_folder_holds_what_the_design_says(run: Path) -> None:
    assert {path.name for path in run.iterdir()} == {
        "run.json", "outputs.jsonl", "verdicts.jsonl", "results.json", "report.html",
    }  # fmt: skip
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    for name, digest in record["sha256"].items():
        assert hashlib.sha256((run / name).read_bytes()).hexdigest() == digest
    (result,) = json.loads((run / "results.json").read_text(encoding="utf-8"))
    assert result["signature"] == record["signatures"][0]
    verdict = json.loads((run / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert verdict["gender"] == "feminine"
    assert {"id", "source", "output", "expected", "gender", "method", "evidence"} <= verdict.keys()


def test_a_run_compares_with_itself(run: Path, epicene: Command) -> None:
    done = epicene("compare", run, run, "-f", "json")
    changes = json.loads(done.stdout)[0]["changes"]
    assert {change["difference"] for change in changes} == {0}
    assert {change["group"] for change in changes} == {"MOMC", "MOFC", "FOFC", "FOMC", "pro", "anti", "all"}


def test_a_run_of_a_newer_version_is_refused(run: Path, epicene: Command) -> None:
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps({**record, "format": 99, "epicene": "9.0"}), encoding="utf-8")
    done = epicene("compare", run, run)
    assert done.returncode == 4
    assert "was written by epicene 9.0 (format 99, this one knows 3); upgrade epicene" in done.stderr


def test_a_folder_that_is_no_run(tmp_path: Path, epicene: Command) -> None:
    done = epicene("gate", "--baseline", tmp_path, "--candidate", tmp_path, "--max-drop", "2")
    assert done.returncode == 2
    assert "is no run folder" in done.stderr


def test_a_broken_line_is_named(run: Path, epicene: Command) -> None:
    with (run / "verdicts.jsonl").open("a", encoding="utf-8") as stream:
        stream.write("{}\n")
    done = epicene("compare", run, run)
    assert done.returncode == 2
    assert "verdicts.jsonl: not as the run wrote it" in done.stderr
    assert "verdicts.jsonl:2665: no id" in epicene("compare", run, run, "--anyway").stderr


def test_damaged_measures_are_refused_in_one_line(run: Path, epicene: Command) -> None:
    path = run / "results.json"
    (result,) = json.loads(path.read_text(encoding="utf-8"))
    for measures in (None, 7, [None]):
        path.write_text(json.dumps([{**result, "measures": measures}]), encoding="utf-8")
        done = epicene("compare", run, run, "--anyway")
        assert done.returncode == 2, done.stderr
        assert "results.json: result 1" in done.stderr
