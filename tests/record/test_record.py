"""The record: what is shipped is whole and explained, holds no sentence, and is made again from files."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from epicene.cli.app import app
from epicene.compare.sources import OutputFile
from epicene.errors import InputError
from epicene.flow import plan
from epicene.output.render import Format, render
from epicene.record import build as record
from epicene.record import sources
from epicene.record.page import chart
from epicene.record.tables import summary
from epicene.sets import files as store
from epicene.sets.wibemt.detectors import Naming
from epicene.tables import resource, table

# What the record says of its files in more than a few words.
WARNINGS = {
    "N clusters are too few for an interval; it takes N",
    "N % of the lines, scattered over lines N–N, look like English, not L",
    "half of the translations have less than N % of their sentence's length, as if cut off",
}


@pytest.fixture(scope="module")
def shipped() -> list[record.Part]:
    return record.shipped()


def test_every_source_is_there_with_all_its_systems(shipped: list[record.Part]) -> None:
    entries = {part.source.name: len(part.entries) for part in shipped}
    assert entries == {
        "winomt-2019": 36,
        "winost-2025": 125,
        "winost-recognition": 4,
        "wmt24-dialogue": 43,
        "gest-2023": 35,
        "mt-geneval-google": 8,
        "simplegen-opus": 2,
        "wibemt-2021": 2,
    }
    assert all(part.source == sources.named(part.source.name) for part in shipped)
    assert all(len(part.source.sha256) == 64 for part in shipped)


def test_every_number_has_signature_n_and_interval(shipped: list[record.Part]) -> None:
    for part in shipped:
        for entry in part.entries:
            assert entry.signature.startswith(entry.set) and entry.n > 0 and entry.measures
            assert all(each.n and (each.low is not None or each.why) for each in entry.measures)


def test_every_number_is_by_todays_reader(shipped: list[record.Part]) -> None:
    entries = [entry for part in shipped for entry in part.entries if "detector:" in entry.signature]
    targets = {(entry.set, entry.langs.partition("-")[2]) for entry in entries}
    today = {(name, to): plan.detector_of(plan.open_set(name), "epicene")(to).identity for name, to in targets}
    stale = {
        f"{entry.set} {entry.langs}"
        for entry in entries
        if f"detector:{today[entry.set, entry.langs.partition('-')[2]]}" not in entry.signature.split("|")
    }
    assert not stale, "read by another reader than today's; run: epicene record build SOURCES -o DIR"


def test_every_published_figure_is_near_or_explained(shipped: list[record.Part]) -> None:
    beside = [(part, entry, each) for part in shipped for entry in part.entries for each in entry.published]
    assert not [(entry.system, entry.langs, each) for _, entry, each in beside if each.why == "not explained"]
    for part, entry, each in beside:
        if not each.near:
            higher = (each.ours or 0.0) > each.published
            reason, words = sources.reason(part.source.name, entry.system, entry.langs, each.measure, higher)
            assert each.reason == reason and words
    accuracies = [each for part, _, each in beside if part.source.name == "winost-2025" and each.measure == "accuracy"]
    assert len(accuracies) == 105  # 21 of the 25 systems have published figures


def test_no_sentence_is_shipped() -> None:
    content = json.loads(resource("record/data", "record.json").read_text(encoding="utf-8"))
    texts: set[str] = set()

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for each in value.values():
                walk(each)
        elif isinstance(value, list):
            for each in value:
                walk(each)
        elif isinstance(value, str):
            texts.add(value)

    for part in content["parts"]:
        walk(part["entries"])
        walk(part["matrices"])
    reasons = {row["reason"] for row in table("record/data", "reasons.tsv")}
    shapes = {text: re.sub(r"not \w+$", "not L", re.sub(r"\d[\d,]*(?<!,)", "N", text)) for text in texts - reasons}
    assert {shape for shape in shapes.values() if shape.count(" ") > 7} == WARNINGS


def test_most_systems_of_2025_lie_between_two_of_2019_as_the_documentation_says(shipped: list[record.Part]) -> None:
    figure = chart(shipped)
    assert figure is not None
    systems = list(dict.fromkeys(str(row[0]) for row in figure.numbers.rows))
    between = systems[systems.index("bing (2019)") : systems.index("systran (2019)")]
    recent, inside = (sum(name.endswith("(2025)") for name in names) for names in (systems, between))
    assert inside > recent / 2


def test_the_command_prints_the_shipped_record(shipped: list[record.Part]) -> None:
    done = CliRunner().invoke(app, ["record", "-f", "csv"])
    assert done.exit_code == 0 and done.stdout == render([record.Record(shipped, [])], Format.CSV) + "\n"


def test_the_command_prints_the_answer_and_one_table_and_on_demand_all(shipped: list[record.Part]) -> None:
    short, whole = (CliRunner().invoke(app, ["record", *more]).stdout for more in ([], ["--all"]))
    assert len(short.splitlines()) <= 60
    assert all(f"- {part.source.name}: " in short for part in shipped)
    women = {
        round(cell.value or 0, 1) for column in shipped[0].matrices["women"].columns for cell in column.cells.values()
    }
    rates = [float(line.split()[2]) for line in short.splitlines() if " 2019 " in line]
    assert len(rates) == 4 and women.issuperset(rates) and rates == sorted(rates)
    assert "Published figures beside ours" in whole and "Published figures beside ours" not in short


def test_a_record_goes_to_a_folder_and_comes_back(shipped: list[record.Part], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["record", "-o", str(tmp_path / "made")])
    assert done.exit_code == 0
    made = tmp_path / "made"
    assert {path.name for path in made.iterdir()} == {"record.json", "record.csv", "record.md", "record.html"}
    assert record.read(made / "record.json") == shipped
    again = record.build([str(made / "record.json")])
    assert render([again], Format.MARKDOWN) == (made / "record.md").read_text(encoding="utf-8").rstrip("\n")
    page = (made / "record.html").read_text(encoding="utf-8")
    assert page.index("<svg") < page.index("<table")  # a chart comes first
    targets, leads = set(re.findall(r'id="([^"]+)"', page)), re.findall(r'class="lead-to" href="#([^"]+)"', page)
    assert len(leads) >= 9 and set(leads) <= targets  # every rate leads to its file and signature
    assert all(f"<code>{entry.signature}</code>" in page for part in shipped for entry in part.entries)


def test_a_folder_without_a_known_source_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no published source there; expected .*winomt-2019.*epicene compare"):
        record.build([str(tmp_path)])


def test_translations_that_this_reader_has_read_are_not_read_again(
    tmp_path: Path, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add("wibemt", published / "wibemt")
    (tmp_path / "wibemt-2021").symlink_to(published / "wibemt")
    first = record.build([str(tmp_path)])
    monkeypatch.setattr(Naming, "detect", lambda *_: pytest.fail("read again"))
    assert record.build([str(tmp_path)]).parts == first.parts


def test_outputs_are_taken_from_json_lines_and_from_the_documents_of_a_suite(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    lines = [{"id": 1, "output": "Der Koch\n\nkam."}, {"id": 2, "output": "Sie ging."}]
    (tmp_path / "a" / "en-de.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    (tmp_path / "a" / "en-de.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    (tmp_path / "en-de.docs").write_text("news\nx_suite_1\nx_suite_2\n", encoding="utf-8")
    (tmp_path / "out").mkdir()
    source = sources.named("winost-2025")
    suite = replace(source, field="", documents="{pair}.docs", document="_suite_")
    for each, name, expected in (
        (source, "en-de.jsonl", "Der Koch kam.\nSie ging.\n"),
        (suite, "en-de.txt", "two\nthree\n"),
    ):
        place = each.extract(OutputFile("a", "winomt", "en-de", tmp_path / "a" / name), tmp_path, tmp_path / "out")
        assert place.path.read_text(encoding="utf-8") == expected


def test_other_files_than_those_that_are_known_are_refused(tmp_path: Path, published: Path) -> None:
    store.add("wibemt", published / "wibemt")
    for name in ("deepl", "google"):
        text = (published / "wibemt" / f"verb_translations_{name}.tsv").read_text(encoding="utf-8")
        (tmp_path / f"verb_translations_{name}.tsv").write_text(text, encoding="utf-8")
    found = record.build([f"wibemt-2021={tmp_path}"])
    assert [each.near for entry in found.parts[0].entries for each in entry.published] == [True] * 6
    path = tmp_path / "verb_translations_deepl.tsv"
    path.write_text(
        path.read_text(encoding="utf-8").replace("Die Krankenschwester", "Der Krankenpfleger", 1), encoding="utf-8"
    )
    with pytest.raises(InputError, match="their SHA-256 differs from 1f441a48c69a"):
        record.build([f"wibemt-2021={tmp_path}"])
    packed = tmp_path / "all.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(path, f"clone/{path.name}")
    found = record.build([f"wibemt-2021={packed}", "winost-2025=nowhere"], anyway=True)
    assert [entry.system for entry in found.parts[0].entries] == ["deepl"]
    assert found.exit_code == 2 and "nowhere" in found.problems[0]


def test_archives_that_lead_outside_or_are_broken_are_refused(tmp_path: Path) -> None:
    outside, broken = tmp_path / "outside.zip", tmp_path / "broken.zip"
    with zipfile.ZipFile(outside, "w") as archive:
        archive.writestr("../verb_translations_deepl.tsv", "x")
    broken.write_bytes(outside.read_bytes()[:30])
    for path, reason in ((outside, "would lie outside the folder"), (broken, "broken archive")):
        with pytest.raises(InputError, match=reason):
            record.build([f"wibemt-2021={path}"])


def test_how_figures_agree_is_counted() -> None:
    near = record.Beside("accuracy", "all", 50.0, 51.0, 49.0, 53.0)
    inside, far = near._replace(published=48.5, low=48.0), near._replace(published=40.0, reason="aligner")
    assert summary([near, inside, far]) == (
        "3 published figures: 1 within 2 points of ours, 1 more in our interval; why they differ by more than 2 points: "
        "1: aligner"
    )
