"""One file of checks against a stored baseline: what passes, what does not, and what is said of a wrong file."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from epicene.cli.app import app
from epicene.errors import EvidenceError, InputError
from epicene.flow.translate import open_asker
from epicene.gate import formats
from epicene.gate.config import read_config
from epicene.gate.gate import check_all, exit_code
from epicene.options import Asking
from tests.gate.conftest import run

CHECK = '[[gate.check]]\nset = "custom:own.tsv"\nlangs = "en-de"\ncandidate = "hyp.txt"\n'


def becomes(config: Path, name: str) -> None:
    (config.parent / "hyp.txt").write_bytes((config.parent / f"{name}.txt").read_bytes())


def test_a_candidate_is_held_against_the_stored_baseline(config: Path) -> None:
    assert run("--update")[0] == 0
    assert run()[0] == 0
    becomes(config, "bad")
    code, text = run()
    assert code == 1
    assert "all regression drop 33.6" in " ".join(text.split())
    assert "against epicene-baseline: file:hyp.txt" in text


def test_the_baseline_is_renewed(config: Path) -> None:
    run("--update")
    becomes(config, "bad")
    assert run()[0] == 1
    code, text = run("--update")
    assert code == 0
    assert "regression drop 33.6" in " ".join(text.split())  # what changed is said
    assert run()[0] == 0


def test_without_a_baseline_the_command_that_stores_one_is_named(config: Path) -> None:
    with pytest.raises(
        InputError, match=r"epicene.toml:3: the baseline .* has no custom:own.tsv en-de .*gate --update"
    ):
        run()


def test_a_baseline_that_was_edited_is_refused(config: Path) -> None:
    run("--update")
    (file,) = (config.parent / "epicene-baseline").glob("*.txt")
    file.write_text(file.read_text(encoding="utf-8").replace("Die", "Der"), encoding="utf-8")
    with pytest.raises(InputError, match="is not as it was stored"):
        run()
    assert run("--update")[0] == 0


def test_a_baseline_of_another_version_of_the_set_is_refused(config: Path) -> None:
    run("--update")
    table = config.parent / "own.tsv"
    table.write_text(table.read_text(encoding="utf-8").replace("came 7.", "went 7."), encoding="utf-8")
    with pytest.raises(InputError, match="translates another version of the set"):
        run()


def test_what_is_not_compared_needs_no_baseline(config: Path) -> None:
    becomes(config, "unread")
    config.write_text(f"[gate]\nmax-undetected = 5\nmin-rate = 50\n{CHECK}", encoding="utf-8")
    code, text = run()
    assert code == 1
    assert "all regression gender not detected 20.0 %" in " ".join(text.split())
    assert "ok rate 80.0 %" in " ".join(text.split())
    assert "against" not in text


def test_what_cannot_be_told_passes_where_the_file_says_so(config: Path) -> None:
    becomes(config, "unread")
    asked = f"[gate]\nmax-undetected = 20\n{CHECK}"
    config.write_text(asked, encoding="utf-8")
    assert run()[0] == 3
    config.write_text(asked + 'unclear = "pass"\n', encoding="utf-8")
    code, text = run("-f", "github")
    assert code == 0
    assert text.startswith("::notice ")
    assert text.endswith("gate: pass (1 check; unclear, which epicene.toml lets pass: custom:own.tsv en-de)\n")


def test_a_regression_anywhere_outweighs_doubt_elsewhere(config: Path) -> None:
    first = CHECK.replace("hyp.txt", "unread.txt")
    second = CHECK.replace("hyp.txt", "bad.txt") + 'name = "second"\nmin-rate = 90\n'
    config.write_text(f"[gate]\nmax-undetected = 20\n{first}{second}", encoding="utf-8")
    code, text = run()
    assert code == 1
    assert text.endswith("gate: fail (1 of 2 checks: second: custom:own.tsv en-de)\n")


def test_a_candidate_that_cannot_be_believed_is_unclear_and_stops_no_other_check(config: Path) -> None:
    (config.parent / "empty.txt").write_text("\n" * 280, encoding="utf-8")
    text = f'[gate]\nmin-rate = 90\n{CHECK}{CHECK.replace("hyp", "empty")}name = "second"\n'
    config.write_text(text, encoding="utf-8")
    with open_asker(Asking(cached=False)) as by:
        good, empty = check_all(read_config(config), by)
    assert good.answer == "ok"
    assert empty.comparison is None
    assert "280 of 280 lines are empty" in empty.why
    assert exit_code([good, empty]) == EvidenceError.exit_code
    assert formats.summary([good, empty]) == "gate: unclear (1 of 2 checks: second: custom:own.tsv en-de)"
    junit = ElementTree.fromstring(formats.as_junit([empty]))  # noqa: S314 - our own
    assert junit.find("testsuite/testcase/error") is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[gate]\nmax_drop = 2\n", "epicene.toml:2: unknown key 'max_drop'; did you mean 'max-drop'?"),
        ("[gate]\n\n[[gate.check]]\nlang = 'en-de'\n", "epicene.toml:4: unknown key 'lang'; did you mean 'langs'?"),
        ("[gates]\n", "epicene.toml:1: unknown key 'gates'; did you mean 'gate'?"),
        ("[gate]\nmax-drop = '2'\n", "epicene.toml:2: max-drop = '2'; expected a number, such as max-drop = 2"),
        ("[gate]\nmax-drop = true\n", "epicene.toml:2: max-drop = True; expected a number"),
        (
            "[gate]\nmax-drop = 200\nset='simplegen'\nlangs='en-de'\nsystem='echo'",
            "epicene.toml:2: max-drop 200 is not between 0 and 100",
        ),
        ("[gate]\nmax-drop = 2\n[[gate.check]]\nlangs = 'en-de'\n", "epicene.toml:3: no set; expected set = "),
        (
            "[gate]\nset = 'simplegn'\nlangs='en-de'\nsystem='echo'\nmax-gap=1",
            "epicene.toml:2: unknown set 'simplegn'. Did you mean 'simplegen'?",
        ),
        ("[gate]\nset = 'simplegen'\nlangs='en-xx'\nsystem='echo'\nmax-gap=1", "epicene.toml:3: unknown language 'xx'"),
        ("[gate]\nset = 'simplegen'\nlangs='en-de'\nsystem='echo'\n", "nothing to judge by"),
        ("[gate]\nset = 'simplegen'\nlangs='en-de'\nmax-gap=1\n", "expected either system or candidate"),
        ("[gate]\nset='simplegen'\nlangs='en-de'\nmax-gap=1\ncandidate='{sett}.txt'", "in braces there may be {set}"),
        ("[gate]\nset = 'simplegen'\nmax-drop = = 2\n", "epicene.toml:3: no TOML"),
        ("[gate]\nunclear = 'maybe'\nset='simplegen'\nlangs='en-de'\nsystem='echo'\nmax-gap=1", "toml:2: unclear ="),
        (f"[gate]\nmax-gap=1\n{CHECK}{CHECK}", "epicene.toml:7: custom:own.tsv en-de is checked twice"),
        ("gate = 1\n", "no table [gate]"),
    ],
)
def test_a_wrong_file_is_one_line_with_the_place(config: Path, text: str, says: str) -> None:
    config.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_config(Path("epicene.toml"))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_systems_and_candidates_are_known_before_the_first_sentence_is_translated(config: Path) -> None:
    first = CHECK.replace('candidate = "hyp.txt"', 'system = "command:tee asked"')
    for second, says in (
        ('system = "ctranslat:x"', "Did you mean 'ctranslate2'"),
        ('candidate = "no"', "no such file"),
    ):
        more = CHECK.replace('candidate = "hyp.txt"', second) + 'name = "second"\n'
        config.write_text(f"[gate]\nmin-rate = 5\n{first}{more}", encoding="utf-8")
        with pytest.raises(InputError, match=f"epicene.toml:7: second: custom:own.tsv en-de: .*{says}"):
            run()
        assert not (config.parent / "asked").exists()


def test_no_file_at_all(place: Path) -> None:
    with pytest.raises(InputError, match="no such file; write one with: epicene gate --init"):
        run()


def test_the_example_is_read_and_never_overwritten(place: Path) -> None:
    assert run("--init")[0] == 0
    (check,) = read_config(place / "epicene.toml").checks
    assert (check.title, check.system) == ("simplegen en-de", "bundled?beam=1")
    with pytest.raises(InputError, match="is there already"):
        run("--init")


def test_the_command_line_changes_and_narrows_what_the_file_says(config: Path) -> None:
    text = '[gate]\nmax-drop = 3\nset = "simplegen"\nlangs = ["en-de", "eng-spa"]\ncandidate = "{set}.{target}.txt"\n'
    config.write_text(text, encoding="utf-8")
    first, second = read_config(config).checks
    assert (first.candidate, second.candidate) == (
        config.parent / "simplegen.de.txt",
        config.parent / "simplegen.es.txt",
    )
    (one,) = read_config(config, {"langs": "en_es", "system": "echo", "max-drop": 7}).checks
    assert (one.langs, one.system, one.candidate, one.limits.max_drop) == ("en-es", "echo", None, 7)
    with pytest.raises(InputError, match="nothing checks en-fr; it has simplegen en-de, simplegen en-es"):
        read_config(config, {"langs": "en-fr"})


def test_every_format_says_the_same(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("--update")
    becomes(config, "bad")
    summary = config.parent / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    found = {name: run("-f", name) for name in ("text", "json", "junit", "markdown", "github", "csv", "latex")}
    assert {code for code, _ in found.values()} == {1}
    (record,) = json.loads(found["json"][1])
    assert (record["answer"], record["set"], record["max_drop"]) == ("regression", "custom:own.tsv", 3)
    suite = ElementTree.fromstring(found["junit"][1]).find("testsuite")  # noqa: S314 - our own
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "2", "0")
    case = suite.find("testcase")
    assert case is not None
    assert (case.get("file"), case.get("line")) == ("epicene.toml", "3")
    first = found["github"][1].splitlines()[0]
    assert first.startswith("::error file=epicene.toml,line=3,title=epicene%3A custom%3Aown.tsv en-de regression::drop")
    *tables, last = found["markdown"][1].strip().split("\n\n")
    assert summary.read_text(encoding="utf-8").strip().split("\n\n") == [last, *tables]
    assert "| all | regression | drop 33.6 " in found["markdown"][1]
    assert found["csv"][1].splitlines()[1].split(",")[3:6] == ["drop", "all", "33.57142857142857"]


def test_what_comes_from_outside_ends_no_annotation() -> None:
    assert formats._escape_data("100 %\n::error::x") == "100 %25 ::error::x"
    assert formats._escape_property("a:b,c") == "a%3Ab%2Cc"


@pytest.mark.parametrize(
    ("name", "limit", "verdict"), [("good", 3, "pass"), ("bad", 3, "fail"), ("unread", 20, "unclear")]
)
def test_the_last_line_says_pass_fail_or_unclear(config: Path, name: str, limit: int, verdict: str) -> None:
    run("--update")
    becomes(config, name)
    for output in ("text", "markdown", "github"):
        _, text = run("-f", output, "--max-drop", str(limit))
        assert text.splitlines()[-1].startswith(f"gate: {verdict} (")
    asked = CliRunner().invoke(app, ["gate", "-f", "json", "--max-drop", str(limit)])
    assert asked.stderr.splitlines()[-1].startswith(f"gate: {verdict} (")
    assert "gate:" not in run("--update")[1]
