"""How results on visits are printed, and a study of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from epicene.output.terminal.views import View
from epicene.result import Result
from epicene.studies import Column, Study, StudyPlan, StudyTable

_TITLE = "Visits: how many women are expected"
_INPUTS = {"visits": "any file"}


def _parts(result: Result) -> Iterator[str]:
    yield f"women who visit: {result['women', 'all'].count} of {result.n}"


def _run(inputs: Mapping[str, str]) -> Study:
    table = StudyTable("Table 1", (Column("women", "women"),), ((3,),))
    missing = {name: what for name, what in _INPUTS.items() if name not in inputs}
    return Study("visits", _TITLE, (table,), missing, () if missing else ("visits|v:1",))


VIEW = View(_parts)
STUDY = StudyPlan(_TITLE, _INPUTS, _run)
