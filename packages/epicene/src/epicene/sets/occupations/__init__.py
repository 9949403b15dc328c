"""Occupations: "ő egy orvos", he or she is a doctor, in Hungarian, Finnish, five shorter lists and seven weak ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from epicene.errors import InputError, UnknownNameError
from epicene.files import checksum
from epicene.languages.codes import known
from epicene.registry import parse_spec
from epicene.sets import TestSet, read_about
from epicene.sets.occupations.jobs import ADJECTIVES
from epicene.sets.occupations.lists import Occupation, left_out, occupations, quality, read_own, sector_of
from epicene.sets.occupations.measures import MEASURES
from epicene.tables import resource, table
from epicene.types import Item, Pair, Person

if TYPE_CHECKING:
    from epicene.output.page.figures import Figure
    from epicene.output.page.series import Series
    from epicene.output.table import Table
    from epicene.result import Result

__all__ = ["ADJECTIVES", "SET", "left_out", "occupations", "sector_of", "variant"]
ABOUT = read_about(__name__)
# Which sentences a set has: occupations, occupations:adjectives, …
SELECTIONS = {
    "": ("plain",),
    "adjectives": ("plain", *ADJECTIVES),
    "wording": ("plain", "capital", "bare"),
    "all": ("plain", "capital", "bare", *ADJECTIVES),
}
_TABLES = (
    "hungarian.tsv", "finnish.tsv", "turkish.tsv", "estonian.tsv", "japanese.tsv", "korean.tsv", "chinese.tsv",
    "lists.tsv", "majors.tsv", "templates.tsv", "endings.tsv", "left_out.tsv", "loans.tsv", "sectors.tsv",
)  # fmt: skip
# What links them to codes.
_LINKS = ("feor.tsv", "isco.tsv", "soc.tsv", "soc_editions.tsv", "by_hand.tsv", "us-acs-2011.csv", "us-acs-2018.csv")
_SLOT = re.compile(r"\{(\w+)\}")


def _form(language: str, form: str, word: str) -> str:
    """The word as it stands in a sentence."""
    if form == "stem":
        word = _form(language, "o", word)
    for ending, becomes in _endings(language, form):
        if word.endswith(ending):
            return word.removesuffix(ending) + becomes
    return word


@cache
def _endings(language: str, form: str) -> tuple[tuple[str, str], ...]:
    rows = table("sets/occupations/tables", "endings.tsv")
    return tuple((row["ending"], row["becomes"]) for row in rows if (row["language"], row["form"]) == (language, form))


@cache
def _templates(language: str) -> dict[str, str]:
    rows = table("sets/occupations/tables", "templates.tsv")
    return {row["variant"]: row["template"] for row in rows if row["language"] == language}


def _items(language: str, variants: tuple[str, ...]) -> Iterator[Item]:
    for variant in variants:
        if variant in _templates(language):
            for occupation in occupations(language):
                yield _item(language, variant, occupation, quality(language))


def _item(language: str, variant: str, occupation: Occupation, words: str) -> Item:
    before, form, after = _SLOT.split(_templates(language)[variant])
    word = _form(language, form, occupation.word)
    person = Person(word, len(before), occupation.english or occupation.word)
    return _label(before + word + after, person, variant, occupation, words)


def _label(source: str, person: Person, variant: str, occupation: Occupation, words: str) -> Item:
    labels = {"occupation": occupation.word, "variant": variant, **occupation.labels, "link": occupation.rule}
    return Item(f"{occupation.word}/{variant}", source, person, None, {**labels, "words": words})


def _repeat(items: Iterable[Item], samples: int) -> Iterator[Item]:
    """Each sentence as often as a stochastic translator is asked, one after the other."""
    for item in items:
        for number in range(1, samples + 1):
            yield replace(item, id=f"{item.id}/{number}") if samples > 1 else item


def _own_items(path: Path, language: str) -> Iterator[Item]:
    for occupation, source in read_own(path):
        if source:
            word, start = occupation.word, source.find(occupation.word)
            person = Person(word, start, occupation.english or word) if start >= 0 else Person(source, 0, word)
            yield _label(source, person, "plain", occupation, "own")
        elif "plain" in _templates(language):
            yield _item(language, "plain", occupation, "own")
        else:
            raise InputError(
                f"{path}: no column source, and no sentence is known for {language} (only for "
                f"{', '.join(ABOUT.sources)}); write the sentences in a column source"
            )


def _version() -> str:
    folders = (("sets/occupations/tables", _TABLES), ("labour/tables", _LINKS))
    # Titles are downloaded for weak lists alone; what they must be is known without them.
    titles = (file.sha256 for published in ABOUT.published for file in published.files)
    return checksum(*(resource(folder, name).read_bytes() for folder, names in folders for name in names), *titles)


def tables(result: Result) -> Iterable[Table]:
    """What is shown of a result."""
    from epicene.sets.occupations.results import list_tables

    return list_tables(result)


def figures(name: str, series: Sequence[Series]) -> list[Figure]:
    """What a page shows of results beside the rates."""
    from epicene.sets.occupations.page import labour_figures

    return labour_figures(name, series)


def variant(argument: str) -> TestSet:
    """The set of a selection, or of a user's own list: ``adjectives``, ``jobs.tsv``, ``?samples=5&reference=X.csv``."""
    selection, _, _ = argument.partition("?")
    options = parse_spec(f"occupations{argument[len(selection) :]}", what="set")[2]
    samples = options.number("samples", 1)
    references = tuple(options.text("reference", "us-acs-2018").split(","))
    options.done()
    path = Path(selection)
    mine = path if selection not in SELECTIONS and path.is_file() else None
    if mine is None and selection not in SELECTIONS:
        hint = "Without one, the plain sentences; or a file: docs/occupations.md describes its columns."
        raise UnknownNameError("selection of occupations", selection, [name for name in SELECTIONS if name], hint)
    if samples > 1 and selection and mine is None:
        raise InputError(f"set occupations:{argument}: samples are of the plain sentences; leave out {selection}")

    def items(pair: Pair) -> Iterable[Item]:
        if pair.target != "en":
            raise InputError(f"set occupations is read from English pronouns; the pair {pair} translates into another")
        sentences = _own_items(mine, pair.source) if mine else _items(pair.source, SELECTIONS[selection])
        return list(_repeat(sentences, samples))

    def version() -> str:
        return checksum(mine) if mine else _version()

    # What it is compared with is no part of the name: the signature says it, with a checksum.
    named = ("custom" if mine else selection) + (f"?samples={samples}" if samples > 1 else "")
    about = replace(ABOUT, name=f"occupations:{named}" if named else "occupations")
    if mine:
        languages = tuple(code for code in known() if code != "en")
        about = replace(about, title=f"Occupations of {mine.name}", sources=languages)
    return TestSet(
        about,
        items,
        version,
        measures=MEASURES,
        variant=variant,
        references=references,
        tables=tables,
        figures=figures,
    )


SET = variant("")
