"""``custom:FILE.tsv``: a user's own sentences, with the person marked or found; ``set.toml`` describes the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from epicene.errors import InputError
from epicene.files import checksum, read_lines
from epicene.languages.codes import known
from epicene.measures.rates import OTHER_WORD, Measures, Rate, is_right, is_stated
from epicene.reader.people import others_than, people, person_at
from epicene.sets import TestSet, read_about
from epicene.types import Accepted, Gender, Item, Pair, Person

_NEEDED = ("id", "source", "expected")
_OWN = (*_NEEDED, "focus", "start", "context", "masculine", "feminine")  # columns that are no labels
_REFERENCES = {"masculine": Gender.MASCULINE, "feminine": Gender.FEMININE}
_SEPARATOR = " <sep> "  # between sentences of context


def _items(path: Path, english: bool = True) -> Iterator[Item]:
    lines = read_lines(path)
    header = next(lines, "").split("\t")
    if missing := [name for name in _NEEDED if name not in header]:
        raise InputError(f"{path}:1: no column {', '.join(missing)}; expected a header with {', '.join(_NEEDED)}")
    if len(given := [name for name in _REFERENCES if name in header]) == 1:
        raise InputError(f"{path}:1: a column {given[0]} alone; expected references in both, masculine and feminine")
    if twice := [name for name in header if header.count(name) > 1]:
        raise InputError(f"{path}:1: column {twice[0]} stands there twice")
    if not english and "focus" not in header:
        raise InputError(f"{path}:1: no column focus; people are found in English sentences alone, so name them there")
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise InputError(f"{path}:{number}: {len(cells)} columns, expected {len(header)}")
        row, where = dict(zip(header, cells, strict=True)), f"{path}:{number}"
        if row["id"] in seen:
            raise InputError(f"{where}: the id {row['id']!r} stands in line {seen[row['id']]} already")
        seen[row["id"]] = number
        yield from [_item(row, where, english)] if "focus" in row else _everybody(row, where)


def _item(row: dict[str, str], where: str, english: bool) -> Item:
    start = row.get("start", "")
    if start and not start.isdecimal():
        raise InputError(f"{where}: start {start!r}; expected the offset of the focus in the source, a whole number")
    try:
        person = (person_at if english else _foreign)(row["source"], row["focus"], int(start) if start else None)
    except InputError as error:
        raise InputError(f"{where}: the focus {error}") from None
    return _made(row, where, row["id"], person, english)


def _foreign(source: str, words: str, start: int | None) -> Person:
    """The person whom words of a sentence name, in a language of which nothing is known."""
    found = source.find(words) if start is None else start
    if not words or found < 0 or source[found : found + len(words)] != words:
        raise InputError(f"{words!r} does not stand in the source: {source!r}")
    return Person(words, found, words)


def _everybody(row: dict[str, str], where: str) -> Iterator[Item]:
    """All people of a sentence, in order: one item each, over one translation."""
    found = people(row["source"])
    if not found:
        raise InputError(f"{where}: no person was found in {row['source']!r}; name one in a column focus")
    if len(found) > 1 and row["expected"]:
        names = ", ".join(person.text for person in found)
        raise InputError(f"{where}: expected {row['expected']!r} of whom? {names}; say it in a column focus")
    for number, person in enumerate(found, 1):
        yield replace(_made(row, where, f"{row['id']}/{number}", person), line=row["id"])


def _made(row: dict[str, str], where: str, name: str, person: Person, english: bool = True) -> Item:
    if row["expected"] not in ("", *Gender):
        raise InputError(f"{where}: expected {row['expected']!r}; known: {', '.join(Gender)} or nothing")
    labels = {key: value for key, value in row.items() if key not in _OWN}
    labels.setdefault("group", "")
    labels.setdefault("occupation", person.concept)
    expected = Gender(row["expected"]) if row["expected"] else None
    context = tuple(filter(None, row.get("context", "").split(_SEPARATOR)))
    others = others_than(person, row["source"]) if english else ()
    references = tuple(Accepted(row[each], gender) for each, gender in _REFERENCES.items() if row.get(each))
    if len(references) == 1:
        raise InputError(f"{where}: a {references[0].gender} reference alone; expected both, or neither")
    item = Item(name, row["source"], person, expected, labels, others=others, context=context)
    return replace(item, references=references)


class _Rows:
    """Items that are read anew each time they are asked for, never held together."""

    def __init__(self, path: Path, english: bool) -> None:
        self._path = path
        self._english = english

    def __iter__(self) -> Iterator[Item]:
        return _items(self._path, self._english)


def _header(path: Path) -> list[str]:
    return next(read_lines(path), "").split("\t")


def variant(argument: str) -> TestSet:
    """The set that lies in a file."""
    path = Path(argument)
    if not argument or not path.is_file():
        raise InputError(f"custom:{argument}: no such file; expected a table with the columns {', '.join(_NEEDED)}")

    def items(pair: Pair) -> _Rows:
        if "en" not in (pair.source, pair.target):
            raise InputError(
                f"custom:{argument}: {pair} has no English side; expected English sentences, or into English"
            )
        return _Rows(path, pair.source == "en")

    about = replace(
        SET.about, title=f"Sentences of {path.name}", sources=("en", *(code for code in known() if code != "en"))
    )
    detector = "contrast" if _REFERENCES.keys() <= set(_header(path)) else "reading"
    return replace(SET, about=about, items=items, version=lambda: checksum(path), detector=detector)


def _no_file(*_: object) -> NoReturn:
    raise InputError(f"custom: no such file; expected a table with the columns {', '.join(_NEEDED)}")


def _groups(item: Item) -> tuple[str, ...]:
    """All, the expected gender and the user's own group."""
    expected = item.expected.value if item.expected else ""
    return tuple(filter(None, ("all", expected, item.labels["group"])))


MEASURES = Measures(
    groups=_groups,
    rates=(Rate("accuracy", is_right, is_stated), OTHER_WORD._replace(among=is_stated)),
    shares=True,
)


SET = TestSet(read_about(__name__), _no_file, _no_file, measures=MEASURES, variant=variant)
