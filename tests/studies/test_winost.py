"""The study of WinoST on three systems whose answers are known: what it puts beside each other, and what it admits."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import epicene
from epicene.errors import InputError
from epicene.sets import winomt
from epicene.studies import Study
from epicene.types import Gender, Item, Person
from epicene_lab.studies.winost import STUDY
from epicene_lab.studies.winost.tracks import open_tracks, read_folder
from epicene_lab.studies.winost.voices import exact_gap
from tests.browser import missing
from tests.recordings import answering, asked, recorded

pytest.importorskip("jiwer")
pytest.importorskip("sacrebleu")

JOBS = ("carpenter", "cook", "driver", "guard", "mechanic", "nurse", "tailor", "cleaner")
SPANISH = {
    "carpenter": ("La carpintera", "El carpintero"),
    "cook": ("La cocinera", "El cocinero"),
    "driver": ("La conductora", "El conductor"),
    "guard": ("La guardiana", "El guardián"),
    "mechanic": ("La mecánica", "El mecánico"),
    "nurse": ("La enfermera", "El enfermero"),
    "tailor": ("La sastra", "El sastre"),
    "cleaner": ("La limpiadora", "El limpiador"),
}


def _items() -> list[Item]:
    """Sixteen sentences as WinoMT has them: each job as a woman and as a man."""
    found = []
    for number, job in enumerate(JOBS):
        for woman in (True, False):
            source = f"The {job} slept because {'she' if woman else 'he'} was tired."
            labels = {
                "subset": "pro" if woman == (number % 2 == 0) else "anti",
                "occupation": job,
                "gold": "female" if woman else "male",
            }
            expected = Gender.FEMININE if woman else Gender.MASCULINE
            found.append(Item(str(len(found)), source, Person(job, 4, job), expected, labels))
    return found


def _spanish(item: Item, woman: bool) -> str:
    return f"{SPANISH[item.person.text][not woman]} durmió porque estaba muy cansad{'a' if woman else 'o'} ese día."


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run folders of text, a cascade and a direct system, and what the direct one writes down."""
    place, items = tmp_path_factory.mktemp("runs"), _items()
    patch = pytest.MonkeyPatch()
    patch.setenv("EPICENE_HOME", str(place / "home"))
    spoken = replace(winomt.SET, items=lambda _: items, version=lambda: "1")
    patch.setattr("epicene.sets.winomt.SET", spoken)
    audio = recorded(place / "audio", {item.id: item.source for item in items}, ["slt", "rms", "awb"])
    # The text is right but for one man; the recogniser mishears the women of slt; direct writes all of hers as men.
    right = {item.source: _spanish(item, item.expected is Gender.FEMININE) for item in items}
    right[items[15].source] = _spanish(items[15], True)
    heard = {item.id: item.source.lower().rstrip(".") for item in items}
    heard |= {f"slt/{item.id}": heard[item.id].replace(" she ", " he ") for item in items}
    said = {heard[name]: item for item in items for name in (item.id, f"slt/{item.id}")}
    script = right | {text: _spanish(item, " she " in text) for text, item in said.items()}
    script[heard[items[15].id]] = right[items[15].source]
    lines = "".join(f"{source}\t{text}\n" for source, text in script.items())
    (place / "script.tsv").write_text(lines, encoding="utf-8")
    translator = f"{place}/program-text.py"
    Path(translator).write_text(
        "import sys, pathlib\n"
        "known = dict(line.rstrip('\\n').split('\\t') for line in pathlib.Path(sys.argv[1]).open(encoding='utf-8'))\n"
        "for line in sys.stdin: print(known[line.strip()], flush=True)\n",
        encoding="utf-8",
    )
    text = f"command:{sys.executable} {translator} {place / 'script.tsv'}"
    listener = answering(place, "listener", heard)
    direct = {item.id: _spanish(item, item.expected is Gender.FEMININE) for item in items}
    direct |= {f"slt/{item.id}": _spanish(item, False) for item in items}
    hears = f"command-speech:{answering(place, 'direct', direct)}"
    for name, system, which in (
        ("cascade", f"cascade:command:{listener}+{text}", f"winost:{audio}"),
        ("direct", hears, f"winost:{audio}"),
        ("text", text, "winomt"),
    ):
        epicene.audit([which], ["en-es"], [system], folder=place / name, anyway=True)
    rows = [f"{item.id}\t{voice}\t{item.source}\t{heard[item.id]}" for item in items for voice in ("slt", "rms", "awb")]
    table = "\n".join(["id\tvoice\ttext\ttranscript", *rows])
    (place / "heard.tsv").write_text(f"{table}\n", encoding="utf-8")
    (place / "training.json").write_text(json.dumps({"voices": ["flite:slt", "awb"]}), encoding="utf-8")
    yield place
    patch.undo()


def _tables(study: Study) -> dict[str, list[dict[str, object]]]:
    return {table.title: table.as_dict()["rows"] for table in study.parts}


def _rows(study: Study, title: str) -> dict[object, dict[str, object]]:
    """The rows of the one table whose title begins so, by their first cell."""
    (found,) = [rows for name, rows in _tables(study).items() if name.startswith(title)]
    return {next(iter(row.values())): row for row in found}


@pytest.fixture(scope="module")
def study(runs: Path) -> Study:
    inputs = {"run": runs / "cascade", "run 2": runs / "direct", "run 3": runs / "text"}
    return STUDY.run({**{name: str(path) for name, path in inputs.items()}, **_extra(runs)})


def _extra(runs: Path) -> Mapping[str, str]:
    return {"heard": str(runs / "heard.tsv"), "training": str(runs / "training.json")}


def test_direct_cascade_and_text_stand_beside_the_paper_on_the_same_recordings(study: Study) -> None:
    rows = [
        row for row in _tables(study)["Table 4: gender accuracy in %, ΔG and ΔS in points"] if row["langs"] == "en-es"
    ]
    assert [row["whose"] for row in rows] == ["paper ST", "paper MT", "direct", "cascade", "text"]
    assert [row["accuracy"] for row in rows[:2]] == [45.2, 59.4]
    assert [row["accuracy"] for row in rows[2:]] == [pytest.approx(100 * n / 48) for n in (40, 38, 45)]
    notes = study.parts[0].notes
    assert any("en-es: the same 48 recordings of 16 sentences for all (awb, rms, slt)" in note for note in notes)


def test_word_errors_and_bleu_are_those_of_each_system(study: Study) -> None:
    rows = {
        row["whose"]: row for row in _tables(study)["Table 5: word error rate and BLEU, %"] if row["langs"] == "en-es"
    }
    assert (rows["direct"]["wer"], rows["text"]["wer"], rows["text"]["bleu"]) == (0, None, None)
    assert rows["cascade"]["wer"] == pytest.approx(100 * 8 / (48 * 7))
    assert 0 < rows["cascade"]["bleu"] < 100  # type: ignore[operator]
    heard = _rows(study, "Recognition (Section 6.3)")
    assert heard["pronoun changed"]["cascade"] == pytest.approx(100 * 8 / 48)
    assert heard["pronoun changed"]["direct"] == 0
    assert heard["pronoun, if person right"]["published"] == 98.72


def test_what_is_lost_is_told_by_kind_of_sentence_and_by_what_was_heard(study: Study) -> None:
    direct = _rows(study, "What direct loses against text")
    assert (direct["all"]["lost"], direct["all"]["gained"], direct["all"]["n"]) == (8, 3, 48)
    assert (direct["said she"]["before"], direct["said she"]["lost"], direct["said he"]["lost"]) == (100, 8, 0)
    assert direct["all"]["difference"] == pytest.approx(100 * -5 / 48)
    cascade = _rows(study, "What cascade loses against text")
    assert (cascade["pronoun wrong"]["n"], cascade["pronoun wrong"]["after"]) == (8, 12.5)  # one is luck
    assert (cascade["pronoun heard"]["lost"], cascade["pronoun heard"]["gained"]) == (0, 0)
    other = _rows(study, "What direct loses against cascade")
    assert (other["all"]["lost"], other["all"]["gained"]) == (1, 3)


def test_voices_are_told_apart_by_whether_the_model_knows_them(study: Study) -> None:
    rows = _rows(study, "By voice, direct")
    assert {"slt, woman, seen", "awb, man, seen", "rms, man, unseen", "women", "men", "all seen", "all unseen"} == set(
        rows
    )
    assert (rows["slt, woman, seen"]["accuracy"], rows["all unseen"]["accuracy"]) == (50, 100)
    assert "slt, woman" in _rows(study, "By voice, cascade")


def test_a_womans_voice_that_makes_men_of_everybody_is_found_and_one_voice_is_no_gender(study: Study) -> None:
    rows = _rows(study, "A woman's voice or a man's, direct")
    assert (rows["a woman written"]["women"], rows["a woman written"]["men"]) == (0, 50)
    assert (rows["women right"]["gap"], rows["men right"]["gap"]) == (-100, 0)
    assert rows["a woman written"]["p_voices"] is None
    notes = next(table.notes for table in study.parts if table.title.startswith("A woman's voice or a man's, direct"))
    assert "0 have a woman in the translation of hers alone, 16 of his alone" in notes[0]
    assert "none with one voice of a gender" in notes[1]
    (alike,) = _tables(study)["A woman written: voices of one gender, en-es (not in the paper)"][:1]
    assert (alike["voices"], alike["gap"]) == ("awb less rms", 0)


def test_a_cascade_alone_brings_its_text_translator_along(runs: Path) -> None:
    alone = STUDY.run({"run": str(runs / "cascade")})
    rows = [row for row in alone.parts[0].as_dict()["rows"] if row["langs"] == "en-es"]
    assert [(row["whose"], row["accuracy"]) for row in rows[2:]] == [
        ("cascade", pytest.approx(100 * 38 / 48)),
        ("text", pytest.approx(100 * 45 / 48)),
    ]
    examples = [row["text"] for row in _tables(alone)["Examples as in Table 3, en-es"]]
    assert any("error from recognition: the cue was changed" in str(text) for text in examples)


def test_runs_may_have_names_of_ones_own(runs: Path) -> None:
    found = open_tracks([*read_folder(str(runs / "direct"), "mine"), *read_folder(str(runs / "text"))], {})
    assert [(track.name, track.kind) for track in found["en-es"]] == [("mine", "direct"), ("text", "text")]


def test_bad_inputs_are_told_in_a_line(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only on text; make one with: epicene audit -t winost:DIR"):
        STUDY.run({"run": str(runs / "text")})
    with pytest.raises(InputError, match="-i langs=en-es goes with -i recordings=DIR"):
        STUDY.run({"langs": "en-es"})
    wrong = tmp_path / "heard.tsv"
    wrong.write_text("id\ttext\n", encoding="utf-8")
    with pytest.raises(InputError, match="no table of 'epicene speech transcribe' with id, voice, transcript"):
        STUDY.run({"run": str(runs / "direct"), "heard": str(wrong)})
    wrong.write_text('{"voices": "slt"}', encoding="utf-8")
    with pytest.raises(InputError, match=r"expected the training\.json of a direct model"):
        STUDY.run({"run": str(runs / "direct"), "training": str(wrong)})


def test_from_nothing_the_set_is_read_aloud_heard_and_translated(runs: Path, tmp_path: Path) -> None:
    if shutil.which("flite") is None:
        missing("flite")
    listener = f"command:{answering(tmp_path, 'listener', json.loads((runs / 'listener.json').read_text()))}"
    text = f"command:{sys.executable} {runs / 'program-text.py'} {runs / 'script.tsv'}"
    inputs = {
        "recordings": str(tmp_path / "spoken"),
        "sentences": "2",
        "voices": "kal16",
        "langs": "en-es",
        "systems": f"cascade:{listener}+{text}",
    }
    seen: list[int] = []
    assert STUDY.prepare is not None
    STUDY.prepare(inputs, lambda done, _: seen.append(done))
    assert max(seen) == 4  # two sentences as they were heard, and as they were said
    assert len(asked(tmp_path, "listener")) == 2
    rows = [row for row in STUDY.run(inputs).parts[0].as_dict()["rows"] if row["langs"] == "en-es"]
    assert [row["whose"] for row in rows[2:]] == ["cascade", "text"]
    assert len(asked(tmp_path, "listener")) == 2  # nothing is heard twice
    # A system whose answers cannot be believed leaves the others their tables.
    silent = f"command-speech:{answering(tmp_path, 'silent', {})}"
    with_silent = STUDY.run(inputs | {"systems": f"{inputs['systems']},{silent}"})
    assert "empty" in with_silent.missing[f"{silent}, en-es"]
    assert with_silent.parts == STUDY.run(inputs).parts
    with pytest.raises(InputError, match="-i sentences=many: expected a number from 1 to 16"):
        STUDY.run(inputs | {"sentences": "many"})


def test_over_few_voices_no_difference_can_be_sure() -> None:
    assert exact_gap([1.0], [2.0, 3.0]) is None
    assert exact_gap([1.0, 2.0], [3.0, 4.0]) == pytest.approx(1 / 3)
    assert exact_gap([1.0, 1.1, 1.2], [3.0, 3.1, 3.2]) == pytest.approx(0.1)
    assert exact_gap([1.0, 3.0], [3.0, 1.0]) == 1
