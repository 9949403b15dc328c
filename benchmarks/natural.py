"""Sets of natural text beside what was published of them: MT-GenEval's decisions, and how references are read."""

from __future__ import annotations

import csv
import io
import os
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import epicene
from epicene import published
from epicene.detectors.contrast import read
from epicene.sets import load
from epicene.sets.mt_geneval.files import GENDERS, LANGUAGES
from epicene.types import Gender, Pair


class Decision(NamedTuple):
    """A published decision of the authors' metric on Google, and ours."""

    language: str
    item: str
    published: bool
    ours: bool


def google(folder: Path, language: str) -> list[dict[str, str]]:
    """Google's translations with the decisions that were published for them."""
    with tarfile.open(folder / "mt-geneval.tar.gz") as archive:
        name = next(
            each for each in archive.getnames() if each.endswith(f"google/mt_geneval_sentences_en_{language}.csv")
        )
        stream = archive.extractfile(name)
        assert stream is not None
        return list(csv.DictReader(io.StringIO(stream.read().decode())))


def decisions(folder: Path, spec: str = "mt-geneval") -> Iterator[Decision]:
    """Every published decision beside ours."""
    published.add("mt-geneval", folder / "mt-geneval.tar.gz")
    for language in LANGUAGES:
        rows = google(folder, language)
        lines = [row[f"translate_{gender}"] for gender in GENDERS for row in rows]
        said = [row[f"decision_{gender[0]}"] == "Correct" for gender in GENDERS for row in rows]
        result = epicene.score(spec, f"en-{language}", lines, "paper")
        for verdict, decision in zip(result.verdicts, said, strict=True):
            yield Decision(language, verdict.output.item.id, decision, verdict.right)


def references(folder: Path) -> dict[str, Counter[str]]:
    """How the contrast reads the references themselves: right, wrong or without evidence, by language."""
    published.add("mt-geneval", folder / "mt-geneval.tar.gz")
    found: dict[str, Counter[str]] = {}
    for language in LANGUAGES:
        counts = found.setdefault(language, Counter())
        for item in load("mt-geneval").items(Pair("en", language)):
            own = next(text for text, gender in item.references if gender is item.expected)
            gender = read(item.references, own).gender
            counts["none" if gender is Gender.UNKNOWN else "right" if gender is item.expected else "wrong"] += 1
    return found


def main() -> None:
    """Print what is reproduced."""
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    for spec in ("mt-geneval", "mt-geneval:cleaned"):
        found = list(decisions(folder, spec))
        same = sum(each.published is each.ours for each in found)
        print(f"{spec} --protocol paper: {same:,} of {len(found):,} published decisions")
        for each in found:
            if each.published is not each.ours:
                print(f"  en-{each.language} {each.item}: published {each.published}, ours {each.ours}")
    for language, counts in references(folder).items():
        print(f"references en-{language}: {dict(counts)}")


if __name__ == "__main__":
    main()
