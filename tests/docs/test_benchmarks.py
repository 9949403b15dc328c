"""Every benchmark can be run by ``make bench``, and there are few of them."""

from __future__ import annotations

import ast
from pathlib import Path

SCRIPTS = sorted((Path(__file__).parents[2] / "benchmarks").glob("[a-z]*.py"))


def test_every_benchmark_has_a_main_and_says_what_it_prints() -> None:
    for script in SCRIPTS:
        tree = ast.parse(script.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), script.name
        assert "main" in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, script.name


def test_there_are_at_most_25_benchmarks() -> None:
    assert 0 < len(SCRIPTS) <= 25
