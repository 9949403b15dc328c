"""A quick part of the snapshot: its numbers and verdicts are what they were. All of it: python -m tests.snapshot check."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.snapshot import store
from tests.snapshot.__main__ import find_differences, show
from tests.snapshot.cases import FAST, list_cases


def test_every_case_is_stored_and_every_stored_case_is_known() -> None:
    assert {case.name for case in list_cases()} == store.read().keys()


@pytest.mark.data
def test_numbers_are_what_they_were(published: Path, tmp_path: Path) -> None:
    cases = [case for case in list_cases() if case.name in FAST]
    assert len(cases) == len(FAST)
    answers = store.run_cases(cases, tmp_path)
    assert [show(difference) for difference in find_differences(cases, store.read(), answers, numbers=True)] == []
