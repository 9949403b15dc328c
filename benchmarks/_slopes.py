"""Made-up studies of speed and bias with a known slope: how often the intervals of ``lab.analysis`` hold it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import product

import numpy as np

from epicene_lab.analysis import KINDS, Analysis, Sentences
from epicene_lab.outputs import Run
from epicene_lab.points import MODES
from epicene_lab.shipped import MAIN, Results, shipped
from epicene_lab.summary import Setting
from epicene_lab.verdicts import RIGHT, WRONG

STEEP = 0.1  # per cent lost per per cent of time saved
LEVEL = 0.45  # the baseline's accuracy
OCCUPATION, SLOPES, SEED, BOTH, MODE = 0.12, 0.15, 0.03, 0.08, 0.01  # standard deviations
LEAN = 0.04  # of how much more a model writes women as men, and men as men
OFF = 0.03  # of an architecture off the line
BATCH = 0.05  # of what the models of a batch share
JOBS = {"MO": 11, "FO": 7}  # occupations of men and of women
CONTEXTS = ("FC", "MC")  # a woman, a man
EACH = 74  # sentences of an occupation and context
_WOMEN = "women less men"


class Study:
    """A made-up study: its design, and the slope that is true of it."""

    def __init__(
        self,
        seeds: Mapping[str, int],
        times: Mapping[Setting, float],
        off: float = 0.0,
        uneven: str = "",
        batches: Mapping[tuple[str, int], str] | None = None,
    ) -> None:
        models = sorted(batches or ((name, seed) for name, number in seeds.items() for seed in range(1, number + 1)))
        self.models, self.batches, self.uneven = models, batches or {}, uneven
        self.runs = [Run("en-es", MAIN, name, seed, *mode) for name, seed in models for mode in MODES]
        kinds = [(kind, f"{kind}{number}") for kind, many in JOBS.items() for number in range(many)]
        self.jobs = [name for _, name in kinds]
        rows = [(f"{kind}{context}", name) for kind, name in kinds for context in CONTEXTS for _ in range(EACH)]
        self.about = Sentences(tuple(row[0] for row in rows), tuple(row[1] for row in rows))
        self.analysis = Analysis(self.runs, times, self.about)
        self.apart = Analysis(self.runs, times, self.about, batches=batches)
        names = sorted(seeds)
        away = dict(zip(names, np.random.default_rng(1).normal(0, off, len(names)), strict=True))
        self.saved = np.array([[100 - times[Setting(name, *mode)] for mode in MODES] for name, _ in models])
        self.level = LEVEL * (1 - STEEP * self.saved / 100) + np.array([[away[name]] for name, _ in models])

    def drawn(self, generator: np.random.Generator) -> np.ndarray:
        """Verdicts of all runs: the ways to decode a model share its deviation and most of its sentences."""
        many, jobs = len(self.models), len(self.jobs)
        fast = self.saved.mean(1) / self.saved.mean()  # 1 on average
        scale = {"faster": 0.5 + 0.5 * fast, "slower": 1.5 - 0.5 * fast}.get(self.uneven, np.ones(many))
        seed = generator.normal(0, SEED, many) * scale
        if self.batches:
            shared = {name: generator.normal(0, BATCH) for name in sorted(set(self.batches.values()))}
            seed += [shared[self.batches[model]] for model in self.models]
        lean = generator.normal(0, LEAN, many) * scale
        mode = generator.normal(0, MODE, (many, len(MODES)))
        chance = (self.level + seed[:, None] + mode)[..., None] + lean[:, None, None] * np.array([-1, 1])
        chance = chance[:, :, None] + generator.normal(0, OCCUPATION, (jobs, len(CONTEXTS)))
        chance = chance + generator.normal(0, BOTH, (many, 1, jobs, len(CONTEXTS)))
        steeper = generator.normal(0, SLOPES, (jobs, len(CONTEXTS)))
        chance = chance - LEVEL * steeper * self.saved[:, :, None, None] / 100
        right = generator.random((many, 1, jobs, len(CONTEXTS), EACH)) < chance[..., None]
        return np.where(right, RIGHT, WRONG).astype(np.int8).reshape(many * len(MODES), -1)

    def covered(self, studies: int) -> dict[str, tuple[float, float]]:
        """How often intervals hold what is true, in per cent, and their mean half-width: slopes, and each kind."""
        generator = np.random.default_rng(2021)
        asked = {"slope": self.analysis}
        asked |= {"slope, batches told apart": self.apart} if self.batches else {}
        asked |= {name: self.apart.kind(name) for name in KINDS}
        true = {name: each.plain(self.level.ravel().tolist()).value for name, each in asked.items()}
        found: dict[str, list[tuple[bool, float]]] = {name: [] for name in (*asked, _WOMEN)}
        for _ in range(studies):
            codes = self.drawn(generator)
            slopes = {name: each.slope(codes, "anti", "read") for name, each in asked.items()}
            women, men = (self.analysis.slope(codes, group, "read") for group in ("women", "men"))
            slopes[_WOMEN] = self.analysis.difference(women, men)
            for name, slope in slopes.items():
                found[name].append((slope.low <= true.get(name, 0.0) <= slope.high, slope.half))
        means = {name: np.mean(each, axis=0) for name, each in found.items()}
        return {name: (100 * float(held), float(half)) for name, (held, half) in means.items()}


def print_slopes() -> None:
    """Do the study's intervals hold what they promise? Slopes of ``lab.analysis`` on made-up studies whose slope is
    known.

    ``python -m benchmarks.intervals slopes``: 56 settings (14 architectures × 4 ways to decode), 11 occupations of men
    and 7 of women as in SimpleGEN, spreads as in the German half of the shipped study. Printed: how often 95 %
    intervals hold the slope, what each kind of speed-up loses and that women lose as much as men, and their mean
    half-width; with the seeds of the shipped study and with three each, where architectures lie off the line, and where
    faster or slower ones vary more from seed to seed. Last, where models that were trained together are alike, with
    their batches told apart and not.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.intervals slopes")
    parser.add_argument("--studies", type=int, default=1000)
    studies = parser.parse_args().studies
    results = Results(shipped())
    designs = {f"seeds of {langs}": _seeds(results, langs) for langs in results.pairs}
    designs["three seeds each"] = dict.fromkeys(next(iter(designs.values())), 3)
    times = results.settings("en-es")
    for (name, seeds), off, uneven in product(designs.items(), (0.0, OFF), ("", "faster", "slower")):
        where = "off the line" if off else "on a line"
        vary = f"{uneven} ones vary more" if uneven else "all vary alike"
        print(f"{name}, architectures {where}, {vary}: {held(Study(seeds, times, off, uneven), studies)}", flush=True)
    for langs in results.pairs:
        batches = results.batches(langs)
        if len(set(batches.values())) > 1:
            study = Study(_seeds(results, langs), times, batches=batches)
            print(f"seeds of {langs}, batches differ: {held(study, studies)}", flush=True)


def _seeds(results: Results, langs: str) -> dict[str, int]:
    analysis = results.analysis(langs)
    return dict(zip(analysis.architectures, map(int, analysis.seeds), strict=True))


def held(study: Study, studies: int) -> str:
    """What is covered, in words."""
    found = study.covered(studies).items()
    return "; ".join(f"{what} {share:.1f} % (± {half:.2g})" for what, (share, half) in found)
