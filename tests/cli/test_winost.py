"""Speech translation as a user meets it: real voices, a real recogniser, the bundled translator."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.browser import missing
from tests.conftest import Command
from tests.recordings import answering, asked, custom, recorded

pytest.importorskip("pocketsphinx")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four sentences by a woman's and a man's voice of flite, and their table."""
    from epicene.speech import synthesis, voices
    from tests.recordings import SENTENCES

    if shutil.which("flite") is None:
        missing("flite")
    place = tmp_path_factory.mktemp("spoken")
    synthesis.synthesise(list(SENTENCES.items()), [voices.load(name) for name in ("slt", "rms")], place / "audio")
    custom(place)
    return place


def _set(folder: Path) -> str:
    return f"spoken:custom:{folder / 'sentences.tsv'}@{folder / 'audio'}"


def test_a_cascade_just_works_from_sound_to_report(folder: Path, epicene: Command, tmp_path: Path) -> None:
    run = tmp_path / "run"
    done = epicene("audit", "-t", _set(folder), "-l", "en-es", "-s", "cascade:pocketsphinx+bundled", "-o", run)
    assert done.returncode == 0, done.stderr
    for heading in (
        "recognition, %",
        "pronouns, %",
        "errors, %",
        "women's voices less men's",
    ):
        assert heading in done.stdout
    assert "bundled is a small model" in done.stderr
    free = ("|set:", "pocketsphinx", "report:")  # names and paths, never broken
    body = [line.rstrip() for line in done.stdout.splitlines() if not any(each in line for each in free)]
    assert max(map(len, body)) <= 80
    verdicts = [json.loads(line) for line in (run / "verdicts.jsonl").open(encoding="utf-8")]
    assert [each["id"] for each in verdicts][:2] == ["1/rms", "1/slt"]
    assert all({"transcript", "reference", "cause", "audio"} <= each.keys() for each in verdicts)
    assert any(each["transcript"].startswith("the carpenter ") for each in verdicts)
    assert any(" told the driver " in each["transcript"] for each in verdicts)
    outputs = [json.loads(line) for line in (run / "outputs.jsonl").open(encoding="utf-8")]
    assert [each["transcript"] for each in outputs] == [each["transcript"] for each in verdicts]
    page = (run / "report.html").read_text(encoding="utf-8")
    assert page.count('<audio controls preload="none" src="data:audio/wav;base64,') >= 2
    assert "media-src data:" in page
    result = json.loads((run / "results.json").read_text(encoding="utf-8"))[0]
    names = {measure["name"] for measure in result["measures"]}
    assert names >= {"accuracy", "wer", "misspelt", "pronoun", "pronoun_spelt", "asr_accuracy", "speaker_gap"}
    # Read back, the run says the same.
    again = epicene("report", run, "-o", tmp_path / "again.html")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again.html").read_text(encoding="utf-8").count("<audio") == page.count("<audio")


def test_recognition_is_scored_alone_from_a_recogniser_or_a_file(
    folder: Path, epicene: Command, tmp_path: Path
) -> None:
    heard = epicene("speech", "score", "-t", _set(folder), "-r", "pocketsphinx", "-f", "json")
    assert heard.returncode == 0, heard.stderr
    (found,) = json.loads(heard.stdout)
    assert (found["n"], found["protocol"], found["langs"]) == (8, "recognition", "en")
    assert 0 < next(each for each in found["measures"] if each["name"] == "wer")["value"] < 100
    lines = tmp_path / "heard.txt"
    lines.write_text("the carpenter thanked the clerk because he had waited\n" * 8, encoding="utf-8")
    done = epicene("speech", "score", "-t", _set(folder), "-i", lines)
    assert "heard · protocol recognition" in done.stdout
    short = tmp_path / "short.txt"
    short.write_text("the carpenter\n", encoding="utf-8")
    refused = epicene("speech", "score", "-t", _set(folder), "-i", short)
    assert refused.returncode == 2
    assert "has 1 lines, the set has 8 sentences" in refused.stderr
    assert "name a recogniser with -r" in epicene("speech", "score", "-t", _set(folder)).stderr


def test_another_translator_hears_nothing_again(epicene: Command, tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    hear = f"command:{answering(tmp_path, 'listener', {'1': 'the carpenter thanked the clerk because he had waited'})}"
    for system in ("echo", "bundled"):
        done = epicene(
            "audit", "-t", spoken, "-l", "en-es", "-s", f"cascade:{hear}+{system}", "-o", tmp_path / system, "-f", "json",
            "--anyway",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert len(asked(tmp_path, "listener")) == 8
    (result,) = json.loads(done.stdout)
    assert result["verdicts"]["empty"] == 6
    shown = {each["group"]: each for each in result["measures"] if each["name"] == "pronoun_changed"}
    assert (shown["all"]["count"], shown["all"]["n"]) == (2, 8)


def test_a_recogniser_that_answers_nothing_is_told_and_not_kept(epicene: Command, tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    hear = f"command:{answering(tmp_path, 'listener', {})}"
    for _ in range(2):
        done = epicene("audit", "-t", spoken, "-l", "en-es", "-s", f"cascade:{hear}+echo", "-o", tmp_path / "run")
        assert done.returncode == 4
        assert done.stderr.count("\n") == 1
        assert "heard nothing in any of the 8 recordings" in done.stderr
    assert len(asked(tmp_path, "listener")) == 16
    assert not (tmp_path / "run").exists()


def test_translations_of_recordings_are_scored_from_a_file(epicene: Command, tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    lines = tmp_path / "hyp.es"
    lines.write_text("La carpintera.\nEl carpintero.\n" + "\n" * 6, encoding="utf-8")
    done = epicene("score", "-t", spoken, "-l", "en-es", "-i", lines, "-f", "json", "--anyway")
    assert done.returncode == 0, done.stderr
    by_voice = {each["group"]: each for each in json.loads(done.stdout)[0]["measures"] if each["name"] == "accuracy"}
    assert (by_voice["voice:rms"]["count"], by_voice["voice:slt"]["count"]) == (1, 0)


def test_the_study_puts_a_run_beside_the_paper(epicene: Command, tmp_path: Path) -> None:
    alone = epicene("study", "winost", "--all")
    assert alone.returncode == 3
    assert "25.7" in alone.stdout
    assert "not here: run:" in alone.stdout
    other = epicene("audit", "-t", "simplegen", "-l", "en-es", "-s", "echo", "-o", tmp_path / "other", "--anyway")
    assert other.returncode == 0, other.stderr
    refused = epicene("study", "winost", "-i", f"run={tmp_path / 'other'}")
    assert refused.returncode == 2
    assert "holds no result on winost" in refused.stderr


@pytest.mark.data
def test_the_study_of_a_run_on_winomt(published: Path, epicene: Command, tmp_path: Path) -> None:
    from epicene import sets
    from epicene.sets.files import add
    from epicene.types import Pair

    add("winomt", published / "winomt")
    items = list(sets.load("winomt").items(Pair("en", "es")))[::400]
    folder = recorded(tmp_path / "audio", {item.id: item.source for item in items})
    heard = {item.id: item.source.lower().replace(" she ", " he ").replace(" her ", " a ") for item in items}
    system = f"cascade:command:{answering(tmp_path, 'listener', heard)}+bundled"
    done = epicene("audit", "-t", f"winost:{folder}", "-l", "en-es", "-s", system, "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    study = epicene("study", "winost", "-i", f"run={tmp_path / 'run'}", "-f", "json")
    assert study.returncode == 0, study.stderr
    tables = {
        table["title"].partition(",")[0].partition(":")[0]: table for table in json.loads(study.stdout)[0]["tables"]
    }
    rows = [row for row in tables["Table 4"]["rows"] if row["langs"] == "en-es"]
    assert [row["whose"] for row in rows] == ["paper ST", "paper MT", "cascade", "text"]
    assert [rows[0][name] for name in ("accuracy", "delta_g", "delta_s")] == [45.2, 25.7, 12.3]
    assert 0 <= rows[2]["accuracy"] <= 100
    assert {"What cascade loses against text", "By voice", "A woman's voice or a man's"} <= tables.keys()
    explained = [row["text"] for row in tables["Examples as in Table 3"]["rows"]]
    assert any("the cue was changed" in text for text in explained)
    text = epicene("study", "winost", "--all", "-i", f"run={tmp_path / 'run'}").stdout
    # Only a signature or a path, which is a word of its own, may be longer.
    assert max(len(line.rstrip()) for line in text.splitlines() if "|set:" not in line and " " in line.strip()) <= 80
    # A run that is given twice is two systems; other formats hold the same tables.
    twice = epicene("study", "winost", "-i", f"run={tmp_path / 'run'}", "-i", f"run={tmp_path / 'run'}", "-f", "csv")
    assert "cascade 2" in twice.stdout
    # The page speaks of recordings.
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert '<th scope="col" class="n">Recordings</th>' in page
    assert 'tabindex="-1">Recordings</h2>' in page
    assert f"{len(items) * 2} recordings: " in page
    # Paths of recordings come in the order in which their translations are scored.
    paths = epicene("sets", "export", f"winost:{folder}", "-f", "paths")
    assert paths.stdout.splitlines() == [
        str(folder / voice / f"{item.id}.wav") for item in items for voice in ("rms", "slt")
    ]
    assert f"{2 * len(items)} recordings; for score -t winost:{folder} -i HYP, write one" in paths.stderr
    refused = epicene("sets", "export", "winomt", "-f", "paths")
    assert (refused.returncode, "winomt is text; -f paths works with recordings only" in refused.stderr) == (2, True)
