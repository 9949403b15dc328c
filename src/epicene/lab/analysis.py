"""Does speed cost gender? Lines through all runs of a study, with occupations and trained models as the sample.

A run's accuracy is compared with the baseline's on the same sentences. The slope of a metric is what it loses, in per
cent of the baseline's, per per cent of time saved. Its interval comes from drawing occupations (within those that men
and those that women dominate) and trained models (the baseline's seeds within themselves) anew, both at once: m - 1 of
m, weighted up (Rao and Wu 1988), so that few clusters do not look too certain; Student's t for as many occupations.
Two slopes are compared within the same draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from epicene.errors import EvidenceError
from epicene.lab.outputs import Run
from epicene.lab.summary import BASELINE, Setting
from epicene.lab.verdicts import RIGHT, UNREAD

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

DRAWS = 2000
SEED = 20210801
GROUPS = {
    "pro": ("MOMC", "FOFC"),
    "anti": ("MOFC", "FOMC"),
    **{group: (group,) for group in ("FOFC", "MOFC", "MOMC", "FOMC")},
}
# How sentences that could not be read count: as wrong, as right, not at all; or those alone count that all runs read.
SAMPLES = ("unread wrong", "unread right", "read", "read by all")


@dataclass(frozen=True, slots=True)
class Slope:
    """Per cent lost per per cent of time saved."""

    value: float
    low: float
    high: float
    draws: tuple[float, ...] = ()

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Sentences:
    """What the sentences of a set are about."""

    groups: tuple[str, ...]
    occupations: tuple[str, ...]


class Analysis:
    """All runs of one language pair and skew that were timed."""

    def __init__(
        self, runs: Sequence[Run], times: Mapping[Setting, float], sentences: Sentences, skew: str = "labour"
    ) -> None:
        import numpy as np

        self.rows = [place for place, run in enumerate(runs) if run.skew == skew and _setting(run) in times]
        self.runs = [runs[place] for place in self.rows]
        if not any(_setting(run) == BASELINE for run in self.runs):
            raise EvidenceError("no run of the baseline (6-6, float, beam 5) was timed, so nothing can be compared")
        self.saved = np.array([100 - times[_setting(run)] for run in self.runs])
        self.base = np.array([_setting(run) == BASELINE for run in self.runs])
        self.models = [(run.model, run.seed) for run in self.runs]
        self.sentences = sentences
        generator = np.random.default_rng(SEED)
        self._occupations = sorted({(group[:2], name) for group, name in _labels(sentences)})
        strata = [stratum for stratum, _ in self._occupations]
        self._drawn = _draws(strata, generator)
        distinct = sorted(set(self.models))
        kinds = ["base" if name == BASELINE.model else "other" for name, _ in distinct]
        weights = _draws(kinds, generator)
        self._weights = weights[:, [distinct.index(model) for model in self.models]]

    def slope(self, codes: npt.NDArray[np.int8], group: str, sample: str) -> Slope:
        """The slope of a group's accuracy."""
        right, number = self._counts(codes[self.rows], group, sample)
        return self._line(right, number)

    def gap(self, codes: npt.NDArray[np.int8], sample: str) -> Slope:
        """By how many points pro less anti grows per per cent of time saved."""
        import numpy as np

        parts = [self._counts(codes[self.rows], group, sample) for group in ("pro", "anti")]
        whole = [100 * (right.sum(1) / number.sum(1))[None] for right, number in parts]
        with np.errstate(invalid="ignore"):
            drawn = [100 * (self._drawn @ right.T) / (self._drawn @ number.T) for right, number in parts]
        value = self._steepness(whole[0] - whole[1], np.ones_like(whole[0]))
        return self._slope(float(value[0]), self._steepness(drawn[0] - drawn[1], self._weights))

    def control(self, found: npt.NDArray[np.int8], number: Sequence[int]) -> Slope:
        """The slope of the share of control words that are right."""
        import numpy as np

        several = np.broadcast_to(np.array(number, float), (len(self.rows), len(number)))
        return self._line(self._by_occupation(found[self.rows].astype(float)), self._by_occupation(several))

    def plain(self, values: Sequence[float]) -> Slope:
        """The slope of a number a run, such as BLEU, for which models alone are drawn."""
        import numpy as np

        chosen = np.array([values[place] for place in self.rows], float)[None]
        drawn = self._fit(np.repeat(chosen, DRAWS, 0), self._weights)
        return self._slope(float(self._fit(chosen, np.ones_like(chosen))[0]), drawn)

    def accuracy(self, codes: npt.NDArray[np.int8], group: str, sample: str) -> Array:
        """The accuracy of each run, in per cent."""
        right, number = self._counts(codes[self.rows], group, sample)
        found: Array = 100 * right.sum(1) / number.sum(1)
        return found

    def _counts(self, codes: npt.NDArray[np.int8], group: str, sample: str) -> tuple[Array, Array]:
        """Right sentences and sentences that count, by run and occupation."""
        import numpy as np

        there = np.array([name in GROUPS[group] for name in self.sentences.groups])
        read = codes != UNREAD
        counts = {"read": read, "read by all": np.broadcast_to(read.all(0), read.shape)}.get(sample)
        number = (np.ones_like(read) if counts is None else counts) & there
        right = (codes == RIGHT) | (sample == "unread right") & ~read
        return self._by_occupation((right & number).astype(float)), self._by_occupation(number.astype(float))

    def _by_occupation(self, values: Array) -> Array:
        import numpy as np

        place = {name: number for number, (_, name) in enumerate(self._occupations)}
        which = np.eye(len(place))[[place[name] for name in self.sentences.occupations]]
        found: Array = values @ which
        return found

    def _line(self, right: Array, number: Array) -> Slope:
        import numpy as np

        value = (right.sum(1) / number.sum(1))[None]
        with np.errstate(invalid="ignore"):  # a draw may hold no sentence that every run has readable
            drawn = (self._drawn @ right.T) / (self._drawn @ number.T)
        return self._slope(float(self._fit(value, np.ones_like(value))[0]), self._fit(drawn, self._weights))

    def _fit(self, values: Array, weights: Array) -> Array:
        """Slopes of what is lost, in per cent of the baseline's."""
        import numpy as np

        base = (values * weights * self.base).sum(1) / (weights * self.base).sum(1)
        with np.errstate(invalid="ignore", divide="ignore"):
            lost = 100 * (1 - values / base[:, None])
        return self._steepness(lost, weights)

    def _steepness(self, values: Array, weights: Array) -> Array:
        """Weighted least squares of values against the time saved, one line a draw."""
        total = weights.sum(1)
        x = (weights * self.saved).sum(1) / total
        y = (weights * values).sum(1) / total
        across = (weights * (self.saved - x[:, None]) * (values - y[:, None])).sum(1)
        found: Array = across / (weights * (self.saved - x[:, None]) ** 2).sum(1)
        return found

    def _slope(self, value: float, drawn: Array) -> Slope:
        import numpy as np
        from scipy.stats import t

        strata = len({stratum for stratum, _ in self._occupations})
        half = float(t.ppf(0.975, len(self._occupations) - strata)) * float(np.nanstd(drawn, ddof=1))
        return Slope(value, value - half, value + half, tuple(drawn))

    def difference(self, first: Slope, second: Slope) -> Slope:
        """By how much one metric falls faster than another, within the same draws."""
        import numpy as np

        return self._slope(first.value - second.value, np.array(first.draws) - np.array(second.draws))


def _setting(run: Run) -> Setting:
    return Setting(run.model, run.precision, run.beam)


def _labels(sentences: Sentences) -> Sequence[tuple[str, str]]:
    return list(zip(sentences.groups, sentences.occupations, strict=True))


def _draws(strata: Sequence[str], generator: np.random.Generator) -> Array:
    """Weights of units, drawn m - 1 of the m of each stratum; the single unit of a stratum stays as it is."""
    import numpy as np

    found = np.ones((DRAWS, len(strata)))
    for name in sorted(set(strata)):  # in one order, so that the same draws come on every run
        places = [place for place, other in enumerate(strata) if other == name]
        m = len(places)
        if m > 1:
            chances = np.full(m, 1 / m)
            found[:, places] = generator.multinomial(m - 1, chances, DRAWS) * m / (m - 1)
    return found
