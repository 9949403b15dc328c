"""Every shipped table of the occupation study names its source and licence."""

from __future__ import annotations

import tomllib

from epicene.tables import resource


def test_every_table_has_an_entry_and_every_entry_a_table() -> None:
    entries = tomllib.loads(resource("PROVENANCE.toml").read_text(encoding="utf-8"))
    named = {name.removeprefix("occupations/") for name in entries if name.startswith("occupations/")}
    assert named == {file.name for file in resource("occupations").iterdir()}
    assert all(entries[f"occupations/{name}"].keys() >= {"source", "licence"} for name in named)
