"""What translations are compared with: how many men and women do a job, or how feminine people find it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from epicene.labour import codes
from epicene.stats.rates import Z95

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from epicene.stats import clustered

    Array = npt.NDArray[np.float64]

# What the rows of a reference are about: the label of an item, and what it is called in messages.
KEYS = {
    "occupation": "occupation",
    "feor08": "FEOR-08 code",
    "isco08": "ISCO-08 code",
    "soc": "SOC code",
    "nace": "NACE section",
}


@dataclass(frozen=True, slots=True)
class Share:
    """Men and women in a job, as heads, weighted answers or percentages."""

    men: float
    women: float
    unit: str  # the row or rows that it comes from
    error: float = 0.0  # standard error of the share of women, in points; 0 where it counts as exact
    # Places of these rows in the reference, and what part of the share each is.
    parts: tuple[tuple[int, float], ...] = field(default=(), compare=False)

    @property
    def women_pct(self) -> float:
        """The share of women, in per cent; exactly 0 or 100 where one gender is missing, whatever rounding does."""
        return _women_pct(self.men, self.women)


def _women_pct(men: float, women: float) -> float:
    if not women or not men:
        return 100.0 if women else 0.0
    return 100 * women / (men + women)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a reference: a category of a classification, an occupation or a survey's item."""

    name: str
    codes: tuple[str, ...]  # the finest that the row covers
    men: float | None  # None with women: the source publishes no share
    women: float | None
    error: float = 0.0  # standard error of the share of women, in points
    level: int = 0  # how fine the row is: of rows that cover a code, the finest speak


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Who answered a survey: each of them for several occupations, so that the errors of these go together."""

    respondents: int
    answers: tuple[int, ...]  # to each row
    missing: int
    correlation: Array  # of the errors of the rows
    mean: tuple[float, float]  # femininity over all rows, in per cent, and its standard error
    motives: Mapping[str, clustered.Share]  # who named each, one cluster a person


@dataclass(frozen=True, slots=True)
class Reference:
    """Statistics or a survey, by the codes of a classification or by occupation."""

    name: str
    identity: str  # name and checksum
    key: str  # one of KEYS
    rows: tuple[Row, ...]
    sized: bool  # whether men and women are heads, so that a row weighs as much as it has
    notes: tuple[str, ...] = ()  # what a reader of its figures should know
    source: str = ""  # who published the figures
    opinion: bool = False  # whether people were asked how feminine jobs are, rather than counted
    people: People | None = None  # who answered a survey, where the file has every answer
    _rows_of: Mapping[str, tuple[int, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rows_of: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            for code in row.codes:
                places = rows_of.setdefault(code, [])
                level = self.rows[places[0]].level if places else row.level
                if row.level > level:
                    places.clear()
                if row.level >= level:
                    places.append(place)
        object.__setattr__(self, "_rows_of", {code: tuple(places) for code, places in rows_of.items()})

    @property
    def uncertain(self) -> bool:
        """Whether the source says how uncertain its shares are."""
        return any(row.error for row in self.rows)

    def share(self, labels: Mapping[str, str]) -> Share | str:
        """Men and women of an occupation, or why there are none.

        An occupation with codes in several rows has its part of each: the heads of a row are shared out equally among
        the codes that the row covers.
        """
        wanted = self._codes(labels)
        covering = Counter(place for code in wanted for place in self._rows_of.get(code, ()))
        if not covering:
            return f"no row for the {KEYS[self.key]}" if wanted else f"no {KEYS[self.key]}"
        known = [place for place in sorted(covering) if self.rows[place].men is not None]
        if not known:
            return "no share is published for the category"
        rows = [self.rows[place] for place in known]
        parts = [covering[place] / len(row.codes) for place, row in zip(known, rows, strict=True)]
        men, women = (
            [part * (heads or 0) for part, heads in zip(parts, column, strict=True)]
            for column in ([row.men for row in rows], [row.women for row in rows])
        )
        total = math.fsum(map(sum, zip(men, women, strict=True)))
        if total == 0:
            return "nobody is counted in the category"
        weights = [(his + hers) / total for his, hers in zip(men, women, strict=True)]
        name = "; ".join(row.name for row in rows)
        error = self._error(known, weights)
        return Share(math.fsum(men), math.fsum(women), name, error, tuple(zip(known, weights, strict=True)))

    def _error(self, rows: Sequence[int], weights: Sequence[float]) -> float:
        """The standard error of the mean of rows; people who answered for several of them err in all of these."""
        errors = {row: weight * self.rows[row].error for row, weight in zip(rows, weights, strict=True)}
        if self.people is None or len(rows) == 1:
            return math.hypot(*errors.values())
        alike = self.people.correlation
        products = (errors[row] * errors[other] * alike[row, other] for row in rows for other in rows)
        return math.sqrt(max(0.0, math.fsum(products)))

    def draws(self, number: int, seed: int) -> Array:
        """The share of women of every row, in per cent, as often as asked: what its error allows.

        A share with an error stands for as many people as give such an error (half a person is added to either side,
        so that nobody seen is not nobody); its log odds vary as theirs do. Rows that the same people answered for vary
        together.
        """
        import numpy as np

        women = [_women_pct(row.men or 0.0, row.women or 0.0) if row.men or row.women else 50.0 for row in self.rows]
        share = np.array(women) / 100
        error = np.array([row.error for row in self.rows]) / 100
        noise = np.random.default_rng(seed).standard_normal((number, len(self.rows)))
        if self.people is not None:
            values, vectors = np.linalg.eigh(self.people.correlation)
            noise = noise @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
        return _moved(share, error, noise)

    def _codes(self, labels: Mapping[str, str]) -> Sequence[str]:
        """An occupation is looked up by its word, else by its English name; a section by the sector."""
        if self.key == "nace":
            return codes.nace_of_sector(labels["sector"])
        if self.key != "occupation":
            return labels[self.key].split()
        names = (labels["occupation"].lower(), labels["english"].lower())
        return [name for name in names if name in self._rows_of][:1] or names[:1]

    def unused(self, items: Sequence[Mapping[str, str]]) -> list[str]:
        """The rows that no item is looked up in."""
        used = {place for labels in items for code in self._codes(labels) for place in self._rows_of.get(code, ())}
        return [row.name for place, row in enumerate(self.rows) if place not in used]


def find_interval(women_pct: float, error: float) -> tuple[float, float] | None:
    """Where a share of women may lie by its standard error, in per cent; None where it counts as exact."""
    import numpy as np

    if not error:
        return None
    share, ends = np.array([women_pct / 100]), np.array([[-Z95], [Z95]])
    low, high = _moved(share, np.array([error / 100]), ends)[:, 0]
    return min(women_pct, float(low)), max(women_pct, float(high))


def _moved(share: Array, error: Array, noise: Array) -> Array:
    """Shares, in per cent, after their log odds have moved by so many standard errors."""
    import numpy as np

    asked = _asked(share, error)
    women, men = share * asked + 0.5, (1 - share) * asked + 0.5
    moved = np.log(women / men) + noise * np.sqrt(1 / women + 1 / men)
    shares: Array = 100 * np.where(error > 0, 1 / (1 + np.exp(-moved)), share)
    return shares


def _asked(share: Array, error: Array) -> Array:
    """Of how many people a share has such a standard error, with half a person more on either side."""
    import numpy as np

    low, high = np.full(share.shape, -3.0), np.full(share.shape, 15.0)  # powers of ten
    for _ in range(50):
        middle = (low + high) / 2
        people = 10**middle
        smoothed = (share * people + 0.5) / (people + 1)
        more = smoothed * (1 - smoothed) / people > error**2
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return np.asarray(10**low)


def distances(points: int) -> tuple[float, ...]:
    """How far each answer of a scale is from its middle: 2.5, 1.5, 0.5, 0.5, 1.5, 2.5 for six points."""
    return tuple(abs(answer - (points - 1) / 2) for answer in range(points))


def weighed(answers: Sequence[float]) -> tuple[float, float]:
    """Masculinity and femininity as sums: the numbers of answers from very masculine to very feminine, times their
    distance from the middle of the scale; an answer in the middle speaks for neither."""
    values = [weight * count for weight, count in zip(distances(len(answers)), answers, strict=True)]
    half = len(answers) // 2
    return math.fsum(values[:half]), math.fsum(values[-half:])


def femininity_error(answers: Sequence[float], respondents: float) -> float:
    """The standard error of the femininity, in points, for so many people asked (linearised); 0 where it is undefined.

    An end of the scale that nobody chose counts half an answer, so that agreement of a few is not taken for certainty.
    """
    total = math.fsum(answers)
    if not total or not respondents:
        return 0.0
    smoothed = [(count / total * respondents + 0.5 / len(answers)) / (respondents + 0.5) for count in answers]
    weights = distances(len(answers))
    mean = math.fsum(weight * share for weight, share in zip(weights, smoothed, strict=True))
    if not mean:
        return 0.0
    half = len(answers) // 2
    feminine = math.fsum(weight * share for weight, share in zip(weights[-half:], smoothed[-half:], strict=True)) / mean
    pulls = [
        weight * ((place >= len(answers) - half) - feminine) / mean for place, weight in enumerate(weights)
    ]  # of one person's answer on the ratio; their mean is nought
    variance = math.fsum(share * pull * pull for share, pull in zip(smoothed, pulls, strict=True)) / respondents
    return 100 * math.sqrt(variance)
