"""The files that WiBeMT's authors published, as they are or with a header: sentences, translations, word forms.

Sentences have the columns id, sentence, verb, occupation; translations one more for the translation and, where the
authors classified it, one for the category. Without a header the number of columns tells which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import read_lines, set_folder
from epicene.types import Gender

# What the authors call what a translation shows.
CATEGORIES = {
    "female": Gender.FEMININE,
    "male": Gender.MASCULINE,
    "neutral": Gender.NEUTRAL,
    "wrong": Gender.UNKNOWN,
}
SENTENCES, FORMS, TRANSLATIONS = "verb_sentences.tsv", "occupation_forms.{}.tsv", "translations"
_COLUMNS = ("id", "sentence", "verb", "occupation", "translation", "category")
_NEEDED = 4
_ID = re.compile(r"V[FM]\d\dOcc[FNM]\d\d")
# What file names say besides the system's own name.
_AROUND_NAME = re.compile(r"^(?:VerbSentences_|verb_translations_)|_GenderCategorized$|_Translat(?:or|e)(?=_|$)")
_SUFFIXES = (".txt", ".tsv", ".csv")


class VerbRow(NamedTuple):
    """A published sentence with what became of it."""

    id: str
    sentence: str
    verb: str
    occupation: str
    translation: str = ""
    category: str = ""


class FormsRow(NamedTuple):
    """The words for an occupation, by category."""

    occupation: str
    forms: dict[str, tuple[str, ...]]


def kind(path: Path) -> str:
    """``sentences``, ``translations``, ``forms`` or nothing, by the first line of a file."""
    if path.suffix not in _SUFFIXES:
        return ""
    cells = next(read_lines(path), "").split("\t")
    if cells[0] == "occupation" and len(cells) == 1 + len(CATEGORIES):
        return "forms"
    if cells[0] == "id" and set(_COLUMNS[:_NEEDED]) <= set(cells):
        return "translations" if "translation" in cells else "sentences"
    if _ID.fullmatch(cells[0]) and _NEEDED <= len(cells) <= len(_COLUMNS):
        return "sentences" if len(cells) == _NEEDED else "translations"
    return ""


def read_verbs(path: Path) -> list[VerbRow]:
    """The rows of a file of sentences or translations; a broken line is refused."""
    lines = list(enumerate(read_lines(path), 1))
    header = lines[0][1].split("\t") if lines else []
    if header[:1] == ["id"]:
        lines = lines[1:]
    else:
        header = list(_COLUMNS[: len(header)])
    rows: dict[str, tuple[int, VerbRow]] = {}
    for number, line in lines:
        row = _row(line, header, f"{path}:{number}")
        if row.id in rows:
            raise InputError(f"{path}:{number}: the id {row.id} appears twice (first: {rows[row.id][0]})")
        rows[row.id] = number, row
    if not rows:
        raise InputError(f"{path}: no sentences; expected tab-separated lines of {', '.join(_COLUMNS[:_NEEDED])}, …")
    return [row for _, row in rows.values()]


def _row(line: str, header: list[str], where: str) -> VerbRow:
    cells = line.split("\t")
    if len(cells) != len(header):
        raise InputError(f"{where}: {len(cells)} columns, expected {len(header)} ({', '.join(header)})")
    by_name = dict(zip(header, cells, strict=True))
    row = VerbRow(*(by_name.get(name, "").strip() for name in _COLUMNS))
    if not all(row[:_NEEDED]):
        raise InputError(f"{where}: an empty {_COLUMNS[row.index('')]}; expected text")
    if find_occupation(row) is None:
        raise InputError(f"{where}: the occupation {row.occupation!r} does not stand in {row.sentence!r}")
    if row.category not in ("", *CATEGORIES):
        raise InputError(f"{where}: category {row.category!r}; expected {', '.join(CATEGORIES)}")
    return row


def find_occupation(row: VerbRow) -> int | None:
    """Where the occupation stands in a sentence."""
    match = re.search(rf"(?<!\w){re.escape(row.occupation)}(?!\w)", row.sentence)
    return match.start() if match else None


def read_forms(path: Path) -> list[FormsRow]:
    """The classification list: forms joined by ``|`` or by commas, one column a category."""
    rows = []
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if len(cells) != 1 + len(CATEGORIES):
            raise InputError(f"{path}:{number}: {len(cells)} columns, expected occupation, {', '.join(CATEGORIES)}")
        if number > 1:
            forms = (tuple(filter(None, map(str.strip, re.split(r"[|,]", cell)))) for cell in cells[1:])
            rows.append(FormsRow(cells[0], dict(zip(CATEGORIES, forms, strict=True))))
    return rows


def classification_list(target: str) -> list[FormsRow]:
    """The user's classification list of a language; nothing if none was added."""
    path = set_folder("wibemt") / FORMS.format(target)
    return read_forms(path) if path.is_file() else []


def system_name(path: Path) -> str:
    """The system that a file of translations is named after."""
    return _AROUND_NAME.sub("", _AROUND_NAME.sub("", path.stem)).lower()


def contents(path: Path) -> dict[str, bytes]:
    """What a file or folder holds of the set, as it is kept: by name, one form for all."""
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    kinds = {file: kind(file) for file in files}
    if path.is_file() and not kinds[path]:
        raise InputError(
            f"{path}:1: no file of WiBeMT; expected tab-separated id, sentence, verb, occupation[, translation"
            f"[, category]], or the classification list: occupation, {', '.join(CATEGORIES)}"
        )
    translated: dict[str, tuple[Path, list[VerbRow]]] = {}
    sentences: list[VerbRow] = []
    texts: dict[str, bytes] = {}
    for file, what in kinds.items():
        if what == "forms":
            ending = file.stem.rpartition("_")[2]
            language = ending if len(ending) == 2 else "de"  # the authors' own is German
            rows = [(row.occupation, *("|".join(row.forms[name]) for name in CATEGORIES)) for row in read_forms(file)]
            texts[FORMS.format(language)] = _join([("occupation", *CATEGORIES), *rows])
        elif what:
            verb_rows = read_verbs(file)
            sentences = sentences or verb_rows
            if what == "translations":
                _take(translated, file, verb_rows)
    if sentences:
        texts[SENTENCES] = _join([_COLUMNS, *(row._replace(translation="", category="") for row in sentences)])
    systems = {f"{TRANSLATIONS}/{name}.tsv": _join([_COLUMNS, *rows]) for name, (_, rows) in translated.items()}
    return texts | systems


def _take(translated: dict[str, tuple[Path, list[VerbRow]]], path: Path, rows: list[VerbRow]) -> None:
    """Keep a system's translations; of two files of one system, the one with categories, if they say the same."""
    name = system_name(path)
    if name in translated:
        other, before = translated[name]
        first, second = ({row.id: row.translation for row in version} for version in (before, rows))
        differs = next((key for key in first if first[key] != second.get(key)), None)
        if differs is not None or first.keys() != second.keys():
            raise InputError(f"{path}: not the translations of {other} (first difference: {differs}); rename one")
        if not any(row.category for row in rows):
            return
    translated[name] = path, rows


def _join(rows: Iterable[Iterable[str]]) -> bytes:
    return "".join("\t".join(cells) + "\n" for cells in rows).encode()
