"""Files appear whole or not at all, and what is no file stays what it is."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import threading
from pathlib import Path

import pytest

from epicene.errors import StoreError
from epicene.files import unpack, written


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    with written(pipe) as stream:
        stream.write("transcripts\n")
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    reader.join(60)
    assert read == ["transcripts\n"]
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_file_that_could_not_be_finished_leaves_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("before", encoding="utf-8")
    with pytest.raises(StoreError, match="the disk is full; nothing was written there"), written(path) as stream:
        stream.write("half")
        raise OSError(28, "No space left on device")
    assert path.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("filters", [True, False])
@pytest.mark.parametrize("leads", ["../out", "/tmp/epicene-out", "link"])  # noqa: S108 - never written
def test_no_file_of_an_archive_leads_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, filters: bool, leads: str
) -> None:
    if not filters:  # as Python was before 3.11.4
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
    good, bad = tarfile.TarInfo("folder/good.txt"), tarfile.TarInfo(leads)
    good.size = 4
    if leads == "link":
        bad.type, bad.linkname = tarfile.SYMTYPE, "../../elsewhere"
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.addfile(good, io.BytesIO(b"text"))
        archive.addfile(bad)
    folder = tmp_path / "folder"
    with tarfile.open(tmp_path / "a.tar") as archive:
        unpack(archive, folder, [archive.getmember("folder/good.txt")])
        assert (folder / "folder" / "good.txt").read_bytes() == b"text"
        if leads.startswith("/") and hasattr(tarfile, "data_filter"):
            return  # taken without its slash
        with pytest.raises(tarfile.TarError):
            unpack(archive, folder)
    assert not (tmp_path / "out").exists()
