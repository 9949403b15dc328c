"""The codes of classifications, at any level: ISCO-08 and FEOR-08 of one to four digits, SOC of 2010 and 2018, NACE.

A row of a reference covers the finest codes below its own: "22" all unit groups that begin so, "29-1000" all SOC
occupations of the group.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from epicene.labour import crosswalk
from epicene.tables import table

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


class Codes(NamedTuple):
    """The finest codes that a code covers, and how fine it is itself."""

    covered: tuple[str, ...]
    level: int


def resolved(key: str, text: str) -> Codes | None:
    """What a code of a classification covers; None where there is no such code."""
    if key == "occupation":
        return Codes((text,), 0)
    if key == "soc":
        return _soc(text)
    if key == "nace":
        return _nace(text)
    match = _ISCO.fullmatch(text)
    digits = match[1] if match else ""
    known = crosswalk.feor_names() if key == "feor08" else crosswalk.isco_codes()
    covered = tuple(sorted(code for code in known if digits and code.startswith(digits)))
    return Codes(covered, len(digits)) if covered else None


def shortened(key: str, texts: list[str]) -> str | None:
    """A code whose leading 0 seems lost: all that are one digit shorter than the rest are codes with a 0 before."""
    if key not in ("feor08", "isco08"):
        return None
    digits = {text: match[1] for text in texts if (match := _ISCO.fullmatch(text))}
    longest = max(map(len, digits.values()), default=0)
    short = [text for text, code in digits.items() if len(code) == longest - 1]
    lost = all((found := resolved(key, f"0{digits[text]}")) and found.level == longest for text in short)
    return short[0] if short and lost else None


def _soc(text: str) -> Codes | None:
    match = _SOC.fullmatch(text)
    if not match:
        return None
    code = f"{match[1]}-{match[2]}"
    if code in crosswalk.soc_titles():
        return Codes((code,), 6)
    if code in _editions():
        return Codes(_editions()[code], 6)
    prefix = code.rstrip("0") if code.endswith("0") else ""
    below = [each for each in crosswalk.soc_titles() if prefix and each.startswith(prefix)]
    for each, found in _editions().items():
        if prefix and each.startswith(prefix):
            below += found
    return Codes(tuple(sorted(set(below))), len(prefix) - 1) if below else None


@cache
def _editions() -> dict[str, tuple[str, ...]]:
    """Codes of one edition that the other has not, as those that the tables have."""
    return {row["soc"]: tuple(row["codes"].split()) for row in table("labour/tables", "soc_editions.tsv")}


def _nace(text: str) -> Codes | None:
    match = re.fullmatch(r"([A-U])(?:[-–]([A-U]))?", text)
    if not match:
        return None
    first, last = match[1], match[2] or match[1]
    covered = tuple(_SECTIONS[_SECTIONS.index(first) : _SECTIONS.index(last) + 1])
    return Codes(covered, 2 - (len(covered) > 1)) if covered else None


@cache
def nace_of_sector(sector: str) -> tuple[str, ...]:
    """The NACE sections in which the jobs of an employment sector mostly are; none for jobs of every section."""
    found = {row["sector"]: tuple(row["nace"].split()) for row in table("labour/tables", "sector_nace.tsv")}
    return found.get(sector, ())
