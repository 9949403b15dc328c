"""Runs and files of translations beside each other: what changed in gender, and in quality."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from epicene.check.check import checked
from epicene.compare.paired import FEMININE, Change, Outcome, changes
from epicene.errors import EvidenceError, InputError
from epicene.flow import plan
from epicene.flow.score import QualityRequest, open_file, outputs_of_file, score_outputs
from epicene.measures.claims import WEAK
from epicene.measures.quality import USUAL, Quality, QualityChange, Segment
from epicene.measures.quality import changes as quality_changes
from epicene.measures.rates import Measures
from epicene.output.table import Answer, Table
from epicene.result import Result
from epicene.sets import TestSet
from epicene.store import runs
from epicene.types import Gender, Item, Measure, Verdict


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
    segments: tuple[Segment, ...] = ()  # what quality is compared by, where there are references


@dataclass(frozen=True, slots=True)
class Comparison(Answer):
    """A system against the baseline."""

    signature: str
    baseline: str
    system: str
    changes: tuple[Change, ...]
    unread: tuple[float, float] = (0.0, 0.0)  # of the baseline and of the system, in per cent
    warnings: tuple[str, ...] = ()
    quality: tuple[QualityChange, ...] = ()  # where there are references

    def rows(self) -> list[dict[str, Any]]:
        """One row per group and per metric of quality, as CSV and ``to_frame`` have them."""
        told = {"baseline": self.baseline, "system": self.system}
        return [
            *({**told, **change.as_dict(), "signature": self.signature} for change in self.changes),
            *({**told, **change.as_dict()} for change in self.quality),
        ]

    def tables(self) -> Iterable[Table]:
        """One row a group for each measure, then quality."""
        from epicene.compare.tables import comparison_tables

        return comparison_tables(self)

    def as_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it."""
        return {
            "signature": self.signature,
            "baseline": self.baseline,
            "system": self.system,
            "measures": list(dict.fromkeys(change.measure for change in self.changes)),
            "changes": [change.as_dict() for change in self.changes],
            "undetected": dict(zip(("before", "after"), self.unread, strict=True)),
            "unread": dict(zip(("before", "after"), self.unread, strict=True)),  # for one version
            "warnings": list(self.warnings),
            **({"quality": [change.as_dict() for change in self.quality]} if self.quality else {}),
        }


def compare(
    entries: Sequence[str | Path],
    set_name: str | None = None,
    langs: str | None = None,
    protocol: str = "epicene",
    anyway: bool = False,
    metrics: Sequence[str] = (),
    reference_text: Sequence[str | Path] = (),
) -> list[Comparison]:
    """Compare runs or files of translations, each with the first, on the sentences they share.

    ``metrics`` and ``reference_text`` as in ``score``: where there are references, quality is compared as well.
    """
    wanted = QualityRequest.parse(metrics, reference_text)
    found = [entry for name in entries for entry in entries_of(name, set_name, langs, protocol, anyway, wanted=wanted)]
    if (metrics or reference_text) and not any(entry.segments for entry in found):
        raise InputError(f"no references in {', '.join(map(str, entries))}; give them with --reference-text FILE")
    comparisons = [compared(first, other, wanted.metrics or USUAL) for first, other in _pair_with_first(found)]
    if not comparisons:
        raise nothing_shared(found)
    return comparisons


def compare_results(results: Sequence[Result]) -> list[Comparison]:
    """Compare results that carry their verdicts, each with the first that measures the same; leave out what cannot be.

    Two results cannot be compared where no gender was detected in one of them, or where they share no sentence.
    """
    tasks = Counter(task_of(result.signature) for result in results)
    shared = [result for result in results if tasks[task_of(result.signature)] > 1]
    comparisons = []
    for first, other in _pair_with_first([_of_result(result) for result in shared]):
        with suppress(EvidenceError):
            comparisons.append(compared(first, other))
    return comparisons


def nothing_shared(found: Sequence[Entry]) -> InputError:
    """The error of entries none of which can be compared."""
    tasks = "; ".join(dict.fromkeys(entry.signature for entry in found))
    return InputError(f"nothing to compare: no two entries measure the same thing in the same way ({tasks})")


def _pair_with_first(entries: Sequence[Entry]) -> list[tuple[Entry, Entry]]:
    by_task: dict[str, list[Entry]] = {}
    for entry in entries:
        by_task.setdefault(task_of(entry.signature), []).append(entry)
    return [(group[0], other) for group in by_task.values() for other in group[1:]]


def task_of(signature: str) -> str:
    """What was measured and how, whichever release did it: the set and the detector have checksums of their own."""
    return "|".join(part for part in signature.split("|") if not part.startswith("v:"))


def target_of(signature: str) -> str:
    """The language that was translated into."""
    return signature.partition("|langs:")[2].partition("|")[0].partition("-")[2]


def compared(baseline: Entry, other: Entry, metrics: Sequence[str] = USUAL) -> Comparison:
    """What changed from one entry to another."""
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
    quality = tuple(quality_changes(baseline.segments, other.segments, target_of(baseline.signature), metrics))
    return Comparison(baseline.signature, baseline.system, other.system, found, unread, warnings, quality)


def entries_of(
    name: str | Path,
    set_name: str | None,
    langs: str | None,
    protocol: str,
    anyway: bool,
    answers: bool = False,
    wanted: QualityRequest | None = None,
) -> list[Entry]:
    """What a run or a file holds; ``answers``: only of sets that have right ones."""
    if runs.is_run(name):
        return _of_run(Path(name), anyway, answers, wanted)
    if Path(name).is_dir():
        runs.read_record(Path(name))
    if set_name is None or langs is None:
        raise InputError(f"{name} is a file of translations; say what it translates with -t SET -l PAIR")
    if answers:
        with_answers(set_name)
    return [of_file(name, set_name, langs, protocol, anyway, wanted=wanted, answers=answers)]


def _of_run(folder: Path, anyway: bool, answers: bool, wanted: QualityRequest | None) -> list[Entry]:
    results = checked(runs.read(folder, anyway), anyway)
    for result in results:
        if answers and result.set.rpartition(":")[2] != "custom":  # a user's own set need not be there any more
            with_answers(result.set)
    return [
        replace(_of_result(result, wanted, answers), system=f"{folder.name}: {_dated(result)}", name=result.system)
        for result in results
    ]


def _dated(result: Result) -> str:
    """A system with the days of its translations where they are known, so that it can be compared with itself."""
    return f"{result.system} ({result.translated})" if result.translated else result.system


def _of_result(result: Result, wanted: QualityRequest | None = None, answers: bool = False) -> Entry:
    measures = plan.measures_of(result.set)
    items = [verdict.output.item for verdict in result.verdicts]
    quality = wanted.reader(result.set, plan.parse_pair(result.langs), items, measures) if wanted else None
    outcomes: dict[str, Outcome] = {}
    sink = _collect(outcomes, measures, result.set, quality)
    for verdict in result.verdicts:
        sink(verdict)
    own = _by_reference(measures, result, ((each.output.item, each.gender) for each in result.verdicts))
    return _entry(result, result.system, own if own and answers else outcomes | own, measures, quality)


def of_file(
    path: str | Path | Iterable[str],
    set_name: str,
    langs: str,
    protocol: str,
    anyway: bool,
    name: str = "",
    wanted: QualityRequest | None = None,
    answers: bool = False,
) -> Entry:
    """How the translations of a file, or lines under a name, come out; ``answers``: only what can be right."""
    challenge = plan.open_set(set_name)
    pair = plan.open_pair(langs, challenge)
    challenge, file = open_file(challenge, path)
    task = plan.open_task(challenge, pair, protocol)
    outcomes: dict[str, Outcome] = {}
    quality = wanted.reader(challenge.name, pair, task.items, task.measures) if wanted else None
    said: list[tuple[Item, Gender]] = []
    collect = _collect(outcomes, task.measures, set_name, quality)

    def sink(verdict: Verdict) -> None:
        collect(verdict)
        if task.measures.right:
            said.append((verdict.output.item, verdict.gender))

    shown = name or str(path)
    plain = replace(task, measures=replace(task.measures, quality=False))  # quality is measured once, in pairs
    result = score_outputs(plain, outputs_of_file(challenge, pair, file), shown, sink, anyway=anyway)
    own = _by_reference(task.measures, result, said)
    return _entry(result, shown, own if own and answers else outcomes | own, task.measures, quality)


def _by_reference(measures: Measures, result: Result, said: Iterable[tuple[Item, Gender]]) -> dict[str, Outcome]:
    """How answers come out by the references of a result, where those say what is right."""
    if measures.right is None:
        return {}
    judge = measures.right(result.measures)
    return {
        f"{item.id} by {each.reference}": Outcome(
            each.right, each.groups, each.category, measures.stratum(item), gender is Gender.UNKNOWN
        )
        for item, gender in said
        for each in judge(item, gender)
    }


def _entry(
    result: Result, name: str, outcomes: dict[str, Outcome], measures: Measures, quality: Quality | None
) -> Entry:
    unread = 100 * result.genders[Gender.UNKNOWN] / result.n
    segments = tuple(quality.segments) if quality else ()
    warnings = (*result.warnings, *(note for note in result.notes if note.startswith(WEAK)))
    return Entry(name, result.signature, outcomes, _gaps(result, measures), name, unread, warnings, segments)


def _gaps(result: Result, measures: Measures) -> tuple[Measure, ...]:
    return tuple(each for name in measures.gated for each in result.measures if each.name == name and not each.detail)


def _collect(
    outcomes: dict[str, Outcome], measures: Measures, set_name: str, quality: Quality | None = None
) -> Callable[[Verdict], None]:
    """What keeps the outcome of every verdict by its sentence."""

    def sink(verdict: Verdict) -> None:
        name = verdict.output.item.id
        if name in outcomes:
            raise InputError(f"set {set_name}: two sentences have the id {name!r}, so they cannot be told apart")
        outcomes[name] = _outcome(verdict, measures)
        if quality:
            quality.add(verdict)

    return sink


def with_answers(set_name: str) -> TestSet:
    """The set of a name, if a release can be judged by it: by right answers, or by who is written as a woman."""
    challenge = plan.open_set(set_name)
    if challenge.measures.right is not None:
        return challenge
    if challenge.references:
        raise InputError(
            f"set {challenge.name} has no right answers to count; score each system with: epicene score -t {set_name} "
            f"-l PAIR -i HYP -i HYP2 --reference {challenge.references[0]}"
        )
    return challenge


def _outcome(verdict: Verdict, measures: Measures) -> Outcome:
    item = verdict.output.item
    unread, stratum = verdict.gender is Gender.UNKNOWN, measures.stratum(item)
    if item.expected:
        return Outcome(verdict.right, measures.compared_groups(item), measures.unit(item), stratum, unread)
    # A sentence that leaves the gender open cannot come out wrong: what is compared is who is written as a woman.
    woman, told = verdict.gender is Gender.FEMININE, verdict.gender in (Gender.FEMININE, Gender.MASCULINE)
    return Outcome(woman, measures.compared_groups(item), measures.unit(item), stratum, unread, FEMININE, told)
