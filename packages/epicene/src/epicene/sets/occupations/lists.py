"""The occupations of each language: a word, its English name, and the codes under which statistics count it.

A user's own list is a table of words or sentences in any language, with codes or English names to link them. Its
columns (commas, semicolons or tabs between them): ``occupation``, the word; ``source``, the sentence, which may be left
out where the set has one for the language; ``english``; any of ``soc``, ``isco08`` and ``feor08``, as fine as is known;
``sector``. What has no code is linked by its English name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.labour import codes
from epicene.labour.figures import Cells
from epicene.languages.codes import known
from epicene.sets.files import read_csv, require
from epicene.tables import table

_WORD = re.compile(r"[^\W\d_]{4,}")
COLUMNS = ("occupation", "source", "english", "soc", "isco08", "feor08", "sector")  # of a user's own list
_CODES = ("soc", "isco08", "feor08")
PUBLISHED = "prates"  # what is downloaded of Prates et al.
WEAK = "weak"  # the quality of words that no speaker has read


@dataclass(frozen=True, slots=True)
class Occupation:
    """A word of a language, and the codes under which statistics count it."""

    word: str
    english: str
    feor08: str
    isco08: tuple[str, ...]
    soc: tuple[str, ...]
    rule: str  # how the SOC codes were found
    sector: str

    @property
    def labels(self) -> dict[str, str]:
        """What references look it up by."""
        return {
            "occupation": self.word,
            "english": self.english,
            "sector": self.sector,
            "feor08": self.feor08,
            "isco08": " ".join(self.isco08),
            "soc": " ".join(self.soc),
        }


@cache
def _lists() -> dict[str, dict[str, str]]:
    return {row["language"]: row for row in table("sets/occupations/tables", "lists.tsv")}


def quality(language: str) -> str:
    """``official``, ``hand`` or ``weak``: labels of a classification, words chosen by hand, or nobody's."""
    return _lists()[language]["quality"]


@cache
def occupations(language: str) -> tuple[Occupation, ...]:
    """The occupations of a language that no rule leaves out."""
    if quality(language) == WEAK:
        return tuple(_translated(language))
    rows = table("sets/occupations/tables", _lists()[language]["table"])
    # The Hungarian list is the classification's own; the others were made without the words that it needs rules for.
    return tuple(_listed(row) for row in rows if language != "hu" or left_out("hu", row["occupation"]) is None)


def _listed(row: Mapping[str, str]) -> Occupation:
    """A word with its ISCO-08 unit groups, or its Hungarian category."""
    feor = row.get("feor08", "")
    isco = codes.isco_of_feor()[feor] if feor else tuple(row["isco08"].split())
    link = codes.of_isco(isco, row["english"], tuple(row["soc"].split()))
    sector = sector_of("feor", feor) if feor else sector_of("soc", link.codes[0])
    return Occupation(row["occupation"], row["english"], feor, isco, link.codes, link.rule, sector)


def _translated(language: str) -> Iterator[Occupation]:
    """A word that translates several titles stands once, with the codes of all."""
    titles: dict[str, list[Title]] = {}
    for title in read_titles():
        word = title.words[known()[language].name]
        if left_out(language, word, title.english) is None:
            titles.setdefault(word, []).append(title)
    for word, same in titles.items():
        links = [codes.of_title(title.english, title.soc_major) for title in same]
        soc = tuple(dict.fromkeys(code for link in links for code in link.codes))
        rule = links[0].rule if len({link.codes for link in links}) == 1 else "several"
        sector = sector_of("soc", soc[0] if soc else same[0].soc_major)
        yield Occupation(word, same[0].english.lower(), "", codes.isco_of_soc(soc), soc, rule, sector)


class Title(NamedTuple):
    """A US title of Prates et al. (2020), and how Google Translate put it in 2018, by the names of languages."""

    english: str
    soc_major: str
    words: dict[str, str]


def read_titles() -> Iterator[Title]:
    """The titles as their authors published them."""
    majors = {row["title"]: row["soc_major"] for row in table("sets/occupations/tables", "majors.tsv")}
    for row in read_csv(require(PUBLISHED, "jobs-translations.tsv"), "Category", "English", delimiter="\t"):
        category, english = row.pop("Category"), row.pop("English").strip()
        # Some words hold zero-width spaces, which no translator should be sent.
        words = {language: word.replace("\u200b", "") for language, word in row.items()}
        yield Title(english, majors[category.lower()], words)


def left_out(language: str, word: str, english: str = "") -> str | None:
    """Why a word is left out, or None: it names a gender or a religious office, or was not or wrongly translated."""
    for row, pattern in _left_out(language):
        fits = pattern.search(word if row["column"] == "word" else english)
        if fits and not (row["unless"] and re.search(row["unless"], word)):
            return row["reason"]
    unchanged = set(_WORD.findall(word.lower())) & set(_WORD.findall(english.lower()))
    return "untranslated" if unchanged - _loans(language) else None


@cache
def _left_out(language: str) -> tuple[tuple[dict[str, str], re.Pattern[str]], ...]:
    rows = (row for row in table("sets/occupations/tables", "left_out.tsv") if row["language"] in (language, "*"))
    return tuple((row, re.compile(row["pattern"], re.IGNORECASE)) for row in rows)


@cache
def _loans(language: str) -> frozenset[str]:
    rows = table("sets/occupations/tables", "loans.tsv")
    return frozenset(word for row in rows if row["language"] == language for word in row["words"].split())


@cache
def sector_of(scheme: str, code: str) -> str:
    """The employment sector of a code: that of the longest prefix listed."""
    rows = [row for row in table("sets/occupations/tables", "sectors.tsv") if row["scheme"] == scheme]
    fitting = [row for row in rows if code.startswith(row["prefix"])]
    return max(fitting, key=lambda row: len(row["prefix"]))["sector"]


class Own(NamedTuple):
    """An occupation of a user's list, and its sentence; none where that of the language is taken."""

    occupation: Occupation
    source: str


def read_own(path: Path) -> Iterator[Own]:
    """The occupations of a file, in order; refused with line and column where something is wrong."""
    cells = Cells(path)
    rows = cells.rows()
    header = next(rows, [])
    if "occupation" not in header:
        raise InputError(f"{path}:1: no column occupation; expected {', '.join(COLUMNS)}, got {', '.join(header)}")
    if unknown := [column for column in header if column not in COLUMNS]:
        raise InputError(f"{path}:1: columns {', '.join(unknown)} are not read; expected {', '.join(COLUMNS)}")
    if not {"english", *_CODES} & set(header):
        raise InputError(f"{path}:1: nothing to link by; expected a column english, or one of {', '.join(_CODES)}")
    lines: dict[str, int] = {}
    for values in rows:
        row = {**dict.fromkeys(COLUMNS, ""), **cells.named(values, header)}
        word = row["occupation"]
        if not word:
            cells.refuse("occupation", "is empty", "expected what a person is called")
        if word in lines:
            cells.refuse("occupation", f"{word!r} is already in line {lines[word]}", "expected each once")
        lines[word] = cells.line
        yield Own(_occupation(cells, row), row["source"])
    if not lines:
        raise InputError(f"{path}: no rows; expected one occupation a line below the header")


def _occupation(cells: Cells, row: dict[str, str]) -> Occupation:
    feor, isco, soc = (_covered(cells, row, key) for key in ("feor08", "isco08", "soc"))
    has_codes = bool(feor or isco or soc)
    isco = isco or tuple(dict.fromkeys(unit for code in feor for unit in codes.isco_of_feor()[code]))
    english = row["english"]
    link = codes.of_isco(isco, english, soc) if soc or isco else codes.of_title(english)
    return Occupation(
        row["occupation"],
        english,
        feor[0] if len(feor) == 1 else "",
        isco or codes.isco_of_soc(link.codes),
        link.codes,
        "own" if has_codes else link.rule,
        row["sector"] or (sector_of("soc", link.codes[0]) if link.codes else ""),
    )


def _covered(cells: Cells, row: dict[str, str], key: str) -> tuple[str, ...]:
    covered: dict[str, None] = {}
    for code in row[key].split():
        finest = codes.resolved(key, code)
        if finest is None:
            cells.refuse(key, f"{code!r} is no {key} code", codes.EXPECTED[key])
        covered |= dict.fromkeys(finest.covered)
    return tuple(covered)
