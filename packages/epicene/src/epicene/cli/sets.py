"""``epicene sets``: what can be measured, and the sentences themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.command import argument, command, option
from epicene.cli.options import Langs, note
from epicene.errors import DataMissingError, InputError
from epicene.files import write_atomically
from epicene.output.table import Answer, Column, Listing, Table

if TYPE_CHECKING:
    from epicene.types import Item

app = typer.Typer(
    no_args_is_help=True, help="List, describe and export test sets.\n\nExample: epicene sets show winomt"
)


class ExportFormat(StrEnum):
    """How a set is written out."""

    TEXT = "text"
    TSV = "tsv"
    JSONL = "jsonl"
    PATHS = "paths"


@command(app, "list")
def list_sets() -> Iterator[Answer]:
    """List all test sets.

    Example: epicene sets list
    """
    from epicene.sets import list_about

    rows = tuple((about.name, about.title + (f": {about.usage}" if about.usage else "")) for about in list_about())
    yield Listing((Table("", (Column("name"), Column("title", wraps=True)), rows),))


@command(app)
def show(name: Annotated[str, argument("SET")]) -> Iterator[Answer]:
    """Describe a test set: contents, licence, known problems and citation.

    Example: epicene sets show simplegen
    """
    from epicene.flow import plan
    from epicene.sets.files import no_downloads

    test_set = plan.open_set(name)
    about = test_set.about
    try:
        with no_downloads():  # the licence is read before
            version = test_set.version()
    except DataMissingError:
        version = ""
    text = f"{about.title}\n\n{about.card}\n\nLicence: {about.licence}\nVersion: {version or 'not on this machine'}"
    row = {name: getattr(about, name) for name in ("name", "title", "card", "licence")}
    row |= {"version": version, "citation": about.citation}
    yield Listing((Table("\n\n".join(filter(None, (text, about.citation)))),), (row,))


def cite(name: str) -> Iterator[Answer]:
    """The BibTeX entry of a test set alone."""
    from epicene.flow import plan

    about = plan.open_set(name).about
    if not about.citation:
        raise InputError(f"set {name} has no publication to cite; epicene sets show {name} says what it is")
    yield Listing((Table(about.citation),), ({"name": about.name, "citation": about.citation},))


@command(app)
def export(
    name: Annotated[str, argument("SET")],
    langs: Langs = "en-de",
    output: Annotated[
        ExportFormat, option("-f, --format", "text: sentences only; paths: paths of recordings, one per line.")
    ] = ExportFormat.TEXT,
    path: Annotated[Path, option("-o, --output FILE", "File to write; - is stdout.")] = Path("-"),
) -> None:
    """Write the sentences of a test set in official order, with or without labels, or the paths of its recordings.

    Example: epicene sets export simplegen -l en-de -f tsv

    Example: epicene sets export winost:spoken -f paths -o recordings.txt
    """
    from epicene.flow import plan
    from epicene.store.hypotheses import group_by_line

    test_set = plan.open_set(name)
    header: list[str] | None = None
    with write_atomically(path) as stream:
        items = test_set.items(plan.open_pair(langs, test_set))
        if isinstance(items, list) and items and items[0].labels.get("words") == "weak":
            note(f"weak: the words of {test_set.name} {langs} are machine translations that no speaker has checked")
        if output is ExportFormat.PATHS:
            stream.writelines(f"{path}\n" for path in _paths(items, name))
            return
        if output is ExportFormat.TEXT:
            stream.writelines(f"{group[0].source}\n" for group in group_by_line(items))
            return
        for item in items:
            expected = item.expected.value if item.expected else ""
            row = {
                "id": item.id,
                "source": item.source,
                "focus": item.person.text,
                "expected": expected,
                **item.labels,
                **({"audio": str(item.audio)} if item.audio else {}),
            }
            if output is ExportFormat.JSONL:
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                continue
            if header is None:
                header = list(row)
                stream.write("\t".join(header) + "\n")
            stream.write("\t".join(row[column] for column in header) + "\n")


def _paths(items: Iterable[Item], name: str) -> list[str]:
    """The recordings of a set in the order in which translations of them are scored."""

    paths = [str(item.audio) for item in items if item.audio is not None]
    if not paths:
        raise InputError(
            f"set {name} is text; -f paths works with recordings only, such as winost:DIR or spoken:SET@DIR"
        )
    note(f"{len(paths):,} recordings; for score -t {name} -i HYP, write one translation per line in this order")
    return paths
