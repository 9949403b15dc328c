"""What commands share that may cost money: their options, and how an estimate is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.verbosity import note

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
        note(f"warning: {warning}")


def show_estimates(found: Sequence[Estimate], output: str = "text", notes: Sequence[str] = ()) -> None:
    """Print what is missing and what it costs."""
    from epicene.cli.show import show_csv
    from epicene.output.terminal import tables
    from epicene.rows import as_markdown

    if output == "json":
        typer.echo(tables.as_json([each.as_dict() for each in found]))
        return
    if output == "csv":
        show_csv([each.as_dict() for each in found])
        return
    if output in ("markdown", "latex"):
        header = list(found[0].as_dict())
        cells = [["" if cell is None else str(cell) for cell in each.as_dict().values()] for each in found]
        typer.echo(as_markdown(header, cells) if output == "markdown" else tables.latex([], header, cells))
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
    for line in notes:
        typer.echo(line)


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
