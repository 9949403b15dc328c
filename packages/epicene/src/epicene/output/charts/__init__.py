"""Charts of results, as Vega-Lite."""
