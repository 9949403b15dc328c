"""The occupation study as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from epicene.flow import plan
from tests.conftest import Command

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
WOMEN = {"ápoló", "tanító", "fodrász"}


@pytest.fixture
def hypotheses(tmp_path: Path) -> Path:
    """A translator that says she of three jobs, forgets one, and says he of all others."""
    challenge = plan.open_set("occupations:adjectives")
    lines = []
    for item in challenge.items(plan.open_pair("hu-en", challenge)):
        word, variant = item.labels["occupation"], item.labels["variant"]
        she = word in WOMEN and variant == "plain"
        job = item.labels["english"] if variant == "plain" else f"{variant} {item.labels['english']}"
        lines.append("" if word == "hordár" else f"{'She' if she else 'He'} is a {job}.")
    path = tmp_path / "hyp.en"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_file_is_scored_against_shipped_and_own_references(epicene: Command, hypotheses: Path) -> None:
    done = epicene(
        "score", "-t", "occupations:adjectives", "-l", "hu-en", "-i", hypotheses,
        "--reference", "us-acs-2018", "--reference", EXAMPLES / "census-made-up.csv",
        "--reference", EXAMPLES / "survey-made-up.csv",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "against us-acs-2018: " in done.stdout
    assert "against survey-made-up: 10 of " in done.stdout
    assert "us-acs-2018: no row for the SOC code: 6 (honvédtiszt, katonatiszt" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines() if "|set:" not in line) <= 80
    assert "|reference:us-acs-2018@" in done.stdout
    assert "|reference:census-made-up@" in done.stdout


def test_json_has_every_occupation_and_names_those_without_a_figure(epicene: Command, hypotheses: Path) -> None:
    census = EXAMPLES / "census-made-up.csv"
    done = epicene(
        "score", "-t", "occupations:adjectives", "-l", "hu-en", "-i", hypotheses, "--reference", census, "-f", "json"
    )
    (result,) = json.loads(done.stdout)
    found = {(each["name"], each["group"]): each for each in result["measures"]}
    assert found["bias", "census-made-up occupation statisztikus"]["value"] == pytest.approx(1.7037, abs=1e-4)
    assert found["bias", "census-made-up occupation fodrász"]["value"] == 0
    assert found["she_he", "bad"]["count"] == 3
    assert found["changed", "bad"]["p"] == pytest.approx(0.3346, abs=1e-4)  # three changes, four adjectives (Holm)
    assert found["undetected", "plain"]["count"] == result["verdicts"]["empty"] / 5 == 1
    linked = found["linked", "census-made-up"]
    note, exact = result["notes"]
    assert exact == "census-made-up: no sampling error is given: the shares count as exact"
    assert note.startswith(f"census-made-up: no row for the FEOR-08 code: {linked['n'] - linked['count']} (")
    assert "miniszter" in note


def test_latex_has_the_tables_of_every_file(epicene: Command, hypotheses: Path) -> None:
    done = epicene(
        "score", "-t", "occupations:adjectives", "-l", "hu-en", "-i", hypotheses, "-i", hypotheses, "-f", "latex"
    )
    lines = done.stdout.splitlines()
    assert lines.count(r"wording, \% & n & he & she & neutral & undetected \\") == 2
    assert sum(line.startswith("female-dominated & ") for line in lines) == 2


def test_an_audit_keeps_the_run_and_its_report(epicene: Command, hypotheses: Path, tmp_path: Path) -> None:
    lines = hypotheses.read_text(encoding="utf-8").splitlines()
    plain = tmp_path / "plain.en"
    plain.write_text("\n".join(lines[: len(lines) // 5]) + "\n", encoding="utf-8")
    done = epicene("audit", "-t", "occupations", "-l", "hu-en", "-s", f"file:{plain}", "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "against us-acs-2018" in done.stdout
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "honvédtiszt" in page
    assert "occupation fodrász" not in page  # details are in results.json
    assert "occupation fodrász" in (tmp_path / "run" / "results.json").read_text(encoding="utf-8")


def test_a_reference_is_refused_before_anything_is_translated(epicene: Command, tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("feor08,women_pct\n2625,173\n", encoding="utf-8")
    done = epicene(
        "audit", "-t", "occupations", "-l", "hu-en", "-s", "echo", "--reference", bad, "-o", tmp_path / "run"
    )
    assert done.returncode == 2
    assert done.stderr == f"epicene: {bad}:2: column women_pct: 173 is over 100; expected per cent\n"
    assert not (tmp_path / "run").exists()


def test_other_sets_take_no_reference(epicene: Command, hypotheses: Path) -> None:
    done = epicene("score", "-t", "simplegen", "-l", "en-de", "-i", hypotheses, "--reference", "us-acs-2018")
    assert (done.returncode, done.stdout) == (2, "")
    assert "set simplegen is compared with no reference" in done.stderr


def test_two_references_of_one_name_are_refused(epicene: Command, hypotheses: Path, tmp_path: Path) -> None:
    other = tmp_path / "census-made-up.csv"
    other.write_text("feor08,men,women\n2625,270,730\n", encoding="utf-8")
    given = ("--reference", EXAMPLES / "census-made-up.csv", "--reference", other)
    done = epicene("score", "-t", "occupations:adjectives", "-l", "hu-en", "-i", hypotheses, *given)
    assert done.returncode == 2
    assert "two references are called census-made-up" in done.stderr


def test_a_line_too_few_is_refused(epicene: Command, tmp_path: Path) -> None:
    path = tmp_path / "short.en"
    path.write_text("He is a doctor.\n", encoding="utf-8")
    done = epicene("score", "-t", "occupations", "-l", "hu-en", "-i", path)
    assert done.returncode == 2
    assert "has 1 lines, the set has" in done.stderr


def test_who_is_written_as_a_woman_is_compared_beside_right_answers(epicene: Command, hypotheses: Path) -> None:
    done = epicene("compare", "-t", "occupations:adjectives", "-l", "hu-en", hypotheses, hypotheses)
    assert done.returncode == 0
    assert "women among women and men written" in done.stdout and "no clear change" in done.stdout
    assert "us-acs-2018 female-dominated" in done.stdout


def test_the_study_says_how_to_get_the_answers_of_2018(epicene: Command) -> None:
    done = epicene("study", "occupations", "--all")
    assert done.returncode == 0
    assert "carpenter: femininity" in done.stdout and "Prates et al.:" not in done.stdout
    assert "epicene data get prates" in " ".join(done.stdout.split())


@pytest.mark.usefixtures("titles")
def test_the_study_shows_the_papers_figures_and_the_answers_of_2018(epicene: Command) -> None:
    done = epicene("study", "occupations", "--all")
    assert done.returncode == 0
    assert max(len(line) for line in done.stdout.splitlines() if "|v:" not in line) <= 80
    for cells in (("173.44",), ("carpenter: femininity", "1.65"), ("Hungarian", "594", "350", "75")):
        assert any(all(cell in line for cell in cells) for line in done.stdout.splitlines()), cells
    assert "not here: census" in done.stdout
    assert "a small model of the project's own" in done.stdout


@pytest.mark.usefixtures("titles")
def test_the_study_computes_what_its_inputs_allow_and_draws_it(
    epicene: Command, hypotheses: Path, tmp_path: Path
) -> None:
    inputs = {
        "translations": hypotheses,
        "census": EXAMPLES / "census-made-up.csv",
        "survey": EXAMPLES / "survey-made-up.csv",
    }
    given = [part for name, path in inputs.items() for part in ("-i", f"{name}={path}")]
    done = epicene("study", "occupations", *given, "--charts", tmp_path / "figures.json", "-f", "json")
    assert done.returncode == 0, done.stderr
    tables = {each["title"]: each["rows"] for each in json.loads(done.stdout)[0]["tables"]}
    (wrong,) = [
        row
        for row in tables["Results: wrong pronouns and bias"]
        if (row["reference"], row["figure"]) == ("census", "he for women’s jobs, %")
    ]
    assert wrong["published"] == "67"
    assert 0 < wrong["ours"] <= 100
    assert wrong["interval"][0] < wrong["ours"] <= wrong["interval"][1]
    assert wrong["always_he"] == 100
    yours = {row["conclusion"]: row for row in tables["Conclusions of Farkas and Németh (2022): yours"]}
    assert yours["occupations over adjectives"]["holds"] == "unclear"  # she of three jobs: hardly any pronoun changes
    assert "closer to survey-made-up than census-made-up" in yours
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))["vconcat"]
    assert len(figures) == 8
    same = {row["reference"]: row for row in tables["Opinion and statistics on the same occupations"]}
    assert [same[name]["published"] for name in ("survey", "census", "us")] == ["20", "30", None]
    assert same["survey"]["n"] == same["census"]["n"] == 10
    assert same["census"]["difference"] == pytest.approx(same["census"]["wrong"] - same["survey"]["wrong"])
    coefficients = {
        row["language"]: row for row in tables["Figure 6: how closely opinion, and she, follow the share of women"]
    }
    assert len(coefficients) == 14
    hungarian = coefficients["Hungarian"]
    assert hungarian["opinion_interval"][0] < hungarian["opinion"] <= hungarian["opinion_interval"][1]
    assert hungarian["she_interval"][0] < hungarian["she"] < hungarian["she_interval"][1]
    assert "Yoruba (weak)" in coefficients


def test_a_chart_that_cannot_be_written_is_refused_first(epicene: Command, tmp_path: Path) -> None:
    done = epicene("study", "occupations", "--charts", tmp_path / "figures.docx")
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected a name that ends in .svg or .json" in done.stderr
