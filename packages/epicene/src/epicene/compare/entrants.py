"""Systems that are compared: what each has of a set in a language pair, from a result or a file."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from epicene import sets
from epicene.errors import InputError
from epicene.flow import plan
from epicene.flow.plan import Opener, QualityRequest, Task
from epicene.flow.score import open_file, outputs_of_file, score_outputs
from epicene.languages.codes import pair as parse_pair
from epicene.measures.claims import WEAK, share_undetected
from epicene.measures.outcomes import Outcomes
from epicene.measures.quality import Quality, Segment
from epicene.measures.rates import Measures, Outcome, Profile
from epicene.result import Result
from epicene.sets import TestSet
from epicene.types import Gender, Item, Measure, Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Entrant:
    """One system on one set and language pair: its measures, and how each sentence came out."""

    system: str  # as it is shown: with the run that it is of
    result: Result  # without verdicts
    outcomes: Outcomes  # with the ids of the sentences
    judged: Outcomes | None = None  # answers by every reference that says what is right, where any does
    segments: tuple[Segment, ...] = ()  # what quality is compared by, where there are references
    texts: str = ""  # a checksum of the translations

    @property
    def task(self) -> str:
        """What was measured and how; entrants of one task can be compared."""
        return task_of(self.result.signature)

    @property
    def target(self) -> str:
        """The language that was translated into."""
        return self.result.langs.partition("-")[2]

    @property
    def gaps(self) -> tuple[Measure, ...]:
        """Between groups, those that a gate judges, the main ones of the set first."""
        names, measures = self.outcomes.measures.gated, self.result.measures
        return tuple(gap for name in names for gap in measures if gap.name == name and not gap.detail)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why it should not be believed."""
        return (*self.result.warnings, *(note for note in self.result.notes if note.startswith(WEAK)))

    def wrote_the_same(self, other: Entrant) -> bool:
        """Whether both have the same translations, word for word."""
        return bool(self.texts) and self.texts == other.texts

    @property
    def undetected(self) -> float:
        """In how many of its translations no gender was detected, in per cent."""
        return share_undetected(self.result)


def task_of(signature: str) -> str:
    """What was measured and how, whichever release did it: the set and the detector have checksums of their own."""
    return "|".join(part for part in signature.split("|") if not part.startswith("v:"))


class _EntrantBuilder:
    """Takes what a comparison needs of every verdict, and lets the rest go."""

    def __init__(self, measures: Measures, quality: Quality | None = None) -> None:
        self.outcomes, self.quality = Outcomes(measures, paired=True), quality
        self._answers: list[tuple[Item, Gender]] = []
        self._texts = hashlib.blake2b(digest_size=16)

    def add(self, verdict: Verdict) -> None:
        """Look at one verdict."""
        self.outcomes.add(verdict)
        self._texts.update(f"{verdict.output.text}\n".encode("utf-8", "surrogatepass"))
        if self.outcomes.measures.right:
            self._answers.append((verdict.output.item, verdict.gender))
        if self.quality:
            self.quality.add(verdict)

    def entrant(self, result: Result, system: str) -> Entrant:
        """What was collected under a name, beside the result without its verdicts."""
        ids = Counter(self.outcomes.ids)
        if twice := next((name for name, number in ids.items() if number > 1), None):
            raise InputError(f"set {result.set}: two sentences have the id {twice!r}, so they cannot be told apart")
        segments = tuple(self.quality.segments) if self.quality else ()
        bare, texts = replace(result, verdicts=()), self._texts.hexdigest()
        return Entrant(system, bare, self.outcomes, self._judge(result), segments, texts)

    def _judge(self, result: Result) -> Outcomes | None:
        measures = self.outcomes.measures
        if measures.right is None:
            return None
        judge, outcomes = measures.right(result.measures), Outcomes(measures, paired=True)
        for item, gender in self._answers:
            for answer in judge(item, gender):
                profile = Profile(answer.groups, answer.category, measures.stratum(item))
                name = f"{item.id} by {answer.reference}"
                outcomes.add_outcome(profile, Outcome.judged(gender, answer.right), ids=[name])
        return outcomes if len(outcomes) else None


def make_entrant(result: Result, system: str = "", wanted: QualityRequest | None = None) -> Entrant:
    """A result that carries its verdicts, which are let go; ``wanted``: with the quality of its sentences."""
    measures = sets.of_result(result.set).measures
    items, pair = [verdict.output.item for verdict in result.verdicts], parse_pair(result.langs)
    quality = wanted.narrow(result.set, pair).open(pair.target, lambda: items, measures) if wanted else None
    builder = _EntrantBuilder(measures, quality)
    for verdict in result.verdicts:
        builder.add(verdict)
    return builder.entrant(result, system or result.system)


class Scorer:
    """Scores translations as entrants; each set is opened once in a language pair."""

    def __init__(
        self,
        protocol: str = "epicene",
        anyway: bool = False,
        wanted: QualityRequest | None = None,
        opener: Opener | None = None,
    ) -> None:
        self.anyway, self.wanted = anyway, wanted
        self._protocol, self._opener = protocol, opener or Opener()
        self._tasks: dict[tuple[str, str], Task] = {}

    def open_task(self, set_name: str | TestSet, langs: str) -> Task:
        """A set in a language pair, whose sentences are read once."""
        key = set_name if isinstance(set_name, str) else set_name.name, langs
        if key not in self._tasks:
            challenge = plan.open_set(set_name)
            pair = plan.open_pair(langs, challenge)
            items = cache(lambda pair: list(challenge.items(pair)))
            if challenge.read_outputs is None:
                items(pair)  # what is missing is said of the set, not of each file
            self._tasks[key] = self._opener.task(replace(challenge, items=items), pair, self._protocol)
        return self._tasks[key]

    def score(self, task: Task, lines: str | Path | Iterable[str], system: str) -> Entrant:
        """How the translations of a file, or lines in memory, come out."""
        challenge, file = open_file(task.challenge, lines)
        if challenge.items is not task.challenge.items:  # the file brings its own sentences along
            task = self._opener.task(challenge, task.pair, task.protocol)
        quality = None
        if self.wanted:  # quality is measured once, in pairs
            wanted = self.wanted.narrow(challenge.name, task.pair)
            quality = wanted.open(task.pair.target, lambda: task.items, task.measures)
            task = replace(task, measures=replace(task.measures, quality=False))
        builder = _EntrantBuilder(task.measures, quality)
        outputs = outputs_of_file(task.challenge, task.pair, file)
        return builder.entrant(score_outputs(task, outputs, system, builder.add, anyway=self.anyway), system)
