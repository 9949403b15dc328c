"""What commands share that may cost money: their options, and how an estimate is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from epicene.systems.network.money import Estimate

EstimateOnly = Annotated[
    bool, typer.Option("--estimate", help="Say what is missing from the cache and what it would cost; ask nothing.")
]
Budget = Annotated[
    float | None,
    typer.Option("--budget", metavar="AMOUNT", help="Stop before this is exceeded, in the currency of the price."),
]
Since = Annotated[
    str,
    typer.Option("--since", metavar="DAY", help="Ask again for answers from before that day (2026-04-01, or today)."),
]
SampleSize = Annotated[
    int | None, typer.Option("--sample", metavar="N", help="Only N sentences of each set, each group in its share.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="What the sample is drawn from.")]


def warn(found: Sequence[Estimate]) -> None:
    """Say on standard error which prices are old or not known."""
    for warning in dict.fromkeys(each.warning for each in found if each.warning):
        typer.echo(f"warning: {warning}", err=True)


def show_estimates(found: Sequence[Estimate], as_json: bool, notes: Sequence[str] = ()) -> None:
    """Print what is missing and what it costs."""
    from epicene.output.terminal import tables

    if as_json:
        typer.echo(tables.as_json([each.as_dict() for each in found]))
        return
    for each in found:
        typer.echo(f"{' '.join(filter(None, (each.system, each.set, each.langs)))}: {_line(each)}")
    if len(found) > 1:
        costs: dict[str, float] = {}
        for each in found:
            if each.currency:
                costs[each.currency] = costs.get(each.currency, 0.0) + (each.cost or 0.0)
        total = ", ".join(f"{cost:,.2f} {currency}" for currency, cost in costs.items()) or "nothing"
        typer.echo(f"all together: {sum(each.characters for each in found):,} characters, {total}")
    for note in notes:
        typer.echo(note)


def _line(each: Estimate) -> str:
    missing = f"{each.sentences:,} sentences missing, {each.characters:,} characters"
    if not each.requests and each.sentences:
        return f"{missing}, no service is asked"
    missing += f", {each.requests:,} requests"
    if each.cost is None:
        return f"{missing}, price not known"
    if not each.currency:
        return f"{missing}, nothing to pay"
    free = f"; {each.free:,} a month are free, not counted here" if each.free else ""
    return f"{missing}, {each.cost:,.2f} {each.currency} (price of {each.priced}{free})"
