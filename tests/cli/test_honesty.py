"""What would give a wrong answer without a word is refused: options twice, inputs overwritten, folders edited."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from epicene import apply_review, audit, open_run
from epicene.cli.app import app
from epicene.errors import EpiceneError, InputError, SystemFailure
from epicene.files import read_lines
from epicene.flow import ask
from epicene.flow.plan import open_pair, open_set
from epicene.result import Result
from epicene.types import Pair
from tests.conftest import Command

TABLE = "id\tsource\tfocus\texpected\n1\tThe nurse left.\tnurse\tfeminine\n2\tThe baker left.\tbaker\tmasculine\n"


@pytest.fixture
def task(tmp_path: Path) -> list[str]:
    """A set of two sentences."""
    (tmp_path / "set.tsv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "hyp.de").write_text("Die Krankenschwester ging.\nDer Bäcker ging.\n", encoding="utf-8")
    return ["-t", f"custom:{tmp_path / 'set.tsv'}", "-l", "en-de"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "-i", "HYP"],
        ["gate", "--baseline", "HYP", "--candidate", "HYP", "--max-drop", "2"],
        ["translate", "-s", "echo", "-o", "OUT"],
    ],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.parametrize("twice", [["-l", "en-es"], ["--langs", "en-es"], ["-t", "simplegen"]], ids=" ".join)
def test_an_option_of_one_value_is_taken_once(
    task: list[str], tmp_path: Path, arguments: list[str], twice: list[str]
) -> None:
    files = {"HYP": str(tmp_path / "hyp.de"), "OUT": str(tmp_path / "out.de")}
    with pytest.raises(InputError, match="is given 2 times; expected once"):
        app([*(files.get(each, each) for each in arguments), *task, *twice])


def test_options_of_subcommands_are_taken_once_too() -> None:
    with pytest.raises(InputError, match="-l / --langs is given 2 times"):
        app(["sets", "export", "simplegen", "-l", "en-de", "-l", "en-es"])


def test_what_is_read_is_not_written_over(task: list[str], tmp_path: Path) -> None:
    hypotheses = tmp_path / "hyp.de"
    before = hypotheses.read_bytes()
    link = tmp_path / "link.jsonl"
    link.symlink_to(hypotheses)
    for verdicts in (hypotheses, link, tmp_path / "set.tsv"):
        with pytest.raises(InputError, match="is read, so it cannot be written to"):
            app(["score", *task, "-i", str(hypotheses), "--verdicts", str(verdicts)])
    assert hypotheses.read_bytes() == before


def test_an_audit_overwrites_its_own_run_and_no_other(task: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def audit_system(system: str, **options: bool) -> None:
        audit([task[1]], ["en-de"], [system], folder=folder, cached=False, **options)

    audit_system(f"file:{tmp_path / 'hyp.de'}")
    audit_system(f"file:{tmp_path / 'hyp.de'}")
    with pytest.raises(InputError, match=r"keeps another run .*hyp\.de.*force=True"):
        audit_system("echo")
    audit_system("echo", force=True)
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["systems"] == ["echo"]


def test_a_system_that_fails_leaves_others_their_results(task: list[str], tmp_path: Path, epicene: Command) -> None:
    answers = tmp_path / "answers.tsv"
    answers.write_text("The nurse left.\tDie Krankenschwester ging.\n", encoding="utf-8")
    systems = ["-s", f"scripted:{answers}", "-s", f"file:{tmp_path / 'hyp.de'}"]
    done = epicene("audit", *task, *systems, "-o", str(tmp_path / "run"))
    assert done.returncode == 4
    assert "Not measured" in done.stdout and "has no answer for 'The baker left.'" in done.stderr
    run = open_run(tmp_path / "run")
    assert [result.n for result in run.results] == [2]
    assert [failure.exit_code for failure in run.failures] == [4]
    assert "Not measured: scripted" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "Not measured: scripted" in run.report(tmp_path / "again.html").read_text(encoding="utf-8")


def test_where_every_system_fails_the_first_error_is_raised(task: list[str], tmp_path: Path) -> None:
    answers = tmp_path / "answers.tsv"
    answers.write_text("The nurse left.\tDie Krankenschwester ging.\n", encoding="utf-8")
    with pytest.raises(SystemFailure, match="no answer"):
        audit([task[1]], ["en-de"], [f"scripted:{answers}"], folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()


class Talkative:
    """Answers in several lines, by every character that ends one for somebody."""

    identity = "talkative"
    batch_size = None

    def translate(self, sources: list[str], pair: Pair) -> list[str]:
        return [f"eins\n{source}\r\nzwei\u2028drei\x85vier" for source in sources]


def test_an_answer_is_one_line() -> None:
    assert ask.translate(Talkative(), ["a", "b"], Pair("en", "de")) == [
        "eins a zwei drei vier",
        "eins b zwei drei vier",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "BOM"])
def test_tables_of_spreadsheets_are_read(tmp_path: Path, end: str, mark: str) -> None:
    path = tmp_path / "set.tsv"
    path.write_bytes((mark + TABLE.replace("\n", end)).encode())
    challenge = open_set(f"custom:{path}")
    assert [item.id for item in challenge.items(open_pair("en-de", challenge))] == ["1", "2"]


def test_ids_of_a_set_are_unique(tmp_path: Path) -> None:
    path = tmp_path / "set.tsv"
    path.write_text(TABLE.replace("\n2\t", "\n1\t"), encoding="utf-8")
    challenge = open_set(f"custom:{path}")
    with pytest.raises(InputError, match=r"set\.tsv:3: the id '1' is already in line 2"):
        list(challenge.items(open_pair("en-de", challenge)))


def test_a_corrupt_gzip_file_is_named(tmp_path: Path) -> None:
    import gzip

    packed = bytearray(gzip.compress(b"Ein Satz.\n" * 1000))
    packed[20:30] = b"\xff" * 10
    (tmp_path / "hyp.gz").write_bytes(bytes(packed))
    with pytest.raises(InputError, match=r"hyp\.gz: broken gzip file"):
        list(read_lines(tmp_path / "hyp.gz"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_standard_output_is_one_line(epicene: Command, tmp_path: Path) -> None:
    import subprocess

    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "epicene", "sets", "list"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 4
    assert done.stderr == "epicene: standard output: No space left on device\n"


@pytest.fixture
def run(task: list[str], tmp_path: Path) -> Path:
    audit([task[1]], ["en-de"], [f"file:{tmp_path / 'hyp.de'}"], folder=tmp_path / "run", cached=False)
    return tmp_path / "run"


@pytest.mark.parametrize("name", ["results.json", "verdicts.jsonl", "outputs.jsonl"])
def test_a_run_that_was_edited_is_refused_and_shown_anyway_with_a_warning(run: Path, name: str) -> None:
    path = run / name
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"value": 100.0', '"value": 99.0').replace("ging", "kam"), encoding="utf-8")
    for read in (open_run, apply_review):
        with pytest.raises(InputError, match=rf"{name}: not as the run wrote it"):
            read(run)
    (result,) = open_run(run, anyway=True).results
    assert any(name in warning for warning in result.warnings)
    page = open_run(run, anyway=True).report(run / "page.html").read_text(encoding="utf-8")
    assert "Not to be believed" in page


def test_a_run_of_another_version_is_checked_anew(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []

    def check(results: list[Result], anyway: bool) -> list[Result]:
        checked.extend(result.set for result in results)
        return results

    monkeypatch.setattr("epicene.check.check.check_results", check)
    assert open_run(run).results and not checked
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps({**record, "epicene": "0.2.0"}), encoding="utf-8")
    assert open_run(run).results and len(checked) == 1


@pytest.mark.parametrize(
    "harm",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('"n": 2', '"n": 1e400'),
        lambda text: text.replace('"n": 2', '"n": NaN'),
        lambda text: text.replace('"n": 2', '"n": null'),
        lambda text: text.replace('"measures"', '"other"'),
        lambda text: "[" * 100_000,
        lambda text: "null",
        lambda text: "",
    ],
    ids=["cut", "huge", "nan", "null", "key", "deep", "nothing", "empty"],
)
def test_a_damaged_run_ends_in_one_line(run: Path, harm: Callable[[str], str]) -> None:
    path = run / "results.json"
    path.write_text(harm(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(EpiceneError, match=r"results\.json") as refused:
        open_run(run, anyway=True)
    assert "\n" not in str(refused.value)
