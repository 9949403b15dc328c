"""Prices have a date and a page, and old ones are warned of."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.systems.network.prices import UnknownPriceError, price
from epicene.tables import table

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


def test_a_price_is_warned_of_once_it_is_more_than_a_year_old() -> None:
    found = price("deepl")
    assert found.warning(found.day + timedelta(days=365)) == ""
    assert "more than a year old; see https://" in found.warning(found.day + timedelta(days=366))


def test_ones_own_table_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own.tsv"
    own.write_text(f"{HEADER}deepl\tcharacters\t17.5\t0\tEUR\t0\t2026-11-01\thttps://example.org\n", encoding="utf-8")
    monkeypatch.setenv("EPICENE_PRICES", str(own))
    assert price("deepl").input == 17.5
    assert price("google").input == 20


def test_a_table_from_a_spreadsheet_may_begin_with_a_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own.tsv"
    own.write_text(f"{HEADER}deepl\tcharacters\t9\t0\tEUR\t0\t2026-11-01\tx\n", encoding="utf-8-sig")
    monkeypatch.setenv("EPICENE_PRICES", str(own))
    assert price("deepl").input == 9


def test_an_empty_table_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.tsv").write_text("# nothing\n", encoding="utf-8")
    monkeypatch.setenv("EPICENE_PRICES", str(tmp_path / "own.tsv"))
    with pytest.raises(InputError, match=r"own\.tsv: an empty table"):
        price("deepl")


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
def test_a_broken_table_is_one_line(row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own.tsv"
    own.write_text(f"{HEADER}{row}\n", encoding="utf-8")
    monkeypatch.setenv("EPICENE_PRICES", str(own))
    with pytest.raises(InputError, match=r"own\.tsv: row 'deepl'.*expected columns service"):
        price("deepl")


def test_an_unknown_service_lists_the_known_ones() -> None:
    with pytest.raises(UnknownPriceError, match=r"no price of nobody is known, only of deepl, .*EPICENE_PRICES"):
        price("nobody")
