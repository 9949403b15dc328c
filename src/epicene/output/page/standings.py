"""Where systems stand: for each set a table of systems and languages, in which those that cannot be told apart are tied.

All pairs of systems are compared on the same sentences, with the paired test that ``compare`` has; p-values are
adjusted for the number of pairs (Holm). A system's rank is one more than the number of systems that are clearly better,
so systems that nobody beats clearly share the first place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from epicene.measures.inference import Clusters
from epicene.measures.paired import ALPHA
from epicene.output.charts.page import Series
from epicene.output.counts import OPPOSITE, Rate
from epicene.output.families import title
from epicene.output.page import links
from epicene.output.text import shown
from epicene.pipeline.plan import family_of
from epicene.stats import clustered
from epicene.stats.clustered import Share
from epicene.stats.rates import holm
from epicene.types import Corrected, Gender

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

COLUMNS = 12  # languages beside each other; more are a table that can be moved


class Place(NamedTuple):
    """A rank, and whether others have the same."""

    rank: int
    tied: bool

    def __str__(self) -> str:
        return f"{self.rank}{'=' if self.tied else ''}"


@dataclass(frozen=True, slots=True)
class Field:
    """A system in one language: how often women and men are written as the other, or at all where nothing is told."""

    each: Series
    women: Rate | None
    men: Rate | None
    links: tuple[str, str]
    place: Place | None
    fixed: tuple[Corrected | None, Corrected | None]

    @property
    def unread(self) -> float:
        """The share that could not be read, in per cent."""
        return 100 * self.each.result.genders[Gender.UNKNOWN] / max(1, self.each.result.n)

    @property
    def doubtful(self) -> bool:
        """Whether so much could not be read that the rates alone mislead."""
        return Rate(0, self.each.result.n, self.each.result.genders[Gender.UNKNOWN]).doubtful


class Mean(NamedTuple):
    """A system over all languages of a set, each of which weighs the same."""

    value: float
    low: float | None
    high: float | None
    place: Place | None


@dataclass(frozen=True, slots=True)
class Standing:
    """One set: systems down, languages across, the best on top."""

    set: str
    title: str
    open: bool  # whether the sentences tell no gender, so that nobody can be better
    languages: tuple[str, ...]
    rows: tuple[tuple[str, Mean | None, tuple[Field | None, ...]], ...]

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return len(self.rows)


def standings(series: Sequence[Series]) -> list[Standing]:
    """A table for each set of a page that several systems translate."""
    found = []
    for name in dict.fromkeys(each.result.set for each in series):
        own = [each for each in series if each.result.set == name]
        if len({each.label for each in own}) > 1:
            found.append(_standing(name, own))
    return found


def _standing(name: str, own: Sequence[Series]) -> Standing:
    languages = list(dict.fromkeys(each.into for each in own))
    systems = list(dict.fromkeys(each.label for each in own))
    is_open = not any(each.counts.misgendered(gender) for each in own for gender in OPPOSITE)
    cells = {(each.label, each.into): each for each in own}
    columns = {into: [cells[label, into] for label in systems if (label, into) in cells] for into in languages}
    errors = {} if is_open else {into: _Errors.of(column) for into, column in columns.items() if len(column) > 1}
    places = {into: found.places() for into, found in errors.items()}
    whole = [label for label in systems if all((label, into) in cells for into in languages)]
    mean = _means(whole, columns, errors, is_open) if len(languages) > 1 else {}
    rows = []
    for label in systems:
        fields = tuple(
            _field(cells[label, into], places.get(into, {}).get(label), is_open) if (label, into) in cells else None
            for into in languages
        )
        rows.append((label, mean.get(label), fields))
    rows.sort(key=_order)
    return Standing(shown(name), shown(title(name)), is_open, tuple(languages), tuple(rows))


def _order(row: tuple[str, Mean | None, tuple[Field | None, ...]]) -> tuple[bool, float]:
    """Those that have every language first, by the mean, or by the one language."""
    _, mean, fields = row
    values = [field.women.value for field in fields if field and field.women]
    value = mean.value if mean else sum(values) / len(values) if values else 100.0
    return any(field is None for field in fields), value


def _field(each: Series, place: Place | None, is_open: bool) -> Field:
    genders = (Gender.FEMININE, Gender.MASCULINE)
    if is_open:
        women, men = (each.counts.written(OPPOSITE[gender]) for gender in genders)
        addresses = [links.of(each, read=OPPOSITE[gender].value) for gender in genders]
    else:
        women, men = (each.counts.misgendered(gender) for gender in genders)
        addresses = [links.misgendered(each, gender, OPPOSITE[gender]) for gender in genders]
    fixed = [corrected(each, gender) for gender in genders]
    return Field(each, women, men, (addresses[0], addresses[1]), place, (fixed[0], fixed[1]))


def corrected(each: Series, gender: Gender) -> Corrected | None:
    """How often people of a gender are written with the other, corrected for the reader's errors, where people read."""
    review = each.result.review
    rates = review.rates if review else ()
    return next((rate.corrected for rate in rates if rate.group == gender.value), None)


@dataclass(frozen=True, slots=True)
class _Errors:
    """Which women are written as men, by system, on the sentences that all of them have."""

    systems: list[str]
    clusters: Clusters
    only: Array  # by cluster, system and system: women whom the first misgenders and the second does not
    wrong: Array  # by cluster and system
    asked: Array  # women, by cluster
    comparable: bool  # whether all were measured in the same way

    @classmethod
    def of(cls, column: Sequence[Series]) -> _Errors:
        """The errors of all systems in one language."""
        import numpy as np

        gender = Gender.FEMININE
        if not any(gold is gender for each in column for gold, _ in each.counts.cells):
            gender = Gender.MASCULINE
        stratum = family_of(column[0].result.set).stratum
        said: list[dict[str, bool]] = []
        units: dict[str, tuple[str, str]] = {}
        strata: dict[str, str] = {}
        for each in column:
            own: dict[str, bool] = {}
            for verdict in each.result.verdicts:
                item = verdict.output.item
                if each is column[0]:
                    strata[item.unit] = strata.get(item.unit) or stratum(item)
                if item.expected is gender:
                    own[item.id] = verdict.gender is OPPOSITE[gender]
                    units.setdefault(item.id, (item.unit, ""))
            said.append(own)
        shared = sorted(set.intersection(*(set(own) for own in said)))
        clusters = Clusters.of((units[name][0], strata.get(units[name][0], "")) for name in shared)
        rows = np.array([clusters.rows[units[name][0]] for name in shared], dtype=int)
        table = np.array([[own[name] for name in shared] for own in said], dtype=float).reshape(len(said), len(shared))
        size = len(clusters.rows)
        only = np.zeros((size, len(said), len(said)))
        wrong, women = np.zeros((size, len(said))), np.bincount(rows, minlength=size).astype(float)
        for row in range(size):
            part = table[:, rows == row]
            only[row] = part @ (1 - part).T
            wrong[row] = part.sum(axis=1)
        tasks = {_task(each.result.signature) for each in column}
        return cls([each.label for each in column], clusters, only, wrong, women, len(tasks) == 1)

    def places(self) -> Mapping[str, Place]:
        """The rank of every system; none where they were measured in different ways."""
        return _places(self.systems, self.only, self.asked, self.clusters.strata) if self.comparable else {}


def _task(signature: str) -> str:
    """What was measured and how, whichever release did it."""
    return "|".join(part for part in signature.split("|") if not part.startswith("v:"))


def _places(systems: Sequence[str], only: Array, of: Array, strata: Sequence[int]) -> dict[str, Place]:
    if not of.any():
        return {}
    pairs, tests = [], []
    for one, other in combinations(range(len(systems)), 2):
        p = clustered.difference(only[:, one, other], only[:, other, one], of, strata).p_value()
        if p is not None:
            pairs.append((one, other))
            tests.append(float(p))
    beaten = dict.fromkeys(range(len(systems)), 0)
    for (one, other), p in zip(pairs, holm(tests), strict=True):
        more = float(only[:, one, other].sum() - only[:, other, one].sum())
        if p < ALPHA and more:
            beaten[one if more > 0 else other] += 1
    ranks = [beaten[each] + 1 for each in range(len(systems))]
    return {name: Place(rank, ranks.count(rank) > 1) for name, rank in zip(systems, ranks, strict=True)}


def _means(
    systems: Sequence[str], columns: Mapping[str, Sequence[Series]], errors: Mapping[str, _Errors], is_open: bool
) -> dict[str, Mean]:
    """Means over languages; with intervals and ranks where all languages have the same sentences."""
    import numpy as np

    by_system: dict[str, list[Series]] = {}
    for column in columns.values():
        for each in column:
            by_system.setdefault(each.label, []).append(each)
    gender = Gender.MASCULINE if is_open else Gender.FEMININE
    found: dict[str, Mean] = {}
    for label in systems:
        rates = [
            each.counts.written(gender) if is_open else each.counts.misgendered(gender) for each in by_system[label]
        ]
        if all(rates):
            found[label] = Mean(sum(rate.value for rate in rates if rate) / len(rates), None, None, None)
    alike = list(errors.values())
    if len(alike) < len(columns) or not all(
        each.clusters.rows == alike[0].clusters.rows and (each.asked == alike[0].asked).all() and each.comparable
        for each in alike
    ):
        return found
    chosen = [label for label in systems if label in found]
    at = [[each.systems.index(label) for label in chosen] for each in alike]
    only = np.mean([each.only[:, own][:, :, own] for each, own in zip(alike, at, strict=True)], axis=0)
    wrong = np.mean([each.wrong[:, own] for each, own in zip(alike, at, strict=True)], axis=0)
    places = _places(chosen, only, alike[0].asked, alike[0].clusters.strata)
    for number, label in enumerate(chosen):
        rate = alike[0].clusters.rate("", "", Share(wrong[:, number], alike[0].asked))
        found[label] = Mean(found[label].value, rate.low, rate.high, places.get(label))
    return found
