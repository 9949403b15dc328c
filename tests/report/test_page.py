"""What comes from outside is shown as text on the page, never as markup."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import epicene
from epicene.report.page import marked, write_page
from epicene.types import Evidence, Gender, Verdict
from tests.conftest import output


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)


def test_markup_in_a_translation_stays_text(tmp_path: Path) -> None:
    lines = ["<script>alert(1)</script> Die Ärztin <img src=x onerror=alert(2)>"] * 2664
    result = epicene.score("simplegen", "en-de", lines)
    page = write_page(tmp_path / "page.html", [result]).read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert "script" not in tags.seen
    assert "img" not in tags.seen
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<mark>Ärztin</mark>" in page


def test_marks_stand_where_the_evidence_is() -> None:
    verdict = Verdict(
        output("The nurse.", "La buena enfermera.", "nurse"),
        Gender.FEMININE,
        "agreement",
        (Evidence("La", 0, 2), Evidence("enfermera", 9, 18)),
    )
    assert [piece for piece, decided in marked(verdict) if decided] == ["La", "enfermera"]
    assert "".join(piece for piece, _ in marked(verdict)) == "La buena enfermera."
