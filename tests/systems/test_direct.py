"""``direct:``: a model learnt while one waits hears WAV files, translates them, and refuses what it cannot take."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import epicene
from epicene import systems
from epicene.cli.systems import app
from epicene.errors import InputError, SystemFailure
from epicene.speech import audio, manifest, recognisers, voices
from epicene.speech.manifest import Clip
from epicene.types import Pair
from epicene_lab.speech.recipe import SpeechRecipe
from tests.lab.spoken import ROWS, SHAPE, TRAINING, hummed, prepared, shard
from tests.recordings import SENTENCES, custom

pytestmark = pytest.mark.torch
LEARNT = replace(TRAINING, updates=240, recognition=0.3, time_masks=0, band_masks=0, speed=0.05, smoothing=0.0)

SLOWER = 1.0  # seconds


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that was taught four hummed sentences."""
    torch = pytest.importorskip("torch", reason="needs the lab extra")
    from epicene_lab.speech import export
    from epicene_lab.speech.training import Order, train

    folder = tmp_path_factory.mktemp("direct")
    recipe = SpeechRecipe(SHAPE, LEARNT)
    data, speech = prepared(folder / "data", recipe), shard(folder / "shards", "0", [0, 1, 2, 3])
    shard(speech, "1", [0, 1, 2, 3], SLOWER)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # tiny models only wait for more
    train(Order(recipe, data, speech, folder / "model"), print)
    torch.set_num_threads(threads)
    export.export(folder / "model", folder / "tiny")
    return folder / "tiny"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The four sentences as recordings of a woman and of a man, who hums slower."""
    clips = []
    for voice, speaker, seconds in (("slt", "female", 0.9), ("rms", "male", SLOWER)):
        (tmp_path / "audio" / voice).mkdir(parents=True)
        for number, (key, text) in enumerate(SENTENCES.items()):
            path = tmp_path / "audio" / voice / f"{key}.wav"
            path.write_bytes(audio.encode(hummed(number, seconds)))
            clips.append(Clip(key, path, text, voice, speaker, seconds, manifest.checksum(path) or ""))
    manifest.write(tmp_path / "audio", clips)
    return tmp_path / "audio"


def test_what_was_learnt_is_heard_translated_and_measured(model: Path, folder: Path, tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{folder}"
    (result,) = epicene.audit([spoken], ["en-es"], [f"direct:{model}"]).results
    texts = {verdict.output.item.id: verdict.output.text for verdict in result.verdicts}
    assert texts["1/slt"] == texts["1/rms"] == ROWS[0][2]
    assert result["accuracy"].value == 100
    assert result.system.startswith("direct:tiny@")
    heard = list(recognisers.load(f"direct:{model}").transcribe([folder / "slt" / "2.wav", folder / "rms" / "4.wav"]))
    assert heard == [ROWS[1][0], ROWS[3][0]]


def test_order_beams_and_workers_change_no_answer(model: Path, folder: Path) -> None:
    clips = [folder / "slt" / f"{key}.wav" for key in SENTENCES]
    pair = Pair("en", "de")
    found = list(systems.load_for_speech(f"direct:{model}?workers=2").interpret(clips, pair))
    alone = systems.load_for_speech(f"direct:{model}?workers=1")
    assert [text for clip in clips for text in alone.interpret([clip], pair)] == found == [row[1] for row in ROWS]
    greedy = systems.load_for_speech(f"direct:{model}?beam=1")
    assert list(greedy.interpret(clips[::-1], pair)) == found[::-1]
    assert (greedy.identity != alone.identity) and "workers" not in alone.identity


def test_another_rate_is_heard_and_what_is_too_long_is_told_of(
    model: Path, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clips = manifest.read(folder)
    high = audio.resample(hummed(0), audio.RATE, 48000)
    clips[0].path.write_bytes(audio.encode(high, 48000))
    clips[1].path.write_bytes(audio.encode(hummed(1, 4.5)))
    clips[1] = replace(clips[1], seconds=4.5)
    manifest.write(folder, [replace(clip, sha256=manifest.checksum(clip.path) or "") for clip in clips])
    spoken = f"spoken:{custom(tmp_path)}@{folder}"
    (result,) = epicene.audit([spoken], ["en-es"], [f"direct:{model}"], anyway=True).results
    found = {verdict.output.item.id: verdict.output for verdict in result.verdicts}
    assert found["1/slt"].text == ROWS[0][2]
    assert "2.wav: lasts 4.5 s, the model hears at most 4; cut it into sentences" in found["2/slt"].refused
    assert "not heard: " in caplog.text
    assert found["2/rms"].text == ROWS[1][2]
    with pytest.raises(InputError, match=r"lasts 4\.5 s, the model hears at most 4"):
        list(systems.load_for_speech(f"direct:{model}").interpret([clips[1].path], Pair("en", "es")))


def test_a_model_says_how_it_was_trained_and_that_changes_no_identity(model: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(model, tmp_path / model.name))
    found = json.loads((other / "training.json").read_text())
    assert found["voices"] == ["0"]  # nobody gave it a name
    assert (found["updates"], found["recordings"]) == (LEARNT.updates, 8)
    (other / "training.json").unlink()
    names = [systems.load_for_speech(f"direct:{folder}").identity for folder in (model, other)]
    assert names[0] == names[1]


def test_languages_that_were_not_taught_are_refused(model: Path, folder: Path) -> None:
    system = systems.load_for_speech(f"direct:{model}")
    for pair in (Pair("en", "it"), Pair("de", "en"), Pair("en", "en")):
        with pytest.raises(InputError, match=f"knows no {pair}; it translates en-de, en-es, en-fr"):
            system.interpret([folder / "slt" / "1.wav"], pair)


def test_a_model_may_be_offered_for_fewer_languages_than_it_was_taught(model: Path, tmp_path: Path) -> None:
    from epicene_lab.speech import export

    export.export(model.parent / "model", tmp_path / "fewer", languages=["es"])
    fewer = systems.load_for_speech(f"direct:{tmp_path / 'fewer'}")
    with pytest.raises(InputError, match="knows no en-de; it translates en-es; name another"):
        fewer.interpret([], Pair("en", "de"))
    with pytest.raises(InputError, match="was not taught it; it knows en, de, es, fr"):
        export.export(model.parent / "model", tmp_path / "more", languages=["it"])


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (
            lambda folder: (folder / "direct.json").unlink(),
            "no direct.json there; .*a Whisper model of others is a recogn",
        ),
        (lambda folder: (folder / "model.bin").unlink(), "no model.bin there; expected a folder of epicene lab speech"),
        (lambda folder: (folder / "direct.json").write_text("[]"), "direct.json is broken; export the model again"),
        (lambda folder: _layout(folder, layout=2), "layout 2, this version reads 1; train and export"),
        (lambda folder: _layout(folder, languages="7"), "knows no en-es"),
    ],
)
def test_a_model_of_another_layout_is_one_line(model: Path, folder: Path, tmp_path: Path, spoil, says: str) -> None:  # type: ignore[no-untyped-def]
    other = Path(shutil.copytree(model, tmp_path / "other"))
    spoil(other)
    with pytest.raises(InputError, match=says):
        systems.load_for_speech(f"direct:{other}").interpret([folder / "slt" / "1.wav"], Pair("en", "es"))


def _layout(folder: Path, **changed: object) -> None:
    found = json.loads((folder / "direct.json").read_text())
    (folder / "direct.json").write_text(json.dumps(found | changed))


def test_broken_weights_are_one_line(model: Path, folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(model, tmp_path / "other"))
    (other / "model.bin").write_bytes((model / "model.bin").read_bytes()[:5000])
    with pytest.raises(SystemFailure, match="cannot load: ") as caught:
        list(systems.load_for_speech(f"direct:{other}").interpret([folder / "slt" / "1.wav"], Pair("en", "es")))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("direct:", "no such folder; expected bundled, or one of epicene lab speech export"),
        ("direct:nowhere", "no such folder"),
    ],
)
def test_a_folder_is_needed(spec: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        systems.load_for_speech(spec)


def test_options_are_checked(model: Path) -> None:
    for option, says in (("compute=int3", "compute='int3' must be one of"), ("device=tpu", "must be cpu or cuda")):
        with pytest.raises(InputError, match=says):
            systems.load_for_speech(f"direct:{model}?{option}")


def test_a_system_for_speech_is_tried_on_a_spoken_sentence(model: Path) -> None:
    if not any(voice.installed() for voice in voices.available()):
        pytest.skip("needs a voice")
    done = CliRunner().invoke(app, ["check", f"direct:{model}?beam=1", "-l", "en-de"])
    lines = done.stdout.splitlines()
    assert lines[0].startswith("direct:tiny@")
    assert lines[1] == "The doctor asked the nurse to help her."
