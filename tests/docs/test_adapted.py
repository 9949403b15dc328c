"""The table of adapted models in the documentation is what the kept measurements say."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.adapt import KEPT, NOTES, kept, markdown, table

PAGE = Path(__file__).parents[2] / "docs" / "numbers.md"


def test_the_documented_table_is_that_of_the_kept_numbers() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [row for row in kept(KEPT) if row.langs == "en-es"]
    missing = [line for line in markdown(rows) if line not in lines]
    assert not missing


def test_the_table_fits_into_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    table(kept(KEPT), Console(width=80))
    shown = capsys.readouterr().out.splitlines()
    assert max(map(len, shown)) <= 80
    assert any(NOTES[1] in line for line in shown)
