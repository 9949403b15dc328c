"""Test sets: a folder each, with its sentences (``SET``, a ``TestSet``) and what it says of itself (``set.toml``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from epicene import registry
from epicene.errors import InputError
from epicene.files import checksum
from epicene.languages.codes import pair as parse_pair
from epicene.measures.rates import Measures
from epicene.sets import files
from epicene.sets.about import NAME, About, PageWords, read_about
from epicene.tables import resource
from epicene.types import Detector, Item, Pair

if TYPE_CHECKING:
    from epicene.output.page.figures import Figure
    from epicene.output.page.series import Series
    from epicene.output.table import Table
    from epicene.result import Result

__all__ = ["ALL_NATURAL", "SETS", "About", "TestSet", "list_about", "load", "natural", "of_result", "read_about"]
ALL_NATURAL = "all-natural"


@dataclass(frozen=True, slots=True)
class TestSet:
    """Sentences whose translation is measured, and by what."""

    __test__: ClassVar[bool] = False  # it is no test of pytest's

    about: About  # what its set.toml says
    items: Callable[[Pair], Iterable[Item]]  # in official order
    version: Callable[[], str]  # a checksum of what the items are made from
    measures: Measures  # what is computed from its verdicts
    # The detector of protocol ``epicene``: the name of one, or what builds the set's own for a target language.
    detector: str | Callable[[str], Detector] = "reading"
    paper: Callable[[str], Detector] | None = None  # builds that of protocol ``paper``, where the set has one
    variant: Callable[[str], TestSet] | None = None  # the set of a name that goes on: gest:1.0, custom:FILE
    # A published file of translations that says itself what it translates: the set of its sentences, and its lines.
    read_outputs: Callable[[Path], tuple[TestSet, list[str]] | None] | None = None
    references: tuple[str, ...] = ()  # what the measures compare with, unless the user names others
    tables: Callable[[Result], Iterable[Table]] | None = None  # what is shown of a result; None: rates by group
    figures: Callable[[str, Sequence[Series]], list[Figure]] | None = None  # of its part of a page, which has a name
    may_abstain: bool = False  # whether an empty line is an answer, as of a rewriter that leaves a sentence alone
    open_gender: bool = False  # whether nobody's gender is told, so that no answer is right

    @property
    def name(self) -> str:
        """As results carry it."""
        return self.about.name

    def sources(self, langs: str) -> dict[str, str]:
        """The sentences by their ids, in official order: the order of translations to be scored."""
        return {item.line or item.id: item.source for item in self.items(parse_pair(langs))}

    def subset(self, ids: Iterable[str]) -> TestSet:
        """The sentences of these ids alone, in official order; its version names them."""
        wanted = frozenset(map(str, ids))

        def items(pair: Pair) -> list[Item]:
            chosen = [item for item in self.items(pair) if not wanted.isdisjoint((item.id, item.line))]
            if unknown := sorted(wanted.difference(name for item in chosen for name in (item.id, item.line))):
                raise InputError(f"set {self.name} has no sentence {', '.join(unknown[:5])}")
            return chosen

        return replace(self, items=items, version=lambda: f"{self.version()}+{checksum(repr(sorted(wanted)))}")


def _folders() -> dict[str, str]:
    """The packages of epicene's own sets, by the name of the set."""
    folders = (folder for folder in resource("sets").iterdir() if folder.joinpath(NAME).is_file())
    return {folder.name.replace("_", "-"): f"epicene.sets.{folder.name}" for folder in folders}


def _own() -> registry.Loaders:
    return {name: registry.load_defined("SET", package) for name, package in _folders().items()}


SETS = registry.Registry("set", "epicene.sets", (TestSet,), _own)


@cache
def list_about() -> tuple[About, ...]:
    """What every set says of itself, by name; none of epicene's own is imported."""
    folders = _folders()
    return tuple(read_about(folders[name]) if name in folders else SETS.find(name).about for name in SETS.names())


def natural(pair: Pair) -> list[str]:
    """The sets of natural text that have a pair of languages; one that nobody can download only where it is here."""
    return [
        about.name
        for about in list_about()
        if about.natural
        and pair.source in about.sources
        and pair.target in (about.targets or (pair.target,))
        and all(published.files[0].address or files.is_here(published) for published in about.published)
    ]


def _split(spec: str) -> tuple[str, str]:
    name = re.split("[:?]", spec, maxsplit=1)[0]
    return name, spec[len(name) :].removeprefix(":")


def load(spec: str) -> TestSet:
    """The test set of a name, of ``custom:FILE.tsv``, ``winost:DIR`` or ``wibemt?adjectives=FILE``."""
    name, argument = _split(spec)
    plain = SETS.find(name)
    if plain.name != name:  # results carry its own name, by which nobody would find it again
        raise InputError(f'set {name} calls itself {plain.name}; write name = "{name}" into its set.toml')
    if not argument and not plain.about.usage:
        return plain
    if plain.variant is None:
        raise InputError(f"set {name} takes nothing after its name; got {argument!r}")
    return plain.variant(argument)


def of_result(name: str) -> TestSet:
    """The set of a result, by the name that the result carries; a user's own file need not be there any more."""
    try:
        return load(name)
    except InputError:
        return plain(name)


def find_tables(name: str) -> Callable[[Result], Iterable[Table]] | None:
    """What shows the result of a set in tables of the set's own, where the set has any and is installed."""
    try:
        return of_result(name).tables
    except InputError:
        return None


def is_spoken(name: str) -> bool:
    """Whether the items of a result's set are recordings; a set that is not installed any more counts as text."""
    try:
        return of_result(name).about.spoken
    except InputError:
        return False


def page_words(name: str) -> PageWords:
    """How pages speak of the set of a result; of recordings where it is spoken."""
    about = of_result(name).about
    if about.spoken and "all" in about.words.groups:
        return replace(about.words, groups={**about.words.groups, "all": "all recordings"})
    return about.words


def title(name: str) -> str:
    """What the set of a result is called on a page."""
    title = of_result(name).about.title
    argument = _split(name)[1].removeprefix("?")
    return f"{title} ({argument})" if argument and title == plain(name).about.title else title


def plain(name: str) -> TestSet:
    """The set of a name without what follows it."""
    return SETS.find(_split(name)[0])
