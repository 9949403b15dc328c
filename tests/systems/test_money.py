"""Estimates count requests as they will be made, and a budget knows one currency and only known prices."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

import epicene
from epicene.errors import InputError
from epicene.systems.network.money import Budget, Price, UnknownPriceError, estimate, price
from epicene.systems.network.service import Answer, Limits, Service
from epicene.tables import table
from epicene.types import Pair


class Priced(Service):
    """A service of a price."""

    limits = Limits(texts=3, characters=20, sentence=20, per_second=1)

    def __init__(self, price: str) -> None:
        self.price, self.identity = price, price

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        raise NotImplementedError

    def check(self, pair: Pair) -> list[str]:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("lengths", "requests"), [([], 0), ([1], 1), ([1] * 7, 3), ([10, 10, 1], 2), ([20, 20, 20], 3), ([19, 1, 1], 2)]
)
def test_requests_are_counted_by_texts_and_characters(lengths: list[int], requests: int) -> None:
    found = estimate(Priced("deepl"), ["x" * length for length in lengths], "", "en-de")
    assert (found.requests, found.characters) == (requests, sum(lengths))
    assert found.cost == pytest.approx(sum(lengths) * 20 / 1_000_000)


def test_a_price_that_is_not_known_is_said_not_guessed() -> None:
    found = estimate(Priced("nobody"), ["abc"], "", "en-de")
    assert found.cost is None
    assert "no price of nobody is known" in found.warning
    with pytest.raises(UnknownPriceError):
        Budget(1).accept(Priced("nobody"))


def test_a_budget_has_one_currency() -> None:
    budget = Budget(1)
    budget.accept(Priced(""))
    budget.accept(Priced("deepl"))
    with pytest.raises(InputError, match=r"google is paid in USD and another system in EUR; audit them one at a time"):
        budget.accept(Priced("google"))


def test_a_budget_pays_for_what_fits_and_takes_back_what_was_not_charged() -> None:
    budget, service, sources = Budget(0.001), Priced("deepl"), ["x" * 20, "y" * 20, "z" * 20]
    assert budget.pay(service, sources) == (2, pytest.approx(0.0008))
    assert budget.spent == pytest.approx(0.0008)
    budget.refund(0.0004)
    assert budget.pay(service, sources[2:]) == (1, pytest.approx(0.0004))
    assert "0.0008 spent" in str(budget.empty())


def test_a_budget_expects_what_a_service_used_of_what_was_expected() -> None:
    budget, model = Budget(1), Priced("openai:gpt-4.1-mini")
    _, expected = budget.pay(model, ["x" * 20])
    budget.settle(model, expected, ["x" * 20], [Answer("y", used=(1000, 1000))])
    used = budget.spent
    _, next_paid = budget.pay(model, ["x" * 20])
    assert used != pytest.approx(expected)
    assert next_paid == pytest.approx(used)
    budget.settle(model, next_paid, ["x" * 20], [Answer("y", used=(3000, 3000))])
    assert budget.pay(model, ["x" * 20])[1] == pytest.approx(budget.spent / 3)


@pytest.mark.parametrize("budget", [0, -1, float("nan")])
def test_a_budget_that_is_none_is_refused(budget: float) -> None:
    with pytest.raises(InputError, match="expected an amount above 0"):
        epicene.audit(budget=budget)


def test_a_day_to_come_is_refused_since_it_would_be_paid_for_again_and_again() -> None:
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    with pytest.raises(InputError, match=f"--since {tomorrow}: that day is still to come; today is "):
        epicene.translate(["She."], "en-de", "echo", since=tomorrow.isoformat())


def test_an_empty_sample_is_refused() -> None:
    with pytest.raises(InputError, match="--sample 0"):
        epicene.audit(sample=0)


HEADER = "service\tunit\tinput\toutput\tcurrency\tfree\tdate\tsource\n"


@pytest.mark.parametrize("service", [row["service"] for row in table("systems/network/prices.tsv")])
def test_every_row_is_whole(service: str) -> None:
    found = price(service)
    assert found.source.startswith("https://")
    assert found.unit in ("characters", "tokens")
    assert found.currency in ("EUR", "USD")


def test_a_million_characters_of_deepl_cost_twenty_euros() -> None:
    assert price("deepl").of(1_000_000) == 20


def test_a_model_is_paid_for_what_goes_in_and_comes_out() -> None:
    assert price("openai:gpt-4.1").of(4_000_000) == pytest.approx(10)


def test_units_that_were_counted_are_paid_for_by_side() -> None:
    row = Price("mine", "tokens", 2.0, 6.0, "USD", 0, date(2026, 1, 1), "mine.tsv")
    assert row.exactly(asked=500_000, answered=250_000) == 2.5


@pytest.mark.parametrize(("amount", "warned"), [(5.0, True), (0.0, False)])
def test_an_old_price_is_warned_of_unless_it_is_none(amount: float, warned: bool) -> None:
    row = Price("mine", "tokens", amount, amount, "USD", 0, date(2024, 1, 1), "mine.tsv")
    assert bool(row.warning(date(2026, 1, 1))) == warned


def test_a_price_is_warned_of_once_it_is_more_than_a_year_old() -> None:
    found = price("deepl")
    assert found.warning(found.day + timedelta(days=365)) == ""
    assert "more than a year old; see https://" in found.warning(found.day + timedelta(days=366))


@pytest.fixture
def own_prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a table of the user's own lies."""
    monkeypatch.setenv("EPICENE_PRICES", str(tmp_path / "own.tsv"))
    return tmp_path / "own.tsv"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])  # spreadsheets begin with a mark
def test_ones_own_table_comes_first(own_prices: Path, encoding: str) -> None:
    row = "deepl\tcharacters\t17.5\t0\tEUR\t0\t2026-11-01\thttps://example.org"
    own_prices.write_text(f"{HEADER}{row}\n", encoding=encoding)
    assert price("deepl").input == 17.5
    assert price("google").input == 20


@pytest.mark.parametrize(
    "row",
    [
        "deepl\tcharacters\tmuch\t0\tEUR\t0\t2026-11-01\tx",
        "deepl\tcharacters\t1",
        "deepl\tcharacters\tnan\t0\tEUR\t0\t2026-11-01\tx",  # would never use up a budget
        "deepl\tcharacters\t-20\t0\tEUR\t0\t2026-11-01\tx",
        "deepl\tcharacters\t20\tinf\tEUR\t0\t2026-11-01\tx",
        "deepl\twords\t20\t0\tEUR\t0\t2026-11-01\tx",
        "deepl\tcharacters\t20\t0\tEUR\t0\tNovember\tx",
    ],
)
def test_a_broken_table_is_one_line(own_prices: Path, row: str) -> None:
    own_prices.write_text(f"{HEADER}{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"own\.tsv: row 'deepl'.*expected columns service"):
        price("deepl")
    own_prices.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"own\.tsv: an empty table"):
        price("deepl")


def test_a_budget_that_pays_for_no_sentence_is_refused_before_anything_is_asked() -> None:
    service, sources = Priced("deepl"), ["x" * 20, "y" * 15]  # 15 characters cost 0.0003
    with pytest.raises(InputError, match=r"does not pay for one sentence: the shortest costs 0\.000300 [A-Z]{3}"):
        Budget(0.00029).open(service, sources)
    Budget(0.0003).open(service, sources)
    Budget(0.00001).open(service, [])  # all of it is in the cache
