"""Every system on every task: translated, scored, with its verdicts."""

from __future__ import annotations

from dataclasses import replace

from epicene.flow.plan import NamedSystem, Plan, Task
from epicene.flow.sample import Sample
from epicene.flow.score import score
from epicene.flow.translate import Means, translated
from epicene.result import Result
from epicene.types import Item, Verdict


def audit(plan: Plan, by: Means, sample: Sample | None = None, anyway: bool = False) -> list[Result]:
    """The results of all systems, task by task; with a sample, of so many sentences of each set."""
    results = []
    for task in plan.tasks:
        drawn = sample.of(task.items, task.measures) if sample else task.items
        results += [_audited(task, drawn, named, by, sample, anyway) for named in plan.systems]
    return results


def _audited(
    task: Task, drawn: list[Item], named: NamedSystem, by: Means, sample: Sample | None, anyway: bool
) -> Result:
    made = translated(named, drawn, task.pair, by, task.items)
    part = sample if sample and len(drawn) < len(task.items) else None
    verdicts: list[Verdict] = []
    system, keep = made.outputs[0].system, verdicts.append
    result = score(task, made.outputs, system, keep, sample=part, engine=by.engine, anyway=anyway)
    return replace(
        result,
        verdicts=tuple(verdicts),
        decoding=made.decoding,
        translated=made.period,
        sample=part.note(task.items, task.measures) if part else "",
    )
