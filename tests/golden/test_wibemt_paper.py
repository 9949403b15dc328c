"""WiBeMT's published numbers, from the authors' categories to the printed digit, and our detector beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from epicene.sets import files as store
from epicene_lab.studies.wibemt.readings import AUTHORS, DETECTOR, Agreement, Reading, read
from epicene_lab.studies.wibemt.tables import published as printed
from tests.conftest import Command

Readings = tuple[list[Reading], Agreement | None]
# feminine, masculine, neutral, wrong of the authors' categories
COUNTS = {
    ("deepl", "verbs/feminine"): (242, 1784, 30, 23),
    ("deepl", "verbs/masculine"): (135, 1905, 23, 16),
    ("google", "verbs/feminine"): (120, 1876, 9, 74),
    ("google", "verbs/masculine"): (109, 1899, 14, 57),
}
CHI2 = {
    ("deepl", "H1"): 33.66, ("deepl", "occ-M"): 306.5, ("deepl", "occ-N"): 351.6,
    ("google", "H1"): 0.53, ("google", "occ-M"): 260.1, ("google", "occ-N"): 256.2,
}  # fmt: skip
SYSTEMS = ("deepl", "google")


@pytest.fixture(scope="module")
def read_once(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Readings]:
    """Reads the published translations of a system, by the authors' categories and by us."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EPICENE_HOME", str(tmp_path_factory.mktemp("home")))
        folder = store.add("wibemt", published / "wibemt") / "translations"
    return cache(lambda system: read(system, str(folder / f"{system}.tsv")))


@pytest.mark.parametrize("system", SYSTEMS)
def test_categories_give_the_papers_counts_rates_and_tests(read_once: Callable[[str], Readings], system: str) -> None:
    readings, _ = read_once(system)
    by_how = {reading.how: reading.measures for reading in readings}
    found = by_how[AUTHORS]
    for (name, group), wanted in COUNTS.items():
        if name == system:
            assert tuple(found[each, group].count for each in ("feminine", "masculine", "neutral", "wrong")) == wanted
    for (name, test), value in CHI2.items():
        if name == system:
            digits = len(str(value).partition(".")[2])
            assert round(found["chi2", test].value or 0, digits) == value
    for (measure, group), text in printed(system).items():
        if group.startswith("verbs/") and text[0].isdigit():
            digits = len(text.partition(".")[2])
            assert f"{found[measure, group].value:.{digits}f}" == text, (measure, group)


@pytest.mark.parametrize("system", SYSTEMS)
def test_hypothesis_1_is_decided_as_in_the_paper(read_once: Callable[[str], Readings], system: str) -> None:
    readings, _ = read_once(system)
    for reading in readings:
        p = reading.measures["chi2", "H1"].p
        assert p is not None
        assert (p < 0.001) == (system == "deepl")


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_detector_agrees_with_the_authors(read_once: Callable[[str], Readings], system: str) -> None:
    (_, ours), agreement = read_once(system)
    assert ours.how == DETECTOR
    assert agreement is not None
    assert agreement.gendered[0] >= 0.995 * agreement.gendered[1]
    assert agreement.everything[1] == 4_158
    assert agreement.everything[0] >= 0.98 * 4_158


def test_the_study_prints_ours_beside_the_published_numbers(published: Path, epicene: Command) -> None:
    epicene("data", "add", "wibemt", published / "wibemt")
    found = json.loads(epicene("study", "wibemt", "-f", "json").stdout)[0]
    tables: dict[str, list[dict[str, Any]]] = {
        table["title"].partition(":")[0]: table["rows"] for table in found["tables"]
    }
    figure = {(row["system"], row["from"], row["group"]): row["value"] for row in tables["Figure 2"]}
    assert figure["deepl", "paper", "feminine verbs"] == "11.9"
    assert round(figure["deepl", "authors", "feminine verbs"], 1) == 11.9
    assert figure["microsoft", "paper", "feminine verbs"] == "7.5"
    tests = {(row["system"], row["from"], row["test"]): row for row in tables["Hypotheses"]}
    assert tests["deepl", "authors", "H1"]["holds"] == "yes"
    assert tests["google", "authors", "H1"]["holds"] == "no"
    assert tests["microsoft", "paper", "H2c"]["chi2"] == "59.1"
    assert len(tables["Figure 4"]) == 18
    assert {row["effect"] for row in tables["Logistic model"]} == {
        "feminine verb (masculine)",
        "occupation's score (+1)",
    }
    assert set(found["missing"]) == {"microsoft", "vectors"}
    text = epicene("study", "wibemt", "--all").stdout
    assert "…" not in text
    assert max(len(line) for line in text.splitlines() if "|langs:" not in line) <= 80


def test_the_papers_gender_scores_go_with_the_share_of_women(epicene: Command) -> None:
    found = json.loads(epicene("study", "wibemt", "-f", "json").stdout)[0]
    row = found["tables"][0]["rows"][0]
    assert (row["score"], row["n"], round(row["r"], 2)) == ("paper", 66, -0.81)


def test_a_file_of_plain_lines_is_told_by_its_length(published: Path, tmp_path: Path, epicene: Command) -> None:
    rows = (published / "wibemt" / "verb_translations_deepl.tsv").read_text(encoding="utf-8").splitlines()[1:]
    plain = tmp_path / "mine.de"
    plain.write_text("".join(row.split("\t")[6] + "\n" for row in rows), encoding="utf-8")
    found = json.loads(epicene("study", "wibemt", "-i", f"mine={plain}", "-f", "json").stdout)[0]
    tests = next(table for table in found["tables"] if table["title"] == "Hypotheses")
    mine = [row for row in tests["rows"] if row["system"] == "mine"]
    assert {row["test"] for row in mine} == {"H1", "occ-M", "occ-N"}
    plain.write_text("Hallo.\n", encoding="utf-8")
    done = epicene("study", "wibemt", "--all", "-i", f"mine={plain}")
    assert done.returncode == 2
    assert "mine.de has 1 lines; expected 4158 (wibemt-verbs)" in done.stderr


@pytest.mark.parametrize("how", ["file", "lines"])
def test_published_translations_are_scored_as_they_are(
    published: Path, tmp_path: Path, epicene: Command, how: str
) -> None:
    path = published / "wibemt" / "verb_translations_deepl.tsv"
    if how == "lines":
        rows = path.read_text(encoding="utf-8").splitlines()[1:]
        path = tmp_path / "deepl.de"
        path.write_text("".join(row.split("\t")[6] + "\n" for row in rows), encoding="utf-8")
    done = epicene("score", "-t", "wibemt-verbs", "-l", "en-de", "-i", path, "-f", "json")
    (found,) = json.loads(done.stdout)
    assert (found["n"], found["verdicts"]["neutral"]) == (4158, 53)
    assert found["verdicts"]["feminine"] == pytest.approx(377, abs=8)
    names = {each["name"] for each in found["measures"]}
    assert names == {"tfg", "feminine", "masculine", "neutral", "wrong", "chi2", "delta_tfg", "odds_ratio", "share"}
