"""How much an archive may unpack to, and where."""

from __future__ import annotations

import io
import tarfile
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest

from epicene import archives
from epicene.errors import InputError


def pack(path: Path, *contents: bytes) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, content in enumerate(contents):
                archive.writestr(f"{number}.txt", content)
    else:
        with tarfile.open(path, "w:gz") as packed:
            for number, content in enumerate(contents):
                member = tarfile.TarInfo(f"{number}.txt")
                member.size = len(content)
                packed.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_a_file_that_unpacks_to_more_than_the_bound_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "LARGEST", 100)
    path = pack(tmp_path / name, bytes(100))
    archives.extract(path, tmp_path / "whole")
    assert (tmp_path / "whole" / "0.txt").stat().st_size == 100
    pack(path, bytes(101))
    with pytest.raises(InputError, match=r"0\.txt unpacks to more than 100 bytes"):
        archives.extract(path, tmp_path / "refused")
    assert not (tmp_path / "refused").exists()


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_an_archive_that_unpacks_to_more_than_the_bound_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "_LARGEST_FOLDER", 250)
    with pytest.raises(InputError, match="unpacks to more than 250 bytes; unpack it yourself"):
        archives.extract(pack(tmp_path / name, bytes(100), bytes(100), bytes(100)), tmp_path / "folder")
    assert not (tmp_path / "folder" / "2.txt").exists()


@pytest.mark.parametrize("leads", ["../out", "/tmp/epicene-out", "link"])  # noqa: S108 - never written
def test_no_file_of_an_archive_leads_outside(tmp_path: Path, leads: str) -> None:
    good, bad = tarfile.TarInfo("folder/good.txt"), tarfile.TarInfo(leads)
    good.size = 4
    if leads == "link":
        bad.type, bad.linkname = tarfile.SYMTYPE, "../../elsewhere"
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.addfile(good, io.BytesIO(b"text"))
        archive.addfile(bad)
    folder = tmp_path / "folder"
    with nullcontext() if leads == "link" else pytest.raises(InputError, match="outside the folder"):
        archives.extract(tmp_path / "a.tar", folder)
    assert (folder / "folder" / "good.txt").read_bytes() == b"text"
    assert [path.name for path in folder.iterdir()] == ["folder"] and not (tmp_path / "out").exists()
