"""How much an archive may unpack to."""

from __future__ import annotations

import io
import tarfile
import zipfile
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
