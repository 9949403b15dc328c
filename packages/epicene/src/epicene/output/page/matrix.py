"""Systems beside each other: paired differences on the same sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from epicene.compare.pairs import Comparison, compare_results
from epicene.measures.paired import PairedTest
from epicene.output.charts.page import Series
from epicene.sets import page_words
from epicene.sets.about import PageWords
from epicene.text import visible


@dataclass(frozen=True, slots=True)
class Difference:
    """A system against the first that was measured in the same way."""

    set: str
    language: str
    comparison: Comparison
    family: PageWords

    @property
    def whole(self) -> PairedTest:
        """The change over all sentences, or of the first group."""
        changes = self.comparison.changes
        return next((change for change in changes if change.group == "all"), changes[0])


def differences(series: Sequence[Series]) -> list[Difference]:
    """Each system against the first that was measured in the same way."""
    tasks = {each.result.signature: each for each in series}
    found = []
    for comparison in compare_results([replace(each.result, system=each.label) for each in series]):
        task = tasks[comparison.signature]
        found.append(Difference(visible(task.result.set), task.into, comparison, page_words(task.result.set)))
    return found
