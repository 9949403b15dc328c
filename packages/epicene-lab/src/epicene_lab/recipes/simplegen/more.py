"""Which models to train next: those that narrow the study's intervals most, for a given number of models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from epicene.errors import InputError
from epicene.files import write_atomically
from epicene.languages.codes import pair as parse_pair
from epicene_lab.analysis import Analysis, Slope
from epicene_lab.points import PROTOCOLS
from epicene_lab.recipe import Recipe
from epicene_lab.recipes.simplegen.jobs import MAIN, THRICE, job
from epicene_lab.shipped import Results

LEAST = 2  # seeds of every architecture; THRICE have one more
_SAMPLE, _GROUP = "read", "anti"
_EVER = 10_000


@dataclass(slots=True)
class Design:
    """A language pair as it stands: its slopes of ``anti`` by protocol, and how many seeds each architecture has."""

    langs: str
    analysis: Analysis
    slopes: Mapping[str, Slope]
    seeds: dict[str, int] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)  # the highest seed of each, where some may be missing

    def halves(self, more: str = "", many: int = 1) -> dict[str, float]:
        """Half-widths to be expected with these seeds, or one more of an architecture, or so many times as many."""
        counts = [many * (self.seeds[name] + (name == more)) for name in self.analysis.architectures]
        return {protocol: self.analysis.half(slope.parts, counts) for protocol, slope in self.slopes.items()}


def design(results: Results, langs: str) -> Design:
    """What a folder of results holds of a pair."""
    analysis = results.analysis(langs)
    slopes = {
        protocol: analysis.slope(results.codes(langs, "simplegen", protocol)[0], _GROUP, _SAMPLE)
        for protocol in PROTOCOLS
    }
    seeds = dict(zip(analysis.architectures, map(int, analysis.seeds), strict=True))
    last = {name: max(run.seed for run in analysis.runs if run.model == name) for name in seeds}
    return Design(langs, analysis, slopes, seeds, last)


def choose(designs: list[Design], models: int) -> Iterator[tuple[Design, str, int]]:
    """Pair, architecture and seed of each model to train; first what every architecture should have at least."""
    for least, names in ((LEAST, None), (LEAST + 1, THRICE)):
        for name in sorted({name for each in designs for name in each.seeds}, key=_slowest):
            for each in designs:
                if (names is None or name in names) and each.seeds[name] < least and models:
                    models -= 1
                    yield _taken(each, name)
    for _ in range(models):
        gains = {
            (sum(each.halves().values()) - sum(each.halves(name).values()), name, place): (each, name)
            for place, each in enumerate(designs)
            for name in each.seeds
        }
        yield _taken(*gains[max(gains)])


def _slowest(name: str) -> tuple[int, str]:
    """Those with deep decoders train longest, so they come first."""
    return -int(name.split("-")[1]), name


def _taken(each: Design, name: str) -> tuple[Design, str, int]:
    each.seeds[name] += 1
    each.last[name] += 1
    return each, name, each.last[name]


def plan(results: Results, recipe: Recipe, models: int, path: Path) -> Iterator[str]:
    """Write the jobs of so many more models; a line for each pair with what is to be expected of them."""
    shapes = {shape.name: shape for shape in recipe.shapes}
    designs = [design(results, langs) for langs in results.pairs]
    unknown = sorted({name for each in designs for name in each.seeds} - set(shapes))
    if unknown:
        raise InputError(f"recipe {recipe.name} has no {', '.join(unknown)}, which the results have; give --recipe")
    before = {each.langs: each.halves() for each in designs}
    jobs = [
        job(recipe, shapes[name], parse_pair(each.langs).target, MAIN, seed)
        for each, name, seed in choose(designs, models)
    ]
    with write_atomically(path) as stream:
        json.dump(jobs, stream, indent=1)
    for each in designs:
        told = ", ".join(
            f"{protocol} {before[each.langs][protocol]:.3f} -> {half:.3f}" for protocol, half in each.halves().items()
        )
        added = sum(row["data"][0] == parse_pair(each.langs).target for row in jobs)
        least = ", ".join(f"{protocol} {half:.3f}" for protocol, half in each.halves(many=_EVER).items())
        yield f"{each.langs}: {added} more models; half-width of the slope of {_GROUP}, of those read: {told}"
        yield f"{each.langs}: with ever more seeds, occupations alone: {least}"
        yield f"{each.langs}: seeds {', '.join(f'{name} {number}' for name, number in each.seeds.items())}"
    yield f"{len(jobs)} jobs in {path}; training: {asdict(recipe.training)}"
