"""How often intervals cover the truth: rates, gaps and gates of every set, and the slopes of the SimpleGEN study."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks import run_parts
from benchmarks._slopes import print_slopes
from epicene.labour.read import open_reference
from epicene.labour.reference import Reference, Row
from epicene.sets.occupations.against import against
from epicene.sets.occupations.jobs import Answer
from epicene.stats import clustered
from epicene.stats.clustered import Design, Share
from epicene.types import Gender, Measure

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

SIMULATIONS = 1000
CORRELATIONS = (0.0, 0.1, 0.3)
RARE = 0.2  # of what is rarer on either side, intervals are conservative
ALLOWED = 2.0  # points
BEYOND = (2, 5, 10)  # points that the true drop lies beyond what is allowed
WANTED = (93.0, 97.0)
_TAIL = 0.025


@dataclass(frozen=True)
class Structure:
    """A set: for each stratum, the sentences of its occupations in one condition, and the rates of two conditions."""

    name: str
    strata: tuple[tuple[tuple[int, ...], float, float], ...]

    @property
    def sizes(self) -> Array:
        return np.array([size for sizes, _, _ in self.strata for size in sizes], dtype=float)

    @property
    def layers(self) -> list[int]:
        return [number for number, (sizes, _, _) in enumerate(self.strata) for _ in sizes]

    def rates(self, condition: int) -> Array:
        return np.array([stratum[condition + 1] for stratum in self.strata for _ in stratum[0]])


# Occupations of the Hungarian categories: so many have one, so many two.
_CATEGORIES = (
    (1,) * 109 + (2,) * 153 + (3,) * 93 + (4,) * 53 + (5,) * 21 + (6,) * 13 + (7,) * 7 + (8, 9, 9, 10, 10, 11, 15, 27)
)
# Rates as published systems have them: pro (feminine verbs, one wording) first, anti (masculine ones, another) second.
STRUCTURES = (
    Structure("simplegen", (((74,) * 11, 0.90, 0.45), ((74,) * 7, 0.75, 0.70))),
    Structure(
        "winomt", (((40,) * 15 + (38,) * 3 + (36, 42), 0.90, 0.35), ((40,) * 14 + (38,) * 5 + (42,), 0.60, 0.80))
    ),
    Structure("wibemt verbs", (((21,) * 33, 0.30, 0.20), ((21,) * 33, 0.15, 0.12), ((21,) * 33, 0.10, 0.08))),
    Structure("occupations", ((_CATEGORIES, 0.30, 0.35),)),
    Structure("custom, 12 concepts", (((5, 10, 15, 20) * 3, 0.80, 0.60),)),
)


def drawn(rng: np.random.Generator, mean: Array | float, icc: float, shape: tuple[int, int]) -> Array:
    """The rate of every occupation in every simulation."""
    means = np.broadcast_to(mean, shape)
    if icc == 0:
        return means
    spread = (1 - icc) / icc
    return rng.beta(means * spread, (1 - means) * spread)


def covered(estimate: clustered.Estimate, truth: float) -> float:
    """How many of the intervals hold the truth, in per cent."""
    if estimate.low is None or estimate.high is None:
        raise ValueError(estimate.why)
    return float(100 * np.mean((estimate.low <= truth) & (truth <= estimate.high)))


def width(estimate: clustered.Estimate) -> float:
    """The mean width in points."""
    if estimate.low is None or estimate.high is None:
        raise ValueError(estimate.why)
    return float(100 * np.mean(estimate.high - estimate.low))


class Coverage(NamedTuple):
    """How often an interval covers, in per cent, and how wide it is on average, in points."""

    name: str
    covers: float
    width: float
    rare: bool  # so that it may cover more often than it says

    @classmethod
    def of(cls, name: str, estimate: clustered.Estimate, truth: float, *rates: float) -> Coverage:
        """The coverage of what is true; ``rates``: those that it is made of."""
        rare = all(rate <= RARE for rate in rates) or all(rate >= 1 - RARE for rate in rates)
        return cls(name, covered(estimate, truth), width(estimate), rare)

    @property
    def is_outside(self) -> bool:
        """Whether it covers too seldom, or too often without saying so."""
        return self.covers < WANTED[0] or (self.covers > WANTED[1] and not self.rare)

    def __str__(self) -> str:
        return (
            f"{self.covers:.1f}{'*' if self.is_outside else '+' if self.covers > WANTED[1] else ''} / {self.width:.1f}"
        )


def intervals(structure: Structure, icc: float, seed: int = 1, simulations: int = SIMULATIONS) -> list[Coverage]:
    """The coverage of all that is estimated in a set."""
    rng = np.random.default_rng(seed)
    sizes, layers = structure.sizes, np.array(structure.layers)
    shape = (simulations, len(sizes))
    n = np.broadcast_to(sizes, shape)
    shares, truths = [], []
    for condition in (0, 1):
        rates = structure.rates(condition)
        counted = rng.binomial(n.astype(int), drawn(rng, rates, icc, shape)).astype(float)
        shares.append(Share(counted, n))
        truths.append(float((sizes * rates).sum() / sizes.sum()))
    found = []
    for name, share, truth in zip(("pro", "anti"), shares, truths, strict=True):
        found.append(Coverage.of(name, clustered.rate(share, Design(layers)), truth, truth))
        for layer in np.unique(layers) if len(structure.strata) > 1 else ():
            own = layers == layer
            part = clustered.rate(Share(share.counted[:, own], share.of[:, own]))
            rate = structure.strata[layer][1 if name == "pro" else 2]
            found.append(Coverage.of(f"{name} of stratum {layer + 1}", part, rate, rate))
    estimate = clustered.gap(shares[0], shares[1], Design(layers))
    found.append(Coverage.of("gap pro-anti", estimate, truths[0] - truths[1], *truths))
    if len(structure.strata) > 1:
        first, second = (Share(shares[0].counted * (layers == k), n * (layers == k)) for k in (0, 1))
        rates = [structure.strata[k][1] for k in (0, 1)]
        found.append(
            Coverage.of("gap of strata", clustered.gap(first, second, Design(layers)), rates[0] - rates[1], *rates)
        )
    change = changed(rng, n, GAIN, LOSS, icc, structure.layers)
    return [*found, Coverage.of("paired difference", change.estimate(), change.truth, GAIN, LOSS)]


GAIN, LOSS = 0.02, 0.04  # rates of a second system


class Changed(NamedTuple):
    """Sentences gained and lost by a second system, of how many, by occupation and template; and the true change."""

    gained: Array
    lost: Array
    of: Array
    design: Design
    truth: float

    def estimate(self, reach: bool = True) -> clustered.Estimate:
        """The change as inference has it."""
        return clustered.difference(self.gained, self.lost, self.of, self.design, reach=reach)


def changed(
    rng: np.random.Generator, n: Array, gain: float, loss: float, icc: float, layers: Sequence[int] | None = None
) -> Changed:
    """What a second system gains and loses where only occupations vary."""
    lost = rng.binomial(n.astype(int), drawn(rng, loss, icc, n.shape))
    gains = drawn(rng, gain / (1 - loss), icc, n.shape)  # of those that were not lost
    gained = rng.binomial(n.astype(int) - lost, gains)
    design = Design(np.zeros(n.shape[1], dtype=int) if layers is None else layers)
    return Changed(gained.astype(float), lost.astype(float), n, design, gain - loss)


def changed_by_template(
    rng: np.random.Generator,
    shape: tuple[int, int, int],
    each: int,
    rates: tuple[float, float],
    icc: float,
    alike: float,
) -> Changed:
    """The same of occupations that are crossed with templates, in each of which an occupation has so many sentences.

    ``rates``: of what is gained and lost; ``alike``: how much the sentences of a template are. Then half of what is
    lost goes by template, whatever the occupation.
    """
    (gain, loss), (simulations, units, templates) = rates, shape
    half = 1 - (1 - loss) ** 0.5 if alike else loss
    by_unit = drawn(rng, half, icc, (simulations, units))[:, :, None]
    by_template = drawn(rng, half if alike else 0.0, alike, (simulations, templates))[:, None, :]
    lost = rng.binomial(each, 1 - (1 - by_unit) * (1 - by_template))
    gained = rng.binomial(each - lost, drawn(rng, gain / (1 - loss), icc, (simulations, units))[:, :, None])
    cells = (simulations, units * templates)
    numbers = np.repeat(np.arange(units), templates), np.tile(np.arange(templates), units)
    design, of = Design(np.zeros(cells[1], dtype=int), *numbers), np.full(cells, float(each))
    return Changed(gained.reshape(cells).astype(float), lost.reshape(cells).astype(float), of, design, gain - loss)


def regressions(structure: Structure, icc: float, drop: float, seed: int = 2) -> float:
    """How often a gate calls a true drop of so many points a regression, in per cent."""
    rng = np.random.default_rng(seed)
    n = np.broadcast_to(structure.sizes, (2 * SIMULATIONS, len(structure.sizes)))
    change = changed(rng, n, 0.02, 0.02 + drop / 100, icc, structure.layers)
    p = change.estimate(reach=False).p_below(-ALLOWED / 100)
    if p is None:
        raise ValueError(structure.name)
    return float(100 * np.mean(p < _TAIL))


_WITHIN = f"between {WANTED[0]:g} and {WANTED[1]:g} %, or above where it is rare (+); the others have a *"


def print_rates() -> None:
    """How often intervals cover the truth, and how often a gate errs, where sentences of an occupation fare alike.

    Every set keeps its own structure: so many occupations in so many strata, with as many sentences as it has. The rate
    of each occupation is drawn from a beta distribution around that of its stratum, at three intra-class correlations;
    what each sentence comes to is drawn from that. Rates, gaps and paired differences shall cover in 93 to 97 % of the
    simulations, rare ones in 93 % at least, and a gate shall call a drop that is just allowed a regression in 5 % at
    most.
    """
    missed = total = 0
    print(f"coverage of 95 % intervals in {SIMULATIONS} simulations, and mean width in points, by ICC")
    for structure in STRUCTURES:
        columns = [intervals(structure, icc) for icc in CORRELATIONS]
        print(f"\n{structure.name:<26}" + "".join(f"{f'ICC {icc:g}':>16}" for icc in CORRELATIONS))
        for rows in zip(*columns, strict=True):
            print(f"  {rows[0].name:<24}" + "".join(f"{row!s:>16}" for row in rows), flush=True)
        total += sum(map(len, columns))
        missed += sum(row.is_outside for column in columns for row in column)
    print(f"\n{total - missed} of {total} {_WITHIN}")
    print(f"\ngate --max-drop {ALLOWED:g}: called a regression, in per cent, at a true drop of")
    drops = (0.0, ALLOWED, *(ALLOWED + more for more in BEYOND))
    print(f"  {'':<20}{'ICC':>5}" + "".join(f"{drop:>8g}" for drop in drops))
    for structure in STRUCTURES:
        for icc in CORRELATIONS:
            cells = "".join(f"{regressions(structure, icc, drop):>8.1f}" for drop in drops)
            print(f"  {structure.name:<20}{icc:>5g}{cells}")


MEASURED = (0.03, 0.1, 0.3, 0.53)  # correlations, as losses have them in published outputs
# Clusters, sentences of each, and rates near 0 or 100 %, as published outputs have them.
RARE_RATES = ((7, 74, 0.95), (11, 74, 0.974), (11, 74, 0.90), (20, 40, 0.948), (40, 40, 0.974))
RARE_GAPS = ((7, 74, 0.999, 0.95), (11, 74, 0.974, 0.90), (18, 148, 0.95, 0.90))
RARE_CHANGES = ((7, 74, 0.005, 0.025), (11, 74, 0.005, 0.025), (18, 148, 0.01, 0.02), (40, 40, 0.005, 0.025))
_TEMPLATES = 0.1
_RARE_SIMULATIONS = 400


def print_rare() -> None:
    """How often intervals cover what is rare: errors, gaps and losses that few occupations bring.

    ``python -m benchmarks.intervals rare``: rates of occupations, and of losses also those of templates, are drawn from
    beta distributions. That ``stats.concentrated`` also bounds gaps of which all came out the same was decided after a
    first look at these cells, all else before.
    """
    rng = np.random.default_rng(11)
    cells: list[Coverage] = []
    print(f"coverage of 95 % intervals in {_RARE_SIMULATIONS} simulations, and mean width in points, by ICC")
    print(f"{'':<42}" + "".join(f"{icc:>16g}" for icc in MEASURED))
    for units, each, *rates in (*RARE_RATES, *RARE_GAPS):
        row = []
        for icc in MEASURED:
            n = np.full((_RARE_SIMULATIONS, units), float(each))
            shares = [Share(rng.binomial(each, drawn(rng, rate, icc, n.shape)).astype(float), n) for rate in rates]
            estimate = clustered.rate(*shares) if len(rates) == 1 else clustered.gap(*shares)
            truth = rates[0] if len(rates) == 1 else rates[0] - rates[1]
            row.append(
                Coverage.of(
                    f"{units} × {each}, {' less '.join(f'{rate:.1%}' for rate in rates)}", estimate, truth, *rates
                )
            )
        cells += row
        _print_coverage(row)
    for (units, each, gain, loss), templates in product(RARE_CHANGES, (False, True)):
        row = []
        for icc in MEASURED:
            shape, rates = (_RARE_SIMULATIONS, units, each), (gain, loss)
            if templates:
                change = changed_by_template(rng, shape, 1, rates, icc, _TEMPLATES)
            else:
                change = changed(rng, np.full(shape[:2], float(each)), *rates, icc)
            name = f"{units} × {each}, +{gain:.1%} −{loss:.1%}{', by template' if templates else ''}"
            row.append(Coverage.of(name, change.estimate(), change.truth, *rates))
        cells += row
        _print_coverage(row)
    print(f"{sum(not cell.is_outside for cell in cells)} of {len(cells)} {_WITHIN}")


def _print_coverage(row: Sequence[Coverage]) -> None:
    print(f"  {row[0].name:<40}" + "".join(f"{cell!s:>16}" for cell in row), flush=True)


# Occupations, templates, sentences of an occupation in a template, and rates of two conditions.
CROSSED = ((18, 34, 2, 0.90, 0.45), (11, 34, 2, 0.60, 0.50), (40, 8, 5, 0.70, 0.60), (99, 42, 1, 0.30, 0.20))
_CROSSED_SIMULATIONS = 500


def print_crossed() -> None:
    """How often intervals cover the truth where templates vary as well as occupations.

    ``python -m benchmarks.intervals templates``: half of the sentences go by occupation and half by template, whose
    rates are drawn from beta distributions. In brackets: the coverage of intervals that know of no templates. None of
    these structures was used to choose how templates enter.
    """
    rng = np.random.default_rng(21)
    cells: list[Coverage] = []
    print(f"coverage of 95 % intervals in {_CROSSED_SIMULATIONS} simulations, mean width in points (without templates)")
    print(f"{'by occupation / template':<34}" + "".join(f"{f'{icc:g} / {icc:g}':>24}" for icc in CORRELATIONS))
    for units, templates, each, *rates in CROSSED:
        columns = [list(cover_crossed(rng, (units, templates, each), rates, icc)) for icc in CORRELATIONS]
        for row in zip(*columns, strict=True):
            texts = "".join(f"{f'{crossed!s} ({alone.covers:.1f})':>24}" for crossed, alone in row)
            print(f"  {row[0][0].name:<32}{texts}", flush=True)
        cells += [crossed for column in columns for crossed, _ in column]
    print(f"{sum(not cell.is_outside for cell in cells)} of {len(cells)} {_WITHIN}")


def cover_crossed(
    rng: np.random.Generator,
    shape: tuple[int, int, int],
    rates: Sequence[float],
    icc: float,
    simulations: int = _CROSSED_SIMULATIONS,
) -> Iterator[tuple[Coverage, Coverage]]:
    """The coverage of both rates and their gap, with and without knowledge of templates."""
    units, templates, each = shape
    name = f"{units} × {templates} × {each}"
    alone = Design(np.zeros(units, dtype=int))
    crossed = Design(
        np.zeros(units * templates, dtype=int),
        np.repeat(np.arange(units), templates),
        np.tile(np.arange(templates), units),
    )
    cells, sums = [], []
    for rate in rates:
        by_unit = drawn(rng, rate, icc, (simulations, units))[:, :, None]
        by_template = drawn(rng, rate, icc, (simulations, templates))[:, None, :]
        counted = rng.binomial(each, (by_unit + by_template) / 2).astype(float)
        of = np.full(counted.shape, float(each))
        flat = len(counted), -1
        cells.append(Share(counted.reshape(flat), of.reshape(flat)))
        sums.append(Share(counted.sum(axis=-1), of.sum(axis=-1)))
        estimates = clustered.rate(cells[-1], crossed), clustered.rate(sums[-1], alone)
        one, other = (Coverage.of(f"{name}, {rate:.0%}", estimate, rate, rate) for estimate in estimates)
        yield one, other
    estimates = clustered.gap(cells[0], cells[1], crossed), clustered.gap(sums[0], sums[1], alone)
    one, other = (Coverage.of(f"{name}, gap", estimate, rates[0] - rates[1], *rates) for estimate in estimates)
    yield one, other


CATEGORIES = 468  # of the Hungarian list
RESPONDENTS = (0, 100)  # in each category of the reference; 0: it is a census
_MEASURES = ("wrong", "wrong_to_women", "bias_median", "correlation", "bias", "error", "optimal_error")
_GROUPS = ("ref", "ref female-dominated", "ref male-dominated", "ref sector A")


def draw_occupations(
    rng: np.random.Generator, categories: int, respondents: int, shares: Array
) -> tuple[Reference, list[Answer]]:
    """A random reference and a translator's answers: categories drawn from those of a census, asked of so many."""
    women = rng.choice(shares, categories)
    sizes = rng.choice(_CATEGORIES, categories)
    she = 1 / (1 + np.exp(0.8 - 0.7 * np.log(women / (1 - women)) - rng.normal(0, 1, categories)))
    counted = rng.binomial(respondents, women) / respondents if respondents else women
    rows, answers = [], []
    for number in range(categories):
        share, code, error = float(counted[number]), f"{number:05}", 0.0
        if respondents:
            seen = min(max(share, 0.5 / respondents), 1 - 0.5 / respondents)
            error = 100 * (seen * (1 - seen) / respondents) ** 0.5
        rows.append(Row(code, (code,), 100 - 100 * share, 100 * share, error))
        for job in range(sizes[number]):
            labels = {"occupation": f"{code}-{job}", "english": "", "sector": "AB"[number % 2], "feor08": code}
            gender = Gender.FEMININE if rng.random() < she[number] else Gender.MASCULINE
            rare = rng.random()
            gender = Gender.NEUTRAL if rare < 0.03 else Gender.UNKNOWN if rare < 0.05 else gender
            answers.append(Answer(labels, gender))
    return Reference("ref", "ref@0", "feor08", tuple(rows), sized=False), answers


def measure_occupations(reference: Reference, answers: Sequence[Answer]) -> dict[tuple[str, str], Measure]:
    """The measures whose intervals are looked at, by name and group."""
    measures = against(reference, answers)
    return {(each.name, each.group): each for each in measures if each.name in _MEASURES and each.group in _GROUPS}


def print_occupations() -> None:
    """How often the intervals of ``occupations`` cover what is true of all categories.

    ``python -m benchmarks.intervals occupations``: in each simulation categories are drawn from those of the US census
    (shares of women between 1 and 99 %), a reference asks so many people in each, and a translator answers, more alike
    within a category than between them.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.intervals occupations")
    parser.add_argument("--simulations", type=int, default=500)
    simulations = parser.parse_args().simulations
    census = [(row.men, row.women) for row in open_reference("us-acs-2018").rows if row.men and row.women]
    shares = np.clip([women / (men + women) for men, women in census], 0.01, 0.99)
    truths = measure_occupations(*draw_occupations(np.random.default_rng(7), 20_000, 0, shares))
    for respondents in RESPONDENTS:
        rng = np.random.default_rng(1)
        covered: dict[tuple[str, str], list[bool]] = {key: [] for key in truths}
        for _ in range(simulations):
            for key, measure in measure_occupations(*draw_occupations(rng, CATEGORIES, respondents, shares)).items():
                if measure.interval is not None:
                    low, high = measure.interval
                    covered[key].append(low <= (truths[key].value or 0.0) <= high)
        print(f"{f'{respondents} people a category' if respondents else 'a census'}, {simulations} simulations")
        for (name, group), held in covered.items():
            print(f"  {f'{name} {group}':<36}{100 * np.mean(held):>6.1f} % of {len(held)}")


PARTS = {
    "rates": print_rates,
    "rare": print_rare,
    "templates": print_crossed,
    "slopes": print_slopes,
    "occupations": print_occupations,
}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
