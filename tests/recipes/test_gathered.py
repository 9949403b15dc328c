"""Sentence pairs from the history of a repository: direct ones, through a third language, tests kept out."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.files import read_lines
from epicene_lab.recipes.bundled import gathered
from epicene_lab.recipes.bundled.__main__ import main


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def _git(folder: Path, *words: str) -> None:
    named = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *named, *words], check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Texts that were added and later taken away."""
    folder = tmp_path / "clone"
    work = folder / "work-spm"
    _write(work / "it-en/val/Tatoeba.src.shuffled.gz", "Ciao.\tHello.\nHo fame.\tI'm hungry.\n")
    _write(work / "it-en/test/Tatoeba.src", "Ho sonno.\nHo fame.\n")
    _write(work / "it-en/test/Tatoeba.trg", "I'm sleepy.\nI am so hungry.\n")
    _write(work / "fr-it/val/Tatoeba.src", ">>it<< Il pleut.\nJ'ai sommeil.\n")
    _write(work / "fr-it/val/Tatoeba.trg", "Piove.\nHo molto sonno.\n")
    (work / "en-it/test").mkdir(parents=True)
    (work / "en-it/test/Tatoeba.src").symlink_to("../../it-en/test/Tatoeba.trg")
    _git(folder.parent, "init", "-q", str(folder))
    for words in (("add", "-A"), ("commit", "-qm", "1"), ("rm", "-rq", "work-spm"), ("commit", "-qm", "2")):
        _git(folder, *words)
    return folder


def test_pairs_are_taken_from_history_and_tests_are_kept_apart(clone: Path, tmp_path: Path) -> None:
    _write(tmp_path / "data/tatoeba_eng-fra.tsv.gz", "It's raining.\tIl pleut.\nI'm sleepy.\tJ'ai sommeil.\n")
    _write(tmp_path / "more.tsv", "Thanks.\tGrazie.\tby somebody\n")
    out = tmp_path / "out"
    words = ["gather", f"it={tmp_path / 'more.tsv'}", "--opus", str(clone), "--data", str(tmp_path / "data")]
    assert main([*words, "-o", str(out)]) == 0
    # Ho fame and I'm sleepy stand in the test.
    found = set(read_lines(out / "tatoeba_eng-ita.tsv.gz"))
    assert found == {"Hello.\tCiao.", "Thanks.\tGrazie.", "It's raining.\tPiove."}
    assert len(list(read_lines(out / "tatoeba_merged_test.eng-ita.tsv.gz"))) == 2


def test_a_test_that_is_there_leaves_all_to_be_learnt(clone: Path, tmp_path: Path) -> None:
    _write(tmp_path / "data/tatoeba_merged_test.eng-ita.tsv.gz", "Good.\tBene.\n")
    list(gathered.gather(clone, tmp_path / "data", ["it"], tmp_path / "out"))
    assert len(list(read_lines(tmp_path / "out/tatoeba_eng-ita.tsv.gz"))) == 4
    assert not (tmp_path / "out/tatoeba_merged_test.eng-ita.tsv.gz").exists()


def test_another_repository_is_refused(clone: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no sentences of Tatoeba in 'pt'; expected a clone of OPUS-MT-train"):
        list(gathered.gather(clone, tmp_path, ["pt"], tmp_path / "out"))
    with pytest.raises(InputError, match="not a git repository"):
        list(gathered.gather(tmp_path, tmp_path, ["it"], tmp_path / "out"))
