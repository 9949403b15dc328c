"""What commands share that may cost money: their options, and how an estimate is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.verbosity import note
from epicene.output.table import Answer, Row, Table

if TYPE_CHECKING:
    from epicene.systems.network.money import Estimate

EstimateOnly = Annotated[
    bool, typer.Option("--estimate", help="Say what is missing from the cache and what it would cost; ask nothing.")
]


def warn(found: Sequence[Estimate]) -> None:
    """Say on standard error which prices are old or not known."""
    for warning in dict.fromkeys(each.warning for each in found if each.warning):
        note(f"warning: {warning}")


@dataclass(frozen=True, slots=True)
class Estimates(Answer):
    """What is missing from the cache, and what it would cost."""

    parts: tuple[Estimate, ...]
    notes: tuple[str, ...] = ()

    def tables(self) -> Iterable[Table]:
        """A line for each system, set and pair, and one for all together."""
        lines = [
            f"{' '.join(filter(None, (part.system, part.set, part.langs)))}: {_describe(part)}" for part in self.parts
        ]
        if len(self.parts) > 1:
            costs: dict[str, float] = {}
            for part in self.parts:
                if part.currency:
                    costs[part.currency] = costs.get(part.currency, 0.0) + (part.cost or 0.0)
            total = ", ".join(f"{cost:,.2f} {currency}" for currency, cost in costs.items()) or "nothing"
            lines.append(f"all together: {sum(part.characters for part in self.parts):,} characters, {total}")
        yield Table("\n".join(lines), notes=self.notes)

    def rows(self) -> list[Row]:
        """One row per system, set and pair."""
        return [part.as_dict() for part in self.parts]


def _describe(part: Estimate) -> str:
    missing = f"{part.sentences:,} sentences missing, {part.characters:,} characters"
    if not part.requests and part.sentences:
        return f"{missing}, no service is asked"
    missing += f", {part.requests:,} requests"
    if part.cost is None:
        return f"{missing}, price not known"
    if not part.currency:
        return f"{missing}, nothing to pay"
    free = f"; {part.free:,} a month are free, not counted here" if part.free else ""
    return f"{missing}, {part.cost:,.2f} {part.currency} (price of {part.priced}{free})"
