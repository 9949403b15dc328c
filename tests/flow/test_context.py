"""``--context``: who is given the sentence before, and what it is worth."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from epicene import audit, score
from epicene.errors import InputError, UnknownNameError
from epicene.flow.context import add_worth
from epicene.flow.plan import expand_tasks
from epicene.sets import files as store
from epicene.sets import load
from epicene.types import Gender, Pair

SET = "mt-geneval-context"
# Translates a sentence as about a woman where what stands before it says "she", else as about a man.
PROGRAM = """
import json, re, sys
table = json.load(open(sys.argv[1], encoding="utf-8"))
for line in sys.stdin:
    before, _, text = line.rstrip("\\n").rpartition("\\t")
    print(table[text][bool(re.search(r"\\b(?:she|her)\\b", before, re.I))])
"""


@pytest.fixture
def added(published: Path) -> Path:
    return store.add(SET, published / "mt-geneval.tar.gz")


@pytest.fixture
def system(added: Path, tmp_path: Path) -> str:
    """A program that knows how to translate the set, and heeds what it is given."""
    table = {}
    for item in load(f"{SET}:none").items(Pair("en", "de")):
        by_gender = {reference.gender: reference.text for reference in item.references}
        table[item.source] = [by_gender[Gender.MASCULINE], by_gender[Gender.FEMININE]]
    (tmp_path / "table.json").write_text(json.dumps(table), encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    return f"command:{sys.executable} {tmp_path / 'program.py'} {tmp_path / 'table.json'}"


def test_sets_with_context_come_once_for_each_way_to_give_it() -> None:
    assert expand_tasks([SET, "simplegen"], ["en-de"], ["joined", "none"]) == [
        (f"{SET}:joined", "en-de"),
        (f"{SET}:none", "en-de"),
        ("simplegen", "en-de"),
    ]
    with pytest.raises(UnknownNameError, match=f"context of {SET} 'before'"):
        expand_tasks([SET], ["en-de"], ["before"])
    with pytest.raises(InputError, match="--context none: simplegen has no sentence before"):
        expand_tasks(["simplegen"], ["en-de"], ["none"])
    with pytest.raises(InputError, match="has no sentence before"):
        expand_tasks([f"{SET}:none"], ["en-de"], ["joined"])


def test_what_context_is_worth_to_a_system_that_takes_it(system: str) -> None:
    given, none = audit([SET], ["en-de"], [system], sample=60, contexts=["given", "none"]).results
    worth = given["context", "given-none"]
    assert worth.value is not None and worth.low is not None
    assert worth.low > 0 and worth.n == 60
    rates = [each["accuracy", "all"].value or 0 for each in (given, none)]
    assert worth.value == pytest.approx(rates[0] - rates[1])
    assert (none["accuracy", "masculine"].value, none["accuracy", "feminine"].value) == (100, 0)
    assert given.system == f"{none.system}+context"  # the cache must not mix them up


def test_files_are_scored_with_their_contexts(added: Path) -> None:
    items = load(f"{SET}:none").items(Pair("en", "de"))
    right = [item.references[0].text for item in items]
    men = [next(each.text for each in item.references if each.gender is Gender.MASCULINE) for item in items]
    with_it, without = score(SET, "en-de", right, contexts=["given"]), score(SET, "en-de", men, contexts=["none"])
    assert (with_it.set, without.set) == (f"{SET}:given", f"{SET}:none")
    worth = add_worth([with_it, without], by_system=False)[0]
    assert (worth["context", "given-none, feminine"].value or 0) > 95
    assert abs(worth["context", "given-none, masculine"].value or 0) < 1


def test_who_takes_no_context_is_named(added: Path) -> None:
    with pytest.raises(InputError, match="echo takes no context; --context joined gives it both"):
        audit([SET], ["en-de"], ["echo"], contexts=["given"])
