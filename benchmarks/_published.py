"""Published translations of the test sets, and those of the weak systems of the lab."""

from __future__ import annotations

import random
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.flow.plan import open_set
from epicene.flow.score import open_file
from epicene.sets import TestSet
from epicene.sets import files as published
from epicene.types import Pair

ARCHIVES = ("hearing2translate", "wmt24-dialogue", "mt-geneval", "nbest4")
_OF_MITTENS = ("es-en", "fi-en", "tr-en", "en-de", "en-es")  # no system's translations of it are published
_FROM_LAB = 12  # runs of each file of the lab that are drawn


class Published(NamedTuple):
    """A system's translations of a set."""

    challenge: TestSet
    langs: str
    system: str
    lines: list[str]

    @property
    def name(self) -> str:
        """What the file is called in tables."""
        return f"{self.challenge.name} {self.langs} {self.system}"


def translations(folder: Path, place: Path) -> Iterator[Published]:
    """All that lie in a folder of published data; archives are unpacked in the second one."""
    for name in ARCHIVES:
        with tarfile.open(folder / f"{name}.tar.gz") as archive:
            archive.extractall(place / name, filter="data")
    with tarfile.open(folder / "gest" / "gest.tar.gz") as archive:
        archive.extractall(place / "gest", filter="data")
    for name, file in (
        ("winomt", "winomt"),
        ("dialogue", "wmt24-dialogue.tar.gz"),
        ("mt-geneval", "mt-geneval.tar.gz"),
        ("gest", "gest/gest.tar.gz"),
        ("mittens", "mittens_dataset_v5.csv.gz"),
    ):
        published.add(name, folder / file)
    for path in sorted((folder / "simplegen").glob("opus-mt.en-*.txt")):
        yield _plain("simplegen", path.stem.partition(".")[2], "opus-mt", path)
    for path in sorted((folder / "winomt" / "translations").glob("*.en-*.txt")):
        yield _plain("winomt", path.stem.partition(".")[2], path.stem.partition(".")[0], path)
    for path in sorted((place / "hearing2translate").glob("*/en-*.txt")):
        if "_asr" not in path.parent.name:
            yield _plain("winomt", path.stem, path.parent.name, path)
    for path in sorted((place / "wmt24-dialogue").glob("en-*/*.txt")):
        if path.stem != "source":
            yield _plain("dialogue", path.parent.name, path.stem, path)
    for path in sorted((folder / "wibemt").glob("verb_translations_*.tsv")):
        yield _own("wibemt-verbs", "en-de", path.stem.rpartition("_")[2], path)
    for path in sorted((place / "mt-geneval" / "google").glob("*.csv")):
        yield _own("mt-geneval", path.stem[-5:].replace("_", "-"), "google", path)
    for path in sorted((place / "gest" / "translations").glob("*/*/translations.csv")):
        yield _own("gest", f"en-{path.parent.name}", path.parent.parent.name, path)
    for langs in _OF_MITTENS:
        items = open_set("mittens").items(Pair(*langs.split("-")))
        yield Published(open_set("mittens"), langs, "references", [item.references[0].text for item in items])
    yield from _candidates(place / "nbest4")
    yield from _lab()


def _plain(name: str, langs: str, system: str, path: Path) -> Published:
    texts = [line.rpartition(" ||| ")[2] for line in path.read_text(encoding="utf-8").splitlines()]
    return Published(open_set(name), langs, system, texts)


def _own(name: str, langs: str, system: str, path: Path) -> Published:
    """A file that says itself what it translates."""
    challenge, hypotheses = open_file(open_set(name), path)
    return Published(challenge, langs, system, list(hypotheses.lines()))


def _candidates(folder: Path) -> Iterator[Published]:
    """The first and the last of the n-best lists of WinoMT."""
    for path in sorted(folder.iterdir()):
        lists: dict[str, list[str]] = {}
        for row in path.read_text(encoding="utf-8").splitlines():
            number, text = row.split(" |||")[:2]
            lists.setdefault(number, []).append(text.strip())
        langs, kind = f"en-{path.name[2:4]}", path.name.split(".")[1]
        for rank, place in (("first", 0), ("last", -1)):
            yield Published(open_set("winomt"), langs, f"{kind} {rank}", [texts[place] for texts in lists.values()])


@cache
def _lab_files() -> list[Path]:
    from epicene_lab.shipped import shipped

    return sorted(path for folder in (shipped(), shipped().parent / "earlier") for path in folder.glob("*.*.xz"))


def _lab() -> Iterator[Published]:
    """Some runs of the lab's small models."""
    from epicene_lab.outputs import read

    for path in _lab_files():
        try:
            outputs = read(path)
        except InputError:
            continue
        langs, name = path.name.split(".")[:2]
        for run in random.Random(1).sample(outputs.runs, min(_FROM_LAB, len(outputs.runs))):
            system = f"lab {path.parent.name} {run.model} {run.seed} {run.precision} {run.beam}"
            yield Published(open_set(name), langs, system, outputs.of(run))
