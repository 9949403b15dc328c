"""The project's own study of SimpleGEN: outputs, BLEU and times of all runs, and what readers make of the outputs.

Outputs are read anew whenever the reader is another than the one whose verdicts were kept.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import DataMissingError, InputError
from epicene.files import read_lines
from epicene.flow import plan
from epicene_lab import arrays, outputs, verdicts
from epicene_lab.analysis import Analysis, Sentences
from epicene_lab.outputs import Outputs, Run
from epicene_lab.points import GROUPS, PROTOCOLS, Key, Point, Quality, Scores, Timing
from epicene_lab.summary import Setting, average_errors, average_times
from epicene_lab.tables import resource

if TYPE_CHECKING:
    from epicene_lab.verdicts import Codes

MAIN = "labour"  # the skew of open gender that all architectures were trained with
CUES = "cues"  # the same text with sentences that state a gender
CODES = "codes.npz"


def shipped() -> Path:
    """The folder of the project's own results."""
    return Path(str(resource("lab", "results")))


def earlier() -> Results:
    """The first Spanish models, which failed the validity check and were replaced."""
    return Results(Path(str(resource("lab", "earlier"))))


@dataclass(frozen=True)
class Results:
    """A folder of results."""

    folder: Path
    arm: str = MAIN  # the models that are looked at

    def arms(self, langs: str) -> list[Results]:
        """The same folder, once for each arm that it has of a pair."""
        skews = {run.skew for run in self.outputs(langs, "simplegen").runs}
        return [replace(self, arm=arm) for arm in (MAIN, CUES) if arm in skews]

    @cached_property
    def pairs(self) -> list[str]:
        """The language pairs."""
        return sorted({path.name.split(".")[0] for path in self.folder.glob("*.simplegen.xz")}, reverse=True)

    @cached_property
    def bleu(self) -> dict[Run, dict[str, str]]:
        """BLEU on newstest and Tatoeba by run, and the batch of models that it was trained with."""
        return {_run(row): {**row, "batch": row.get("batch", "1")} for row in _table(self.folder / "bleu.csv")}

    @cached_property
    def timings(self) -> dict[Run, tuple[Timing, str, str]]:
        """Times by run, with the machine and the date."""
        timings = {}
        for row in _table(self.folder / "times.csv"):
            whole = (int(row["repeats"]), int(row["sentences"]))
            rest = (float(row[name]) for name in _TIMES)
            timings[_run(row)] = (Timing(*whole, *rest), row["machine"], row["date"])
        return timings

    def outputs(self, langs: str, name: str) -> Outputs:
        """What all runs said of a set."""
        return _read(self.folder / f"{langs}.{name}.xz")

    def codes(self, langs: str, name: str, protocol: str) -> tuple[Codes, str]:
        """Right, wrong or unread by run and sentence, and the reader's identity."""
        stored = arrays.load(self.folder / CODES) if (self.folder / CODES).is_file() else {}
        key = f"{langs}.{name}.{protocol}"
        try:
            challenge = plan.open_set(name)
            identity = plan.open_task(challenge, plan.open_pair(langs, challenge), protocol).detector.identity
        except DataMissingError:
            if key not in stored:
                raise
            return stored[key], str(stored[f"{key}.reader"])
        if key in stored and str(stored[f"{key}.reader"]) == identity:
            return stored[key], identity
        return verdicts.read_codes(self.outputs(langs, name), name, langs, protocol)

    def points(self) -> list[Point]:
        """The runs of the arm as measured points."""
        points = []
        for langs in self.pairs:
            runs = self.outputs(langs, "simplegen").runs
            read = {protocol: self.codes(langs, "simplegen", protocol) for protocol in PROTOCOLS}
            groups = [item.labels["group"] for item in verdicts.read_items("simplegen", langs)]
            for place, run in enumerate(runs):
                if run.skew == self.arm:
                    points.append(self._point(run, place, read, groups))
        return points

    def _point(self, run: Run, place: int, read: Mapping[str, tuple[Codes, str]], groups: list[str]) -> Point:
        row = self.bleu[run]
        n = {group: groups.count(group) for group in GROUPS}
        scores = {
            protocol: Scores(
                _count(codes[place], groups, verdicts.RIGHT),
                _count(codes[place], groups, verdicts.UNREAD),
                f"simplegen|langs:{run.langs}|protocol:{protocol}|detector:{identity}",
            )
            for protocol, (codes, identity) in read.items()
        }
        quality = Quality(float(row["newstest"]), int(row["newstest_lines"]), row["signature"], n, scores)
        time, machine, date = self.timings.get(run, (None, "", ""))
        return Point(_key(run), quality, time, machine, date)

    def analysis(self, langs: str, apart: bool = False, times: Mapping[Setting, float] | None = None) -> Analysis:
        """Lines through all runs of the arm; ``apart``: with what the models of a batch share taken off.

        ``times`` take the place of the measured ones, and leave out the settings that they do not have.
        """
        items = verdicts.read_items("simplegen", langs)
        sentences = Sentences(
            tuple(item.labels["group"] for item in items), tuple(item.labels["occupation"] for item in items)
        )
        runs, batches = self.outputs(langs, "simplegen").runs, self.batches(langs) if apart else None
        errors = {} if times else average_errors(self._timed(langs))
        return Analysis(runs, times or self.settings(langs), sentences, self.arm, batches, errors)

    def batches(self, langs: str) -> dict[tuple[str, int], str]:
        """By architecture and seed, the models of the arm that were trained together."""
        rows = ((run, row["batch"]) for run, row in self.bleu.items() if (run.langs, run.skew) == (langs, self.arm))
        return {(run.model, run.seed): batch for run, batch in rows}

    def settings(self, langs: str) -> dict[Setting, float]:
        """Time of each setting in per cent of the baseline's."""
        return {setting: time.value for setting, time in average_times(self._timed(langs)).items()}

    def _timed(self, langs: str) -> list[Point]:
        return [Point(_key(run), None, time) for run, (time, _, _) in self.timings.items() if run.langs == langs]


def keep(folder: Path, sets: Iterable[tuple[str, str]]) -> None:
    """Read all outputs and keep the verdicts: ``sets`` are names of sets and protocols."""
    results = Results(folder)
    verdicts_by_set: dict[str, Any] = {}
    for langs in results.pairs:
        for name, protocol in sets:
            codes, identity = verdicts.read_codes(results.outputs(langs, name), name, langs, protocol)
            verdicts_by_set[f"{langs}.{name}.{protocol}"] = codes
            verdicts_by_set[f"{langs}.{name}.{protocol}.reader"] = identity
    arrays.save(folder / CODES, verdicts_by_set, arrays.SMALLEST)


_TIMES = ("seconds", "low", "high", "percent", "percent_low", "percent_high")
_loaded: dict[Path, Outputs] = {}


def _read(path: Path) -> Outputs:
    if path not in _loaded:
        _loaded[path] = outputs.read(path)
    return _loaded[path]


def _key(run: Run) -> Key:
    return Key(run.langs, run.model, run.seed, run.precision, run.beam)


def _run(row: Mapping[str, str]) -> Run:
    return Run(row["langs"], row["skew"], row["model"], int(row["seed"]), row["precision"], int(row["beam"]))


def _count(codes: Codes, groups: Sequence[str], code: int) -> dict[str, int]:
    counts = Counter(groups[place] for place in (codes == code).nonzero()[0])
    return {group: counts[group] for group in GROUPS}


def _table(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        raise InputError(
            f"{path.parent} holds no {path.name}; give a folder that epicene_lab.recipes.simplegen collect wrote"
        )
    return list(csv.DictReader(read_lines(path)))
