"""``epicene study`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

from epicene.studies import STUDIES
from tests.conftest import Command


def test_studies_are_listed(epicene: Command) -> None:
    names = [line.split()[0] for line in epicene("study").stdout.splitlines() if not line.startswith(" ")]
    assert names == STUDIES.names()


def test_an_unknown_study_names_the_known_ones(epicene: Command) -> None:
    done = epicene("study", "waet")
    assert done.returncode == 2
    assert done.stderr.startswith("epicene: unknown study 'waet'. Did you mean 'weat'? Known: ")


def test_without_inputs_the_published_figures_are_shown_and_how_to_get_the_rest(epicene: Command) -> None:
    short = epicene("study", "weat").stdout.splitlines()
    assert len(short) <= 100 and "--all" in short[-1]
    done = epicene("study", "weat", "--all")
    assert done.returncode == 0  # our own vectors are there
    assert "on the vectors that come with epicene" in done.stdout
    assert "ger-2" in done.stdout
    assert "https://dl.fbaipublicfiles.com/fasttext/vectors-crawl/cc.de.300.vec.gz" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines() if "|v:" not in line) <= 80  # signatures aside


def test_inputs_must_be_named(epicene: Command) -> None:
    assert "expected NAME=PATH" in epicene("study", "weat", "-i", "glove.txt").stderr
    assert "unknown input 'gluv'" in epicene("study", "weat", "-i", "gluv=x").stderr


def test_tables_put_ours_beside_the_published_figures(published: Path, epicene: Command) -> None:
    files = {"glove": "glove840B_weat_subset.vec.gz", "word2vec": "googlenews_word2vec_weat_subset.vec.gz"}
    given = [part for name, file in files.items() for part in ("-i", f"{name}={published / 'weat' / file}")]
    found = json.loads(epicene("study", "weat", *given, "-f", "json").stdout)[0]
    rows = {(row["vectors"], row["test"]): row for row in found["tables"][0]["rows"]}
    assert (rows["glove", "weat7-mod"]["published_p"], round(rows["glove", "weat7-mod"]["p"], 3)) == (".026", 0.026)
    assert (rows["word2vec", "weat8"]["published_d"], round(rows["word2vec", "weat8"]["d"], 2)) == ("1.24", 1.24)
    assert any("'she'" in note for note in found["tables"][0]["notes"])
    assert set(found["missing"]) == {"de", "fr"}
    text = epicene("study", "weat", *given).stdout
    assert max(len(line) for line in text.splitlines() if "|words:" not in line) <= 80


def test_vectors_are_found_under_their_usual_name(own_home: Path, published: Path, epicene: Command) -> None:
    folder = own_home / "vectors"
    folder.mkdir()
    (folder / "glove.840B.300d.txt.gz").symlink_to(published / "weat" / "glove840B_weat_subset.vec.gz")
    found = json.loads(epicene("study", "weat", "-f", "json").stdout)[0]
    assert "glove" not in found["missing"]
    assert found["signatures"]
