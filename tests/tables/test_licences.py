"""The licence that each distribution declares is that of what it ships, and the texts of all of them ship too."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[2] / "packages"
FREE = {"facts", "public domain"}


def licences(expression: str) -> set[str]:
    return set(expression.split(" AND "))


@pytest.mark.parametrize("name", ["epicene", "epicene-lab", "epicene-models"])
def test_a_distribution_declares_the_licences_of_its_files_and_ships_their_texts(name: str) -> None:
    root = PACKAGES / name
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = {file.name for pattern in project["license-files"] for file in root.glob(pattern)}
    entries = [tomllib.loads(path.read_text(encoding="utf-8")) for path in root.rglob("PROVENANCE.toml")]
    used = {licence for file in entries for entry in file.values() for licence in licences(entry["licence"])} - FREE
    assert used == licences(project["license"])
    assert {"LICENSE" if licence == "Apache-2.0" else f"{licence}.txt" for licence in used} == texts - {"NOTICE"}
