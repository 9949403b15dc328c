"""Runs and files of translations beside each other: what changed, and whether it may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from epicene.errors import EvidenceError, InputError
from epicene.measures import Family
from epicene.measures.paired import Change, Outcome, changes, judge
from epicene.pipeline import plan
from epicene.pipeline.score import open_file, outputs_of_file, score
from epicene.result import Result
from epicene.store import runs
from epicene.types import ChallengeSet, Verdict


@dataclass(frozen=True, slots=True)
class Entry:
    """One system on one set and language pair: how each sentence came out."""

    system: str
    signature: str  # what was measured, by which rules; entries can be compared if this is the same
    outcomes: dict[str, Outcome]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A system against the baseline."""

    signature: str
    baseline: str
    system: str
    changes: tuple[Change, ...]

    def as_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it."""
        return {
            "signature": self.signature,
            "baseline": self.baseline,
            "system": self.system,
            "changes": [change.as_dict() for change in self.changes],
        }


@dataclass(frozen=True, slots=True)
class Gate:
    """A comparison with a judgement for each group."""

    comparison: Comparison
    max_drop: float
    judgements: dict[str, str]  # by group: ok, regression, unclear

    @property
    def answer(self) -> str:
        """``regression`` if any group lost too much, else ``unclear`` if any might have, else ``ok``."""
        found = set(self.judgements.values())
        return next((each for each in ("regression", "unclear") if each in found), "ok")

    def as_dict(self) -> dict[str, Any]:
        """The gate as JSON has it."""
        return {
            **self.comparison.as_dict(),
            "max_drop": self.max_drop,
            "judgements": self.judgements,
            "answer": self.answer,
        }


def compare(
    entries: Sequence[str | Path], set_name: str | None = None, langs: str | None = None, protocol: str = "epicene"
) -> list[Comparison]:
    """Compare runs or files of translations, each with the first, on the sentences they share."""
    found = [entry for name in entries for entry in _entries(name, set_name, langs, protocol)]
    comparisons = _with_first(found)
    if not comparisons:
        tasks = "; ".join(dict.fromkeys(entry.signature for entry in found))
        raise InputError(f"nothing to compare: no two entries measure the same thing in the same way ({tasks})")
    return comparisons


def compare_results(results: Sequence[Result]) -> list[Comparison]:
    """Compare results that carry their verdicts, each with the first that measures the same; none if none can be."""
    return _with_first([_of_result(result) for result in results if _has_answers(result.set)])


def gate(
    baseline: str | Path,
    candidate: str | Path,
    max_drop: float,
    set_name: str | None = None,
    langs: str | None = None,
    protocol: str = "epicene",
    groups: Sequence[str] = (),
) -> list[Gate]:
    """Judge whether a candidate lost more than ``max_drop`` points against a baseline, group by group."""
    if max_drop < 0:
        raise InputError(f"--max-drop {max_drop:g} is negative; expected points, such as 2")
    found = []
    for comparison in compare([baseline, candidate], set_name, langs, protocol):
        chosen = {change.group: change for change in comparison.changes if not groups or change.group in groups}
        if missing := [group for group in groups if group not in chosen]:
            known = ", ".join(change.group for change in comparison.changes)
            raise InputError(f"no group {', '.join(missing)} in {comparison.signature}; known: {known}")
        judgements = {group: judge(change, max_drop) for group, change in chosen.items()}
        found.append(Gate(comparison, max_drop, judgements))
    return found


def _with_first(entries: Sequence[Entry]) -> list[Comparison]:
    by_task: dict[str, list[Entry]] = {}
    for entry in entries:
        by_task.setdefault(_task(entry.signature), []).append(entry)
    return [_compared(group[0], other) for group in by_task.values() for other in group[1:]]


def _task(signature: str) -> str:
    """What was measured and how, whichever release did it: the set and the detector have checksums of their own."""
    return "|".join(part for part in signature.split("|") if not part.startswith("v:"))


def _compared(baseline: Entry, other: Entry) -> Comparison:
    shared = baseline.outcomes.keys() & other.outcomes.keys()
    if not shared:
        raise EvidenceError(f"{baseline.system} and {other.system} share no sentence")
    before = {name: outcome for name, outcome in baseline.outcomes.items() if name in shared}
    found = tuple(changes(before, other.outcomes))
    if not found:
        raise EvidenceError(
            f"{baseline.signature}: no sentence expects a gender, so none can be right or wrong; use: epicene score"
        )
    return Comparison(baseline.signature, baseline.system, other.system, found)


def _entries(name: str | Path, set_name: str | None, langs: str | None, protocol: str) -> list[Entry]:
    if runs.is_run(name):
        return _of_run(Path(name))
    if Path(name).is_dir():
        runs.read_record(Path(name))
    if set_name is None or langs is None:
        raise InputError(f"{name} is a file of translations; say what it translates with -t SET -l PAIR")
    return [_of_file(name, set_name, langs, protocol)]


def _of_run(folder: Path) -> list[Entry]:
    results = runs.read(folder)
    for result in results:
        if not _has_answers(result.set):
            _comparable(result.set)
    return [_of_result(replace(result, system=f"{folder.name}: {_dated(result)}")) for result in results]


def _dated(result: Result) -> str:
    """A system with the days of its translations where they are known, so that it can be compared with itself."""
    return f"{result.system} ({result.translated})" if result.translated else result.system


def _of_result(result: Result) -> Entry:
    family = plan.family_of(result.set)
    outcomes = {verdict.output.item.id: _outcome(verdict, family) for verdict in result.verdicts}
    return Entry(result.system, result.signature, outcomes)


def _of_file(path: str | Path, set_name: str, langs: str, protocol: str) -> Entry:
    challenge = _comparable(set_name)
    pair = plan.open_pair(langs, challenge)
    challenge, file = open_file(challenge, path)
    task = plan.open_task(challenge, pair, protocol)
    outcomes: dict[str, Outcome] = {}

    def sink(verdict: Verdict) -> None:
        outcomes[verdict.output.item.id] = _outcome(verdict, task.family)

    result = score(task, outputs_of_file(challenge, pair, file), str(path), sink)
    return Entry(str(path), result.signature, outcomes)


def _has_answers(set_name: str) -> bool:
    """Whether a set's sentences have right answers; a user's own set has, and need not be there any more."""
    return set_name.rpartition(":")[2] == "custom" or not plan.open_set(set_name).references


def _comparable(set_name: str) -> ChallengeSet:
    """The set of a name, if its sentences have right answers."""
    challenge = plan.open_set(set_name)
    if challenge.references:
        raise InputError(
            f"set {challenge.name} has no right answers to count; score each system with: epicene score -t {set_name} "
            f"-l PAIR -i HYP -i HYP2 --reference {challenge.references[0]}"
        )
    return challenge


def _outcome(verdict: Verdict, family: Family) -> Outcome:
    item = verdict.output.item
    cluster = item.labels.get("occupation", item.person.concept)
    return Outcome(verdict.gender == item.expected, family.groups(item), cluster)
