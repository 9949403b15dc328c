"""Labelled people of published sets: ``open`` and MT-GenEval."""

from __future__ import annotations

import gzip
import re
import tarfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from epicene.reader import people
from epicene.types import Gender

OPEN = ("de", "es", "fr", "it", "pt", "ru")
GENEVAL = ("ar", "de", "es", "fr", "hi", "it", "pt", "ru")
_PRONOUN = re.compile(r"\b(?:s?he|him|her|his|hers|himself|herself)\b", re.IGNORECASE)
_FEMININE = re.compile(r"she|hers?|herself", re.IGNORECASE)


class Case(NamedTuple):
    """One person in one translation."""

    id: str
    kind: str
    source: str
    person: str
    start: int
    translation: str
    expected: Gender


def open_cases(folder: Path, language: str) -> Iterator[Case]:
    """The published half of ``open``: each row as men and as women."""
    with gzip.open(folder / "open" / f"en-{language}.tsv.gz", "rt", encoding="utf-8") as file:
        header = next(file).rstrip("\n").split("\t")
        for line in file:
            row = dict(zip(header, line.rstrip("\n").split("\t"), strict=True))
            for gender in (Gender.MASCULINE, Gender.FEMININE):
                yield Case(
                    row["id"], row["kind"], row["source"], row["focus"], int(row["start"]), row[gender.value], gender
                )


def geneval_files(folder: Path) -> dict[str, str]:
    """MT-GenEval's files by their path in the archive."""
    with tarfile.open(folder / "mt-geneval.tar.gz") as archive:
        return {
            member.name.removeprefix("./"): file.read().decode("utf-8")
            for member in archive
            if member.isfile() and (file := archive.extractfile(member)) is not None
        }


def sentence_cases(files: dict[str, str], language: str, part: str) -> Iterator[Case]:
    """He and she of counterfactual sentences whose two references differ; the person is the first pronoun."""
    read = {
        (gender, side): files[f"sentences/{part}/geneval-sentences-{gender}-{part}.en_{language}.{side}"].splitlines()
        for gender in ("feminine", "masculine")
        for side in ("en", language)
    }
    for number, (feminine, masculine) in enumerate(
        zip(read["feminine", language], read["masculine", language], strict=True)
    ):
        if feminine == masculine:
            continue
        for gender, translation in ((Gender.FEMININE, feminine), (Gender.MASCULINE, masculine)):
            source = read[gender.value, "en"][number]
            found = min(
                _PRONOUN.finditer(source),
                key=lambda each: (len(each[0]) == 3 and each[0].lower() != "she", each.start()),
                default=None,
            )
            if found:
                yield Case(f"{part}-{number}", "pronoun", source, found[0], found.start(), translation, gender)


def profession(sentence: str) -> re.Match[str] | None:
    """The only noun for a person, without what stands before it (assistant professor); None where there are more."""
    found = [each for each in re.finditer(r"[A-Za-z]+", sentence) if people.names_person(each[0])]
    chosen = found[-1] if found else None
    gaps = (sentence[first.end() : second.start()] for first, second in pairwise(found))
    return chosen if all(gap.strip() in ("", "-") for gap in gaps) else None


def context_cases(files: dict[str, str], language: str, part: str) -> Iterator[Case]:
    """Professions whose gender stands in the sentence before: the right reference and the wrong one."""
    name = f"context/geneval-context-wikiprofessions-{{}}-{part}.en_{language}.{{}}"
    if name.format("2to1", "en") not in files:
        return
    sources = files[name.format("2to1", "en")].splitlines()
    right = files[name.format("original", language)].splitlines()
    wrong = files[name.format("flipped", language)].splitlines()
    for number, (source, original, flipped) in enumerate(zip(sources, right, wrong, strict=True)):
        context, _, sentence = source.partition("<sep>")
        sentence = sentence.strip()
        told = {_FEMININE.fullmatch(each[0]) is not None for each in _PRONOUN.finditer(context)}
        found = profession(sentence)
        if found is None or len(told) != 1 or original == flipped:
            continue
        gender = Gender.FEMININE if told.pop() else Gender.MASCULINE
        other = Gender.MASCULINE if gender is Gender.FEMININE else Gender.FEMININE
        yield Case(f"{part}-{number}", "noun", sentence, found[0], found.start(), original, gender)
        yield Case(f"{part}-{number}", "noun", sentence, found[0], found.start(), flipped, other)


def all_cases(folder: Path, files: dict[str, str], language: str) -> Iterator[Case]:
    """The rows of ``open``, and he and she of MT-GenEval."""
    if language in OPEN:
        yield from open_cases(folder, language)
    yield from sentence_cases(files, language, "test")
