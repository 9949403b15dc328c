"""A folder's list of recordings: what is written is read, and nothing in it leads out of the folder."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epicene.errors import DataMissingError, InputError, StoreError
from epicene.speech import manifest
from epicene.speech.manifest import Clip

RECORD = {
    "id": "1",
    "path": "slt/1.wav",
    "text": "The nurse came.",
    "voice": "slt",
    "speaker": "female",
    "seconds": 1.5,
    "sha256": "0" * 64,
}


def listed(folder: Path, **changes: object) -> Path:
    (folder / "manifest.jsonl").write_text(json.dumps(RECORD | changes) + "\n", encoding="utf-8")
    return folder


def clip(folder: Path, key: str = "1") -> Clip:
    path = folder / "slt" / f"{key}.wav"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"sound " + key.encode())
    return Clip(key, path, 'Sie sagte: „Schön".\u2028', "slt", "female", 1.25, manifest.checksum(path) or "")


def test_what_is_written_or_appended_is_read(tmp_path: Path) -> None:
    clips = [clip(tmp_path, key) for key in ("1", "2", "3")]
    manifest.write(tmp_path, clips[:1])
    for each in clips[1:]:
        manifest.append(tmp_path, each)
    assert manifest.read(tmp_path) == clips
    for each in clips:
        manifest.verify(each)


@pytest.mark.parametrize(
    "path",
    [
        "../1.wav",
        "slt/../../1.wav",
        "/etc/passwd",
        "//etc/passwd",
        "",
        "..",
        "out/1.wav",
        "circle/1.wav",
        "a\x00b",
        "link",
    ],
)
def test_a_path_cannot_leave_its_folder(tmp_path: Path, path: str) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "1.wav").write_bytes(b"secret")
    (inside / "out").symlink_to(outside)
    (inside / "circle").symlink_to(inside / "circle")
    (inside / "link").symlink_to(outside / "1.wav")
    with pytest.raises(InputError, match=r"manifest\.jsonl:1: path .* leaves the folder"):
        manifest.read(listed(inside, path=path))


@given(st.lists(st.sampled_from(["..", ".", "a", "/", "", "b.wav", "\\", "~"]), min_size=1, max_size=6))
def test_whatever_a_path_says_it_is_inside_or_refused(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("folder")
    try:
        (found,) = manifest.read(listed(folder, path="/".join(parts)))
    except InputError:
        return
    assert Path(os.path.realpath(found.path)).is_relative_to(os.path.realpath(folder))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"speaker": "woman"}, "speaker 'woman'; known: female, male, unknown"),
        ({"seconds": "1"}, "seconds '1' is no positive number"),
        ({"seconds": 0}, "seconds 0 is no positive number"),
        ({"seconds": True}, "no positive number"),
        ({"seconds": 10**400}, "no positive number"),
        ({"text": None}, "text None is no text"),
        ({"text": "\ud800"}, r"text '\\ud800' is no text"),
        ({"voice": " "}, "voice ' '; expected a name"),
        ({"voice": "\x1b[31m"}, r"voice '\\x1b\[31m'; expected a name"),
        ({"sha256": " "}, "sha256 ' '; expected 64 hexadecimal digits"),
        ({"sha256": "0" * 63 + "g"}, "expected 64 hexadecimal digits"),
    ],
)
def test_a_wrong_value_is_refused_with_its_line(tmp_path: Path, changes: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=f"manifest.jsonl:1: .*{says}"):
        manifest.read(listed(tmp_path, **changes))


@pytest.mark.parametrize("line", ["{", "[]", "{}", "null", "1", "", '{"id": "1"', "[" * 100_000])
def test_a_line_that_is_no_recording_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "manifest.jsonl").write_text(json.dumps(RECORD) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"manifest\.jsonl:2: .*expected an object with id, path, text"):
        manifest.read(tmp_path)


def test_a_sentence_that_stands_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.jsonl").write_text((json.dumps(RECORD) + "\n") * 2, encoding="utf-8")
    with pytest.raises(InputError, match=r":2: sentence 1 by slt is there already \(line 1\)"):
        manifest.read(tmp_path)


def test_a_folder_without_a_list_says_how_to_make_one(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(DataMissingError, match="epicene speech synthesize"):
            manifest.read(folder)


def test_half_a_line_is_removed_before_work_goes_on(tmp_path: Path) -> None:
    clips = [clip(tmp_path, key) for key in ("1", "2")]
    manifest.write(tmp_path, clips)
    whole = (tmp_path / "manifest.jsonl").read_bytes()
    (tmp_path / "manifest.jsonl").write_bytes(whole + whole[:40])
    with pytest.raises(InputError, match=":3: no JSON"):
        manifest.read(tmp_path)
    assert manifest.mend(tmp_path) == clips
    assert (tmp_path / "manifest.jsonl").read_bytes() == whole


def test_the_last_line_of_another_tool_may_lack_its_line_feed(tmp_path: Path) -> None:
    clips = [clip(tmp_path, key) for key in ("1", "2")]
    manifest.write(tmp_path, clips)
    whole = (tmp_path / "manifest.jsonl").read_bytes()
    (tmp_path / "manifest.jsonl").write_bytes(whole.removesuffix(b"\n"))
    assert manifest.mend(tmp_path) == clips
    assert (tmp_path / "manifest.jsonl").read_bytes() == whole


def test_what_windows_tools_write_is_read(tmp_path: Path) -> None:
    one = clip(tmp_path)
    manifest.write(tmp_path, [one])
    line = (tmp_path / "manifest.jsonl").read_text(encoding="utf-8").replace(one.sha256, one.sha256.upper())
    (tmp_path / "manifest.jsonl").write_bytes(b"\xef\xbb\xbf" + line.replace("\n", "\r\n").encode())
    assert manifest.read(tmp_path) == manifest.mend(tmp_path) == [one]


def test_a_line_that_finds_no_room_is_said(tmp_path: Path) -> None:
    """A disk that fills up takes part of a line without an error; only the rest is refused."""
    clips = [clip(tmp_path, key) for key in ("1", "2")]
    manifest.append(tmp_path, clips[0])
    size = (tmp_path / "manifest.jsonl").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, before[1]))
    try:
        with pytest.raises(StoreError, match="cannot write"):
            manifest.append(tmp_path, clips[1])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert manifest.mend(tmp_path) == clips[:1]


def test_a_recording_that_was_lost_or_changed_is_refused(tmp_path: Path) -> None:
    one = clip(tmp_path)
    one.path.write_bytes(b"other")
    with pytest.raises(InputError, match=r"not the recording that manifest\.jsonl lists"):
        manifest.verify(one)
    one.path.unlink()
    with pytest.raises(InputError, match=r"listed in manifest\.jsonl but not there"):
        manifest.verify(one)
