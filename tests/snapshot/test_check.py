"""The comparison of snapshots, on toy data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.snapshot.compare import Change, Difference, compare, encode_verdicts, flatten, read_changes


def test_elements_of_a_list_go_by_name_and_else_by_position() -> None:
    rows = {"measures": [{"name": "correct", "group": "A", "n": 1}, {"name": "correct", "group": "B", "n": 2}]}
    assert ("measures[correct,B]/n", 2) in list(flatten(rows))
    assert list(flatten([[1], {}])) == [("[0][0]", 1), ("[1]", "{}")]


@pytest.mark.parametrize(("old", "new", "same"), [(1.0, 1 + 1e-10, True), (1.0, 1 + 1e-8, False), (0, 1e-10, True),
                                                  ("a", "b", False), (None, 0, False), (True, 1, True)])  # fmt: skip
def test_numbers_are_compared_with_tolerance_and_text_exactly(old: object, new: object, same: bool) -> None:
    assert (compare({"a": old}, {"a": new}) == []) is same


def test_missing_and_new_paths_are_named() -> None:
    assert compare({"a": 1}, {"b": 2}) == [Difference("a", "removed", 1, None), Difference("b", "added", None, 2)]


def test_lines_of_text_are_shown_where_they_differ() -> None:
    assert compare({"page": ["x", "y"]}, {"page": ["x", "z"]}) == [Difference("page", "changed", "-y", "+z")]


def test_a_verdict_that_changed_is_named_by_its_line() -> None:
    old = encode_verdicts([("f", "article", "x"), ("m", "noun", "y")])
    new = encode_verdicts([("f", "article", "x"), ("f", "pronoun", "y")])
    assert compare({"v": old}, {"v": new}) == [
        Difference("v/2/gender", "changed", "m", "f"),
        Difference("v/2/step", "changed", "noun", "pronoun"),
    ]
    declared = [
        Change("v/*/step", "changed", "better name", "pronoun", "noun"),
        Change("v/2/gender", "changed", "mended"),
    ]
    assert compare({"v": old}, {"v": new}, declared) == []
    assert len(compare({"v": old}, {"v": new}, [Change("v/*/step", "changed", "other", "pronoun", "ending")])) == 2


def test_renamed_paths_are_compared_under_their_new_name() -> None:
    renaming = Change("score/*/wrong[*", "renamed", "one word", "score/*/misgendered[*")
    old, new = {"score/a/wrong[f]/n": 1, "score/b/n": 1}, {"score/a/misgendered[f]/n": 2, "score/b/n": 1}
    assert compare(old, new, [renaming]) == [Difference("score/a/misgendered[f]/n", "changed", 1, 2)]


@pytest.mark.parametrize(("kind", "count"), [("removed", 0), ("added", 1), ("changed", 1)])
def test_a_declaration_covers_its_kind_alone(kind: str, count: int) -> None:
    assert len(compare({"score/a": 1}, {}, [Change("score/*", kind, "because")])) == count


@pytest.mark.parametrize(
    "line", ['kind = "moved"\nwhy = "x"', 'kind = "added"\nwhy = ""', 'kind = "renamed"\nto = "b"\nwhy = "x"']
)
def test_a_slip_in_the_list_of_changes_is_an_error(tmp_path: Path, line: str) -> None:
    path = tmp_path / "changed.toml"
    path.write_text(f'[[change]]\nwhere = "a/*"\n{line}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="a/"):
        read_changes(path)


def test_a_declared_value_is_meant_only_where_its_stars_stay() -> None:
    change = Change("*/signature", "changed", "one reader", to="*reader2*", old="*reader1+lexicon1*")
    for new, covered in (("gest|reader2|en-ru", True), ("gest|reader2|en-uk", False), ("gest|reader3|en-ru", False)):
        assert change.covers(Difference("a/signature", "changed", "gest|reader1+lexicon1|en-ru", new)) is covered
