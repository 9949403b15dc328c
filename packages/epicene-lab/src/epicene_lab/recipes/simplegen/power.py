"""What the next study can see: interval widths to be expected of its models, from the spread of the study before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from epicene_lab.analysis import Slope
from epicene_lab.recipe import load
from epicene_lab.recipes.simplegen.jobs import SEEDS
from epicene_lab.shipped import Results, shipped
from epicene_lab.studies.simplegen.answer import QUESTIONS

PROTOCOL, SAMPLE = "epicene", "read"
POWER = 0.8
EVER_MORE = 10_000


def expect_power(recipe: str, results: Path | None = None) -> Iterator[str]:
    """For each pair and question, the half-width of the 95 % interval, and the effect that is seen with 80 % power."""
    from scipy.stats import norm

    factor = (norm.ppf(0.975) + norm.ppf(POWER)) / norm.ppf(0.975)
    names, own = {shape.name for shape in load(recipe).shapes}, Results(results or shipped())
    for langs in own.pairs:
        times = {setting: time for setting, time in own.settings(langs).items() if setting.model in names}
        analysis = own.analysis(langs, times=times)
        codes, _ = own.codes(langs, "simplegen", PROTOCOL)
        for question, groups in QUESTIONS.items():
            first, second = (analysis.slope(codes, group, SAMPLE) for group in groups)
            slope: Slope = analysis.difference(first, second)
            half, least = (analysis.half(slope.parts, [seeds] * len(names)) for seeds in (SEEDS, EVER_MORE))
            yield (
                f"{langs}, {question.replace('less', '-')}: half-width {half:.3f} with {SEEDS} seeds of each of "
                f"{len(names)} architectures; {100 * POWER:.0f} % power to see {factor * half:.2f}; with ever more "
                f"seeds {least:.3f}"
            )
