"""The Python API: what the commands do, typed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.check.check import checked
from epicene.errors import InputError
from epicene.flow import plan
from epicene.flow.reference_text import given
from epicene.flow.score import Sink, open_file, outputs_of_file
from epicene.flow.score import score as scored
from epicene.options import Asking, Scoring, apply_options
from epicene.output.table import Answer, Table
from epicene.result import Kept, Result
from epicene.types import Verdict

# Imported where they are used, so that scoring a file is quick: store, engines, systems, speech, review, pages.
if TYPE_CHECKING:
    from epicene.flow.ask import Progress
    from epicene.flow.sample import Sample
    from epicene.review.store import Decisions
    from epicene.systems.network.money import Budget, Estimate

REPORT = "report.html"
DEFAULT_SETS = ("simplegen",)
DEFAULT_LANGS = ("en-de", "en-es")
DEFAULT_SYSTEMS = ("bundled",)


@dataclass(frozen=True, slots=True)
class Run(Answer):
    """The results of an audit, and the folder that keeps them if one was named."""

    results: tuple[Result, ...]
    folder: Path | None
    commands: tuple[tuple[str, ...], ...] = ()  # what was typed, one for each folder

    def tables(self) -> Iterable[Table]:
        """The tables of every result."""
        return (table for result in self.results for table in result.tables())

    def rows(self) -> list[dict[str, Any]]:
        """One row per measure of every result."""
        return [row for result in self.results for row in result.rows()]

    def records(self) -> list[dict[str, Any]]:
        """One object per result."""
        return [result.as_dict() for result in self.results]

    def report(self, page: str | Path) -> Path:
        """Write the page that shows what lies behind the numbers."""
        from epicene.output.page.page import write_page

        return write_page(Path(page), self.results, self.commands)


def score(
    set_name: str,
    langs: str,
    translations: str | Path | Iterable[str],
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    **options: Any,
) -> Result:
    """Measure translations of a set: a path, an open file or a list of lines; the verdicts come along.

    ``options`` are fields of ``Scoring`` by name, such as ``anyway=True``: numbers that should not be believed come
    with ``warnings``; without it they raise ``EvidenceError``.
    """
    from epicene.flow.context import in_context

    (scoring,) = apply_options(options, scoring)
    if len(scoring.contexts) > 1:
        raise InputError(f"{len(scoring.contexts)} contexts for one file; score each file with its own")
    verdicts: list[Verdict] = []
    name = in_context(set_name, "".join(scoring.contexts))
    result = score_file(name, langs, translations, scoring, verdicts.append)
    return replace(result, verdicts=tuple(verdicts))


def score_file(
    set_name: str,
    langs: str,
    translations: str | Path | Iterable[str],
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    sink: Sink | None = None,
) -> Result:
    """Measure translations without keeping the verdicts, however many: each goes to the sink and is let go."""
    challenge = plan.open_set(set_name)
    pair = plan.open_pair(langs, challenge)
    challenge, hypotheses = open_file(challenge, translations)
    task = plan.open_task(challenge, pair, scoring.protocol, scoring.references)
    task = replace(task, min_confidence=scoring.min_confidence)
    (task,) = given([task], scoring.metrics, scoring.reference_text)
    return scored(task, outputs_of_file(challenge, pair, hypotheses), hypotheses.name, sink, anyway=scoring.anyway)


def translate(
    text: str | Iterable[str],
    langs: str,
    system: str,
    asking: Asking = Asking(),  # noqa: B008 - frozen
    **options: Any,
) -> list[str]:
    """Translate the sentences of a set, given by its name, or any lines; what is in the cache is not asked again.

    ``options`` are fields of ``Asking`` by name, such as ``budget=20``.
    """
    from epicene.flow import translate as stage
    from epicene.store.hypotheses import by_line

    (asking,) = apply_options(options, asking)
    if asking.sample is not None:
        raise InputError("translate takes all of a text or a set; a sample is for audit")
    since = stage.day(asking.since)
    with stage.means(asking.engine, asking.cached, asking.progress, since, _budget(asking.budget)) as by:
        named = plan.open_named(system)
        if not isinstance(text, str):
            return stage.lines(named, list(text), plan.parse_pair(langs), by)
        challenge = plan.open_set(text)
        pair = plan.open_pair(langs, challenge)
        found = stage.translated(named, list(challenge.items(pair)), pair, by)
        texts = {output.item.id: output.text for output in found.outputs}
        return [texts[group[0].id] for group in by_line(output.item for output in found.outputs)]


def estimate(
    text: str | Iterable[str],
    langs: str,
    system: str,
    asking: Asking = Asking(),  # noqa: B008 - frozen
    **options: Any,
) -> Estimate:
    """What it would cost to translate a set, given by its name, or any lines: only what the cache does not have."""
    from epicene.flow import translate as stage

    (asking,) = apply_options(options, asking)
    name = text if isinstance(text, str) else ""
    if isinstance(text, str):
        challenge = plan.open_set(text)
        pair = plan.open_pair(langs, challenge)
        items = list(challenge.items(pair))
        drawn = _sample(asking)
        lines = [item.source for item in (drawn.of(items, challenge.measures) if drawn else items)]
    else:
        pair, lines = plan.parse_pair(langs), list(text)
    with stage.opened_cache(asking.cached) as cache:
        return stage.estimate(plan.open_named(system), lines, pair, cache, stage.day(asking.since), name)


def sample_notes(sets: Sequence[str], langs: Sequence[str], asking: Asking) -> list[str]:
    """What intervals a sample of each set can give; nothing to say where the whole set is taken."""
    drawn, found = _sample(asking), dict[str, None]()
    for name, each in plan.chosen(sets, langs) if drawn else ():
        challenge = plan.open_set(name)
        items = list(challenge.items(plan.open_pair(each, challenge)))
        if drawn and len(items) > drawn.size:
            found[f"{challenge.name}: {drawn.note(items, challenge.measures)}"] = None
    return list(found)


def score_recognition(
    set_name: str, recogniser: str, langs: str = "en-de", cached: bool = True, progress: Progress | None = None
) -> Result:
    """Measure what a recogniser writes down of a spoken set: words, occupations and pronouns."""
    from epicene.flow import hear
    from epicene.flow.translate import opened_cache

    with opened_cache(cached) as cache:
        return hear.score_recogniser(set_name, recogniser, langs, cache, progress)


def score_transcripts(set_name: str, transcripts: str | Path | Iterable[str], langs: str = "en-de") -> Result:
    """Measure transcripts of a spoken set, one a line in the order of its recordings."""
    from epicene.flow import hear
    from epicene.store.hypotheses import Hypotheses

    return hear.score_transcripts(set_name, Hypotheses(transcripts), langs)


def audit(
    sets: Sequence[str] = DEFAULT_SETS,
    langs: Sequence[str] = DEFAULT_LANGS,
    systems: Sequence[str] = DEFAULT_SYSTEMS,
    folder: str | Path | None = None,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    asking: Asking = Asking(),  # noqa: B008 - frozen
    force: bool = False,
    **options: Any,
) -> Run:
    """Translate, score and report every set, language pair and system; with a folder, the run is kept there.

    ``options`` are fields of ``Scoring`` and ``Asking`` by name, such as ``sample=500``; one budget pays for the whole
    run. Where ``none`` is among the ``contexts``, results say what context is worth. A folder that keeps another run is
    refused, unless ``force`` says to overwrite it.
    """
    from epicene.flow import audit as stage
    from epicene.flow.context import with_worth
    from epicene.flow.translate import day, means
    from epicene.store import runs
    from epicene.text import scrub

    scoring, asking = apply_options(options, scoring, asking)
    started, allowed, since = datetime.now(UTC), _budget(asking.budget), day(asking.since)
    part = _sample(asking)
    task = {"sets": list(sets), "langs": list(langs), "systems": list(map(scrub, systems))}
    if scoring.contexts:
        task["contexts"] = list(scoring.contexts)
    if folder and not force:
        runs.may_overwrite(Path(folder), task)
    planned = plan.open_plan(
        sets,
        langs,
        systems,
        scoring.protocol,
        scoring.references,
        allowed,
        scoring.contexts,
        scoring.min_confidence,
        scoring.metrics,
        scoring.reference_text,
    )
    with means(asking.engine, asking.cached, asking.progress, since, allowed) as by:
        results = with_worth(stage.audit(planned, by, part, scoring.anyway))
    command = tuple(map(scrub, sys.argv))  # the address of a server may have a password in it
    name = Path(folder).name if folder else ""
    made = [replace(each, kept=Kept(name, each.system, started.date().isoformat())) for each in results]
    found = Run(tuple(made), Path(folder) if folder else None, (command,))
    if found.folder:
        runs.write(found.folder, results, command, started, task)
        found.report(found.folder / REPORT)
    return found


def open_run(*folders: str | Path, anyway: bool = False) -> Run:
    """Read back what audits kept; several folders make one run, in which systems of one name are told apart.

    A folder that was changed by hand is refused, and numbers that should not be believed raise ``EvidenceError``;
    with ``anyway`` both come with ``warnings``.
    """
    from epicene.store import runs

    if not folders:
        raise InputError("open_run needs at least one run folder; 'epicene audit -o DIR' writes one")
    paths = [Path(folder) for folder in folders]
    named = Counter((result.set, result.langs, result.system) for path in paths for result in runs.read_results(path))
    results = []
    for path in paths:
        day = str(runs.read_record(path).get("started", ""))[:10]
        for result in _decided(path, checked(runs.read(path, anyway), anyway)):
            clash = named[result.set, result.langs, result.system] > 1 and len(paths) > 1
            name = f"{path.name}: {result.system}" if clash else result.system
            results.append(replace(result, system=name, kept=Kept(path.name, result.system, day)))
    commands = tuple(tuple(runs.read_record(path)["command"]) for path in paths)
    return Run(tuple(results), paths[0] if len(paths) == 1 else None, commands)


def _decided(folder: Path, results: Sequence[Result]) -> Sequence[Result]:
    """The results of a run with what people said about its sentences, if any did."""
    from epicene.review.session import DATABASE
    from epicene.review.votes import said

    if not (folder / DATABASE).is_file():
        return results
    with _decisions(folder) as decisions:
        return said(results, decisions.all())


def apply_review(folder: str | Path) -> Run:
    """Feed what people decided about a run back into it: corrected rates, the detector's errors, the report."""
    from epicene.review.corrected import correct
    from epicene.store import runs

    path = Path(folder)
    run = open_run(path, anyway=True)
    runs.verify(path)  # what was changed by hand must not get a new checksum
    with _decisions(path) as decisions:
        found = replace(run, results=tuple(correct(run.results, decisions.all())))
    runs.amend(path, found.results)
    found.report(path / REPORT)
    return found


def export_review(folder: str | Path, table: str | Path, history: bool = False) -> int:
    """Write what people decided about a run as a tab-separated table; how many decisions there are.

    ``history``: all that was ever decided, with what was decided anew or taken back later.
    """
    from epicene.review.tables import export_history, export_tsv

    with _decisions(Path(folder)) as decisions:
        found, events = decisions.all(), decisions.history()
    if history:
        export_history(events, Path(table))
        return len(events)
    export_tsv(found, Path(table))
    return len(found)


def import_review(folder: str | Path, table: str | Path) -> int:
    """Add decisions from a table that ``export_review`` or a spreadsheet wrote, all or none; how many were added."""
    from epicene.review.plan import cases
    from epicene.review.tables import import_tsv
    from epicene.store import runs

    path = Path(folder)
    given = import_tsv(Path(table), {case.key: case.verdict.output.text for case in cases(runs.read(path))})
    with _decisions(path) as decisions:
        return decisions.add(given)


def _budget(amount: float | None) -> Budget | None:
    from epicene.systems.network.money import Budget

    return Budget(amount) if amount is not None else None


def _sample(asking: Asking) -> Sample | None:
    from epicene.flow.sample import Sample

    return Sample(asking.sample, asking.seed) if asking.sample is not None else None


@contextmanager
def _decisions(folder: Path) -> Iterator[Decisions]:
    from epicene.review.session import DATABASE
    from epicene.review.store import Decisions
    from epicene.store import runs

    runs.read_record(folder)
    decisions = Decisions(folder / DATABASE)
    try:
        yield decisions
    finally:
        decisions.close()
