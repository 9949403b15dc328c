"""Another package brings one of each kind through entry points, and the command line uses all of them.

The package under ``plugin`` is built and installed as a user would; nothing of epicene is touched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import Command

PLUGIN = Path(__file__).parent / "plugin"
WOMEN_RIGHT = "\n".join(
    f"La {noun}{end} vizitis." for noun in ("instruist", "flegist", "kuracist") for end in ("ino", "o")
)


def install(source: Path, where: Path) -> str:
    """Build and install a package into a folder; the PYTHONPATH that finds it before all else."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    options = ["--no-index", "--no-build-isolation", "--no-deps", "--target", str(where)]
    done = subprocess.run([*pip, *options, str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return os.pathsep.join(filter(None, [str(where), os.environ.get("PYTHONPATH")]))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The PYTHONPATH of an environment with the package."""
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(PLUGIN, folder / "source")
    return install(folder / "source", folder / "site")


@pytest.fixture
def extended(program: Command, path: str) -> Command:
    """The command line with the package beside it."""
    return partial(program, PYTHONPATH=path)


def test_without_the_package_nothing_of_it_is_known(epicene: Command) -> None:
    assert "visits" not in epicene("sets", "list").stdout
    done = epicene("sets", "show", "visits")
    assert (done.returncode, "unknown set 'visits'" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (("sets", "list"), "visits Visits: people who visit their mothers"),
        (("systems", "list"), "visitor:HOW"),
        (("speech", "voices"), "humming female here a voice that hums"),
        (("data", "list"), "visits not here Visits: what was said there"),
        (("study",), "visits Visits: how many women are expected"),
    ],
)
def test_what_it_brings_is_listed_beside_our_own(extended: Command, command: tuple[str, ...], line: str) -> None:
    done = extended(*command)
    assert done.returncode == 0, done.stderr
    assert any(" ".join(row.split()).startswith(line) for row in done.stdout.splitlines())


def test_its_set_is_scored_by_its_own_detectors_and_family_and_shown_in_its_own_tables(
    extended: Command, tmp_path: Path
) -> None:
    file = tmp_path / "hyp.eo"
    file.write_text(WOMEN_RIGHT + "\n", encoding="utf-8")
    done = extended("score", "-t", "visits", "-l", "en-eo", "-i", file)
    assert done.returncode == 0, done.stderr
    assert "women who visit: 3 of 6" in done.stdout
    (found,) = json.loads(extended("score", "-t", "visits", "-l", "eng-epo", "-i", file, "-f", "json").stdout)
    assert "|detector:ino1|" in found["signature"]
    rates = [(each["name"], each["group"], each["value"], each["n"]) for each in found["measures"]]
    misgendered = [("misgendered", group, 0.0, n) for group, n in (("all", 6), ("female", 3), ("male", 3))]
    assert rates == [("women", "all", 50.0, 6), *misgendered]
    done = extended("score", "-t", "visits", "-l", "en-eo", "-i", file, "-f", "json", "--protocol", "paper", "--anyway")
    (found,) = json.loads(done.stdout)
    assert "|detector:strict1|" in found["signature"]
    assert (found["verdicts"]["feminine"], found["verdicts"]["unknown"]) == (3, 3)


def test_its_language_is_read_by_our_own_detector(extended: Command, tmp_path: Path) -> None:
    table, file = tmp_path / "own.tsv", tmp_path / "own.eo"
    rows = ["id\tsource\tfocus\texpected", "1\tThe teacher came.\tteacher\tfeminine", "2\tThe nurse came.\tnurse\t"]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    file.write_text("La instruistino venis.\nLa vira flegisto venis.\n", encoding="utf-8")
    done = extended("score", "-t", f"custom:{table}", "-l", "en-eo", "-i", file, "-f", "json")
    assert done.returncode == 0, done.stderr
    shares = {
        each["group"]: each["count"] for each in json.loads(done.stdout)[0]["measures"] if each["name"] == "share"
    }
    assert shares == {"feminine": 1, "masculine": 1, "neutral": 0, "unknown": 0}


@pytest.mark.parametrize(
    ("source", "person", "text", "step"),
    [
        ("I am a teacher.", "I", "Mi estas instruistino.", "agreement: predicate"),  # by its rules of persons
        ("The astronaut came.", "astronaut", "La astronaŭtino venis.", "translated form"),  # by its table of forms
    ],
)
def test_its_language_brings_forms_and_rules_of_the_first_person(
    extended: Command, source: str, person: str, text: str, step: str
) -> None:
    done = extended("explain", "-l", "en-eo", source, text, "--person", person, "-f", "json")
    assert done.returncode == 0, done.stderr
    (verdict,) = json.loads(done.stdout)
    assert (verdict["gender"], verdict.get("step", verdict.get("method"))) == ("feminine", step)


def test_its_system_is_audited_compared_and_gated(extended: Command, tmp_path: Path) -> None:
    for how in ("right", "generic"):
        done = extended("audit", "-t", "visits", "-l", "en-eo", "-s", f"visitor:{how}", "-o", tmp_path / how)
        assert done.returncode == 0, done.stderr
        assert "visitor:" in done.stdout
    page = (tmp_path / "right" / "report.html").read_text(encoding="utf-8")
    for words in ("Visits: people who visit", "Who visits whom?", "visits by daughters", "Where they work"):
        assert words in page
    done = extended("compare", tmp_path / "right", tmp_path / "generic", "-f", "json")
    assert done.returncode == 0, done.stderr
    changes = {each["group"]: each["difference"] for each in json.loads(done.stdout)[0]["changes"]}
    assert changes == {"all": -50.0, "feminine": -100.0, "masculine": 0.0}
    done = extended("translate", "-t", "visits", "-l", "en-eo", "-s", "visitor:wrong")
    assert (done.returncode, "expected visitor:right or visitor:generic" in done.stderr) == (2, True)


def test_its_voice_speaks_and_its_recogniser_hears(extended: Command, tmp_path: Path) -> None:
    spoken = tmp_path / "spoken"
    done = extended("speech", "synthesize", "-t", "visits", "-l", "en-eo", "--voice", "humming", "-o", spoken)
    assert done.returncode == 0, done.stderr
    assert len(list(spoken.glob("humming/*.wav"))) == 6
    done = extended("speech", "transcribe", spoken, "-r", "remembering")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("The doctor visited her mother.\tThe doctor visited her mother.") == 1
    pytest.importorskip("jiwer")
    task = ("-t", f"spoken:visits@{spoken}", "-l", "en-eo", "-s", "cascade:remembering+visitor:right")
    done = extended("audit", *task, "-o", tmp_path / "run", "-f", "json")
    assert done.returncode == 0, done.stderr
    women = [each for each in json.loads(done.stdout)[0]["measures"] if each["name"] == "women"]
    assert women[0]["value"] == 50.0


def test_its_study_is_printed(extended: Command, tmp_path: Path) -> None:
    (tmp_path / "any").touch()
    done = extended("study", "visits", "-i", f"visits={tmp_path / 'any'}")
    assert done.returncode == 0, done.stderr
    assert "Table 1" in done.stdout
    done = extended("study", "visits", "-i", "other=x")
    assert (done.returncode, "unknown input 'other'" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (
            "epicene_visits.scoring:DETECTOR",
            "set visits: epicene_visits.scoring:DETECTOR is a DetectorFactory; expected a ",
        ),
        ("epicene_visits.visits:NOWHERE", "epicene.sets visits: cannot load epicene_visits.visits:NOWHERE of "),
        ("epicene_nowhere:SET", "of epicene-visits: No module named 'epicene_nowhere'"),
    ],
)
def test_what_is_not_what_it_says_is_refused_in_one_line(
    program: Command, path: str, tmp_path: Path, value: str, says: str
) -> None:
    site = tmp_path / "site"
    shutil.copytree(path.split(os.pathsep)[0], site)
    (points,) = site.glob("*.dist-info/entry_points.txt")
    points.write_text(points.read_text(encoding="utf-8").replace("epicene_visits.visits:SET", value), "utf-8")
    rest = path.split(os.pathsep)[1:]
    done = program("sets", "show", "visits", PYTHONPATH=os.pathsep.join([str(site), *rest]))
    assert done.returncode == 2
    assert done.stderr.startswith("epicene: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_kind_that_is_no_more_says_what_to_do(program: Command, path: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(path.split(os.pathsep)[0], site)
    (points,) = site.glob("*.dist-info/entry_points.txt")
    old = "\n[epicene.views]\nvisits = epicene_visits.visits:tables\n[epicene.measures]\nwomen = epicene_visits.visits:MEASURES\n"
    points.write_text(points.read_text(encoding="utf-8") + old, "utf-8")
    done = program("sets", "list", PYTHONPATH=os.pathsep.join([str(site), *path.split(os.pathsep)[1:]]))
    assert done.returncode == 0
    assert "epicene.views visits of epicene-visits is not used any more: TestSet(tables=…) brings them" in done.stderr
    assert (
        "epicene.measures women of epicene-visits is not used any more: TestSet(measures=…) brings them" in done.stderr
    )
