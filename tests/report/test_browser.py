"""The page in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.report.page import write_page
from epicene.result import Result
from tests.browser import Visiting

pytestmark = pytest.mark.browser


def test_the_page_opens_from_a_file_without_error_or_request(
    people: list[Result], visit: Visiting, tmp_path: Path
) -> None:
    seen = visit(write_page(tmp_path / "page.html", people))
    seen.page.wait_for_selector("#rows[data-turn]")
    seen.went_well()
