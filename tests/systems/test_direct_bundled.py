"""``direct:bundled``: the model that ships hears flite, also a voice that it was not trained on, and takes bad input."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import epicene
from epicene import systems
from epicene.errors import InputError
from epicene.measures.speech import words
from epicene.models import model_folder
from epicene.speech import audio, manifest, recognisers, synthesis, voices
from epicene.types import Pair
from tests.browser import missing
from tests.systems.speech import open_speech

FOLDER = model_folder("direct")
SENTENCES = {
    "1": "The old nurse was reading a book because she could not sleep.",
    "2": "He has a letter for my sister.",
}
TABLE = "id\tsource\tfocus\texpected\n" + "".join(
    f"{key}\t{text}\t{focus}\tfeminine\n"
    for (key, text), focus in zip(SENTENCES.items(), ("nurse", "sister"), strict=True)
)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sentences by a voice that the model knows and by one that it does not."""
    if shutil.which("flite") is None:
        missing("flite")
    folder = tmp_path_factory.mktemp("spoken")
    synthesis.synthesise(list(SENTENCES.items()), [voices.load(name) for name in ("slt", "rms")], folder)
    return folder


def test_it_fits_the_package_and_says_what_it_was_trained_on() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 15_000_000
    trained = json.loads((FOLDER / "training.json").read_text(encoding="utf-8"))
    assert len(trained["voices"]) == 26
    assert not {"flite:rms", "espeak-ng:en-us+f3"} & set(trained["voices"])


def test_it_hears_and_translates_out_of_the_box(spoken: Path) -> None:
    system = open_speech("direct:bundled")
    assert system.identity.startswith("direct:bundled@")
    assert not isinstance(system, systems.Cascade)
    heard = list(recognisers.load("direct:bundled").transcribe([spoken / voice / "2.wav" for voice in ("slt", "rms")]))
    assert [words(text) for text in heard] == [words(SENTENCES["2"])] * 2
    (german,) = system.interpret([spoken / "slt" / "2.wav"], Pair("en", "de"))
    assert {"Er", "Brief", "Schwester"} <= set(german.rstrip(".").split())
    with pytest.raises(InputError, match="knows no en-pt; it translates en-de, en-es, en-fr"):
        system.interpret([spoken / "slt" / "2.wav"], Pair("en", "pt"))


def test_every_recording_that_cannot_be_heard_is_one_line_and_the_rest_goes_on(
    spoken: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = Path(shutil.copytree(spoken, tmp_path / "spoken"))
    (tmp_path / "sentences.tsv").write_text(TABLE, encoding="utf-8")
    clips = manifest.read(folder)
    good = next(clip for clip in clips if clip.id == "1")
    whole, sound = good.path.read_bytes(), audio.load(good.path)
    unfit = {
        "cut": whole[: len(whole) // 2],
        "silent": audio.encode(np.zeros(audio.RATE, np.float32)),
        "telephone": audio.encode(audio.resample(sound, audio.RATE, 8000), 8000),
        "studio": audio.encode(audio.resample(sound, audio.RATE, 48000), 48000),
        "long": audio.encode(np.tile(sound, 12)),
        "gone": whole,
    }
    others = []
    for voice, content in unfit.items():
        (folder / voice).mkdir()
        path = folder / voice / good.path.name
        path.write_bytes(content)
        seconds = 12 * good.seconds if voice == "long" else good.seconds
        others.append(replace(good, path=path, voice=voice, seconds=seconds, sha256=manifest.checksum(path) or ""))
    manifest.write(folder, [*clips, *others])
    (folder / "gone" / good.path.name).unlink()
    (result,) = epicene.audit(
        [f"spoken:custom:{tmp_path / 'sentences.tsv'}@{folder}"], ["en-de"], ["direct:bundled?beam=1"], anyway=True
    ).results
    outputs = {verdict.output.item.id: verdict.output for verdict in result.verdicts}
    refused = {key.partition("/")[2]: output.refused for key, output in outputs.items() if output.refused}
    assert outputs["1/studio"].text == outputs[f"1/{good.voice}"].text != ""
    assert outputs["2/slt"].text and outputs["2/rms"].text
    assert set(refused) == {"cut", "silent", "telephone", "long", "gone"}
    for voice, reason in {
        "cut": "cut off (its header tells of ",
        "silent": "silent (loudest sample",
        "telephone": "8 kHz, 16 bit, mono; expected at least 16 kHz",
        "long": "the model hears at most 30; cut it into sentences",
        "gone": "listed in manifest.jsonl but not there; copy it back",
    }.items():
        assert reason in refused[voice], refused[voice]
        assert "\n" not in refused[voice]
        assert f"not heard: {refused[voice]}" in caplog.text
    assert result.refused == 5
