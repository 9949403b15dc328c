"""Files appear whole or not at all, and what is no file stays what it is."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from epicene import files
from epicene.errors import StoreError
from epicene.files import locate_cache, locate_data, set_folder, write_atomically
from epicene.store.cache import Cache
from epicene.types import Pair
from tests.conftest import nobody


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    with write_atomically(pipe) as stream:
        stream.write("transcripts\n")
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    reader.join(60)
    assert read == ["transcripts\n"]
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_file_that_could_not_be_finished_leaves_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("before", encoding="utf-8")
    with (
        pytest.raises(StoreError, match="the disk is full; nothing was written there"),
        write_atomically(path) as stream,
    ):
        stream.write("half")
        raise OSError(28, "No space left on device")
    assert path.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home folder of somebody who has not set EPICENE_HOME, in a folder that everybody may write to."""
    monkeypatch.delenv("EPICENE_HOME")
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        monkeypatch.setenv("HOME", str(Path(folder) / "account"))
        monkeypatch.setattr("tempfile.tempdir", folder)
        files._make_temporary.cache_clear()
        yield Path(folder) / "account"


def test_what_must_last_lies_apart_from_what_can_be_made_again(account: Path) -> None:
    account.mkdir()
    assert locate_data("translations.sqlite") == account / ".local/share/epicene/translations.sqlite"
    assert set_folder("winomt") == account / ".local/share/epicene/sets/winomt"
    assert locate_cache("converted") == account / ".cache/epicene/converted"


def test_sets_and_answers_of_earlier_versions_move_out_of_the_cache_folder(account: Path) -> None:
    older = account / ".cache/epicene"
    cache = Cache(older / "translations.sqlite")  # kept open, as by a kill: what it was told last is in a second file
    cache.add("s", Pair("en", "de"), [("a", "b")])
    (older / "sets/winomt").mkdir(parents=True)
    (older / "sets/winomt/en.txt").write_text("text", encoding="utf-8")
    assert locate_data("translations.sqlite") == older / "translations.sqlite"  # in use, so it stays
    cache.close()
    assert Cache().known("s", Pair("en", "de"), ["a"]) == {"a": "b"}
    assert (set_folder("winomt") / "en.txt").read_text(encoding="utf-8") == "text"
    assert [path for path in older.rglob("*") if path.is_file()] == []


def test_without_a_home_that_can_be_written_to_a_temporary_folder_serves_with_a_warning(
    account: Path, caplog: pytest.LogCaptureFixture
) -> None:
    account.mkdir(mode=0o555)
    with nobody():
        Cache().add("s", Pair("en", "de"), [("a", "b")])
        assert Cache().known("s", Pair("en", "de"), ["a"]) == {"a": "b"}
        folder = account.parent / f"epicene-{os.geteuid()}"
        assert set_folder("winomt") == folder / "sets/winomt"
    assert folder.stat().st_mode & 0o777 == 0o700
    (warning,) = caplog.messages
    assert str(folder) in warning and "EPICENE_HOME" in warning


def test_a_temporary_folder_of_somebody_else_is_not_used(account: Path) -> None:
    account.mkdir(mode=0o555)
    with nobody():
        uid = os.geteuid()
    (account.parent / f"epicene-{uid}").mkdir()
    with nobody(), pytest.raises(StoreError, match="somebody else's; set EPICENE_HOME"):
        locate_data("translations.sqlite")


def test_a_home_that_was_named_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir(mode=0o555)
    monkeypatch.setenv("EPICENE_HOME", str(tmp_path / "closed"))
    with nobody():
        assert locate_data("x") == locate_cache("x") == tmp_path / "closed/x"
