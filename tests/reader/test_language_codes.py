"""The reader's code names no language: what is particular to one stands in its folder."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import epicene.reader
from epicene.languages import LANGUAGES
from epicene.languages.codes import codes_of

FILES = sorted(Path(epicene.reader.__path__[0]).glob("*.py"))
# Short words of English, the language that is translated from, which are spelt like codes.
ENGLISH = frozenset({"he", "is", "it"})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_language_code_stands_in_the_code(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    codes = {spelling for code in LANGUAGES.names() for spelling in (code, *codes_of(code).iso3)}
    assert texts & (codes - ENGLISH) == set()
