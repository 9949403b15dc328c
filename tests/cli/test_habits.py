"""What every command has: -q and -v, completion, help that is not cut, and the same results in every format."""

from __future__ import annotations

import csv
import inspect
import io
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import epicene as package
from epicene.cli import options
from epicene.cli.app import app
from epicene.cli.main import COMMANDS, TASKS
from epicene.embeddings.genderscore import choose
from epicene.embeddings.vectors import Settings
from epicene.options import Asking, Limits, Scoring
from epicene.output.table import format_measure

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Nothing that a command was told stays for the next one."""
    logger = logging.getLogger("epicene")
    before = logger.level, list(logger.handlers), logger.propagate
    yield
    logger.level, logger.handlers, logger.propagate = before
    options._quiet = False


def invoke(*arguments: str, **environment: str) -> str:
    done = CliRunner().invoke(app, list(arguments), env=environment, prog_name="epicene")
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stdout


def test_help_is_by_task_and_nothing_of_it_is_cut() -> None:
    text = invoke("--help", COLUMNS="80", TERMINAL_WIDTH="80")
    assert [task for task in TASKS if f"\n{task}:\n" in text] == list(TASKS)
    for name in COMMANDS:
        assert f"\n  {name} " in text
    assert "..." not in text.partition("[ARGS]...")[2]
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize(
    ("typed", "offers"),
    [
        ("epicene score -t simp", "simplegen"),
        ("epicene audit -s ctr", "ctranslate2:"),
        ("epicene audit -s bun", "bundled"),
        ("epicene score -t mt-geneval -l en-h", "en-hi"),
        ("epicene score -l en-d", "en-de"),
        ("epicene study ges", "gest"),
        ("epicene data get wino", "winomt"),
        ("epicene sets show mitt", "mittens"),
        ("epicene gat", "gate"),
    ],
)
def test_a_shell_completes_sets_systems_and_languages(typed: str, offers: str) -> None:
    asked = {"_EPICENE_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": typed}
    assert offers in invoke(**asked).replace("\\", "").replace('"', " ").split()


# What a function calls otherwise, or returns where a command writes or prints it.
_OTHERWISE = {"set": "set_name", "input": "translations", "no_cache": "cached"}
_PRINTED = {"format", "help", "quiet", "verbose", "verdicts", "estimate", "pairs"}
_PRINTED |= {
    "measure",
    "init",
    "config",
    "update",
    "system",
    "charts",
    "words",
    "output",
    "test",
    "seeds",
    "name",
    "list",
    "cite",
    "score_only",
}


@pytest.mark.parametrize("name", ["audit", "score", "translate", "compare", "gate", "explain", "weat", "genderscore"])
def test_options_are_called_like_the_parameters_of_the_api(name: str) -> None:
    command = typer.main.get_command(app).get_command(None, name)
    function = getattr(package, name)
    known = set(inspect.signature(function).parameters)
    for record, kind in {"scoring": Scoring, "asking": Asking, "limits": Limits}.items():
        known |= set(kind.__dataclass_fields__) if record in known else set()
    if name == "genderscore":
        known |= set(inspect.signature(choose).parameters) | {
            "candidates",
            "sentence",
            "set",
        }  # what makes a set of one's own
    if name == "weat":
        known |= set(Settings.__dataclass_fields__)  # what **settings takes
    for option in (each for each in command.params if each.opts[0].startswith("--")):
        called = option.opts[0].removeprefix("--").replace("-", "_")
        names = {
            called,
            f"{called}s",
            _OTHERWISE.get(called, called),
            *(["text"] if called in ("set", "input") else []),
        }
        assert names & known or called in _PRINTED, f"{name} {option.opts[0]}: the API has {sorted(known)}"


def scored(tmp_path: Path) -> tuple[str, ...]:
    rows = [f"{n}\tThe nurse came {n}.\tnurse\tfeminine\t\to{n % 7}" for n in range(28)]
    table, texts = tmp_path / "own.tsv", tmp_path / "=hyp.de"
    table.write_text("\n".join(["id\tsource\tfocus\texpected\tgroup\toccupation", *rows]) + "\n", encoding="utf-8")
    texts.write_text("".join(f"Die Krankenschwester kam {n}.\n" for n in range(28)), encoding="utf-8")
    return ("score", "-t", f"custom:{table}", "-l", "en-de", "-i", str(texts), "--anyway")


def test_csv_markdown_pandas_and_notebooks_say_what_json_says(tmp_path: Path) -> None:
    asked = scored(tmp_path)
    result = package.score("custom:" + asked[2].partition(":")[2], "en-de", asked[6], anyway=True)
    table = list(csv.DictReader(io.StringIO(invoke(*asked, "-f", "csv"))))
    assert [row["name"] for row in table] == [each.name for each in result.measures]
    assert float(table[0]["value"]) == result.measures[0].value
    assert list(result.to_frame().columns) == list(table[0])
    text = invoke(*asked, "-f", "markdown")
    assert "| % | n | accuracy |" in text.replace("  ", " ")
    assert f"`{result.signature}`" in text
    page = result._repr_html_()
    assert format_measure(result["accuracy"]) in page
    assert result.signature.replace("&", "&amp;") in page


def test_v_says_what_is_done_and_q_says_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "scored, 28 sentences" in CliRunner().invoke(app, [*scored(tmp_path), "-v"]).stderr
    assert "scored, 28 sentences" in CliRunner().invoke(app, ["-v", *scored(tmp_path)]).stderr
    options.be_quiet(asked=True)
    options.note("something")
    logging.getLogger("epicene.test").warning("something")
    assert capfd.readouterr().err == ""
    options.warn("failed: a server said \x1b[31m\n::error::so")  # what must be said passes the boundary
    assert capfd.readouterr().err == "failed: a server said ␛[31m ::error::so\n"
