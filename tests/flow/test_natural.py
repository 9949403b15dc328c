"""``all-natural`` stands for the sets that have a language, and custom tables take a reference of each gender."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from epicene import audit, score
from epicene.errors import DataMissingError, InputError
from epicene.flow.plan import expand_tasks
from epicene.types import Gender

HEADER = "id\tsource\tfocus\texpected\tmasculine\tfeminine\n"
ROW = "1\tThe baker slept.\tbaker\tfeminine\tDer Bäcker schlief.\tDie Bäckerin schlief.\n"


def test_all_natural_is_what_has_the_language() -> None:
    found = expand_tasks(["all-natural"], ["en-es", "en-sk"])
    assert [name for name, pair in found if pair == "en-es"] == ["gate", "mittens", "mt-geneval", "mt-geneval-context"]
    assert [name for name, pair in found if pair == "en-sk"] == ["gest"]
    assert expand_tasks(["simplegen"], ["en-de"]) == [("simplegen", "en-de")]
    with pytest.raises(InputError, match="no set of natural text has hu-de"):
        expand_tasks(["all-natural"], ["hu-de"])


def test_sets_that_are_not_here_are_named_before_anything_is_translated(tmp_path: Path) -> None:
    log = tmp_path / "asked.txt"
    program = tmp_path / "program.py"
    program.write_text(f"import sys; open({str(log)!r}, 'w').write(sys.stdin.read())", encoding="utf-8")
    with pytest.raises(
        DataMissingError, match=r"epicene data get mittens.*; .*epicene data add dialogue PATH"
    ) as caught:
        audit(["simplegen", "mittens", "dialogue"], ["en-de"], [f"command:{sys.executable} {program}"])
    assert "\n" not in str(caught.value)
    assert not log.exists()


def test_a_custom_table_with_references_is_contrasted(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(HEADER + ROW, encoding="utf-8")
    (verdict,) = score(f"custom:{path}", "en-de", ["Die Bäckerin hat geschlafen."]).verdicts
    assert verdict.gender is Gender.FEMININE and verdict.step.startswith("contrast")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEADER.replace("\tfeminine\n", "\n") + ROW.rpartition("\t")[0] + "\n", r"own.tsv:1: a column masculine alone"),
        (HEADER + ROW.rpartition("\t")[0] + "\t\n", r"own.tsv:2: a masculine reference alone"),
    ],
)
def test_one_reference_alone_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        score(f"custom:{path}", "en-de", ["Die Bäckerin."])
