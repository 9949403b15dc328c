"""What services charge: the shipped table, with its date, or the user's own."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from epicene.errors import InputError
from epicene.tables import rows, table

VARIABLE = "EPICENE_PRICES"
CHARACTERS_PER_TOKEN = 4  # of English text and its translations, roughly
_MILLION = 1_000_000
_EXPECTED = "expected columns service, unit, input, output, currency, free, date, source, with tabs between"
_UNITS = ("characters", "tokens")
_YEAR = 365  # days after which a price may well have changed


class UnknownPriceError(InputError):
    """No table says what a service charges."""


@dataclass(frozen=True, slots=True)
class Price:
    """A row of the table."""

    service: str
    unit: str  # characters, tokens
    input: float  # of a million units
    output: float
    currency: str
    free: int  # units a month
    day: date  # on which it was known to stand
    source: str

    def of(self, characters: int) -> float:
        """What so many characters cost; their translation is taken to be as long."""
        units = characters / (CHARACTERS_PER_TOKEN if self.unit == "tokens" else 1)
        return units * (self.input + self.output) / _MILLION

    def exactly(self, asked: int, answered: int) -> float:
        """What so many units cost that were counted, those of what was asked and those of the answer."""
        return (asked * self.input + answered * self.output) / _MILLION

    def warning(self, today: date) -> str:
        """A line about a price that is more than a year old, else nothing."""
        if (today - self.day).days <= _YEAR or not self.input + self.output:
            return ""
        return (
            f"the price of {self.service} is of {self.day}, more than a year old; see {self.source}, "
            f"and put today's into a table of your own: {VARIABLE}=FILE"
        )


def price(service: str) -> Price:
    """The price of a service, the user's own before the shipped one."""
    own = os.environ.get(VARIABLE)
    found = {each.service: each for each in _shipped()} | {each.service: each for each in (_own(own) if own else [])}
    if service not in found:
        raise UnknownPriceError(
            f"no price of {service} is known, only of {', '.join(found)}; add a row to a table of your own: "
            f"{VARIABLE}=FILE"
        )
    return found[service]


def _shipped() -> list[Price]:
    return [_price(row, "prices.tsv") for row in table("systems/network/prices.tsv")]


def _own(path: str) -> list[Price]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the prices in {VARIABLE}={path}: {error}") from None
    return [_price(row, path) for row in rows(text, path)]


def _price(row: dict[str, str], where: str) -> Price:
    try:
        return Price(
            row["service"],
            _unit(row["unit"]),
            _amount(row["input"]),
            _amount(row["output"]),
            row["currency"],
            int(_amount(row["free"])),
            date.fromisoformat(row["date"]),
            row["source"],
        )
    except KeyError as error:
        raise InputError(f"{where}: row {row.get('service')!r} has no {error}; {_EXPECTED}") from None
    except ValueError as error:
        raise InputError(f"{where}: row {row.get('service')!r}: {error}; {_EXPECTED}") from None


def _unit(text: str) -> str:
    if text not in _UNITS:
        raise ValueError(f"unit {text!r}; expected {' or '.join(_UNITS)}")
    return text


def _amount(text: str) -> float:
    """A number of money or units: one that is none would let a budget be overdrawn."""
    amount = float(text)
    if not 0 <= amount < math.inf:
        raise ValueError(f"{text} is no amount; expected a number from 0 on")
    return amount
