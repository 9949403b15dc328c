"""Charts are checked by the schema of Vega-Lite, in every test that draws one."""

from __future__ import annotations

import pytest
from jsonschema import ValidationError

from epicene.output.charts import vega
from epicene.output.charts.vega import layered, mark, nominal, quantitative


@pytest.mark.parametrize(
    "layer",
    [
        mark("dot", {}),
        mark("point", {"x": {"field": "x", "type": "number"}}),
        mark("point", {"across": quantitative("x")}),
        mark("point", {"color": nominal("x", legends=None)}),
    ],
)
def test_a_misspelt_chart_is_refused_by_the_tests(layer: vega.Spec) -> None:
    with pytest.raises(ValidationError):
        vega.svg(layered([{"x": 1}], layer), "name")
