"""Every shipped table of the occupation study names its source and licence; all that ships stays small."""

from __future__ import annotations

import tomllib
from pathlib import Path

from epicene.tables import resource


def test_every_table_has_an_entry_and_every_entry_a_table() -> None:
    entries = tomllib.loads(resource("PROVENANCE.toml").read_text(encoding="utf-8"))
    named = {name.removeprefix("occupations/") for name in entries if name.startswith("occupations/")}
    assert named == {file.name for file in resource("occupations").iterdir()}
    assert all(entries[f"occupations/{name}"].keys() >= {"source", "licence"} for name in named)


def test_weights_and_tables_take_less_than_70_mb() -> None:
    files = [path for path in Path(str(resource("."))).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(path.stat().st_size for path in files) < 70_000_000
    assert sum(path.stat().st_size for path in files if "results" in path.parts) < 15_000_000
