"""Every set has a title and a citation for the page, under whatever name a result carries it."""

from __future__ import annotations

import pytest

from epicene.sets import SETS, page_words, plain, title

# These are made of a user's own files.
OWN = {"custom", "spoken"}


@pytest.mark.parametrize("name", [name for name in SETS.names() if name not in OWN])
def test_every_set_has_a_title_and_a_citation(name: str) -> None:
    about = plain(name).about
    assert about.title
    assert about.citation.startswith("@")


@pytest.mark.parametrize("name", ["simplegen", "winomt", "wibemt", "wibemt-verbs", "occupations", "occupations:all"])
def test_shipped_sets_have_the_table_of_their_paper(name: str) -> None:
    words = page_words(name)
    assert words.asks
    assert words.table
    assert words.table.columns


def test_variants_of_a_set_are_told_apart() -> None:
    assert title("occupations:wording") == f"{title('occupations')} (wording)"
    assert title("custom") == "Your own sentences"
