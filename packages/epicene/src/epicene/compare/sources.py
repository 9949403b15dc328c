"""What is compared: runs, files, and many files at once, each scored once.

``out/{system}/{pair}.txt`` or a folder names many files, whose names tell system and pair. What cannot be taken is said
in one line each; the rest goes on.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from epicene.check.check import check_results
from epicene.compare.entrants import Entrant, Scorer, make_entrant
from epicene.errors import EpiceneError, EvidenceError, InputError, UnknownNameError
from epicene.languages.codes import pair as parse_pair
from epicene.options import Progress
from epicene.sets import TestSet
from epicene.store import runs

_FIELD = re.compile(r"\{(\w*)\}")
_FIELDS = {
    "system": r"[^/]+?",
    "pair": r"[A-Za-z_]+[-_][A-Za-z_]+?",
    "target": r"[A-Za-z_]+?",
    "set": r"[a-z][a-z0-9-]*?",
}
_TEXT = (".txt", ".hyp", ".out", ".gz")
_LONGEST = 100  # characters of a system's name


class OutputFile(NamedTuple):
    """A file of translations: by whom, of what, into what."""

    system: str
    set: str | TestSet
    langs: str
    path: Path


class OutputFiles(NamedTuple):
    """What a folder or pattern holds, and what of it cannot be taken."""

    places: list[OutputFile]
    problems: list[str]


def is_many(spec: str | Path) -> bool:
    """Whether a name stands for many files: a pattern, or a folder."""
    text = str(spec).removeprefix("file:")
    return bool(_FIELD.search(text)) or Path(text).is_dir()


def find_files(
    spec: str | Path, sets: Sequence[str | TestSet] = (), langs: Sequence[str] = (), system: str = ""
) -> OutputFiles:
    """All files of a pattern or folder; ``sets`` and ``langs`` say what names leave open, and narrow what they say."""
    text = str(spec).removeprefix("file:")
    named = _match_pattern(text, system) if _FIELD.search(text) else _search_folder(Path(text), bool(langs))
    wanted = {str(parse_pair(pair)) for pair in langs}
    problems: list[str] = []
    cells: dict[tuple[str, str | TestSet, str], list[Path]] = {}
    for path, fields in named:
        try:
            system, pair = _check_name(fields["system"], path), _read_pair(fields, langs, path)
        except InputError as error:
            problems.append(f"{error}; left out")
            continue
        if wanted and pair not in wanted:
            continue
        for name in [fields["set"]] if fields.get("set") else sets:
            if not sets or name in sets:
                cells.setdefault((system, name, pair), []).append(path)
    if not cells and not problems:
        raise InputError(f"{text}: no file of translations there; expected names such as {_EXAMPLE}")
    places = []
    for (system, name, pair), paths in cells.items():
        if len(paths) > 1:
            both = " and ".join(map(str, paths[:2]))
            problems.append(f"{system} {pair}: {len(paths)} files for one cell, {both}; expected one, none is taken")
        else:
            places.append(OutputFile(system, name, pair, paths[0]))
    return OutputFiles(places, [*problems, *_describe_lacking(places)])


_EXAMPLE = "SYSTEM/en-de.txt, en-de/SYSTEM.txt or SYSTEM.en-de.txt"


def _match_pattern(text: str, system: str = "") -> Iterator[tuple[Path, dict[str, str]]]:
    """The files that fit a pattern, with what stands for each of its fields; ``system`` where all are of one."""
    names = _FIELD.findall(text)
    if unknown := [name for name in names if name not in _FIELDS]:
        raise UnknownNameError("field of a file pattern", unknown[0], _FIELDS)
    if ("system" not in names and not system) or len(set(names)) < len(names):
        raise InputError(
            f"{text}: expected {{system}} once, and {{pair}} or {{target}}, as in file:out/{{system}}/{{pair}}.txt"
        )
    parts = _FIELD.split(text)
    expression = "".join(
        f"(?P<{part}>{_FIELDS[part]})" if place % 2 else re.escape(part) for place, part in enumerate(parts)
    )
    fixed = parts[0].rpartition("/")[0]
    root = Path(fixed or ("/" if text.startswith("/") else "."))
    rest = text[len(fixed) :].lstrip("/") if fixed else text.lstrip("/")
    if not root.is_dir():
        raise InputError(f"{root}: no such folder; expected the folder in which {text} begins")
    glob = _FIELD.sub("*", re.sub(r"([*?\[])", r"[\1]", rest))
    for path in sorted(root.glob(glob)):
        if path.is_file() and (match := re.fullmatch(expression, _as_written(path, text))):
            yield path, {"system": system, **match.groupdict()}


def _as_written(path: Path, text: str) -> str:
    """A path with the "./" that the pattern begins with."""
    return f"./{path.as_posix()}" if text.startswith("./") else path.as_posix()


def _search_folder(folder: Path, pair_given: bool) -> Iterator[tuple[Path, dict[str, str]]]:
    """Files of a folder by their names: one part is a pair of languages, the others are the system."""
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if not path.is_file() or any(part.startswith(".") for part in relative.parts):
            continue
        stem = relative.name
        while Path(stem).suffix in _TEXT:
            stem = stem[: -len(Path(stem).suffix)]
        for splits in ([*relative.parts[:-1], stem], [*relative.parts[:-1], *stem.split(".")]):
            pairs = [place for place, part in enumerate(splits) if _is_pair(part)]
            if len(pairs) == 1:
                before, after = splits[: pairs[0]], splits[pairs[0] + 1 :]
                whole = len(splits) == len(relative.parts)
                system = "/".join((*before, *after)) if whole else _join_name(before, after, len(relative.parts) - 1)
                yield path, {"system": system or folder.name, "pair": splits[pairs[0]]}
                break
        else:
            if pair_given and path.suffix in _TEXT:
                yield path, {"system": "/".join((*relative.parts[:-1], stem))}


def _join_name(before: Sequence[str], after: Sequence[str], folders: int) -> str:
    """Folders with slashes between them, then the parts of the name with their dots."""
    return "/".join(filter(None, (*before[:folders], ".".join((*before[folders:], *after)))))


def _is_pair(text: str) -> bool:
    try:
        parse_pair(text)
    except InputError:
        return False
    return True


def _check_name(name: str, path: Path) -> str:
    """The name, if a reader sees all of it."""
    hidden = [letter for letter in name if not letter.isprintable() or unicodedata.category(letter) in ("Cf", "Co")]
    if hidden:
        raise InputError(f"{path}: a system's name must be of letters that can be seen, not {hidden[0]!a}")
    if len(name) > _LONGEST:
        raise InputError(f"{name[:40]}…: a system's name of {len(name)} letters; expected {_LONGEST} at most")
    return name


def _read_pair(fields: dict[str, str], langs: Sequence[str], path: Path) -> str:
    sources = {parse_pair(pair).source for pair in langs} or {"en"}
    try:
        if fields.get("pair"):
            return str(parse_pair(fields["pair"]))
        if fields.get("target"):
            return str(parse_pair(f"{min(sources)}-{fields['target']}"))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    if len(langs) != 1:
        raise InputError(f"{path}: its name tells no language pair; expected one -l PAIR for all")
    return str(parse_pair(langs[0]))


def _describe_lacking(places: Iterable[OutputFile]) -> Iterator[str]:
    """Which systems lack a language that others have."""
    by_set: dict[str | TestSet, dict[str, list[str]]] = {}
    for place in places:
        by_set.setdefault(place.set, {}).setdefault(place.system, []).append(place.langs)
    for systems in by_set.values():
        known = sorted({pair for pairs in systems.values() for pair in pairs})
        for system, pairs in systems.items():
            if missing := [pair for pair in known if pair not in pairs]:
                yield f"{system} lacks {', '.join(missing)}, which other systems have; it gets no mean"


def name_many(sources: Sequence[str | Path]) -> bool:
    """Whether sources name more than two systems to compare, or folders and patterns of them."""
    folders = [Path(source) for source in sources if runs.is_run(source)]
    files = [source for source in sources if not runs.is_run(source)]
    if any(map(is_many, files)):
        return True
    tasks = Counter((result.set, result.langs) for folder in folders for result in runs.read_results(folder))
    return max(tasks.values(), default=0) + len(files) > 2


class Collector:
    """Scores what sources name, and says in a line each what could not be taken; ``strict``: that raises its error."""

    def __init__(self, scorer: Scorer | None = None, strict: bool = False) -> None:
        self.entrants: list[Entrant] = []
        self.problems: list[str] = []
        self.exit_code = 0
        self._scorer, self._strict = scorer or Scorer(), strict

    def refuse(self, error: EpiceneError, about: str = "") -> None:
        """Say once what could not be taken; bad input weighs more than too little evidence."""
        if self._strict:
            raise error
        line = f"{about}: {error}" if about and about not in str(error) else str(error)
        if line not in self.problems:
            self.problems.append(line)
        code = error.exit_code
        self.exit_code = code if not self.exit_code else min(self.exit_code, code)

    def find(self, source: str | Path, sets: Sequence[str | TestSet], langs: Sequence[str]) -> list[OutputFile | Path]:
        """The run folder, the file, or the files of a folder or pattern, that a source names."""
        if runs.is_run(source):
            return [Path(source)]
        if is_many(source):
            if not sets and "{set}" not in str(source):
                raise InputError(f"{source}: say what the files translate with -t SET")
            files = find_files(source, sets, langs)
            for problem in files.problems:
                self.refuse(InputError(problem))
            return list(files.places)
        if not sets or not langs:
            raise InputError(f"{source} is a file of translations; say what it translates with -t SET -l PAIR")
        if len(sets) > 1 or len(langs) > 1:
            raise InputError(f"{source} is one file; expected one -t SET and one -l PAIR")
        path = str(source).removeprefix("file:")
        return [OutputFile(path, sets[0], str(parse_pair(langs[0])), Path(path))]

    def score(self, places: Sequence[OutputFile | Path], progress: Progress | None = None) -> None:
        """Add the entrants of files and run folders."""
        for done, place in enumerate(places):
            if progress:
                progress(done, len(places))
            if isinstance(place, Path):
                self._add_run(place)
            else:
                self._add_file(place)
        if progress:
            progress(len(places), len(places))

    def _add_run(self, folder: Path) -> None:
        scorer = self._scorer
        try:
            results = runs.read(folder, scorer.anyway)
        except EpiceneError as error:
            self.refuse(error, str(folder))
            return
        for result in results:
            try:
                (checked,) = check_results([result], scorer.anyway)
                # With the day, a system can be compared with itself.
                day = f" ({result.translated})" if self._strict and result.translated else ""
                self.entrants.append(make_entrant(checked, f"{folder.name}: {checked.system}{day}", scorer.wanted))
            except EpiceneError as error:
                self.refuse(error, f"{folder.name} {result.langs}")

    def _add_file(self, file: OutputFile) -> None:
        try:
            task = self._scorer.open_task(file.set, file.langs)
        except EpiceneError as error:
            self.refuse(error, f"{file.set} {file.langs}")
            return
        try:
            self.entrants.append(self._scorer.score(task, file.path, file.system))
        except (InputError, EvidenceError) as error:
            self.refuse(error, f"{file.system} {file.langs}")


def collect_entrants(
    sources: Sequence[str | Path],
    sets: Sequence[str | TestSet] = (),
    langs: Sequence[str] = (),
    scorer: Scorer | None = None,
    progress: Progress | None = None,
    strict: bool = False,
) -> Collector:
    """Score everything that sources name: run folders, patterns and folders of files, files."""
    collector, places = Collector(scorer, strict), list[OutputFile | Path]()
    for source in sources:
        try:
            places += collector.find(source, sets, langs)
        except EpiceneError as error:
            collector.refuse(error, str(source))
    collector.score(places, progress)
    if not collector.entrants:
        problems = collector.problems or ["nothing to compare; name runs, files or folders"]
        raise InputError(problems[0])
    return collector
