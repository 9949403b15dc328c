"""Every system on every task: translated, scored, with its verdicts."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path
from typing import Any

from epicene.errors import EpiceneError, ServiceError, StoreError
from epicene.flow.context import add_worth
from epicene.flow.plan import NamedSystem, Plan, Task, open_plan
from epicene.flow.sample import Sample, open_sample
from epicene.flow.score import score_outputs
from epicene.flow.translate import Asker, open_asker, open_budget, translate_items, try_server
from epicene.options import Asking, Scoring, apply_options
from epicene.output.table import Answer, Column, Table
from epicene.result import Failure, Result, RunSource
from epicene.sets import TestSet
from epicene.store import runs
from epicene.systems import accept_object
from epicene.text import scrub
from epicene.types import AnySystem, Item, Verdict

_log = logging.getLogger(__name__)
REPORT = "report.html"
DEFAULT_SETS = ("simplegen",)
DEFAULT_LANGS = ("en-de", "en-es")
DEFAULT_SYSTEMS = ("bundled",)


@dataclass(frozen=True, slots=True, repr=False)
class Run(Answer):
    """The results and failures of an audit, and its folder if there is one."""

    results: tuple[Result, ...]
    folder: Path | None
    commands: tuple[tuple[str, ...], ...] = ()  # what was typed, one for each folder
    failures: tuple[Failure, ...] = ()

    def tables(self) -> Iterable[Table]:
        """The tables of every result, and what is missing from them."""
        yield from (table for result in self.results for table in result.tables())
        if self.failures:
            rows = tuple(
                (failure.system, f"{failure.set} {failure.langs}", failure.reason) for failure in self.failures
            )
            columns = (Column("system", "system"), Column("set", "test set"), Column("reason", "why", wraps=True))
            yield Table("Not measured", columns, rows)

    def rows(self) -> list[dict[str, Any]]:
        """One row per measure of every result."""
        return [row for result in self.results for row in result.rows()]

    def records(self) -> list[dict[str, Any]]:
        """One object per result."""
        return [result.as_dict() for result in self.results]

    def report(self, page: str | Path, brief: bool = False) -> Path:
        """Write the page that shows what lies behind the numbers; ``brief``: its first screen alone."""
        from epicene.output.page.page import write_page

        return write_page(Path(page), self.results, self.commands, failures=list(map(str, self.failures)), brief=brief)


def audit(
    sets: Sequence[str | TestSet] = DEFAULT_SETS,
    langs: Sequence[str] = DEFAULT_LANGS,
    systems: Sequence[str | AnySystem] | Mapping[str, str | AnySystem] = DEFAULT_SYSTEMS,
    folder: str | Path | None = None,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    asking: Asking = Asking(),  # noqa: B008 - frozen
    force: bool = False,
    **options: Any,
) -> Run:
    """Translate and score every set, language pair and system, and store the run if a folder is given.

    A set or system is a name or an object: the result of ``open_set`` or ``sentences``, a ``FunctionSystem``, or any
    object with ``identity``, ``batch_size`` and ``translate(sources, pair)``. A mapping names the systems for tables
    and pages: ``{"before": "ctranslate2:old", "after": "ctranslate2:new"}``.

    ``options`` are fields of ``Scoring`` and ``Asking``, such as ``sample=500``. The budget covers the whole run. If
    ``contexts`` include ``none``, the results show the effect of context. If the folder holds another run, set
    ``force`` to overwrite it. If a system fails, the run lists the failure and keeps the results of the others; if
    all fail, the first error is raised. In ``file:out/mine/{pair}.txt``, each language pair has its own file.
    """
    scoring, asking = apply_options(options, scoring, asking)
    started, budget, sample = datetime.now(UTC), open_budget(asking), open_sample(asking)
    set_names = [name if isinstance(name, str) else name.name for name in sets]
    names: list[str] = []
    if isinstance(systems, Mapping):
        names = ["" if name == system else name for name, system in systems.items()]
        systems = list(systems.values())
    system_names = [scrub(system if isinstance(system, str) else accept_object(system).identity) for system in systems]
    task = {"sets": set_names, "langs": list(langs), "systems": system_names}
    if scoring.contexts:
        task["contexts"] = list(scoring.contexts)
    if folder and not force:
        runs.may_overwrite(Path(folder), task)
    plan = open_plan(sets, langs, systems, scoring, budget)
    with open_asker(asking, budget) as asker:
        measured, failures = audit_plan(plan, asker, sample, scoring.anyway, names)
    results = add_worth(measured)
    command = tuple(map(scrub, sys.argv))  # the address of a server may have a password in it
    name = Path(folder).name if folder else ""
    sourced = [replace(result, source=RunSource(name, result.system, started.date().isoformat())) for result in results]
    run = Run(tuple(sourced), Path(folder) if folder else None, (command,), failures)
    if run.folder:
        runs.write(run.folder, results, command, started, task, failures)
        run.report(run.folder / REPORT)
    return run


def audit_plan(
    plan: Plan, asker: Asker, sample: Sample | None = None, anyway: bool = False, names: Sequence[str] = ()
) -> tuple[list[Result], tuple[Failure, ...]]:
    """The results of all systems, task by task, and what failed; with a sample, of so many sentences of each set."""
    results: list[Result] = []
    errors: list[EpiceneError] = []
    failures: list[Failure] = []
    drawn_items = [sample.of(task.items, task.measures) if sample else task.items for task in plan.tasks]
    broken = _try_servers(plan, drawn_items, asker)
    for task, drawn in zip(plan.tasks, drawn_items, strict=True):
        for named, name in zip(plan.systems, names or repeat(""), strict=False):
            try:
                if named.system.identity in broken:
                    raise broken[named.system.identity]
                result = _audit_task(task, drawn, named, asker, sample, anyway)
                results.append(replace(result, system=name, identity=result.system) if name else result)
            except StoreError:
                raise
            except EpiceneError as error:
                errors.append(error)
                failures.append(
                    Failure(
                        task.challenge.name,
                        str(task.pair),
                        scrub(named.spec or named.system.identity),
                        scrub(str(error)),
                        error.exit_code,
                    )
                )
    if errors and not results:
        raise errors[0]
    return results, tuple(failures)


def _try_servers(plan: Plan, drawn: Sequence[list[Item]], asker: Asker) -> dict[str, EpiceneError]:
    """Ask each server of the user's own for one sentence, before anything is paid for elsewhere; why those failed."""
    broken: dict[str, EpiceneError] = {}
    for task, items in zip(plan.tasks, drawn, strict=True):
        for named in plan.systems:
            try:
                try_server(named, items, task.pair, asker)
            except ServiceError as error:
                if broken.setdefault(named.system.identity, error) is error:
                    _log.warning("%s", error)
    return broken


def _audit_task(
    task: Task, drawn: list[Item], named: NamedSystem, asker: Asker, sample: Sample | None, anyway: bool
) -> Result:
    made = translate_items(named, drawn, task.pair, asker, task.items)
    part = sample if sample and len(drawn) < len(task.items) else None
    verdicts: list[Verdict] = []
    system, keep = made.outputs[0].system, verdicts.append
    result = score_outputs(task, made.outputs, system, keep, sample=part, engine=asker.engine, anyway=anyway)
    return replace(
        result,
        verdicts=tuple(verdicts),
        decoding=made.decoding,
        translated=made.period,
        sample=part.note(task.items, task.measures) if part else "",
    )
