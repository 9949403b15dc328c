"""How results on visits are printed, and a study of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from epicene.output.table import Column, Table
from epicene.output.views import View
from epicene.result import Result
from epicene.studies import Study, StudyPlan

_TITLE = "Visits: how many women are expected"
_INPUTS = {"visits": "any file"}


def _tables(result: Result) -> Iterator[Table]:
    yield Table(f"women who visit: {result['women', 'all'].count} of {result.n}")


def _run(inputs: Mapping[str, str]) -> Study:
    table = Table("Table 1", (Column("women", "women"),), ((3,),))
    missing = {name: what for name, what in _INPUTS.items() if name not in inputs}
    return Study("visits", _TITLE, (table,), missing, () if missing else ("visits|v:1",))


VIEW = View(_tables)
STUDY = StudyPlan(_TITLE, _INPUTS, _run)
