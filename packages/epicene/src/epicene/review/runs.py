"""Run folders with what people decided about them: open a run, correct it, take decisions out and in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from epicene.errors import InputError
from epicene.flow.audit import REPORT, Run
from epicene.result import Result, RunSource
from epicene.review.plan import cases
from epicene.review.session import DATABASE
from epicene.review.store import Decisions
from epicene.review.tables import export_tsv, import_tsv
from epicene.review.votes import attach_decisions
from epicene.store import runs
from epicene.version import __version__


def open_run(*folders: str | Path, anyway: bool = False) -> Run:
    """Open the runs that audits stored. Several folders are joined into one run.

    A folder that was edited by hand raises an error, and unreliable numbers raise ``EvidenceError``. With ``anyway``,
    both come with ``warnings`` instead.
    """
    if not folders:
        raise InputError("open_run needs at least one run folder; 'epicene audit -o DIR' writes one")
    paths = [Path(folder) for folder in folders]
    stored = [runs.read(path, anyway) for path in paths]
    named = Counter((result.set, result.langs, result.system) for results in stored for result in results)
    results = []
    for path, own_results in zip(paths, stored, strict=True):
        day = str(runs.read_record(path).get("started", ""))[:10]
        for result in _add_decisions(path, _check_results(path, own_results, anyway)):
            clash = named[result.set, result.langs, result.system] > 1 and len(paths) > 1
            name = f"{path.name}: {result.system}" if clash else result.system
            results.append(replace(result, system=name, source=RunSource(path.name, result.system, day)))
    commands = tuple(tuple(runs.read_record(path)["command"]) for path in paths)
    failures = tuple(failure for path in paths for failure in runs.read_failures(path))
    return Run(tuple(results), paths[0] if len(paths) == 1 else None, commands, failures)


def _check_results(folder: Path, results: list[Result], anyway: bool) -> list[Result]:
    """Results as if they were measured now; what this version measured, it checked before it stored it."""
    if runs.read_record(folder).get("epicene") == __version__ and not any(result.warnings for result in results):
        return results
    from epicene.check.check import check_results

    return check_results(results, anyway)


def _add_decisions(folder: Path, results: Sequence[Result]) -> Sequence[Result]:
    """The results of a run with what people said about its sentences, if any did."""
    if not (folder / DATABASE).is_file():
        return results
    with _open_decisions(folder) as decisions:
        return attach_decisions(results, decisions.all())


def apply_review(folder: str | Path) -> Run:
    """Update a run with its reviewers' decisions: corrected rates, the detector's errors and the report."""
    from epicene.review.corrected import correct

    path = Path(folder)
    run = open_run(path, anyway=True)
    runs.verify(path)  # what was changed by hand must not get a new checksum
    with _open_decisions(path) as decisions:
        corrected = replace(run, results=tuple(correct(run.results, decisions.all())))
    runs.amend(path, corrected.results)
    corrected.report(path / REPORT)
    return corrected


def export_review(folder: str | Path, table: str | Path, history: bool = False) -> int:
    """Write the reviewers' decisions as a tab-separated table, and return their number.

    ``history`` adds decisions that were replaced or undone later.
    """
    with _open_decisions(Path(folder)) as stored:
        events = stored.history() if history else []
        decisions = [event.decision for event in events] if history else stored.all()
    export_tsv(decisions, Path(table), [event.undone for event in events] if history else None)
    return len(decisions)


def import_review(folder: str | Path, table: str | Path) -> int:
    """Add all decisions of a table from ``export_review`` or a spreadsheet, or none, and return their number."""
    path = Path(folder)
    added = import_tsv(Path(table), {case.key: case.verdict.output.text for case in cases(runs.read(path))})
    with _open_decisions(path) as decisions:
        return decisions.add(added)


@contextmanager
def _open_decisions(folder: Path) -> Iterator[Decisions]:
    runs.read_record(folder)
    decisions = Decisions(folder / DATABASE)
    try:
        yield decisions
    finally:
        decisions.close()
