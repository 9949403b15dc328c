"""What a system's translations of WiBeMT amount to: by the authors' categories where they are, and by our detector.

``effects`` tells them apart by a logistic model, which needs the extra ``models``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from epicene.errors import EvidenceError, InputError, MissingExtraError
from epicene.files import read_lines
from epicene.flow import plan
from epicene.flow.score import open_file, outputs_of_file, score_outputs
from epicene.measures.outcomes import Outcomes
from epicene.sets.wibemt.files import CATEGORIES, VerbRow, kind, read_verbs
from epicene.sets.wibemt.measures import MEASURES
from epicene.stats.rates import wilson
from epicene.types import Gender, Measure, Pair, Verdict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

PAIR = Pair("en", "de")
PAPER, AUTHORS, DETECTOR = "paper", "authors", "detector"
# Which set a file of plain lines translates, by their number.
_BY_SIZE = {4158: "wibemt-verbs", 66528: "wibemt-adjectives", 70686: "wibemt"}
# Each term is one for the sentences that have what it names; the others of its part are what it is compared with.
_TERMS = {
    "feminine verb (masculine)": ("verbs", "class", "feminine"),
    "feminine adjective (none)": ("adjectives", "class", "feminine"),
    "masculine adjective (none)": ("adjectives", "class", "masculine"),
    "she (he)": ("adjectives", "pronoun", "feminine"),
    "verb sentence (WinoBias)": ("verbs", "", ""),
}
SCORE = "occupation's score (+1)"


@dataclass(frozen=True, slots=True)
class Reading:
    """One system's translations, classified in one way."""

    system: str
    how: str  # by the authors' categories or by the detector
    outcomes: Outcomes
    signature: str
    measures: dict[tuple[str, str], Measure]  # by name and group


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often the detector says what the authors say."""

    system: str
    gendered: tuple[int, int]  # where they gave a gender or neutral: the same, of how many
    everything: tuple[int, int]  # wrong and unknown counted as one


def read(system: str, paths: str) -> tuple[list[Reading], Agreement | None]:
    """Readings of a system's files, joined by commas, and the agreement of the two ways where both are there."""
    ours, theirs = Outcomes(MEASURES), Outcomes(MEASURES)
    signatures, pairs = [], []
    for path in map(Path, paths.split(",")):
        rows = _published_rows(path)
        verdicts, signature = _detected(system, path)
        signatures.append(signature)
        for verdict in verdicts:
            ours.add(verdict)
        if rows and all(row.category for row in rows):
            published = list(_categorised(rows, verdicts))
            for verdict in published:
                theirs.add(verdict)
            pairs += [(a.gender, b.gender) for a, b in zip(published, verdicts, strict=True)]
    readings = [_reading(system, DETECTOR, ours, " ".join(signatures))]
    if theirs:
        readings.insert(0, _reading(system, AUTHORS, theirs, f"wibemt|categories:authors|langs:{PAIR}"))
    return readings, _agreement(system, pairs) if pairs else None


def _reading(system: str, how: str, outcomes: Outcomes, signature: str) -> Reading:
    measures = {(each.name, each.group): each for each in MEASURES.compute(outcomes)}
    return Reading(system, how, outcomes, f"{system}: {signature}", measures)


def _published_rows(path: Path) -> list[VerbRow]:
    return read_verbs(path) if path.is_file() and kind(path) == "translations" else []


def _detected(system: str, path: Path) -> tuple[list[Verdict], str]:
    challenge, file = open_file(plan.open_set(_set_name(path)), path)
    verdicts: list[Verdict] = []
    task = plan.open_task(challenge, PAIR)
    result = score_outputs(task, outputs_of_file(challenge, PAIR, file), system, verdicts.append)
    return verdicts, result.signature


def _set_name(path: Path) -> str:
    if kind(path) == "translations":
        return "wibemt-verbs"
    size = sum(1 for _ in read_lines(path))
    if size not in _BY_SIZE:
        sizes = ", ".join(f"{number} ({name})" for number, name in _BY_SIZE.items())
        raise InputError(f"{path} has {size} lines; expected {sizes}, or a published file of translations")
    return _BY_SIZE[size]


def _categorised(rows: list[VerbRow], verdicts: list[Verdict]) -> Iterator[Verdict]:
    for row, verdict in zip(rows, verdicts, strict=True):
        yield Verdict(verdict.output, CATEGORIES[row.category], AUTHORS)


def _agreement(system: str, pairs: list[tuple[Gender, Gender]]) -> Agreement:
    given = [(theirs, ours) for theirs, ours in pairs if theirs is not Gender.UNKNOWN]
    same, everything = (sum(a is b for a, b in each) for each in (given, pairs))
    return Agreement(system, (same, len(given)), (everything, len(pairs)))


def share(part: tuple[int, int]) -> tuple[float, tuple[float, float]]:
    """A share in percent and its interval."""
    low, high = wilson(*part)
    return 100 * part[0] / part[1], (100 * low, 100 * high)


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
