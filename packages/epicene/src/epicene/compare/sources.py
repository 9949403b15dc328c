"""Scores many files and runs for a comparison, each once; what cannot be scored is one line, the rest goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from epicene.check.check import checked
from epicene.compare.outputs import Place, find, is_many, shown
from epicene.compare.readings import Collector, Readings, readings_of
from epicene.errors import EpiceneError, EvidenceError, InputError
from epicene.flow import plan
from epicene.flow.plan import Opener, Task
from epicene.flow.score import open_file, outputs_of_file, score
from epicene.store import runs

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Collected:
    """What was scored, and what could not be, in a line each."""

    readings: list[Readings] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    exit_code: int = 0

    def refuse(self, error: EpiceneError, about: str = "") -> None:
        """Say what could not be taken; bad input weighs more than too little evidence."""
        line = str(error)
        self.problems.append(f"{about}: {line}" if about and about not in line else line)
        code = error.exit_code
        self.exit_code = code if not self.exit_code else min(self.exit_code, code)


def many(sources: Sequence[str | Path]) -> bool:
    """Whether sources name more than two systems to compare, or folders and patterns of them."""
    if any(is_many(each) and not runs.is_run(each) for each in sources):
        return True
    tasks = Counter(
        (result.set, result.langs) for each in sources if runs.is_run(each) for result in runs.read_results(Path(each))
    )
    files = sum(not runs.is_run(each) for each in sources)
    return max(tasks.values(), default=0) + files > 2


def collect(
    sources: Sequence[str | Path],
    sets: Sequence[str] = (),
    langs: Sequence[str] = (),
    protocol: str = "epicene",
    anyway: bool = False,
    progress: Progress | None = None,
) -> Collected:
    """Score everything that sources name: run folders, patterns and folders of files, files."""
    found, places = Collected(), list[Place]()
    for source in sources:
        try:
            if runs.is_run(source):
                _of_run(Path(source), found, anyway)
            else:
                places += _places(source, sets, langs, found)
        except EpiceneError as error:
            found.refuse(error, shown(str(source)))
    scored(places, found, protocol, anyway, progress)
    if not found.readings:
        raise InputError(found.problems[0] if found.problems else "nothing to compare; name runs, files or folders")
    return found


def _places(source: str | Path, sets: Sequence[str], langs: Sequence[str], found: Collected) -> list[Place]:
    if not is_many(source):
        if not sets or not langs:
            raise InputError(f"{source} is a file of translations; say what it translates with -t SET -l PAIR")
        if len(sets) > 1 or len(langs) > 1:
            raise InputError(f"{source} is one file; expected one -t SET and one -l PAIR")
        path = str(source).removeprefix("file:")
        return [Place(path, sets[0], str(plan.parse_pair(langs[0])), Path(path))]
    if not sets and "{set}" not in str(source):
        raise InputError(f"{source}: say what the files translate with -t SET")
    there = find(source, sets, langs)
    for problem in there.problems:
        found.refuse(InputError(problem))
    return there.places


def _of_run(folder: Path, found: Collected, anyway: bool) -> None:
    for result in runs.read(folder, anyway):
        try:
            (own,) = checked([result], anyway)
            found.readings.append(readings_of(own, f"{folder.name}: {own.system}"))
        except EpiceneError as error:
            found.refuse(error, f"{folder.name} {result.langs}")


def scored(
    places: Iterable[Place], found: Collected, protocol: str, anyway: bool, progress: Progress | None = None
) -> None:
    """Add the readings of files, set by set and language by language, so that each is opened once."""
    ordered, opener = list(places), Opener()
    tasks: dict[tuple[str, str], Task | EpiceneError] = {}
    for done, place in enumerate(ordered):
        if progress:
            progress(done, len(ordered))
        key = place.set, place.langs
        if key not in tasks:
            tasks[key] = _opened(opener, *key, protocol)
            if isinstance(error := tasks[key], EpiceneError):
                found.refuse(error, f"{place.set} {place.langs}")
        task = tasks[key]
        if isinstance(task, Task):
            try:
                found.readings.append(_scored(task, place, opener, anyway))
            except (InputError, EvidenceError) as error:
                found.refuse(error, f"{place.system} {place.langs}")
    if progress:
        progress(len(ordered), len(ordered))


def _opened(opener: Opener, set_name: str, langs: str, protocol: str) -> Task | EpiceneError:
    try:
        challenge = plan.open_set(set_name)
        pair = plan.open_pair(langs, challenge)
        items = list(challenge.items(pair))
        return opener.task(replace(challenge, items=lambda _: items), pair, protocol)
    except EpiceneError as error:
        return error


def _scored(task: Task, place: Place, opener: Opener, anyway: bool) -> Readings:
    challenge, file = open_file(task.challenge, place.path)
    if challenge.items is not task.challenge.items:  # the file brings its own sentences along
        task = opener.task(challenge, task.pair, task.protocol)
    kept = Collector(task.measures)
    result = score(task, outputs_of_file(challenge, task.pair, file), place.system, kept.add, anyway=anyway)
    return kept.readings(result, place.system)
