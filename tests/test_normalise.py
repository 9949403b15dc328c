"""Spellings that look the same are read the same; keys are hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene import score
from epicene.text import normalised, scrub


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("La C.E.O. a trouvé le livre.", "La CEO a trouvé le livre."),
        ("Sie half der C.E.O.", "Sie half der CEO."),
        ("U.S. und z.B. bleiben.", "U.S. und z.B. bleiben."),
        ("L\u2019infirmie\u0300re", "L'infirmi\u00e8re"),
    ],
)
def test_one_spelling_is_read(text: str, read: str) -> None:
    assert normalised(text) == read == normalised(read)


def test_the_article_of_a_dotted_word_is_read(tmp_path: Path) -> None:
    table = "id\tsource\tfocus\texpected\n1\tThe CEO left because she was tired.\tCEO\tfeminine\n"
    path = tmp_path / "own.tsv"
    path.write_text(table, encoding="utf-8")
    (verdict,) = score(f"custom:{path}", "en-de", ["Die C.E.O. ging."], anyway=True).verdicts
    assert verdict.gender == "feminine"


def test_a_key_that_holds_another_one_is_hidden_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("epicene.text._secrets", {"wrong", "sk-wrong-one"})
    assert scrub("Bearer sk-wrong-one and wrong") == "Bearer [key] and [key]"
