"""The codes of classifications, at any level: ISCO-08 and FEOR-08 of one to four digits, SOC of 2010 and 2018, NACE.

A row of a reference covers the finest codes below its own: "22" all unit groups that begin so, "29-1000" all SOC
occupations of the group.

From an occupation to the codes under which statistics count it, each link with the rule that made it.

From a Hungarian category, FEOR-08 → ISCO-08, and from a unit group, ISCO-08 → SOC, by the offices' own tables, then

- ``chosen``: of the SOC codes of this chain, those that the table of occupations names;
- ``corrected``: the table of occupations names others, since the chain leads to another occupation;
- ``narrowed``: those of the US title that names the occupation, if any of them is in the chain;
- ``chain``: else all of them, but supervisors and residual classes ("all other") only where there is nothing else.

From an English title, within its SOC major group if that is known, each rule tried on the SOC titles, then on those of
the US tables of 2018 and of 2011; it links if just one title fits:

- ``title``: a title says just this (a residual title, "all other …", only where no other does);
- ``part``: it is one of the occupations that a title lists;
- ``words``: all its words stand in a title of the US tables, with the fewest others.

``hand``: a table names the title, since the rules find none, several or the wrong one.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from functools import cache
from io import StringIO
from typing import NamedTuple

from epicene.tables import resource, table

_ISCO = re.compile(r"(?:OC|OC[U2]_ISCO08_|ISCO08_)?(\d{1,4})")  # Eurostat and ILOSTAT write OC22, OC2_ISCO08_22
_SOC = re.compile(r"(\d\d)-?(\d{4})(?:\.00)?")
_SECTIONS = "ABCDEFGHIJKLMNOPQRSTU"
# What a code of each classification looks like, for messages.
EXPECTED = {
    "feor08": "expected one to four digits of FEOR-08; a spreadsheet may have dropped a leading 0",
    "isco08": "expected one to four digits of ISCO-08; a spreadsheet may have dropped a leading 0",
    "soc": "expected a code of SOC 2010 or 2018, such as 29-1141, or of a group, such as 29-1100",
    "nace": "expected a section of NACE Rev. 2, A to U, or several, such as R-U",
}
_STOP = frozenset(
    ["and", "or", "of", "the", "all", "other", "miscellaneous", "including", "related", "an", "in", "for"]
)
_WORD = re.compile(r"[a-z]+")
_SEPARATOR = re.compile(r",\s*(?:and\s+)?|\s+and\s+|/")
_SUPERVISORS = "First-Line Supervisors"
_RESIDUAL = re.compile(r"\ball other\b|^(?:other|miscellaneous)\b", re.IGNORECASE)
_TABLES = ("soc", "us-acs-2018", "us-acs-2011")  # where titles are looked for


class Codes(NamedTuple):
    """The finest codes that a code covers, and how fine it is itself."""

    covered: tuple[str, ...]
    level: int


def resolved(key: str, text: str) -> Codes | None:
    """What a code of a classification covers; None where there is no such code."""
    if key == "occupation":
        return Codes((text,), 0)
    if key == "soc":
        return _find_soc(text)
    if key == "nace":
        match = re.fullmatch(r"([A-U])(?:[-–]([A-U]))?", text)
        sections = _SECTIONS[_SECTIONS.index(match[1]) : _SECTIONS.index(match[2] or match[1]) + 1] if match else ""
        return Codes(tuple(sections), 1 if len(sections) > 1 else 2) if sections else None
    match = _ISCO.fullmatch(text)
    digits = match[1] if match else ""
    known = feor_names() if key == "feor08" else soc_of_isco()
    covered = tuple(sorted(code for code in known if digits and code.startswith(digits)))
    return Codes(covered, len(digits)) if covered else None


def shortened(key: str, texts: list[str]) -> str | None:
    """A code whose leading 0 seems lost: all that are one digit shorter than the rest are codes with a 0 before."""
    if key not in ("feor08", "isco08"):
        return None
    digits = {text: match[1] for text in texts if (match := _ISCO.fullmatch(text))}
    longest = max(map(len, digits.values()), default=0)
    short = [text for text, code in digits.items() if len(code) == longest - 1]
    lost = all((longer := resolved(key, f"0{digits[text]}")) and longer.level == longest for text in short)
    return short[0] if short and lost else None


def _find_soc(text: str) -> Codes | None:
    match = _SOC.fullmatch(text)
    if not match:
        return None
    code = f"{match[1]}-{match[2]}"
    if code in soc_titles():
        return Codes((code,), 6)
    if code in _editions():
        return Codes(_editions()[code], 6)
    prefix = code.rstrip("0")
    if prefix == code:
        return None
    covered = {title for title in soc_titles() if title.startswith(prefix)}
    covered.update(*(codes for other, codes in _editions().items() if other.startswith(prefix)))
    return Codes(tuple(sorted(covered)), len(prefix) - 1) if covered else None


@cache
def _editions() -> dict[str, tuple[str, ...]]:
    """Codes of one edition that the other has not, as those that the tables have."""
    return {row["soc"]: tuple(row["codes"].split()) for row in table("labour/tables", "soc_editions.tsv")}


@cache
def nace_of_sector(sector: str) -> tuple[str, ...]:
    """The NACE sections in which the jobs of an employment sector mostly are; none for jobs of every section."""
    rows = table("labour/tables", "sector_nace.tsv")
    return next((tuple(row["nace"].split()) for row in rows if row["sector"] == sector), ())


class Link(NamedTuple):
    """SOC codes, and the rule that found them; ``none`` if no rule did."""

    codes: tuple[str, ...]
    rule: str


NO_LINK = Link((), "none")


class _Title(NamedTuple):
    text: str
    codes: tuple[str, ...]
    words: frozenset[str]
    parts: tuple[frozenset[str], ...]
    residual: bool


def us_rows(name: str) -> list[dict[str, str]]:
    """The rows of a shipped US table."""
    return list(csv.DictReader(StringIO(resource("labour/tables", f"{name}.csv").read_text(encoding="utf-8"))))


@cache
def soc_titles() -> dict[str, str]:
    """SOC titles by code."""
    return {row["soc"]: row["title"] for row in table("labour/tables", "soc.tsv")}


@cache
def feor_names() -> dict[str, str]:
    """Hungarian category names by FEOR-08 code."""
    return {row["feor08"]: row["name"] for row in table("labour/tables", "feor.tsv")}


@cache
def isco_of_feor() -> dict[str, tuple[str, ...]]:
    """The ISCO-08 unit groups of every FEOR-08 category."""
    return {row["feor08"]: tuple(row["isco08"].split()) for row in table("labour/tables", "feor.tsv")}


@cache
def soc_of_isco() -> dict[str, tuple[str, ...]]:
    """The SOC codes of every ISCO-08 unit group."""
    return {row["isco08"]: tuple(row["soc"].split()) for row in table("labour/tables", "isco.tsv")}


def isco_of_soc(codes: tuple[str, ...]) -> tuple[str, ...]:
    """The ISCO-08 unit groups that have any of the SOC codes."""
    wanted = set(codes)
    return tuple(isco for isco, socs in soc_of_isco().items() if wanted.intersection(socs))


def of_isco(codes: tuple[str, ...], english: str, given: tuple[str, ...] = ()) -> Link:
    """The SOC codes of an occupation in ISCO-08 unit groups, called so in English; those given go before the rules."""
    chain = [soc for isco in codes for soc in soc_of_isco()[isco]]
    if given:
        return Link(given, "chosen" if set(given) <= set(chain) else "corrected")
    named = of_title(english).codes
    if narrowed := tuple(dict.fromkeys(soc for soc in chain if soc in named)):
        return Link(narrowed, "narrowed")
    titles = soc_titles()
    workers = [soc for soc in chain if not titles[soc].startswith(_SUPERVISORS)] or chain
    specific = [soc for soc in workers if not _RESIDUAL.search(titles[soc])] or workers
    return Link(tuple(dict.fromkeys(specific)), "chain") if specific else NO_LINK


@cache
def of_title(english: str, major: str = "") -> Link:
    """The SOC codes of an English title, looked for in a SOC major group if one is given."""
    if title := _by_hand().get((english, major)):
        return Link(_exact()[title], "hand")
    words = _words(english)
    tables = [[title for title in _titles(name) if title.codes[0].startswith(major)] for name in _TABLES]
    rules: list[tuple[str, Callable[[_Title], bool]]] = [
        ("title", lambda title: title.words == words and not title.residual),
        ("title", lambda title: title.words == words and title.residual),
        ("part", lambda title: words in title.parts),
    ]
    for rule, fits in rules:
        for titles in tables:
            if len(fitting := [title for title in titles if fits(title)]) == 1:
                return Link(fitting[0].codes, rule)
    for titles in tables[1:]:
        # The title that has all the words and the fewest others.
        holding = [title for title in titles if words and words <= title.words]
        fewest = min((len(title.words) for title in holding), default=0)
        if len(fitting := [title for title in holding if len(title.words) == fewest]) == 1:
            return Link(fitting[0].codes, "words")
    return NO_LINK


@cache
def _titles(name: str) -> tuple[_Title, ...]:
    rows = table("labour/tables", "soc.tsv") if name == "soc" else us_rows(name)
    return tuple(
        _Title(
            row["title"],
            tuple(row["soc"].split()),
            _words(row["title"]),
            _parts(row["title"]),
            bool(_RESIDUAL.search(row["title"])),
        )
        for row in rows
    )


@cache
def _exact() -> dict[str, tuple[str, ...]]:
    """The codes of every title, as it is spelt; a US table goes before SOC, which may split it."""
    return {title.text: title.codes for name in _TABLES for title in _titles(name)}


@cache
def _by_hand() -> dict[tuple[str, str], str]:
    return {(row["english"], row["soc_major"]): row["us_title"] for row in table("labour/tables", "by_hand.tsv")}


def _parts(title: str) -> tuple[frozenset[str], ...]:
    """The occupations that a title lists: "Bill and account collectors" are bill collectors and account collectors."""
    pieces = _SEPARATOR.split(_without_exceptions(title))
    words = [piece for piece in map(_words, pieces) if piece]
    if len(words) < 2:
        return ()
    shared = frozenset(_ordered(pieces[-1])[-1:])
    return tuple(dict.fromkeys((*words, *(piece | shared for piece in words))))


def _without_exceptions(title: str) -> str:
    return re.split(r",?\s*\bexcept\b", title.lower())[0]


def _ordered(text: str) -> list[str]:
    words = _WORD.findall(_without_exceptions(text).replace("'s", ""))
    return [_singular(word) for word in words if word not in _STOP]


def _words(text: str) -> frozenset[str]:
    return frozenset(_ordered(text))


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
