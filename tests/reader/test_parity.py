"""The reader takes women for men no more often than men for women, on news in 16 languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.reading import Parity, count_parity, parity_table

DOCS = Path(__file__).parents[2] / "docs" / "languages.md"
# Per cent of women read as men, of men read as women; then what a language may have of either, or two people.
MOST = {"gnoun": (1.0, 1.0, 3), "heshe": (2.5, 2.0, 12), "name": (4, 1, 10)}


@pytest.fixture(scope="module")
def parity(published: Path) -> dict[tuple[str, str], Parity]:
    """What people whose gender the source states are read as."""
    return count_parity(published / "news")


@pytest.mark.parametrize("kind", MOST)
def test_few_women_are_read_as_men_and_few_men_as_women(parity: dict[tuple[str, str], Parity], kind: str) -> None:
    women, men, _ = MOST[kind]
    everybody = parity[kind, "all"]
    print({label: f"{100 * everybody.swapped(label) / everybody.of(label):.1f} %" for label in "FM"})
    assert 100 * everybody.swapped("F") <= women * everybody.of("F")
    assert 100 * everybody.swapped("M") <= men * everybody.of("M")


@pytest.mark.parametrize("kind", MOST)
def test_so_in_every_language(parity: dict[tuple[str, str], Parity], kind: str) -> None:
    most = MOST[kind][2]
    rates = [
        (language, label, counts.swapped(label), counts.of(label))
        for (own, language), counts in parity.items()
        for label in "FM"
        if own == kind
    ]
    assert not [rate for rate in rates if rate[2] > max(2, most * rate[3] / 100)]


def test_the_docs_have_these_rates(parity: dict[tuple[str, str], Parity]) -> None:
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    assert not [line for line in parity_table(parity) if line not in lines]
