"""Files that are known by name and checksum are taken from folders and archives, and other versions are refused."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.sets.about import PublishedFile
from epicene.sets.files import checked_contents as contents

TEXT = b"one\ntwo\n"
SUM = hashlib.sha256(TEXT).hexdigest()
FILES = (
    PublishedFile("test/a.txt", (), "https://example.org/a.txt", SUM),
    PublishedFile("test/marked/a.txt", (), "https://example.org/m/a.txt", ""),
    PublishedFile("b.csv", ("b.csv.gz",), "", SUM),
)


def tar(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def test_a_folder_a_tar_and_a_zip_give_the_same(tmp_path: Path) -> None:
    members = {"clone/data/test/a.txt": TEXT, "clone/data/test/marked/a.txt": b"<F>", "clone/other/a.txt": b"no"}
    for name, content in members.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    wanted = {"test/a.txt": TEXT, "test/marked/a.txt": b"<F>"}
    for path in (
        tmp_path / "clone",
        tmp_path / "clone/data/test",
        tmp_path / "set.zip",
        tar(tmp_path / "s.tgz", members),
    ):
        assert contents(path, "set", FILES) == wanted


def test_a_gzipped_file_is_the_file(tmp_path: Path) -> None:
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(TEXT))
    assert contents(tmp_path / "b.csv.gz", "set", FILES) == {"b.csv": TEXT}


def test_another_version_and_a_broken_archive_are_named(tmp_path: Path) -> None:
    other = tar(tmp_path / "other.tar.gz", {"test/a.txt": b"changed"})
    with pytest.raises(InputError, match=r"test/a.txt is another version of set: its SHA-256 differs from"):
        contents(other, "set", FILES)
    (tmp_path / "cut.tar.gz").write_bytes(other.read_bytes()[:40])
    with pytest.raises(InputError, match=r"cut.tar.gz: broken archive"):
        contents(tmp_path / "cut.tar.gz", "set", FILES)


def test_an_archive_in_a_folder_serves_where_no_file_lies_beside_it(tmp_path: Path) -> None:
    tar(tmp_path / "set.tar.gz", {"clone/b.csv": TEXT})
    assert contents(tmp_path, "set", FILES) == {"b.csv": TEXT}
    (tmp_path / "cut.zip").write_bytes(b"broken")
    (tmp_path / "b.csv").write_bytes(TEXT)
    assert contents(tmp_path, "set", FILES) == {"b.csv": TEXT}  # archives are not opened
