"""WiBeMT's effects told apart: a logistic model of feminine translation on adjective, verb, pronoun, occupation.

It needs the extra ``models``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from epicene.errors import EvidenceError, MissingExtraError
from epicene.measures.outcomes import Outcomes
from epicene.types import Gender

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

# Each term is one for the sentences that have what it names; the others of its part are what it is compared with.
_TERMS = {
    "feminine verb (masculine)": ("verbs", "class", "feminine"),
    "feminine adjective (none)": ("adjectives", "class", "feminine"),
    "masculine adjective (none)": ("adjectives", "class", "masculine"),
    "she (he)": ("adjectives", "pronoun", "feminine"),
    "verb sentence (WinoBias)": ("verbs", "", ""),
}
SCORE = "occupation's score (+1)"


class Term(NamedTuple):
    """An effect as an odds ratio, the others held equal."""

    name: str
    odds: float
    low: float
    high: float
    p: float


def effects(outcomes: Outcomes, scores: Mapping[str, float]) -> list[Term]:
    """Odds ratios of a feminine against a masculine translation, with errors clustered by occupation.

    ``scores`` are the gender scores of occupations, from -1 to 1; those without one are left out.
    """
    import numpy as np

    counts: dict[tuple[str, ...], list[int]] = {}
    for profile, outcome, number in outcomes.cells():
        if outcome.shown and profile.labels[4] in scores:
            cell = counts.setdefault(profile.labels, [0, 0])
            cell[0] += number * (outcome.gender is Gender.FEMININE)
            cell[1] += number
    if not counts:
        raise EvidenceError("no logistic model fits: there is no feminine or masculine translation")
    keys = list(counts)
    columns = {name: np.array([float(_has(key, *wanted)) for key in keys]) for name, wanted in _TERMS.items()}
    columns[SCORE] = np.array([scores[key[4]] for key in keys])
    # What never or always holds tells nothing, as verbs where there are only adjectives.
    columns = {name: column for name, column in columns.items() if np.ptp(column) > 0}
    seen = np.array(list(counts.values()), dtype=float)
    return logistic(
        list(columns), np.column_stack(list(columns.values())), seen[:, 0], seen[:, 1], [k[4] for k in keys]
    )


def _has(key: tuple[str, ...], part: str, label: str, value: str) -> bool:
    there = {"class": key[1], "pronoun": key[2], "": ""}[label]
    return key[0] == part and there == value


def logistic(names: Sequence[str], rows: Array, successes: Array, trials: Array, clusters: Sequence[str]) -> list[Term]:
    """Effects of the columns of ``rows`` on the share of successes; a constant is added and not told.

    Each row of counts has as many trials; standard errors are those of the clusters' sums (sandwich, with statsmodels'
    correction for few clusters). Refused where a column tells success without fail, so that no finite effect fits.
    """
    import numpy as np

    try:
        import statsmodels.api as sm
        from statsmodels.tools.sm_exceptions import PerfectSeparationError, PerfectSeparationWarning
    except ImportError:
        raise MissingExtraError("a logistic model", "models") from None
    import warnings

    numbers = {name: number for number, name in enumerate(sorted(set(clusters)))}
    design = sm.add_constant(rows, has_constant="add")
    outcome = np.column_stack([successes, trials - successes])
    groups = np.array([numbers[name] for name in clusters])
    with warnings.catch_warnings():
        warnings.simplefilter("error", PerfectSeparationWarning)
        try:
            fitted = sm.GLM(outcome, design, family=sm.families.Binomial()).fit(
                cov_type="cluster", cov_kwds={"groups": groups}
            )
        except (PerfectSeparationError, PerfectSeparationWarning, np.linalg.LinAlgError) as error:
            raise EvidenceError(f"no logistic model fits: {error}") from None
    bounds = fitted.conf_int()
    found = []
    for at, name in enumerate(names, 1):
        odds, low, high = (float(np.exp(value)) for value in (fitted.params[at], *bounds[at]))
        found.append(Term(name, odds, low, high, float(fitted.pvalues[at])))
    return found
