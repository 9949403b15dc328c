"""Every shipped table names its source and licence, and every entry a table; all that ships stays small."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import epicene
import epicene_lab.tables
import epicene_models

ROOTS = [Path(module.__path__[0]) for module in (epicene, epicene_lab.tables, epicene_models)]
CODE = (".py", ".pyc", ".typed", ".html", ".css", ".js")
SETTINGS = ("check/check.toml", "gate/gate.toml", "PROVENANCE.toml")  # written here, no facts


def shipped(root: Path) -> list[str]:
    files = (path for path in root.rglob("*") if path.is_file() and path.suffix not in CODE)
    return [path.relative_to(root).as_posix() for path in files]


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_every_table_has_an_entry_and_every_entry_a_table(root: Path) -> None:
    entries = {}
    for path in root.rglob("PROVENANCE.toml"):
        folder = path.parent.relative_to(root)
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        entries |= {(folder / name).as_posix(): entry for name, entry in content.items()}
    assert all(entry.keys() >= {"source", "licence"} for entry in entries.values())
    assert [name for name in entries if not (root / name).exists()] == []
    named = tuple(f"{name}/" for name in entries)
    unnamed = [name for name in shipped(root) if name not in entries and not name.startswith(named)]
    # A set.toml says itself where the set comes from, and its licence.
    assert [
        name for name in unnamed if name not in SETTINGS and not name.endswith(("PROVENANCE.toml", "set.toml"))
    ] == []


@pytest.mark.parametrize("root", ROOTS[:2], ids=lambda root: root.name)
def test_no_table_is_there_twice(root: Path) -> None:
    tables = [name for name in shipped(root) if not name.endswith("PROVENANCE.toml")]
    first = {(root / name).read_bytes(): name for name in reversed(tables)}
    assert [name for name in tables if first[(root / name).read_bytes()] != name] == []


def test_weights_and_tables_take_less_than_75_mb() -> None:
    sizes = [(root / name).stat().st_size for root in ROOTS for name in shipped(root)]
    assert sum(sizes) < 75_000_000
    outputs = [path for name in ("results", "earlier") for path in (ROOTS[1] / "lab" / name).iterdir()]
    assert sum(path.stat().st_size for path in outputs) < 12_000_000
