"""What a system's translations of WiBeMT amount to: by the authors' categories where they are, and by our detector."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.flow import plan
from epicene.flow.score import open_file, outputs_of_file, score_outputs
from epicene.measures.outcomes import Outcomes
from epicene.sets.wibemt.files import VerbRow, kind, read_verbs
from epicene.sets.wibemt.measures import MEASURES
from epicene.stats.rates import wilson
from epicene.types import Gender, Measure, Pair, Verdict

PAIR = Pair("en", "de")
PAPER, AUTHORS, DETECTOR = "paper", "authors", "detector"
_GENDERS = {
    "female": Gender.FEMININE,
    "male": Gender.MASCULINE,
    "neutral": Gender.NEUTRAL,
    "wrong": Gender.UNKNOWN,
}
# Which set a file of plain lines translates, by their number.
_BY_SIZE = {4158: "wibemt-verbs", 66528: "wibemt-adjectives", 70686: "wibemt"}


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
        yield Verdict(verdict.output, _GENDERS[row.category], AUTHORS)


def _agreement(system: str, pairs: list[tuple[Gender, Gender]]) -> Agreement:
    given = [(theirs, ours) for theirs, ours in pairs if theirs is not Gender.UNKNOWN]
    same, everything = (sum(a is b for a, b in each) for each in (given, pairs))
    return Agreement(system, (same, len(given)), (everything, len(pairs)))


def share(part: tuple[int, int]) -> tuple[float, tuple[float, float]]:
    """A share in percent and its interval."""
    low, high = wilson(*part)
    return 100 * part[0] / part[1], (100 * low, 100 * high)
