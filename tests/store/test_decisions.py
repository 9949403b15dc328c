"""People's decisions are read back, kept track of, and refused where they do not fit."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.store.decisions import COLUMNS, read, unclassified_file
from epicene.types import Gender, Verdict
from tests.conftest import Command, output

HEADER = "id\tdecision\tby"


def verdict(text: str = "Der Mover häkelt.") -> Verdict:
    return Verdict(output("The mover crochets.", text, "mover"), Gender.UNKNOWN, "untranslated")


def file(folder: Path, *lines: str, name: str = "decisions.tsv") -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("word", "gender"),
    [("f", Gender.FEMININE), ("Masculine", Gender.MASCULINE), ("male", Gender.MASCULINE), ("n", Gender.NEUTRAL), ("wrong", Gender.UNKNOWN)],
)  # fmt: skip
def test_a_decision_settles_the_verdict(tmp_path: Path, word: str, gender: Gender) -> None:
    decisions = read([file(tmp_path, HEADER, f"1\t{word}\tanna")])
    settled = decisions.settle(verdict())
    assert (settled.gender, settled.step) == (gender, "decision")
    decisions.done()


def test_a_line_without_a_decision_changes_nothing(tmp_path: Path) -> None:
    decisions = read([file(tmp_path, HEADER, "1\t\t", "", "2\t\tanna")])
    assert decisions.settle(verdict()) == verdict()
    assert decisions.made == {}


def test_the_trail_says_who_changed_what_when_and_where_it_stands(tmp_path: Path) -> None:
    path = file(tmp_path, f"{HEADER}\tat\tcomment", "1\tmasculine\tanna\t2026-05-01\tein Beruf")
    decisions = read([path])
    decisions.settle(verdict())
    decisions.write_trail(tmp_path / "trail.tsv")
    header, row = (line.split("\t") for line in (tmp_path / "trail.tsv").read_text(encoding="utf-8").splitlines())
    found = dict(zip(header, row, strict=True))
    assert (found["before"], found["method"], found["after"]) == ("wrong", "untranslated", "masculine")
    assert (found["by"], found["at"], found["comment"], found["where"]) == (
        "anna",
        "2026-05-01",
        "ein Beruf",
        f"{path}:2",
    )


def test_what_was_decided_is_in_the_identity_and_nothing_else(tmp_path: Path) -> None:
    first = read([file(tmp_path, HEADER, "1\tf\tanna")]).identity
    assert first == read([file(tmp_path, HEADER, "1\tfeminine\tbob")]).identity
    assert first != read([file(tmp_path, HEADER, "1\tm\tanna")]).identity


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["id\tdecision"], "decisions.tsv:1: no column by"),
        ([HEADER, "1\tf"], "decisions.tsv:2: 2 columns, expected 3"),
        ([HEADER, "1\tyes\tanna"], "decisions.tsv:2: decision 'yes'; expected feminine, masculine, neutral or wrong"),
        ([HEADER, "1\tf\t"], "decisions.tsv:2: nobody stands in 'by'"),
        ([HEADER, "1\tf\tanna", "1\tm\tbob"], "decisions.tsv:3: bob decided masculine for 1, anna decided feminine"),
    ],
)
def test_broken_decisions_are_refused_with_file_and_line(tmp_path: Path, lines: list[str], says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        read([file(tmp_path, *lines)])


def test_two_people_in_two_files_who_differ_are_both_named(tmp_path: Path) -> None:
    first = file(tmp_path, HEADER, "1\tf\tanna", name="anna.tsv")
    second = file(tmp_path, HEADER, "1\tm\tbob", name="bob.tsv")
    with pytest.raises(InputError, match=re.escape(f"anna decided feminine ({first}:2)")):
        read([first, second])
    assert len(read([first, file(tmp_path, HEADER, "1\tf\tbob", name="bob.tsv")]).made) == 1


def test_a_sentence_that_is_not_in_the_run_is_refused(tmp_path: Path) -> None:
    decisions = read([file(tmp_path, HEADER, "1\tf\tanna", "77\tf\tanna")])
    decisions.settle(verdict())
    with pytest.raises(InputError, match=re.escape("decisions.tsv:3: no sentence '77' in this run")):
        decisions.done()


def test_a_translation_that_has_changed_must_be_decided_again(tmp_path: Path) -> None:
    decisions = read([file(tmp_path, f"{HEADER}\toutput", "1\tf\tanna\tDer Mover häkelt.")])
    with pytest.raises(InputError, match="sentence 1 is translated otherwise now"):
        decisions.settle(verdict("Der Umzieher häkelt."))


def test_decisions_count_for_the_system_they_were_made_for(tmp_path: Path) -> None:
    decisions = read([file(tmp_path, f"{HEADER}\tsystem", "1\tf\tanna\tanother")])
    assert decisions.settle(verdict()).gender is Gender.UNKNOWN


def test_open_sentences_are_written_with_candidates(tmp_path: Path) -> None:
    with unclassified_file(tmp_path / "open.tsv") as sink:
        assert sink is not None
        sink(verdict("Der Mover\nküsst die Bäckerin."))
        sink(verdict()._replace(gender=Gender.MASCULINE))
    header, row = (line.split("\t") for line in (tmp_path / "open.tsv").read_text(encoding="utf-8").splitlines())
    assert tuple(header) == COLUMNS
    found = dict(zip(header, row, strict=True))
    assert (found["output"], found["method"]) == ("Der Mover küsst die Bäckerin.", "untranslated")
    assert found["candidates"] == "Mover: masculine?; Bäckerin: feminine"
    assert found["decision"] == found["by"] == ""


def test_what_is_written_out_is_read_back_and_recomputed(published: Path, tmp_path: Path, epicene: Command) -> None:
    task = ("score", "-t", "wibemt-verbs", "-l", "en-de", "-i", published / "wibemt" / "verb_translations_deepl.tsv")
    before = json.loads(epicene(*task, "--unclassified", tmp_path / "open.tsv", "-f", "json").stdout)[0]["verdicts"]
    lines = [line.split("\t") for line in (tmp_path / "open.tsv").read_text(encoding="utf-8").splitlines()]
    decision, by = lines[0].index("decision"), lines[0].index("by")
    for line in lines[1:4]:
        line[decision], line[by] = "feminine", "anna"
    file(tmp_path, *("\t".join(line) for line in lines))
    done = epicene(*task, "--decisions", tmp_path / "decisions.tsv", "--trail", tmp_path / "trail.tsv", "-f", "json")
    (after,) = json.loads(done.stdout)
    assert after["verdicts"]["feminine"] == before["feminine"] + 3
    assert after["verdicts"]["unknown"] == before["unknown"] - 3
    assert "|decisions:3@" in after["signature"]
    assert len((tmp_path / "trail.tsv").read_text(encoding="utf-8").splitlines()) == 4
    lines[1][0] = "VX99"
    file(tmp_path, *("\t".join(line) for line in lines))
    done = epicene(*task, "--decisions", tmp_path / "decisions.tsv", "--verdicts", tmp_path / "v.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "decisions.tsv:2: no sentence 'VX99'" in done.stderr
    assert not (tmp_path / "v.jsonl").exists()
    assert "give them with --decisions" in epicene(*task, "--trail", tmp_path / "t.tsv").stderr
