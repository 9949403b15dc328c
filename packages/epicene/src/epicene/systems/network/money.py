"""What services charge, by the shipped table or the user's own, and what a run may cost."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from epicene.errors import BudgetError, InputError
from epicene.files import read_text
from epicene.systems.network.service import Answer, Service
from epicene.tables import rows, table
from epicene.types import System, TranslationFile

VARIABLE = "EPICENE_PRICES"
CHARACTERS_PER_TOKEN = 4  # of English text and its translations, roughly
_MILLION = 1_000_000
_EXPECTED = "expected columns service, unit, input, output, currency, free, date, source, with tabs between"
_UNITS = ("characters", "tokens")
_YEAR = 365  # days after which a price may well have changed


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is still missing from the cache, and what it would cost."""

    system: str
    set: str  # "" for a text
    langs: str
    sentences: int
    characters: int
    requests: int
    cost: float | None  # None where the price is not known
    currency: str = ""  # "" where nothing is charged
    priced: str = ""  # the day of the price
    free: int = 0  # units a month that the service gives away; the cost does not count on them
    warning: str = ""  # about an old price, or none

    def as_dict(self) -> dict[str, Any]:
        """The estimate as JSON has it."""
        return asdict(self)


class Budget:
    """What a run may cost: every request is paid for before it is made, and what was not charged comes back."""

    def __init__(self, budget: float) -> None:
        if not budget > 0:
            raise InputError(f"--budget {budget:g}: expected an amount above 0")
        self.budget = budget
        self.spent = 0.0
        self.currency = ""
        self._used: dict[str, tuple[float, float]] = {}  # what a service said it used, and what that was taken for

    def accept(self, system: System | None) -> None:
        """Refuse a service whose price is not known, or is in another currency than that of the ones before it."""
        cost = _price(system)
        if system is None or cost is None:
            return
        if self.currency not in ("", cost.currency):
            raise InputError(
                f"--budget is in one currency, but {system.identity} is paid in {cost.currency} and another system "
                f"in {self.currency}; audit them one at a time"
            )
        self.currency = cost.currency

    def open(self, service: Service, sources: Sequence[str]) -> None:
        """Refuse a budget that pays for no sentence at all."""
        self.accept(service)
        cost = _price(service)
        least = min((cost.of(service.billed(source)) for source in sources), default=0.0) if cost else 0.0
        if least > self.budget:
            raise InputError(
                f"--budget {self.budget:g} {self.currency} does not pay for one sentence: the shortest costs "
                f"{least:.6f} {self.currency} with {service.identity}"
            )

    def pay(self, service: Service, sources: Sequence[str]) -> tuple[int, float]:
        """Pay for as many of the sources as there is money for, from the first on; how many, and what they cost."""
        cost = _price(service)
        if cost is None:
            return len(sources), 0.0
        used, expected = self._used.get(service.identity, (1.0, 1.0))
        before = self.spent
        for number, source in enumerate(sources):
            amount = cost.of(service.billed(source)) * used / expected
            if self.spent + amount > self.budget:
                return number, self.spent - before
            self.spent += amount
        return len(sources), self.spent - before

    def refund(self, paid: float) -> None:
        """Take back what was not charged."""
        self.spent -= paid

    def settle(self, service: Service, paid: float, sources: Iterable[str], answers: Iterable[Answer]) -> None:
        """Put what a service says it used in place of what was paid in advance, and expect as much from now on."""
        cost, counted = _price(service), [answer.used for answer in answers if answer.used]
        if cost is None or not counted:
            return
        amount = sum(cost.exactly(*used) for used in counted)
        self.spent += amount - paid
        used, expected = self._used.get(service.identity, (0.0, 0.0))
        expected += sum(cost.of(service.billed(source)) for source in sources)
        if expected:
            self._used[service.identity] = used + amount, expected

    def empty(self) -> BudgetError:
        """The error for a sentence that cannot be paid any more."""
        return BudgetError(
            f"the budget of {self.budget:g} {self.currency} would be exceeded ({self.spent:.4f} spent); "
            "raise --budget, or audit a --sample"
        )


def estimate(system: System | TranslationFile, missing: Sequence[str], set_name: str, langs: str) -> Estimate:
    """What these sentences would cost; systems that are no services cost nothing."""
    sizes = (len(missing), sum(map(len, missing)), _count_requests(system, missing))
    counted = Estimate(system.identity, set_name, langs, *sizes, cost=0.0)
    try:
        cost = _price(system)
    except UnknownPriceError as error:
        return replace(counted, cost=None, warning=str(error))
    if cost is None or not isinstance(system, Service):
        return counted
    return replace(
        counted,
        cost=sum(cost.of(system.billed(source)) for source in missing),
        currency=cost.currency,
        priced=cost.day.isoformat(),
        free=cost.free,
        warning=cost.warning(datetime.now(UTC).date()),
    )


def _price(system: System | TranslationFile | None) -> Price | None:
    return price(system.price) if isinstance(system, Service) and system.price else None


def _count_requests(system: System | TranslationFile, missing: Sequence[str]) -> int:
    """How many requests of the largest size hold all sentences; none where no service is asked."""
    if not isinstance(system, Service):
        return 0
    limits = system.limits
    count, texts, letters = 0, 0, 0
    for source in missing:
        if not texts or texts == limits.texts or letters + len(source) > limits.characters:
            count, texts, letters = count + 1, 0, 0
        texts, letters = texts + 1, letters + len(source)
    return count


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
    prices = {row["service"]: _parse_price(row, "prices.tsv") for row in table("systems/network/prices.tsv")}
    if path := os.environ.get(VARIABLE):
        prices |= {price.service: price for price in (_parse_price(row, path) for row in rows(read_text(path), path))}
    if service not in prices:
        raise UnknownPriceError(
            f"no price of {service} is known, only of {', '.join(prices)}; add a row to a table of your own: "
            f"{VARIABLE}=FILE"
        )
    return prices[service]


def _parse_price(row: dict[str, str], where: str) -> Price:
    try:
        for_input, for_output, free = (_parse_amount(row[name]) for name in ("input", "output", "free"))
        day = date.fromisoformat(row["date"])
        return Price(
            row["service"],
            _parse_unit(row["unit"]),
            for_input,
            for_output,
            row["currency"],
            int(free),
            day,
            row["source"],
        )
    except (KeyError, ValueError) as error:
        lacks = "no " if isinstance(error, KeyError) else ""
        raise InputError(f"{where}: row {row.get('service')!r}: {lacks}{error}; {_EXPECTED}") from None


def _parse_unit(text: str) -> str:
    if text not in _UNITS:
        raise ValueError(f"unit {text!r}; expected {' or '.join(_UNITS)}")
    return text


def _parse_amount(text: str) -> float:
    """A number of money or units: one that is none would let a budget be overdrawn."""
    amount = float(text)
    if not 0 <= amount < math.inf:
        raise ValueError(f"{text} is no amount; expected a number from 0 on")
    return amount
