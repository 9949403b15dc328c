"""Runs and files of translations beside each other: what changed, and whether it may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from epicene.errors import EvidenceError, InputError
from epicene.measures import Family
from epicene.measures.gate import Judgement, judge_drops, judge_gap, judge_rate, worst
from epicene.measures.inference import Clusters
from epicene.measures.paired import FEMININE, Change, Outcome, adjusted, changes
from epicene.pipeline import plan
from epicene.pipeline.check import checked
from epicene.pipeline.score import open_file, outputs_of_file, score
from epicene.result import Result
from epicene.store import runs
from epicene.types import ChallengeSet, Gender, Measure, Verdict


@dataclass(frozen=True, slots=True)
class Entry:
    """One system on one set and language pair: how each sentence came out."""

    system: str  # as it is shown: with the run that it is of
    signature: str  # what was measured, by which rules; entries can be compared if this is the same
    outcomes: dict[str, Outcome]
    gaps: tuple[Measure, ...] = ()  # between groups, the main ones of the set first
    name: str = ""  # the system alone
    unread: float = 0.0  # share of its translations that could not be read, in per cent
    warnings: tuple[str, ...] = ()  # why it should not be believed


@dataclass(frozen=True, slots=True)
class Comparison:
    """A system against the baseline."""

    signature: str
    baseline: str
    system: str
    changes: tuple[Change, ...]
    unread: tuple[float, float] = (0.0, 0.0)  # of the baseline and of the system, in per cent
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it."""
        return {
            "signature": self.signature,
            "baseline": self.baseline,
            "system": self.system,
            "measures": list(dict.fromkeys(change.measure for change in self.changes)),
            "changes": [change.as_dict() for change in self.changes],
            "unread": dict(zip(("before", "after"), self.unread, strict=True)),
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class Limits:
    """What a candidate may lose, how far its groups may lie apart, and how well each must do."""

    max_drop: float | None = None
    max_gap: float | None = None
    minimum: float | None = None

    def __post_init__(self) -> None:
        given = {"--max-drop": self.max_drop, "--max-gap": self.max_gap, "--min": self.minimum}
        if all(value is None for value in given.values()):
            raise InputError("nothing to judge by; give --max-drop POINTS, --max-gap POINTS or --min PERCENT")
        for option, value in given.items():
            if value is not None and not 0 <= value <= 100:
                raise InputError(f"{option} {value:g} is not between 0 and 100; expected a number such as 2")


@dataclass(frozen=True, slots=True)
class Gate:
    """A comparison with a judgement for each thing that was asked."""

    comparison: Comparison
    limits: Limits
    judgements: tuple[Judgement, ...]

    @property
    def answer(self) -> str:
        """``regression`` if anything failed, else ``unclear`` if anything might, else ``improved`` or ``ok``."""
        return worst(self.judgements)

    def as_dict(self) -> dict[str, Any]:
        """The gate as JSON has it."""
        return {
            **self.comparison.as_dict(),
            "max_drop": self.limits.max_drop,
            "max_gap": self.limits.max_gap,
            "min": self.limits.minimum,
            "judgements": [each.as_dict() for each in self.judgements],
            "answer": self.answer,
        }


def compare(
    entries: Sequence[str | Path],
    set_name: str | None = None,
    langs: str | None = None,
    protocol: str = "epicene",
    anyway: bool = False,
) -> list[Comparison]:
    """Compare runs or files of translations, each with the first, on the sentences they share."""
    found = [entry for name in entries for entry in _entries(name, set_name, langs, protocol, anyway)]
    comparisons = _with_first(found)
    if not comparisons:
        raise _nothing_shared(found)
    return comparisons


def compare_results(results: Sequence[Result]) -> list[Comparison]:
    """Compare results that carry their verdicts, each with the first that measures the same; none if none can be."""
    tasks = Counter(_task(result.signature) for result in results)
    shared = [result for result in results if tasks[_task(result.signature)] > 1]
    return _with_first([_of_result(result) for result in shared])


def gate(
    baseline: str | Path,
    candidate: str | Path,
    max_drop: float | None = None,
    set_name: str | None = None,
    langs: str | None = None,
    protocol: str = "epicene",
    groups: Sequence[str] = (),
    *,
    max_gap: float | None = None,
    minimum: float | None = None,
    anyway: bool = False,
) -> list[Gate]:
    """Judge whether a candidate lost more than ``max_drop`` points against a baseline, group by group.

    ``max_gap`` also judges how far the candidate's groups lie apart, ``minimum`` how well each of them does; ``groups``
    narrows all three to groups and gaps by name.
    """
    limits = Limits(max_drop, max_gap, minimum)
    before, after = (_entries(name, set_name, langs, protocol, anyway, True) for name in (baseline, candidate))
    pairs = [(old, new) for new in after if (old := _baseline_of(new, before, baseline))]
    if not pairs:
        raise _nothing_shared([*before, *after])
    return [_judged(old, new, limits, groups) for old, new in pairs]


def _baseline_of(candidate: Entry, before: Sequence[Entry], baseline: str | Path) -> Entry | None:
    """What a candidate is measured by: the baseline's system on the same set and pair, by name if there are two."""
    same = [entry for entry in before if _task(entry.signature) == _task(candidate.signature)]
    named = [entry for entry in same if entry.name == candidate.name] or same
    if len(named) > 1:
        systems = ", ".join(entry.name for entry in named)
        raise InputError(
            f"--baseline {baseline} holds several systems ({systems}) and none is called {candidate.name}; give a run "
            "of one system"
        )
    return named[0] if named else None


def _judged(before: Entry, after: Entry, limits: Limits, groups: Sequence[str]) -> Gate:
    comparison = _compared(before, after)
    gaps = {measure.name: measure for measure in after.gaps}
    known = [*(change.group for change in comparison.changes), *gaps]
    if missing := [group for group in groups if group not in known]:
        raise InputError(f"no group {', '.join(missing)} in {comparison.signature}; known: {', '.join(known)}")
    chosen = [each for each in comparison.changes if not groups or each.group in groups]
    found: list[Judgement] = []
    if limits.max_drop is not None:
        found += judge_drops(adjusted(chosen), limits.max_drop)
    if limits.minimum is not None:
        wanted = {change.group for change in chosen}
        rates = _rates([each for name, each in after.outcomes.items() if name in before.outcomes])
        found += [judge_rate(each, limits.minimum) for each in rates if each.group in wanted]
    if limits.max_gap is not None:
        if not gaps:
            raise InputError(f"--max-gap: {comparison.signature} has no gap between groups; leave it out")
        named = [name for name in gaps if name in groups]
        found += [judge_gap(gaps[name], limits.max_gap) for name in named or gaps]
    if not found:
        raise InputError(
            f"nothing is judged of {', '.join(groups)}; a gap is judged by --max-gap, a group by --max-drop"
        )
    return Gate(replace(comparison, changes=tuple(adjusted(chosen))), limits, tuple(found))


def _rates(outcomes: Iterable[Outcome]) -> list[Measure]:
    """How many sentences of each group came out right."""
    found = list(outcomes)
    clusters = Clusters.of((each.cluster, each.stratum) for each in found)
    groups = dict.fromkeys(group for each in found for group in each.groups)
    return [
        clusters.rate("right", group, clusters.share((e.cluster, e.right, 1) for e in found if group in e.groups))
        for group in groups
    ]


def _nothing_shared(found: Sequence[Entry]) -> InputError:
    tasks = "; ".join(dict.fromkeys(entry.signature for entry in found))
    return InputError(f"nothing to compare: no two entries measure the same thing in the same way ({tasks})")


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
            f"{baseline.signature}: nobody's gender can be compared, since none was read; use: epicene score"
        )
    warnings = tuple(f"{entry.system}: {warning}" for entry in (baseline, other) for warning in entry.warnings)
    unread = (baseline.unread, other.unread)
    return Comparison(baseline.signature, baseline.system, other.system, found, unread, warnings)


def _entries(
    name: str | Path, set_name: str | None, langs: str | None, protocol: str, anyway: bool, answers: bool = False
) -> list[Entry]:
    """What a run or a file holds; ``answers``: only of sets that have right ones."""
    if runs.is_run(name):
        return _of_run(Path(name), anyway, answers)
    if Path(name).is_dir():
        runs.read_record(Path(name))
    if set_name is None or langs is None:
        raise InputError(f"{name} is a file of translations; say what it translates with -t SET -l PAIR")
    if answers:
        _with_answers(set_name)
    return [_of_file(name, set_name, langs, protocol, anyway)]


def _of_run(folder: Path, anyway: bool, answers: bool) -> list[Entry]:
    results = checked(runs.read(folder, anyway), anyway)
    for result in results:
        if answers and result.set.rpartition(":")[2] != "custom":  # a user's own set need not be there any more
            _with_answers(result.set)
    return [
        replace(_of_result(result), system=f"{folder.name}: {_dated(result)}", name=result.system) for result in results
    ]


def _dated(result: Result) -> str:
    """A system with the days of its translations where they are known, so that it can be compared with itself."""
    return f"{result.system} ({result.translated})" if result.translated else result.system


def _of_result(result: Result) -> Entry:
    family = plan.family_of(result.set)
    outcomes: dict[str, Outcome] = {}
    sink = _collect(outcomes, family, result.set)
    for verdict in result.verdicts:
        sink(verdict)
    return _entry(result, result.system, outcomes, family)


def _of_file(path: str | Path, set_name: str, langs: str, protocol: str, anyway: bool) -> Entry:
    challenge = plan.open_set(set_name)
    pair = plan.open_pair(langs, challenge)
    challenge, file = open_file(challenge, path)
    task = plan.open_task(challenge, pair, protocol)
    outcomes: dict[str, Outcome] = {}
    sink = _collect(outcomes, task.family, set_name)
    result = score(task, outputs_of_file(challenge, pair, file), str(path), sink, anyway=anyway)
    return _entry(result, str(path), outcomes, task.family)


def _entry(result: Result, name: str, outcomes: dict[str, Outcome], family: Family) -> Entry:
    unread = 100 * result.genders[Gender.UNKNOWN] / result.n
    return Entry(name, result.signature, outcomes, _gaps(result, family), name, unread, result.warnings)


def _gaps(result: Result, family: Family) -> tuple[Measure, ...]:
    return tuple(each for name in family.main_gaps for each in result.measures if each.name == name and not each.detail)


def _collect(outcomes: dict[str, Outcome], family: Family, set_name: str) -> Callable[[Verdict], None]:
    """What keeps the outcome of every verdict by its sentence."""

    def sink(verdict: Verdict) -> None:
        name = verdict.output.item.id
        if name in outcomes:
            raise InputError(f"set {set_name}: two sentences have the id {name!r}, so they cannot be told apart")
        outcomes[name] = _outcome(verdict, family)

    return sink


def _with_answers(set_name: str) -> ChallengeSet:
    """The set of a name, if its sentences have right answers to judge a release by."""
    challenge = plan.open_set(set_name)
    if challenge.references:
        raise InputError(
            f"set {challenge.name} has no right answers to count; score each system with: epicene score -t {set_name} "
            f"-l PAIR -i HYP -i HYP2 --reference {challenge.references[0]}"
        )
    if challenge.open_gender:
        raise InputError(
            f"set {challenge.name} has no right answers to count; score each system with: epicene score -t {set_name} "
            "-l PAIR -i HYP -i HYP2"
        )
    return challenge


def _outcome(verdict: Verdict, family: Family) -> Outcome:
    item = verdict.output.item
    unread, stratum = verdict.gender is Gender.UNKNOWN, family.stratum(item)
    if item.expected:
        return Outcome(verdict.right, family.groups(item), item.unit, stratum, unread)
    # A sentence that leaves the gender open cannot come out wrong: what is compared is who is written as a woman.
    woman, told = verdict.gender is Gender.FEMININE, verdict.gender in (Gender.FEMININE, Gender.MASCULINE)
    return Outcome(woman, family.shares(item), item.unit, stratum, unread, FEMININE, told)
