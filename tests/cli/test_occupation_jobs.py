"""Wrong jobs named, weak words marked, own lists and samples, and systems judged by a reference."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from typer.testing import CliRunner

from epicene.cli.app import app
from epicene.errors import InputError
from epicene.flow import plan
from epicene_lab.studies.occupations import run

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def epicene(*arguments: str | Path) -> CompletedProcess[str]:
    """The command, in this process."""
    done = CliRunner().invoke(app, [str(each) for each in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def test_the_text_names_the_wrong_jobs_and_the_share_of_women(tmp_path: Path) -> None:
    score = (
        "score", "-t", "occupations", "-l", "hu-en", "-i", plain_of("hu-en", tmp_path),
        "--reference", EXAMPLES / "census-made-up.csv",
    )  # fmt: skip
    done = epicene(*score, "-f", "json")
    (result,) = json.loads(done.stdout)
    wrong = [each for each in result["measures"] if each["name"].startswith("wrongly_")]
    assert [each["name"] for each in wrong] == ["wrongly_he"] * len(wrong)
    assert wrong[0]["label"]
    biases = [each["value"] for each in wrong]
    shares = {each["group"]: each["value"] for each in result["measures"] if each["name"] == "women"}
    even = [45 <= shares[each["group"]] <= 55 for each in wrong]
    assert even == sorted(even)  # jobs that as many women as men do come last
    clear = biases[: len(biases) - sum(even)]
    assert clear == sorted(clear, reverse=True)
    text = epicene(*score).stdout
    assert wrong[0]["label"] in text
    assert "correlation of she with the share of women" in text
    assert "45–55 % women" in text
    assert max(map(len, (line for line in text.splitlines() if "|set:" not in line))) <= 80


def plain_of(langs: str, folder: Path) -> Path:
    challenge = plan.open_set("occupations")
    found = challenge.items(plan.open_pair(langs, challenge))
    path = folder / f"{langs}.en"
    path.write_text("".join(f"He is a {item.labels['english']}.\n" for item in found), encoding="utf-8")
    return path


@pytest.mark.usefixtures("titles")
def test_weak_words_are_marked_in_every_output(tmp_path: Path) -> None:
    score = ("score", "-t", "occupations", "-l", "sw-en", "-i", plain_of("sw-en", tmp_path))
    assert "\nweak: the words of this language" in epicene(*score).stdout
    assert epicene(*score, "-f", "latex").stdout.count("% weak: the words of this language") == 1
    (result,) = json.loads(epicene(*score, "-f", "json").stdout)
    assert result["notes"][0].startswith("weak: ")
    compared = epicene("compare", "-t", "occupations", "-l", "sw-en", score[-1], score[-1])
    assert "weak: the words of this language" in " ".join(compared.stdout.split())
    exported = epicene("sets", "export", "occupations", "-l", "sw-en", "-o", tmp_path / "source.sw")
    assert exported.stderr.startswith("weak: the words of occupations sw-en")
    checked = ("score", "-t", "occupations", "-l", "tr-en", "-i", plain_of("tr-en", tmp_path))
    (result,) = json.loads(epicene(*checked, "-f", "json").stdout)
    assert result["notes"][0] == "words: common ones, chosen and linked by hand; not an official list"
    assert "words (official, hand, weak or own)" in " ".join(epicene("sets", "show", "occupations").stdout.split())


def test_the_papers_own_occupations_can_be_scored(tmp_path: Path) -> None:
    jobs, lines = tmp_path / "jobs.csv", tmp_path / "jobs.en"
    jobs.write_text("occupation,feor08,english\nstatisztikus,2625,statistician\nfodrász,5211,hairdresser\n")
    lines.write_text("He is a statistician.\nShe is a hairdresser.\n")
    census = str(EXAMPLES / "census-made-up.csv")
    study = run({"list": str(jobs), "translations": str(lines), "census": census})
    (results,) = [each for each in study.parts if each.title == "Results: wrong pronouns and bias"]
    wrong = next(row for row in results.as_dict()["rows"] if row["figure"] == "wrong pronouns, %")
    assert (wrong["reference"], wrong["ours"], wrong["n"]) == ("census", 50, 2)
    with pytest.raises(InputError, match="give them too: -i translations=FILE"):
        run({"list": str(jobs)})


def test_several_samples_of_a_sentence_make_one_error(tmp_path: Path) -> None:
    jobs, lines = tmp_path / "jobs.csv", tmp_path / "samples.en"
    jobs.write_text("occupation,feor08\nstatisztikus,2625\n")
    lines.write_text("He is a statistician.\nShe is a statistician.\nShe's a statistician.\nThey count.\n")
    done = epicene(
        "score", "-t", f"occupations:{jobs}?samples=4", "-l", "hu-en", "-i", lines,
        "--reference", EXAMPLES / "census-made-up.csv", "-f", "json", "--anyway",
    )  # fmt: skip
    (result,) = json.loads(done.stdout)
    found = {(each["name"], each["group"]): each for each in result["measures"]}
    group = "census-made-up occupation statisztikus"
    assert found["error", group]["value"] == pytest.approx((73 + 27 + 27) / 3)  # 73 % women; they names nobody
    assert found["bias", group]["value"] == pytest.approx(((73 + 27 + 27) / 3 - 27) / 27)
    assert (found["she", group]["value"], found["she", group]["n"]) == (pytest.approx(200 / 3), 3)
    assert (found["wrong", "census-made-up"]["count"], found["wrong", "census-made-up"]["n"]) == (1, 4)
    assert found["linked", "census-made-up"]["n"] == 1


def two(folder: Path, langs: str = "tr-en") -> tuple[Path, Path]:
    """A translator that says he of everybody, and one that says she of nurses, teachers and hairdressers."""
    challenge = plan.open_set("occupations")
    women = ("nurse", "teacher", "hairdresser", "secretary", "midwife", "receptionist", "cleaner", "librarian")
    paths = folder / "he.en", folder / "better.en"
    for path, better in zip(paths, (False, True), strict=True):
        lines = []
        for item in challenge.items(plan.open_pair(langs, challenge)):
            job = item.labels["english"]
            she = better and any(word in job for word in women)
            lines.append(f"{'She' if she else 'He'} is a {job}.\n")
        path.write_text("".join(lines), encoding="utf-8")
    return paths


def test_systems_are_compared_and_judged_by_a_reference(tmp_path: Path) -> None:
    he, better = two(tmp_path)
    done = epicene("compare", "-t", "occupations", "-l", "tr-en", he, better, "-f", "json")
    assert done.returncode == 0, done.stderr
    changes = {(each["measure"], each["group"]): each for each in json.loads(done.stdout)[0]["changes"]}
    assert changes["right", "us-acs-2018 female-dominated"]["gained"] >= 15
    assert changes["right", "us-acs-2018 male-dominated"]["lost"] <= 2  # cleaners of windows and streets
    assert changes["right", "us-acs-2018"]["said"] == "better"
    asked = ("gate", "-t", "occupations", "-l", "tr-en", "--max-drop", "2", "-f", "json")
    # Men's jobs may have lost more than two points, so nobody can tell; women's jobs are clear.
    women = ("--group", "us-acs-2018 female-dominated")
    assert epicene(*asked, *women, "--baseline", he, "--candidate", better).returncode == 0
    worse = epicene(*asked, "--baseline", better, "--candidate", he)
    assert worse.returncode == 1, worse.stderr
    judged = json.loads(worse.stdout)[0]["judgements"]
    assert {each["group"] for each in judged} >= {"us-acs-2018", "us-acs-2018 female-dominated"}


def test_the_set_names_its_own_reference_for_compare_and_gate(tmp_path: Path) -> None:
    he, better = two(tmp_path, "fi-en")
    mine = tmp_path / "mine.csv"
    mine.write_text("isco08,women_pct\n2221,95\n5141,90\n2,60\n7,3\n", encoding="utf-8")
    done = epicene("compare", "-t", f"occupations?reference={mine}", "-l", "fi-en", he, better)
    assert done.returncode == 0, done.stderr
    assert "mine female-dominated" in done.stdout
    assert "|reference:mine@" in done.stdout


def test_runs_are_compared_by_the_references_that_they_were_scored_with(tmp_path: Path) -> None:
    folders = []
    for path in two(tmp_path):
        folders.append(tmp_path / path.stem)
        made = epicene(
            "audit",
            "-t",
            "occupations",
            "-l",
            "tr-en",
            "-s",
            f"file:{path}",
            "-o",
            folders[-1],
            "--reference",
            "fi-2009",
        )
        assert made.returncode == 0, made.stderr
        path.unlink()
    done = epicene("compare", *folders)
    assert done.returncode == 0, done.stderr
    assert "fi-2009 female-dominated" in done.stdout
