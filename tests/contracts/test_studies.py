"""Every registered study keeps what its package promises."""

from __future__ import annotations

import pytest

from epicene import registry
from epicene.studies import Study


@pytest.mark.parametrize("name", registry.names("studies"))
def test_a_study_shows_the_published_figures_and_says_what_is_missing(name: str) -> None:
    module = registry.find("studies", name)
    found = module.run({})
    assert isinstance(found, Study)
    assert (found.name, found.title) == (name, module.TITLE)
    # Without inputs, each is said to be missing, unless the study ships results of its own, which it then signs.
    assert set(found.missing) == set(module.INPUTS) or (not found.missing and found.signatures)
    for table in found.tables:
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert table.rows
