"""``custom:FILE.tsv`` and ``sentences``: a user's own sentences, with the person marked or found.

``set.toml`` describes the file; rows in memory have the same columns, of which only ``source`` is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

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


class _Rows(NamedTuple):
    """Rows of cells by column, each with where it was read."""

    name: str  # of the file, for messages
    columns: tuple[str, ...]
    read: Callable[[], Iterator[tuple[str, dict[str, str]]]]  # anew each time, never held together

    def items(self, english: bool = True) -> Iterator[Item]:
        """One item for each row that names its person, else one for everybody in the sentence."""
        head = f"{self.name}:1"
        if missing := [name for name in _NEEDED if name not in self.columns]:
            raise InputError(f"{head}: no column {', '.join(missing)}; expected a header with {', '.join(_NEEDED)}")
        if len(alone := [name for name in _REFERENCES if name in self.columns]) == 1:
            raise InputError(f"{head}: a column {alone[0]} alone; expected references in both, masculine and feminine")
        if twice := [name for name in self.columns if self.columns.count(name) > 1]:
            raise InputError(f"{head}: column {twice[0]} appears twice")
        if not english and "focus" not in self.columns:
            raise InputError(
                f"{head}: no column focus; people are found in English sentences alone, so name them there"
            )
        seen: dict[str, str] = {}
        for where, row in self.read():
            if row["id"] in seen:
                raise InputError(f"{where}: the id {row['id']!r} is already in line {seen[row['id']]}")
            seen[row["id"]] = where.rpartition(":")[2]
            yield from [_item(row, where, english)] if row.get("focus") else _everybody(row, where)


def _read_file(path: Path) -> _Rows:
    columns = tuple(next(read_lines(path), "").split("\t"))

    def read() -> Iterator[tuple[str, dict[str, str]]]:
        for number, line in enumerate(islice(read_lines(path), 1, None), 2):
            cells = line.split("\t")
            if len(cells) != len(columns):
                raise InputError(f"{path}:{number}: {len(cells)} columns, expected {len(columns)}")
            yield f"{path}:{number}", dict(zip(columns, cells, strict=True))

    return _Rows(str(path), columns, read)


def _hold_rows(rows: Iterable[str | Mapping[str, Any]]) -> _Rows:
    """Sentences in memory: strings, mappings, or a table of pandas or of Hugging Face's datasets."""
    if hasattr(rows, "to_dict") and hasattr(rows, "columns"):
        rows = rows.to_dict("records")
    table = [_cells(row, number) for number, row in enumerate(rows, 1)]
    columns = tuple(dict.fromkeys(name for row in table for name in row))
    whole = [{**dict.fromkeys(columns, ""), **row} for row in table]
    return _Rows("sentences", columns, lambda: ((f"sentences:{row['id']}", dict(row)) for row in whole))


def _cells(row: str | Mapping[str, Any], number: int) -> dict[str, str]:
    cells: Mapping[str, Any] = {"source": row} if isinstance(row, str) else row
    if not isinstance(cells, Mapping) or "source" not in cells:
        raise InputError(f"sentence {number}: expected a string, or a row with source, expected, focus; got {row!r}")
    return {
        "id": str(number),
        "expected": "",
        **{name: "" if cell is None or cell != cell else str(cell) for name, cell in cells.items()},
    }


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


def variant(argument: str) -> TestSet:
    """The set that lies in a file."""
    path = Path(argument)
    if not argument or not path.is_file():
        raise InputError(f"custom:{argument}: no such file; expected a table with the columns {', '.join(_NEEDED)}")
    return _make_set(_read_file(path), f"Sentences of {path.name}", lambda: checksum(path))


def sentences(rows: Iterable[str | Mapping[str, Any]]) -> TestSet:
    """Make a test set from strings, mappings, a DataFrame or a Hugging Face dataset.

    The columns are those of ``custom:FILE.tsv``. Only ``source`` is required. Without ``focus``, everybody in the
    sentence is measured. ``expected`` is feminine, masculine or empty.
    """
    held = _hold_rows(rows)
    return _make_set(held, "Sentences", lambda: checksum(repr([row for _, row in held.read()])))


def pair_people(rows: Iterable[str | Mapping[str, Any]], translations: Iterable[str]) -> tuple[TestSet, list[str]]:
    """The sentences that name a person, with their translations; the rest cannot be measured and is left out."""
    table, texts = list(_hold_rows(rows).read()), [line.rstrip("\r\n") for line in translations]
    if len(table) != len(texts):
        raise InputError(f"{len(table)} sentences and {len(texts)} translations; expected one translation each")
    named = [
        (row, text) for (_, row), text in zip(table, texts, strict=True) if row.get("focus") or people(row["source"])
    ]
    if not named:
        raise InputError("no person was found in any sentence; name them in a column focus")
    return sentences(row for row, _ in named), [text for _, text in named]


def _make_set(rows: _Rows, title: str, version: Callable[[], str]) -> TestSet:
    def items(pair: Pair) -> Iterable[Item]:
        if "en" not in (pair.source, pair.target):
            raise InputError(f"{rows.name}: {pair} has no English side; expected English sentences, or into English")
        return _Again(partial(rows.items, pair.source == "en"))

    about = replace(SET.about, title=title, sources=("en", *(code for code in known() if code != "en")))
    detector = "contrast" if _REFERENCES.keys() <= set(rows.columns) else "reading"
    return replace(SET, about=about, items=items, version=version, detector=detector)


class _Again:
    """Items that are read anew each time they are asked for, never held together."""

    def __init__(self, read: Callable[[], Iterator[Item]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Item]:
        return self._read()


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
