"""Does speed cost gender? Lines through all settings of a study, with occupations and trained models as the sample.

A setting is an architecture and how it is decoded; its value is the mean over its seeds. The slope of a metric is what
it loses, in per cent of the baseline's, per per cent of time saved, along the least squares line through all settings,
each of which counts once, however many seeds it has. Two things are a sample: occupations (within those that men and
those that women dominate) and seeds (within an architecture; how much they matter is pooled over all of them). They
are crossed, so the slope's variance is that of occupations, plus that of seeds, less what both share, which is in each
of them (Cameron, Gelbach and Miller 2011). Student's t, with the degrees of freedom of the sum (Satterthwaite).
Two slopes are compared occupation by occupation and seed by seed. How well times are known adds to the variance.

``Analysis.kind`` asks the same of one kind of speed-up instead of time: what settings with it lose, in per cent of
their like without it.

Models that were trained together may be alike. With ``batches`` a setting's value is not the plain mean over its seeds
but what is left of it when what all models of a batch share is taken off (least squares).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from epicene.errors import EvidenceError
from epicene_lab.outputs import Run
from epicene_lab.summary import BASELINE, Setting, read_setting
from epicene_lab.verdicts import RIGHT, UNREAD

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Place = tuple[int, int]  # of a setting: its architecture, and how it is decoded

GROUPS = {
    "pro": ("MOMC", "FOFC"),
    "anti": ("MOFC", "FOMC"),
    "women": ("FOFC", "MOFC"),
    "men": ("MOMC", "FOMC"),
    **{group: (group,) for group in ("FOFC", "MOFC", "MOMC", "FOMC")},
}
# Kinds of speed-up, and what a setting with it is compared with; None for a setting without it.
KINDS: dict[str, Callable[[Setting], Setting | None]] = {
    "beam 1": lambda each: each._replace(beam=5) if each.beam == 1 else None,
    "int8": lambda each: each._replace(precision="float") if each.precision == "int8" else None,
    "AAN": lambda each: each._replace(model=each.model[:-4]) if each.model.endswith("-aan") else None,
    "shallow decoder": lambda each: _deep(each) if _decoder(each.model) <= 2 else None,
}
# How sentences that could not be read count: as wrong, as right, not at all; or those alone count that all runs read.
SAMPLES = ("unread wrong", "unread right", "read", "read by all")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a slope owes to each occupation, to each seed, to each occupation of a seed, and to each time."""

    occupations: Array
    seeds: Array  # by trained model and architecture: what this model's deviation would do there
    both: Array  # the same by occupation
    times: Array  # by setting: what a standard error of its time does

    def less(self, other: Parts) -> Parts:
        """The parts of a difference."""
        return Parts(
            self.occupations - other.occupations,
            self.seeds - other.seeds,
            self.both - other.both,
            self.times - other.times,
        )


@dataclass(frozen=True, slots=True)
class Slope:
    """Per cent lost per per cent of time saved, or by a kind of speed-up."""

    value: float
    low: float
    high: float
    parts: Parts = field(repr=False, compare=False)

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
    """All runs of one language pair and skew that were timed, in the ways that every model was decoded."""

    def __init__(
        self,
        runs: Sequence[Run],
        times: Mapping[Setting, float],
        sentences: Sentences,
        skew: str = "labour",
        batches: Mapping[tuple[str, int], str] | None = None,  # of a model, by its architecture and seed
        errors: Mapping[Setting, float] | None = None,  # standard errors of the times
    ) -> None:
        import numpy as np

        timed = {
            ((run.model, run.seed), (run.precision, run.beam)): place
            for place, run in enumerate(runs)
            if run.skew == skew and read_setting(run) in times
        }
        models = sorted({model for model, _ in timed})
        modes = [
            mode for mode in sorted({mode for _, mode in timed}) if all((model, mode) in timed for model in models)
        ]
        if BASELINE.model not in {name for name, _ in models} or BASELINE[1:] not in modes:
            raise EvidenceError("no run of the baseline (6-6, float, beam 5) was timed, so nothing can be compared")
        self.rows = [timed[model, mode] for model in models for mode in modes]
        self.runs = [runs[place] for place in self.rows]
        self.architectures = sorted({name for name, _ in models})
        self.sentences = sentences
        self._shape = (len(models), len(modes))
        self._of = np.array([self.architectures.index(name) for name, _ in models])
        self.seeds = np.bincount(self._of)  # of each architecture
        members = np.eye(len(self.architectures))[self._of]
        plain = members.T / self.seeds[:, None]
        named = [batches[model] if batches else "" for model in models]
        shared = np.array([[batch == other for other in sorted(set(named))[1:]] for batch in named], float)
        within = shared - members @ plain @ shared  # what tells batches apart within an architecture
        effects = np.linalg.pinv(within)
        shared -= shared.mean(0)
        self._mean = plain - plain @ shared @ effects  # of each architecture, from all models
        self._fitted = members @ self._mean + shared @ effects
        self._between = len(models) - len(self.architectures) - round(float(np.trace(within @ effects)))
        self._base = (self.architectures.index(BASELINE.model), modes.index(BASELINE[1:]))
        saved = np.array([[100 - times[Setting(name, *mode)] for mode in modes] for name in self.architectures])
        self._saved = saved - saved.mean()
        known = errors or {}
        self._errors = np.array(
            [[known.get(Setting(name, *mode), 0.0) for mode in modes] for name in self.architectures]
        )
        self._settings = {
            Setting(name, *mode): (row, column)
            for row, name in enumerate(self.architectures)
            for column, mode in enumerate(modes)
        }
        self._weights = self._saved / (self._saved**2).sum()  # what changes: the line through all settings
        self._whole = np.zeros_like(saved)  # of what it is a part: the baseline
        self._whole[self._base] = 1
        self._occupations = sorted({(group[:2], name) for group, name in _labels(sentences)})

    def kinds(self) -> list[str]:
        """The kinds of speed-up that some setting has, beside its like without it."""
        return [name for name in KINDS if self._pairs(name)]

    def kind(self, name: str) -> Analysis:
        """The same study, but of one kind of speed-up: settings with it beside their like without it."""
        import numpy as np

        pairs = self._pairs(name)
        if not pairs:
            raise EvidenceError(f"no setting with {name} has its like without it")
        changed, whole = np.zeros_like(self._weights), np.zeros_like(self._weights)
        for place, other in pairs:
            changed[place] += 1 / len(pairs)
            whole[other] += 1 / len(pairs)
        analysis = copy.copy(self)
        analysis._weights, analysis._whole = changed - whole, whole
        analysis._errors = np.zeros_like(self._errors)  # no time takes part
        return analysis

    def _pairs(self, kind: str) -> list[tuple[Place, Place]]:
        """Where settings with a kind of speed-up stand, and where their like without it."""
        asked = ((place, KINDS[kind](setting)) for setting, place in self._settings.items())
        return [(place, self._settings[other]) for place, other in asked if other in self._settings]

    def slope(self, codes: npt.NDArray[np.int8], group: str, sample: str) -> Slope:
        """The slope of a group's accuracy."""
        return self._rate(*self._counts(codes[self.rows], group, sample))

    def gap(self, codes: npt.NDArray[np.int8], sample: str) -> Slope:
        """By how many points pro less anti grows per per cent of time saved."""
        pro, anti = (
            self._rate(*self._counts(codes[self.rows], group, sample), relative=False) for group in ("pro", "anti")
        )
        return self.difference(pro, anti)

    def control(self, right: npt.NDArray[np.int8], number: Sequence[int]) -> Slope:
        """The slope of the share of control words that are right."""
        import numpy as np

        several = np.broadcast_to(np.array(number), (len(self.rows), len(number)))
        return self._rate(self._by_occupation(right[self.rows]), self._by_occupation(several))

    def plain(self, values: Sequence[float]) -> Slope:
        """The slope of a number a run, such as BLEU, for which trained models alone are the sample."""
        import numpy as np

        chosen = np.array([values[place] for place in self.rows], float)
        return self._line(chosen, np.zeros((len(chosen), len(self._occupations))), relative=True)

    def accuracy(self, codes: npt.NDArray[np.int8], group: str, sample: str) -> Array:
        """The accuracy of each run, in per cent."""
        right, number = self._counts(codes[self.rows], group, sample)
        rates: Array = 100 * right.sum(1) / number.sum(1)
        return rates

    def difference(self, first: Slope, second: Slope) -> Slope:
        """By how much one metric falls faster than another."""
        return self._slope(first.value - second.value, first.parts.less(second.parts))

    def half(self, parts: Parts, seeds: Sequence[int] | None = None) -> float:
        """Half the 95 % interval of a slope of such parts, or what it would be with other numbers of seeds."""
        from scipy.stats import t

        many = len(self._occupations)
        before, both = (self._pooled(parts.both, numbers) * many / max(1, many - 1) for numbers in (None, seeds))
        jobs = max(0.0, self._jobs(parts.occupations) - before) + both if seeds else self._jobs(parts.occupations)
        models = self._pooled(parts.seeds, seeds)
        whole = max(jobs + models - both, jobs, models) + float((parts.times**2).sum())
        freedom = sum(number - 1 for number in seeds) if seeds else self._freedom
        if not whole:
            return 0.0
        spread = jobs**2 / max(1, many - len({stratum for stratum, _ in self._occupations})) + models**2 / freedom
        return float(t.ppf(0.975, max(1.0, whole**2 / spread)) * whole**0.5)

    @property
    def _freedom(self) -> int:
        """Of what seeds say about their spread; with one seed each, of what the line leaves."""
        freedom = self._between or len(self.seeds) - 2
        if freedom < 1:
            raise EvidenceError(
                f"{len(self.seeds)} trained models say nothing about how much a seed matters; "
                "train a second seed of one, or three architectures"
            )
        return freedom

    def _pooled(self, deviations: Array, seeds: Sequence[int] | None = None) -> float:
        """The variance of a slope that seeds leave: deviations by model and architecture, and maybe occupation."""
        import numpy as np

        shares = np.diag(1 / np.asarray(seeds)) if seeds else self._mean @ self._mean.T
        flat = deviations.reshape(*deviations.shape[:2], -1)
        return float(np.einsum("mao,ab,mbo->", flat, shares, flat, optimize=True) / self._freedom)

    def _jobs(self, parts: Array) -> float:
        """The variance of a slope that occupations leave, within their strata."""
        import numpy as np

        strata = np.array([stratum for stratum, _ in self._occupations])
        variance = 0.0
        for name in sorted(set(strata)):
            own = parts[strata == name]
            if len(own) > 1:
                variance += len(own) / (len(own) - 1) * float(((own - own.mean()) ** 2).sum())
        return variance

    def _counts(self, codes: npt.NDArray[np.int8], group: str, sample: str) -> tuple[Array, Array]:
        """Right sentences and sentences that count, by run and occupation."""
        import numpy as np

        there = np.array([name in GROUPS[group] for name in self.sentences.groups])
        read = codes != UNREAD
        counts = {"read": read, "read by all": np.broadcast_to(read.all(0), read.shape)}.get(sample)
        number = (np.ones_like(read) if counts is None else counts) & there
        right = (codes == RIGHT) | (sample == "unread right") & ~read
        return self._by_occupation(right & number), self._by_occupation(number)

    def _by_occupation(self, values: npt.NDArray[Any]) -> Array:
        """Sums of whole numbers, which half the digits hold as well."""
        import numpy as np

        place = {name: number for number, (_, name) in enumerate(self._occupations)}
        which = np.eye(len(place), dtype=np.float32)[[place[name] for name in self.sentences.occupations]]
        sums: Array = (values.astype(np.float32) @ which).astype(float)
        return sums

    def _rate(self, right: Array, number: Array, relative: bool = True) -> Slope:
        """The slope of a rate, in points where it is not relative to the baseline's."""
        total = number.sum(1, keepdims=True)
        rate = right.sum(1, keepdims=True) / total
        scale = 1.0 if relative else 100.0
        return self._line(scale * rate[:, 0], scale * (right - rate * number) / total, relative)

    def _line(self, values: Array, by_occupation: Array, relative: bool) -> Slope:
        """Values of runs, and what each occupation adds to them."""
        import numpy as np

        runs = values.reshape(self._shape)
        jobs = by_occupation.reshape(*self._shape, -1)
        means, job_means = self._mean @ runs, np.tensordot(self._mean, jobs, 1)
        weights = self._weights
        value = float((weights * means).sum())
        # To first order, what a longer time of a setting does to the line through all of them.
        times = self._errors * (means - means.mean() - 2 * value * self._saved) / (self._saved**2).sum()
        if relative:  # to first order, what a change of any setting does to the ratio
            whole = float((self._whole * means).sum())
            if not whole:
                raise EvidenceError("the baseline has nothing right, so nothing can be lost")
            value, times = -100 * value / whole, -100 * times / whole
            weights = -(100 * weights + value * self._whole) / whole
        if self._between:
            away, jobs_away = runs - self._fitted @ runs, jobs - np.tensordot(self._fitted, jobs, 1)
        else:
            steep = (self._saved * means).sum() / (self._saved**2).sum()
            away = runs - means.mean() - steep * self._saved[self._of]
            jobs_away = np.zeros_like(jobs)
        parts = Parts(
            np.einsum("ak,ako->o", weights, job_means),
            np.einsum("ak,mk->ma", weights, away),
            np.einsum("ak,mko->mao", weights, jobs_away),
            times,
        )
        return self._slope(value, parts)

    def _slope(self, value: float, parts: Parts) -> Slope:
        half = self.half(parts)
        return Slope(value, value - half, value + half, parts)


def _decoder(model: str) -> int:
    """Layers of the decoder."""
    return int(model.split("-")[1])


def _deep(setting: Setting) -> Setting:
    """The same with the baseline's layers."""
    return setting._replace(model=BASELINE.model + "-aan" * setting.model.endswith("-aan"))


def _labels(sentences: Sentences) -> Sequence[tuple[str, str]]:
    return list(zip(sentences.groups, sentences.occupations, strict=True))
