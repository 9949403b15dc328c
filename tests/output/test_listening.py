"""Recordings in a page: few, small, of the right sentences, and nothing but sound."""

from __future__ import annotations

import base64
import io
import re
import wave
from dataclasses import replace
from pathlib import Path

import pytest

import epicene
from epicene.output.page import listening
from epicene.output.page.page import write_page
from epicene.result import Result
from epicene.sets import page_words
from tests.recordings import SENTENCES, answering, custom, recorded

HEARD = {
    "1": "the carpenter thanked the clerk because he had waited",
    "2": "the norse told <script>alert(1)</script> that his bus was late",
    "3": "the plumber showed the florist her van",
    "4": "the cook called the judge because he was ill",
}


@pytest.fixture
def result(tmp_path: Path) -> Result:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    system = f"cascade:command:{answering(tmp_path, 'listener', HEARD)}+bundled"
    return epicene.audit([spoken], ["en-es"], [system]).results[0]


def _sounds(page: str) -> list[bytes]:
    return [base64.b64decode(found) for found in re.findall(r'src="data:audio/wav;base64,([^"]+)"', page)]


def _page(tmp_path: Path, *results: Result) -> str:
    return write_page(tmp_path / "page.html", results).read_text(encoding="utf-8")


def test_examples_can_be_heard_in_the_page_itself(result: Result, tmp_path: Path) -> None:
    page = _page(tmp_path, result)
    sounds = _sounds(page)
    assert 2 <= len(sounds) <= len(SENTENCES)
    for sound in sounds:
        with wave.open(io.BytesIO(sound)) as read:
            assert (read.getframerate(), read.getnchannels()) == (8000, 1)
    assert "media-src data:" in page
    assert "Error from recognition" in page
    assert "Where errors come from" in page
    assert "women’s voices" in page
    assert "<script>alert(1)" not in page
    assert "heard: the plumber showed the florist her van" in page
    assert str(tmp_path / "audio") not in page


def test_charts_show_voices_in_words_and_leave_their_details_to_the_file_of_results(result: Result) -> None:
    words = page_words(result.set)
    details = {each.group for each in result.measures if each.detail and each.name == words.main}
    assert any("voice:slt" in group for group in details)
    groups = [rate.group for rate in words.main_rates(result)]
    assert not details & set(groups)
    shown = {words.describe(group) for group in groups}
    assert shown >= {"the voice slt", "the voice rms", "women’s voices", "men’s voices"}


def test_a_page_of_text_has_no_players_and_allows_none(tmp_path: Path) -> None:
    page = _page(tmp_path, epicene.score(custom(tmp_path), "en-es", ["La carpintera."] * 4))
    assert "<audio" not in page
    assert "media-src" not in page


def test_a_recording_that_was_changed_or_lost_is_not_played(result: Result, tmp_path: Path) -> None:
    for path in (tmp_path / "audio").rglob("*.wav"):
        path.write_bytes(b"not the recording") if path.parent.name == "slt" else path.unlink()
    page = _page(tmp_path, result)
    assert not _sounds(page)
    assert "the recording is not there any more" in page


def test_players_stay_small_however_many_recordings_there_are(
    result: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [replace(result, system=f"system {number}") for number in range(4)]
    page = _page(tmp_path, *many)
    assert len(_sounds(page)) <= listening.MOST
    heard = page.partition('<section id="listen"')[2].partition("</section>")[0]
    assert heard.count("<bdi>system ") == heard.count("<audio") > 1  # whose translation it is
    one = len(base64.b64encode(_sounds(_page(tmp_path, result))[0]))
    monkeypatch.setattr(listening, "BYTES", int(2.5 * one))
    assert len(_sounds(_page(tmp_path, result))) == 2


def test_what_could_not_be_read_of_a_direct_system_is_not_called_wrong(tmp_path: Path) -> None:
    said = {"1": "El carpintero esperaba.", "2": "Era tarde.", "3": "La fontanera tenía un coche.", "4": "Era tarde."}
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    system = f"command-speech:{answering(tmp_path, 'direct', said)}"
    page = _page(tmp_path, *epicene.audit([spoken], ["en-es"], [system], anyway=True).results)
    heard = page[page.index("A few recordings") :].partition("</table>")[0]
    assert "El <mark>carpintero</mark>" in heard and "by a system that writes nothing down" in heard
    assert "Era tarde" not in heard
