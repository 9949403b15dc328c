"""Runs and files of translations beside each other: what changed, and whether it may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import EvidenceError, InputError
from epicene.measures import Family
from epicene.measures.gate import Judgement, judge_drops, judge_gap, judge_rate, judge_unread, worst
from epicene.measures.inference import Clusters
from epicene.measures.paired import Change, Outcome, adjusted, changes
from epicene.pipeline import plan
from epicene.pipeline.check import checked
from epicene.pipeline.score import open_file, outputs_of_file, score
from epicene.result import Result
from epicene.rows import as_html, frame
from epicene.store import runs
from epicene.types import ChallengeSet, Gender, Measure, Verdict

if TYPE_CHECKING:
    from pandas import DataFrame


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

    def rows(self) -> list[dict[str, Any]]:
        """One row per group, as CSV and ``to_frame`` have them."""
        told = {"baseline": self.baseline, "system": self.system}
        return [{**told, **change.as_dict(), "signature": self.signature} for change in self.changes]

    def to_frame(self) -> DataFrame:
        """A pandas table with one row per group."""
        return frame(self.rows())

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        shown = ("group", "n", "before", "after", "difference", "low", "high", "gained", "lost", "p_holm", "said")
        rows = [{name: row[name] for name in shown} for row in self.rows()]
        return as_html(f"{self.system} against {self.baseline}", rows, [*self.warnings, self.signature])

    def as_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it."""
        return {
            "signature": self.signature,
            "baseline": self.baseline,
            "system": self.system,
            "changes": [change.as_dict() for change in self.changes],
            "unread": dict(zip(("before", "after"), self.unread, strict=True)),
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class Limits:
    """What a candidate may lose, how far groups may lie apart, how well each must do, how much may be unread."""

    max_drop: float | None = None
    max_gap: float | None = None
    min_rate: float | None = None
    max_unread: float | None = None

    def __post_init__(self) -> None:
        given = {name.replace("_", "-"): getattr(self, name) for name in Limits.__dataclass_fields__}
        if all(value is None for value in given.values()):
            raise InputError(
                "nothing to judge by; give max-drop POINTS, max-gap POINTS, min-rate PERCENT or max-unread PERCENT"
            )
        for option, value in given.items():
            if value is not None and not 0 <= value <= 100:
                raise InputError(f"{option} {value:g} is not between 0 and 100; expected a number such as 2")

    def as_dict(self) -> dict[str, float | None]:
        """The limits as JSON has them."""
        return {name: getattr(self, name) for name in Limits.__dataclass_fields__}


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

    def to_frame(self) -> DataFrame:
        """A pandas table with one row per judgement."""
        return frame([each.as_dict() for each in self.judgements])

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        rows = [each.as_dict() for each in self.judgements]
        return as_html(f"{self.comparison.system}: {self.answer}", rows, [self.comparison.signature])

    def as_dict(self) -> dict[str, Any]:
        """The gate as JSON has it."""
        return {
            **self.comparison.as_dict(),
            **self.limits.as_dict(),
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
    return _with_first([_of_result(result) for result in shared if _has_answers(result.set)])


def gate(
    baseline: str | Path | None,
    candidate: str | Path,
    max_drop: float | None = None,
    set_name: str | None = None,
    langs: str | None = None,
    protocol: str = "epicene",
    groups: Sequence[str] = (),
    *,
    max_gap: float | None = None,
    min_rate: float | None = None,
    max_unread: float | None = None,
    anyway: bool = False,
) -> list[Gate]:
    """Judge whether a candidate lost more than ``max_drop`` points against a baseline, group by group.

    ``max_gap`` also judges how far the candidate's groups lie apart, ``min_rate`` how well each of them does and
    ``max_unread`` how much of it could not be read; these three need no baseline. ``groups`` narrows the first three to
    groups and gaps by name.
    """
    limits = Limits(max_drop, max_gap, min_rate, max_unread)
    if baseline is None and max_drop is not None:
        raise InputError("max-drop is a loss against something; name it with --baseline RUN_OR_HYP")
    after = _entries(candidate, set_name, langs, protocol, anyway)
    before = after if baseline is None else _entries(baseline, set_name, langs, protocol, anyway)
    pairs = [(old, new) for new in after if (old := new if baseline is None else _baseline_of(new, before, baseline))]
    if not pairs:
        raise _nothing_shared([*before, *after])
    return [judged(old, new, limits, groups) for old, new in pairs]


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


def judged(before: Entry, after: Entry, limits: Limits, groups: Sequence[str] = ()) -> Gate:
    """A candidate held against the limits; one that is its own baseline has none."""
    comparison = _compared(before, after)
    if before is after:
        comparison = replace(comparison, baseline="")
    gaps = {measure.name: measure for measure in after.gaps}
    known = [*(change.group for change in comparison.changes), *gaps]
    if missing := [group for group in groups if group not in known]:
        raise InputError(f"no group {', '.join(missing)} in {comparison.signature}; known: {', '.join(known)}")
    chosen = [each for each in comparison.changes if not groups or each.group in groups]
    found: list[Judgement] = []
    if limits.max_drop is not None:
        found += judge_drops(adjusted(chosen), limits.max_drop)
    shared = [each for name, each in after.outcomes.items() if name in before.outcomes]
    if limits.min_rate is not None:
        wanted = {change.group for change in chosen}
        found += [judge_rate(each, limits.min_rate) for each in _rates(shared) if each.group in wanted]
    if limits.max_gap is not None:
        if not gaps:
            raise InputError(f"--max-gap: {comparison.signature} has no gap between groups; leave it out")
        named = [name for name in gaps if name in groups]
        found += [judge_gap(gaps[name], limits.max_gap) for name in named or gaps]
    if limits.max_unread is not None:
        found.append(judge_unread(_unread(shared), limits.max_unread))
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


def _unread(outcomes: Sequence[Outcome]) -> Measure:
    """How many sentences could not be read."""
    clusters = Clusters.of((each.cluster, each.stratum) for each in outcomes)
    return clusters.rate("unread", "all", clusters.share((each.cluster, each.unread, 1) for each in outcomes))


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
            f"{baseline.signature}: no sentence expects a gender, so none can be right or wrong; use: epicene score"
        )
    warnings = tuple(f"{entry.system}: {warning}" for entry in (baseline, other) for warning in entry.warnings)
    unread = (baseline.unread, other.unread)
    return Comparison(baseline.signature, baseline.system, other.system, found, unread, warnings)


def _entries(name: str | Path, set_name: str | None, langs: str | None, protocol: str, anyway: bool) -> list[Entry]:
    if runs.is_run(name):
        return _of_run(Path(name), anyway)
    if Path(name).is_dir():
        runs.read_record(Path(name))
    if set_name is None or langs is None:
        raise InputError(f"{name} is a file of translations; say what it translates with -t SET -l PAIR")
    return [of_file(name, set_name, langs, protocol, anyway)]


def _of_run(folder: Path, anyway: bool) -> list[Entry]:
    results = checked(runs.read(folder, anyway), anyway)
    for result in results:
        if not _has_answers(result.set):
            _comparable(result.set)
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


def of_file(
    path: str | Path | Iterable[str], set_name: str, langs: str, protocol: str, anyway: bool, name: str = ""
) -> Entry:
    """How the translations of a file, or lines under a name, come out."""
    challenge = _comparable(set_name)
    pair = plan.open_pair(langs, challenge)
    challenge, file = open_file(challenge, path)
    task = plan.open_task(challenge, pair, protocol)
    outcomes: dict[str, Outcome] = {}
    sink = _collect(outcomes, task.family, set_name)
    shown = name or str(path)
    result = score(task, outputs_of_file(challenge, pair, file), shown, sink, anyway=anyway)
    return _entry(result, shown, outcomes, task.family)


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
    if challenge.open_gender:
        raise InputError(
            f"set {challenge.name} has no right answers to count; score each system with: epicene score -t {set_name} "
            "-l PAIR -i HYP -i HYP2"
        )
    return challenge


def _outcome(verdict: Verdict, family: Family) -> Outcome:
    item = verdict.output.item
    # A sentence that leaves the gender open cannot come out wrong, so it counts for no group.
    groups = family.groups(item) if item.expected else ()
    return Outcome(verdict.right, groups, item.unit, family.stratum(item), verdict.gender is Gender.UNKNOWN)
