"""WiBeMT's effects told apart: a logistic model of feminine translation on adjective, verb, pronoun, occupation."""

from __future__ import annotations

from collections.abc import Mapping

from epicene.errors import EvidenceError
from epicene.measures.outcomes import Outcomes
from epicene.sets.wibemt.logistic import Term, logistic
from epicene.types import Gender

# Each term is one for the sentences that have what it names; the others of its part are what it is compared with.
_TERMS = {
    "feminine verb (masculine)": ("verbs", "class", "feminine"),
    "feminine adjective (none)": ("adjectives", "class", "feminine"),
    "masculine adjective (none)": ("adjectives", "class", "masculine"),
    "she (he)": ("adjectives", "pronoun", "feminine"),
    "verb sentence (WinoBias)": ("verbs", "", ""),
}
SCORE = "occupation's score (+1)"


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
