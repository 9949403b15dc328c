"""What the answers of all metrics share: a record for each result and each refused test, and one table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from epicene.embeddings.tables import Refusal, columns
from epicene.output.table import Answer, Cell, Row, Table, flatten_record


class Tested(Answer):
    """What was measured in one call, and the tests that were refused, which no format leaves out."""

    __slots__ = ()
    results: Sequence[Any]
    refused: tuple[Refusal, ...]

    def rows(self) -> list[Row]:
        """One row per result, then one per refused test: all of it that is a number or a word."""
        return [flatten_record(record) for record in self.records()]

    def records(self) -> list[dict[str, Any]]:
        """The records as JSON has them, those of refused tests last."""
        return [record.as_dict() for record in (*self.results, *self.refused)]

    def make_table(
        self, title: str, titles: Sequence[str], rows: Iterable[tuple[Cell, ...]], notes: Iterable[str] = ()
    ) -> Table:
        """Rows of texts that are formatted already, with the refused tests and all signatures below."""
        refused = (f"not run on {refusal.embedding}: {refusal.test.name}, {refusal.reason}" for refusal in self.refused)
        return Table(title, columns(*titles), tuple(rows), (*notes, *refused), self.signatures())

    def signatures(self) -> tuple[str, ...]:
        """The signature of each result, once."""
        return tuple(dict.fromkeys(result.signature for result in self.results))
