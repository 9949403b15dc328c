"""Many systems on the same sentences: the rate of each, its rank, and which pairs of them can be told apart.

Every pair is tested on the sentences that both translated, over clusters, and all pairs share the error (Holm). Where
all systems are measured on the same sentences a pair differs by what one gained and lost; where what counts depends on
what was read, as in a share of women among women and men, the two shares are compared over the same clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from epicene.compare.paired import ALPHA
from epicene.measures.outcomes import Clusters
from epicene.stats import clustered
from epicene.stats.clustered import Estimate, Share
from epicene.stats.rates import holm

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Marks = npt.NDArray[np.bool_]  # a row a system, a column a sentence


class Standing(NamedTuple):
    """The rate of one system in per cent, and where it stands among the others."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    counted: int
    why: str
    rank: int | None  # by the value alone, 1 the first
    ranks: tuple[int, int] | None  # the first and last rank that the tests leave open
    tied: tuple[int, ...]  # systems that it cannot be told apart from


class Pairwise(NamedTuple):
    """The rate of the second of two systems less that of the first, in points."""

    first: int
    second: int
    difference: float
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None

    @property
    def apart(self) -> bool:
        """Whether the two can be told apart."""
        return self.p_holm is not None and self.p_holm < ALPHA


def shares(counted: Marks, among: Marks, rows: Sequence[int] | npt.NDArray[np.int_], clusters: Clusters) -> Share:
    """What is counted in each cluster and among how many, a row a system."""
    return Share(_summed(counted & among, rows, clusters), _summed(among, rows, clusters))


def sentence_pairs(
    counted: Marks, among: Marks, rows: Sequence[int] | npt.NDArray[np.int_], clusters: Clusters
) -> Estimate:
    """The difference of every pair of systems, from what each gained and lost of the other's sentences."""
    import numpy as np

    first, second = _indices(len(counted))
    if not (among == among[:1]).all():
        whole = shares(counted, among, rows, clusters)
        return share_pairs(whole, clusters)
    marks = (counted & among).astype(np.float64)
    places, size = np.asarray(rows), len(clusters.rows)
    own = _summed(counted & among, rows, clusters)
    both = np.zeros((len(first), size))
    for row in np.unique(places):
        part = marks[:, places == row]
        both[:, row] = (part @ part.T)[first, second]
    of = np.broadcast_to(_summed(among[:1], rows, clusters), both.shape)
    return clustered.difference(own[second] - both, own[first] - both, of, clusters.strata)


def share_pairs(whole: Share, clusters: Clusters) -> Estimate:
    """The difference of every pair of shares over the same clusters."""
    first, second = _indices(len(whole.of))
    one, other = (Share(whole.counted[side], whole.of[side]) for side in (first, second))
    return clustered.gap(other, one, clusters.strata)


def ranked(
    whole: Share, pairs: Estimate | None, clusters: Clusters, best: int
) -> tuple[list[Standing], list[Pairwise]]:
    """Where each system stands, and every pair; ``best``: -1 where the least is first, else 1."""
    rates = [_rate(Share(whole.counted[row], whole.of[row]), clusters) for row in range(len(whole.of))]
    defined = [number for number, rate in enumerate(rates) if rate[0] is not None]
    tests = _tests(pairs, len(rates), defined) if pairs is not None else []
    beaten = dict.fromkeys(defined, 0)
    beats = dict.fromkeys(defined, 0)
    tied: dict[int, list[int]] = {number: [] for number in defined}
    for test in tests:
        if not test.apart:
            tied[test.first].append(test.second)
            tied[test.second].append(test.first)
            continue
        winner, loser = (test.second, test.first) if best * test.difference > 0 else (test.first, test.second)
        beats[winner] += 1
        beaten[loser] += 1
    found = []
    for number, (value, low, high, why) in enumerate(rates):
        n, count = round(float(whole.of[number].sum())), round(float(whole.counted[number].sum()))
        if value is None:
            found.append(Standing(None, None, None, n, count, why, None, None, ()))
            continue
        rank = 1 + sum(best * ((rates[each][0] or 0.0) - value) > 0 for each in defined)
        span = (1 + beaten[number], len(defined) - beats[number])
        found.append(Standing(value, low, high, n, count, why, rank, span, tuple(tied[number])))
    return found, tests


def _rate(share: Share, clusters: Clusters) -> tuple[float | None, float | None, float | None, str]:
    if not share.of.any():
        return None, None, None, "nothing to count"
    found = clustered.rate(share, clusters.strata)
    value = 100 * float(found.value)
    if found.low is None or found.high is None:
        return value, None, None, found.why
    return value, 100 * float(found.low), 100 * float(found.high), ""


def _tests(pairs: Estimate, systems: int, defined: Sequence[int]) -> list[Pairwise]:
    """Every pair of which both have a value, with p-values adjusted for their number."""
    p = pairs.p_value()
    known = set(defined)
    found = []
    for place, (first, second) in enumerate(combinations(range(systems), 2)):
        if first in known and second in known:
            low, high = (None if each is None else 100 * float(each[place]) for each in (pairs.low, pairs.high))
            test = None if p is None else float(p[place])
            found.append(Pairwise(first, second, 100 * float(pairs.value[place]), low, high, test, None))
    held = iter(holm([each.p for each in found if each.p is not None]))
    return [each if each.p is None else each._replace(p_holm=next(held)) for each in found]


def _indices(systems: int) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
    import numpy as np

    found = np.array(list(combinations(range(systems), 2)), dtype=int).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _summed(marks: Marks, rows: Sequence[int] | npt.NDArray[np.int_], clusters: Clusters) -> npt.NDArray[np.float64]:
    import numpy as np

    found = np.zeros((len(marks), len(clusters.rows)))
    np.add.at(found.T, np.asarray(rows, dtype=int), marks.T.astype(np.float64))
    return found
