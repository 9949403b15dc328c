"""The Python API: what the commands do, typed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

from epicene import engines
from epicene.engines import local
from epicene.engines.local import Progress
from epicene.errors import InputError
from epicene.files import read_lines, written
from epicene.languages.codes import pair as parse_pair
from epicene.output.page.page import write_page
from epicene.pipeline import recognition
from epicene.pipeline import score as run
from epicene.pipeline.check import checked
from epicene.pipeline.score import Judge, Sink
from epicene.result import Result
from epicene.review.correction import reviewed
from epicene.review.plan import cases
from epicene.review.session import DATABASE
from epicene.store import runs
from epicene.store.cache import Cache
from epicene.store.hypotheses import Hypotheses
from epicene.store.review_tables import export_tsv, import_tsv
from epicene.store.reviews import Decisions
from epicene.store.spool import Spool
from epicene.systems import open_system, translator
from epicene.systems.network import money
from epicene.systems.network.keys import scrub
from epicene.systems.network.money import Estimate, Purse
from epicene.types import Verdict

REPORT = "report.html"
DEFAULT_SETS = ("simplegen",)
DEFAULT_LANGS = ("en-de", "en-es")
DEFAULT_SYSTEMS = ("bundled",)


@dataclass(frozen=True, slots=True)
class Run:
    """The results of an audit, and the folder that keeps them if one was named."""

    results: tuple[Result, ...]
    folder: Path | None
    commands: tuple[tuple[str, ...], ...] = ()  # what was typed, one for each folder

    def report(self, page: str | Path, comparison: bool = False) -> Path:
        """Write the page that shows what lies behind the numbers, or only systems beside each other."""
        return write_page(Path(page), self.results, self.commands, comparison)


def score(
    set_name: str,
    langs: str,
    translations: str | Path | Iterable[str],
    protocol: str = "epicene",
    references: Sequence[str] = (),
    anyway: bool = False,
) -> Result:
    """Measure translations of a set: a path, an open file or a list of lines; the verdicts come along.

    ``references``: shipped names or CSV files that the set ``occupations`` is compared with. ``anyway``: numbers that
    should not be believed come with ``warnings``; without it they raise ``EvidenceError``.
    """
    verdicts: list[Verdict] = []
    keep = verdicts.append
    result = score_file(set_name, langs, translations, protocol, keep, references=references, anyway=anyway)
    return replace(result, verdicts=tuple(verdicts))


def score_file(
    set_name: str,
    langs: str,
    translations: str | Path | Iterable[str],
    protocol: str = "epicene",
    sink: Sink | None = None,
    judge: Judge | None = None,
    references: Sequence[str] = (),
    anyway: bool = False,
) -> Result:
    """Measure translations without keeping the verdicts, however many: each goes to the sink and is let go."""
    challenge = run.open_set(set_name)
    pair = run.open_pair(langs, challenge)
    challenge, hypotheses = run.open_file(challenge, translations)
    outputs = run.outputs_of_file(challenge, pair, hypotheses)
    return run.score(challenge, pair, outputs, hypotheses.name, protocol, sink, judge, references, anyway=anyway)


def translate(
    text: str | Iterable[str],
    langs: str,
    system: str,
    cached: bool = True,
    progress: Progress | None = None,
    budget: float | None = None,
    since: str = "",
    engine: str = "local",
) -> list[str]:
    """Translate the sentences of a set, given by its name, or any lines; what is in the cache is not asked again.

    ``budget``: what a service may cost, in the currency of its price. ``since``: a day, or ``today``; answers that the
    cache keeps from before it are asked for again, and kept beside the new ones. ``engine``: where it runs,
    ``local`` or ``ray[:ADDRESS]``; what comes out is the same.
    """
    since, purse = _day(since), _purse(budget)
    with engines.opened(engine) as runner, _cache(cached) as cache:
        if not isinstance(text, str):
            pair = parse_pair(langs)
            return local.translate(runner.system(system), list(text), pair, cache, progress, since, purse)
        challenge = run.open_set(text)
        pair = run.open_pair(langs, challenge)
        items = list(challenge.items(pair))
        made = run.outputs_of_system(items, pair, system, cache, progress, since, purse, engine=runner)
        return [output.text for output in made.outputs]


def translate_file(
    text: str | Path,
    langs: str,
    system: str,
    output: str | Path,
    cached: bool = True,
    progress: Progress | None = None,
    since: str = "",
    engine: str = "local",
) -> None:
    """Translate a text file into another, as ``translate`` does; with the cache, it may be larger than memory."""
    since, pair = _day(since), parse_pair(langs)
    with engines.opened(engine) as runner, _cache(cached) as cache, closing(Spool()) as spool:
        found, lines = runner.system(system), read_lines(text)
        if cache is None or local.is_service(found):
            made = iter(local.translate(found, list(lines), pair, cache, progress, since))
        else:
            made = local.streamed(found, lines, pair, cache, spool, progress, since)
        with written(output) as stream:
            stream.writelines(f"{line}\n" for line in made)


def estimate(
    text: str | Iterable[str],
    langs: str,
    system: str,
    sample: int | None = None,
    seed: int = 1,
    since: str = "",
    cached: bool = True,
) -> Estimate:
    """What it would cost to translate a set, given by its name, or any lines: only what the cache does not have."""
    name = text if isinstance(text, str) else ""
    if isinstance(text, str):
        challenge = run.open_set(text)
        pair = run.open_pair(langs, challenge)
        items = list(challenge.items(pair))
        drawn = run.Sample(sample, seed).of(items, challenge) if sample is not None else items
        lines = [item.source for item in drawn]
    else:
        pair, lines = parse_pair(langs), list(text)
    asked = translator(system)
    if asked is None:
        raise InputError(f"{system} translates no text, so there is nothing to price")
    local.accepts(asked, pair)
    with _cache(cached) as cache:
        missing = local.missing(asked, lines, pair, cache, _day(since))
    # What a recogniser will write down is taken to be as long as what was said, which is translated as well.
    heard = lines if getattr(open_system(system), "recogniser", None) else []
    return money.estimate(asked, [*missing, *heard], name, str(pair))


def sample_notes(sets: Sequence[str], langs: Sequence[str], sample: int | None, seed: int = 1) -> list[str]:
    """What intervals a sample of each set can give; nothing to say where the whole set is taken."""
    found: dict[str, None] = {}
    for challenge in map(run.open_set, sets if sample is not None else ()):
        for each in langs:
            items = list(challenge.items(run.open_pair(each, challenge)))
            if len(items) > (sample or 0):
                found[f"{challenge.name}: {run.Sample(sample or 0, seed).note(items, challenge)}"] = None
    return list(found)


def score_recognition(
    set_name: str, recogniser: str, langs: str = "en-de", cached: bool = True, progress: Progress | None = None
) -> Result:
    """Measure what a recogniser writes down of a spoken set: words, occupations and pronouns."""
    with _cache(cached) as cache:
        return recognition.score(set_name, recogniser, langs, cache, progress)


def score_transcripts(set_name: str, transcripts: str | Path | Iterable[str], langs: str = "en-de") -> Result:
    """Measure transcripts of a spoken set, one a line in the order of its recordings."""
    return recognition.score_file(set_name, Hypotheses(transcripts), langs)


def audit(
    sets: Sequence[str] = DEFAULT_SETS,
    langs: Sequence[str] = DEFAULT_LANGS,
    systems: Sequence[str] = DEFAULT_SYSTEMS,
    protocol: str = "epicene",
    folder: str | Path | None = None,
    cached: bool = True,
    progress: Progress | None = None,
    references: Sequence[str] = (),
    budget: float | None = None,
    sample: int | None = None,
    seed: int = 1,
    since: str = "",
    engine: str = "local",
    anyway: bool = False,
    force: bool = False,
) -> Run:
    """Translate, score and report every set, language pair and system; with a folder, the run is kept there.

    ``sample``: so many sentences of each set, each group in its share, drawn by chance from ``seed``; the signature
    says so. ``budget``, ``since`` and ``engine`` as in ``translate``; one budget pays for the whole run. ``anyway`` as
    in ``score``. A folder that keeps another run is refused, unless ``force`` says to overwrite it.
    """
    started, since, purse = datetime.now(UTC), _day(since), _purse(budget)
    part = run.Sample(sample, seed) if sample is not None else None
    task = {"sets": list(sets), "langs": list(langs), "systems": list(map(scrub, systems))}
    if folder and not force:
        runs.may_overwrite(Path(folder), task)
    # Every name is checked before the first sentence is translated.
    jobs = [(challenge, run.open_pair(each, challenge)) for challenge in map(run.open_set, sets) for each in langs]
    for challenge, pair in jobs:
        run.open_detector(challenge, pair, protocol)
        run.open_references(challenge, references)
    for name in systems:
        asked = translator(name)
        for _, pair in jobs:
            local.accepts(asked, pair)
        if purse:
            purse.accept(asked)
    results = []
    with engines.opened(engine) as runner, _cache(cached) as cache:
        for challenge, pair in jobs:
            items = list(challenge.items(pair))
            drawn = part.of(items, challenge) if part else items
            for system in systems:
                made = run.outputs_of_system(drawn, pair, system, cache, progress, since, purse, items, runner)
                results.append(run.audited(challenge, pair, items, made, protocol, references, part, runner, anyway))
    command = tuple(map(scrub, sys.argv))  # the address of a server may have a password in it
    found = Run(tuple(results), Path(folder) if folder else None, (command,))
    if found.folder:
        runs.write(found.folder, results, command, started, task)
        found.report(found.folder / REPORT)
    return found


def open_run(*folders: str | Path, anyway: bool = False) -> Run:
    """Read back what audits kept; several folders make one run, in which systems of one name are told apart.

    A folder that was changed by hand is refused, and numbers that should not be believed raise ``EvidenceError``;
    with ``anyway`` both come with ``warnings``.
    """
    if not folders:
        raise InputError("open_run needs at least one run folder; 'epicene audit -o DIR' writes one")
    paths = [Path(folder) for folder in folders]
    named = Counter(
        (result["set"], result["langs"], result["system"]) for path in paths for result in runs.read_results(path)
    )
    results = []
    for path in paths:
        for result in checked(runs.read(path, anyway), anyway):
            clash = named[result.set, result.langs, result.system] > 1 and len(paths) > 1
            results.append(replace(result, system=f"{path.name}: {result.system}") if clash else result)
    commands = tuple(tuple(runs.read_record(path)["command"]) for path in paths)
    return Run(tuple(results), paths[0] if len(paths) == 1 else None, commands)


def apply_review(folder: str | Path) -> Run:
    """Feed what people decided about a run back into it: corrected rates, the detector's errors, the report."""
    path = Path(folder)
    run_of = open_run(path, anyway=True)
    runs.verify(path)  # what was changed by hand must not get a new checksum
    with _decisions(path) as decisions:
        found = replace(run_of, results=tuple(reviewed(run_of.results, decisions.all())))
    runs.amend(path, found.results)
    found.report(path / REPORT)
    return found


def export_review(folder: str | Path, table: str | Path) -> int:
    """Write what people decided about a run as a tab-separated table; how many decisions there are."""
    with _decisions(Path(folder)) as decisions:
        found = decisions.all()
    export_tsv(found, Path(table))
    return len(found)


def import_review(folder: str | Path, table: str | Path) -> int:
    """Add decisions from a table that ``export_review`` or a spreadsheet wrote, all or none; how many were added."""
    path = Path(folder)
    given = import_tsv(Path(table), {case.key: case.verdict.output.text for case in cases(runs.read(path))})
    with _decisions(path) as decisions:
        return decisions.add(given)


def _purse(budget: float | None) -> Purse | None:
    return Purse(budget) if budget is not None else None


def _day(since: str) -> str:
    """A day as the cache writes it; one that is still to come would have the same answers paid for on every run."""
    today = datetime.now(UTC).date()
    if since in ("", "today"):
        return since and today.isoformat()
    try:
        day = date.fromisoformat(since)
    except ValueError:
        raise InputError(f"--since {since!r}: expected a day such as 2026-04-01, or today") from None
    if day > today:
        raise InputError(f"--since {since}: that day is still to come; today is {today} (UTC)")
    return day.isoformat()


@contextmanager
def _decisions(folder: Path) -> Iterator[Decisions]:
    runs.read_record(folder)
    decisions = Decisions(folder / DATABASE)
    try:
        yield decisions
    finally:
        decisions.close()


@contextmanager
def _cache(wanted: bool) -> Iterator[Cache | None]:
    cache = Cache() if wanted else None
    try:
        yield cache
    finally:
        if cache:
            cache.close()
