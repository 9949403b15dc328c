"""Many files in one command: each scored once, what is bad named in one line, the rest goes on."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from epicene.cli.app import app
from epicene.compare.sources import collect_entrants
from epicene.compare.table import matrices
from epicene.errors import InputError
from epicene.output.render import Format, render

N = 80
SENTENCES = {
    "en-de": ("Die Bäckerin kam {}.", "Der Bäcker kam {}."),
    "en-es": ("La panadera vino {}.", "El panadero vino {}."),
}


@pytest.fixture
def outputs(tmp_path: Path) -> tuple[str, Path]:
    """A set of sentences about bakers, and what two systems make of it in two languages."""
    table = tmp_path / "own.tsv"
    rows = [
        f"{n}\tThe baker came {n}.\tbaker\t{'feminine' if n % 2 else 'masculine'}\t\to{n // 2 % 8}" for n in range(N)
    ]
    table.write_text("\n".join(["id\tsource\tfocus\texpected\tgroup\toccupation", *rows]) + "\n", encoding="utf-8")
    folder = tmp_path / "out"
    for system, wrong in (("good", 2), ("poor", 30), ("=cmd|a", 4)):
        for pair, (woman, man) in SENTENCES.items():
            lines = [(woman if n % 2 and n // 2 >= wrong else man).format(n) for n in range(N)]
            path = folder / system / f"{pair}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"custom:{table}", folder


def test_bad_files_are_named_and_the_rest_goes_on(outputs: tuple[str, Path]) -> None:
    own, folder = outputs
    (folder / "short").mkdir()
    (folder / "short" / "en-de.txt").write_text("Der Bäcker kam.\n", encoding="utf-8")
    (folder / "short" / "en-es.txt").write_text("El panadero vino.\n" * N, encoding="utf-8")
    told: list[tuple[int, int]] = []
    found = collect_entrants([folder], [own], progress=lambda done, total: told.append((done, total)))
    assert {(each.system, each.result.langs) for each in found.entrants} == {
        (system, pair) for system in ("good", "poor", "=cmd|a") for pair in SENTENCES
    }
    assert [line.split(":")[0] for line in found.problems] == ["short en-de", "short en-es"]
    assert "has 1 lines, the set has 80 sentences" in found.problems[0]
    assert found.exit_code == 2
    assert told[0] == (0, 8) and told[-1] == (8, 8)


def test_every_format_says_the_same(outputs: tuple[str, Path]) -> None:
    own, folder = outputs
    made = matrices(collect_entrants([f"{folder}/{{system}}/{{pair}}.txt"], [own]).entrants)
    rows = list(csv.DictReader(io.StringIO(render(list(made.values()), Format.CSV))))
    women = {(row["system"], row["langs"]): row for row in rows if row["measure"] == "women"}
    assert women["good", "en-de"]["value"] == "5.0" and women["good", "mean"]["rank"] == "1"
    assert women["poor", "en-de"]["value"] == "75.0"
    # A spreadsheet must not take a name for a formula, nor Markdown for a cell of the table.
    assert ("'=cmd|a", "en-de") in women
    markdown = render([made["women"]], Format.MARKDOWN)
    assert "| good | 5.0 1" in markdown and "| =cmd\\|a |" in markdown
    assert "good in 2 of 2 languages" in markdown
    assert "good & 5.0 1" in render([made["women"]], Format.LATEX)


def test_the_command_prints_who_is_best_and_says_by_its_code_what_was_left_out(outputs: tuple[str, Path]) -> None:
    own, folder = outputs
    command = ["compare", "-t", own, "-s", f"file:{folder}/{{system}}/{{pair}}.txt"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0
    assert "Fewest: good in 2 of 2 languages" in " ".join(done.stdout.split())
    assert all(len(line) <= 80 for line in done.stdout.splitlines() if not line.startswith(("good ", "women")))
    (folder / "poor" / "en-es.txt").unlink()
    done = CliRunner().invoke(app, [*command, "-f", "json", "--measure", "men"])
    assert done.exit_code == 2
    assert "epicene: poor lacks en-es" in done.stderr
    (men,) = json.loads(done.stdout)
    assert men["measure"] == "men" and men["means"][0]["lacking"] == ["poor"]


def test_what_is_translated_must_be_said(outputs: tuple[str, Path]) -> None:
    _, folder = outputs
    with pytest.raises(InputError, match="say what the files translate with -t SET"):
        collect_entrants([folder])
