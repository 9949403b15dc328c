"""The documentation's figures are today's: those that are quick are computed again, the others name what they rest on."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from benchmarks import figures
from benchmarks.figures import PAGES, ROOT, Block

BLOCKS = [block for block in figures.list_blocks() if block.is_benchmark]
NUMBERS = ROOT / "docs" / "numbers.md"
# Commands of a few seconds.
QUICK = ("reading own", "reading inclusive", "reading both", "reading agreement", "labels annotators")
SOURCES = Path(__file__).parent / "figures.tsv"
_FIGURE = re.compile(r"(?<![\w.,/-])\d[\d,]*\.\d+(?![\w.]*[a-z(])")
_SHARE = re.compile(r"(?<![\w.,/-])\d+(?=(?: (?:to|and) \d+)? (?:%|points))")
_WHOLE = re.compile(r"(?<![\w.,/-])\d+(?![\w.,])")
_COMMON = {"0", "95", "100"}  # per cent: the level of intervals, none and all
_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_MARKED = re.compile(r"^<!-- figures of ([^\n]*?)(?:: [^\n]*)? -->\n((?:\|[^\n]*\n)+)", re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.command)
def test_no_figure_is_stale(block: Block) -> None:
    assert block.depends, f"{block.page.name}: no comment says what {block.command} depends on"
    assert not block.is_stale, f"stale: python -m benchmarks.figures '{block.command.partition('benchmarks.')[2]}'"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_table_is_stale(page: Path) -> None:
    for depends, _ in _MARKED.findall(page.read_text(encoding="utf-8")):
        assert depends == figures.describe(depends), f"{page.name}: a table was made with {depends}"


@pytest.mark.parametrize("name", QUICK)
def test_quick_figures_are_those_that_the_command_prints(name: str, published: Path) -> None:
    (block,) = (block for block in BLOCKS if block.command.endswith(f".{name}"))
    printed = figures.run(block)
    assert block.printed == (figures.place_lines(block.printed, printed)[0] if "…" in block.printed else printed)


def figures_in(text: str) -> set[str]:
    """Numbers with a decimal point, and whole per cents and points; not those of versions, identifiers and files."""
    text = re.sub(r"`[^`\n]*`|\]\([^)\n]*\)|https?://\S+", " ", text)
    return set(_FIGURE.findall(text)) | (set(_SHARE.findall(text)) - _COMMON)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_figure_in_the_text_has_a_source(page: Path) -> None:
    """In a block of its page or of numbers.md, which a command prints, or in the table of other sources."""
    if page.name == "CHANGELOG.md":
        return  # it keeps what was measured then
    texts = [path.read_text(encoding="utf-8") for path in {page, NUMBERS}]
    backed = {figure for text in texts for block in _FENCED.findall(text) for figure in _FIGURE.findall(block)}
    backed |= {figure for text in texts for _, rows in _MARKED.findall(text) for figure in figures_in(rows)}
    backed |= {
        number for block in _FENCED.findall(page.read_text(encoding="utf-8")) for number in _WHOLE.findall(block)
    }
    with SOURCES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["page"] == page.name:
                backed |= set(row["figures"].split())
    text = _MARKED.sub("", _FENCED.sub("", page.read_text(encoding="utf-8")))
    assert not figures_in(text) - backed
