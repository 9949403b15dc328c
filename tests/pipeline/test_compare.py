"""What may be compared: the same measured in the same way, whichever release did it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from epicene import api
from epicene.errors import InputError
from epicene.pipeline import compare as comparison


def audited(folder: Path, answer: str) -> Path:
    """A run over a set of two sentences."""
    table = folder.parent / "custom.tsv"
    table.write_text(
        "id\tsource\tfocus\texpected\n1\tThe nurse left.\tnurse\tfeminine\n2\tThe baker left.\tbaker\tmasculine\n"
    )
    api.audit([f"custom:{table}"], ["en-de"], [f"command:sed 's/.*/{answer}/'"], folder=folder, cached=False)
    return folder


def release(folder: Path, version: str) -> None:
    """The run as another release would have written it."""
    path = folder / "results.json"
    records = json.loads(path.read_text())
    for record in records:
        record["signature"] = "|".join(
            f"v:{version}" if part.startswith("v:") else part for part in record["signature"].split("|")
        )
    path.write_text(json.dumps(records))


def test_runs_of_two_releases_are_compared(tmp_path: Path) -> None:
    before, after = audited(tmp_path / "before", "Der Bäcker."), audited(tmp_path / "after", "Die Bäckerin.")
    release(before, "0.0.1")
    (found,) = comparison.compare([before, after])
    change = next(change for change in found.changes if change.group == "all")
    assert change.n == 2


def test_runs_of_two_detectors_are_not(tmp_path: Path) -> None:
    before, after = audited(tmp_path / "before", "Der Bäcker."), audited(tmp_path / "after", "Die Bäckerin.")
    path = before / "results.json"
    path.write_text(path.read_text().replace("|detector:lexicon", "|detector:older"))
    with pytest.raises(InputError, match="no two entries measure the same thing in the same way"):
        comparison.compare([before, after])
