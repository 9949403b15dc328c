"""The check before any number: damaged files that it finds, and published files that it must let pass."""

from __future__ import annotations

import csv
import os
import random
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import epicene
from benchmarks import run_parts
from epicene.check import words
from epicene.check.check import limits
from epicene.check.order import Line
from epicene.errors import EvidenceError
from epicene.files import unpack
from epicene.flow.plan import open_pair, open_set
from epicene.sets import files as published
from epicene.store.hypotheses import by_line


def outputs(folder: Path, place: Path) -> Iterator[tuple[str, str, str, list[str]]]:
    """Set, languages, name and lines of every published output."""
    for name in ("hearing2translate", "wmt24-dialogue", "mt-geneval"):
        with tarfile.open(folder / f"{name}.tar.gz") as archive:
            unpack(archive, place / name)
    for path in sorted((place / "wmt24-dialogue").glob("en-*/*.txt")):
        if path.stem != "source":
            yield "dialogue", path.parent.name, path.stem, _lines(path)
    for path in sorted((place / "hearing2translate").glob("*/en-*.txt")):
        if "_asr" not in path.parent.name:
            yield "winomt", path.stem, path.parent.name, _lines(path)
    for path in sorted((folder / "winomt" / "translations").glob("*.en-*.txt")):
        yield "winomt", path.stem.partition(".")[2], path.stem.partition(".")[0], _lines(path)
    for path in sorted((folder / "simplegen").glob("opus-mt.en-*.txt")):
        yield "simplegen", path.stem.partition(".")[2], "opus-mt", _lines(path)
    for path in sorted((place / "mt-geneval" / "google").glob("*.csv")):
        with path.open(encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        both = [row[f"translate_{gender}"] for gender in ("feminine", "masculine") for row in rows]
        yield "mt-geneval", path.stem[-5:].replace("_", "-"), "google", both


def _lines(path: Path) -> list[str]:
    return [line.rpartition(" ||| ")[2] for line in path.read_text(encoding="utf-8").splitlines()]


def damaged(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The lines as they are, with a line lost at three places, and with a tenth repeated or shuffled."""
    yield "as published", lines
    n, tenth = len(lines), len(lines) // 10
    for share in (0.33, 0.8, 0.95):
        lost = int(n * share)
        yield f"a line lost at {share:.0%}", [*lines[:lost], *lines[lost + 1 :], lines[lost]]
    yield "a tenth twice", [*lines[:tenth], *lines[:tenth], *lines[2 * tenth :]]
    mixed = random.Random(1).sample(lines[n // 2 : n // 2 + tenth], tenth)
    yield "a tenth shuffled", [*lines[: n // 2], *mixed, *lines[n // 2 + tenth :]]


def print_order() -> None:
    """Order told by a file's own words: published outputs as they are and damaged in five ways; words narrow them."""
    folder, wanted = Path(os.environ["EPICENE_TEST_DATA"]), sys.argv[1:]
    for name, file in (
        ("winomt", "winomt"),
        ("dialogue", "wmt24-dialogue.tar.gz"),
        ("mt-geneval", "mt-geneval.tar.gz"),
    ):
        published.add(name, folder / file)
    found: Counter[tuple[str, str]] = Counter()
    files: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for name, langs, system, lines in outputs(folder, Path(place)):
            if wanted and not any(word in f"{name} {langs} {system}" for word in wanted):
                continue
            challenge = open_set(name)
            items = [group[0] for group in by_line(challenge.items(open_pair(langs, challenge)))]
            files[name] += 1
            for damage, texts in damaged(lines):
                rows = [Line(n, item, text) for n, (item, text) in enumerate(zip(items, texts, strict=True), 1) if text]
                found[name, damage] += words.disorder(rows, limits()["words"]) is not None
    for (name, damage), count in found.items():
        print(f"{name:<12} {damage:<20} {count:>3} of {files[name]} found out")


def print_files() -> None:
    """The check before any number on published outputs: how many are refused, and why; arguments narrow the files."""
    folder, wanted = Path(os.environ["EPICENE_TEST_DATA"]), sys.argv[1:]
    published.add("winomt", folder / "winomt")
    with tempfile.TemporaryDirectory() as place, tarfile.open(folder / "hearing2translate.tar.gz") as archive:
        unpack(archive, Path(place))
        files = [("simplegen", path) for path in sorted((folder / "simplegen").glob("opus-mt.en-*.txt"))]
        files += [("winomt", path) for path in sorted((folder / "winomt" / "translations").glob("*.en-*.txt"))]
        files += [("winomt", path) for path in sorted(Path(place).rglob("en-*.txt")) if "_asr" not in str(path)]
        chosen = [each for each in files if not wanted or any(word in str(each[1]) for word in wanted)]
        refused = 0
        for name, path in chosen:
            langs = path.stem.rpartition(".")[2]
            try:
                epicene.score(name, langs, path)
            except EvidenceError as error:
                refused += 1
                print(f"{path.parent.name}/{path.name}: {error}")
        print(f"{len(chosen)} published files, {refused} refused")


PARTS = {"order": print_order, "files": print_files}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
