"""A study of visits."""

from __future__ import annotations

from collections.abc import Mapping

from epicene.output.table import Column, Table
from epicene.studies import Study, StudyPlan

_TITLE = "Visits: how many women are expected"
_INPUTS = {"visits": "any file"}


def _run(inputs: Mapping[str, str]) -> Study:
    table = Table("Table 1", (Column("women", "women"),), ((3,),))
    missing = {name: what for name, what in _INPUTS.items() if name not in inputs}
    return Study("visits", _TITLE, (table,), missing, () if missing else ("visits|v:1",))


STUDY = StudyPlan(_TITLE, _INPUTS, _run)
