"""The study of GEST: published rates beside ours, from the published translations."""

from __future__ import annotations

import csv
import io
import tarfile
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.sets import files as store
from epicene.studies import STUDIES

RUN = STUDIES.find("gest").run


def test_without_translations_it_says_what_to_give() -> None:
    found = RUN({})
    assert "translations=PATH" in found.missing["translations"]
    # The published rates alone, 16 stereotypes for each system and language, and nothing of ours.
    rates, cells = found.parts
    assert len(cells.rows) == 16 * len(rates.rows)
    assert {row[-1] for row in cells.rows} == {None}


def test_a_folder_without_translations_is_refused(published: Path, tmp_path: Path) -> None:
    store.add("gest", published / "gest" / "gest.tar.gz")
    with pytest.raises(InputError, match=r"no SYSTEM/LANGUAGE/translations.csv"):
        RUN({"translations": str(tmp_path)})


def test_published_rates_of_a_translator_come_out_again(published: Path, tmp_path: Path) -> None:
    archive = published / "gest" / "gest.tar.gz"
    store.add("gest", archive)
    with tarfile.open(archive) as packed:
        wanted = [
            each for each in packed if each.name.endswith(("deepl/sk/translations.csv", "nllb_3b/hr/translations.csv"))
        ]
        packed.extractall(tmp_path, wanted, filter="data")
    rates, cells = RUN({"translations": str(tmp_path)}).parts
    assert [row[:2] for row in rates.rows] == [("deepl", "sk"), ("nllb_3b", "hr")]
    assert len(cells.rows) == 32 and sum(row[-1] == "yes" for row in cells.rows) >= 30
    for row in rates.rows:
        assert abs(row[3] - row[4]) < 2 and abs(row[5] - row[6]) < 2  # f_m and f_s


def test_translations_that_are_no_table_are_refused(published: Path, tmp_path: Path) -> None:
    store.add("gest", published / "gest" / "gest.tar.gz")
    (tmp_path / "deepl" / "sk").mkdir(parents=True)
    stream = io.StringIO()
    csv.writer(stream).writerows([["source", "target"], ["I am.", "Som."]])
    (tmp_path / "deepl" / "sk" / "translations.csv").write_text(stream.getvalue(), encoding="utf-8")
    with pytest.raises(InputError, match=r"translations.csv:1: no column from; expected a CSV file with from, to"):
        RUN({"translations": str(tmp_path)})
