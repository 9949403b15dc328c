"""Every registered study keeps what its package promises."""

from __future__ import annotations

import pytest

from epicene.studies import STUDIES, Study


@pytest.mark.parametrize("name", STUDIES.names())
def test_a_study_shows_the_published_figures_and_says_what_is_missing(name: str) -> None:
    plan = STUDIES.find(name)
    found = plan.run({})
    assert isinstance(found, Study)
    assert (found.name, found.title) == (name, plan.title)
    # Without inputs, each is said to be missing, and published sets that it needs; or the study ships and signs results.
    assert set(found.missing) >= set(plan.inputs) or (not found.missing and found.signatures)
    for table in found.parts:
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert table.rows or table.notes
