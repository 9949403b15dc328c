"""Opens all that a run needs, once, and checks every name before the first sentence is translated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from epicene import sets
from epicene.errors import DataMissingError, InputError, MissingExtraError, UnknownNameError
from epicene.files import checksum
from epicene.languages.codes import pair as parse_pair
from epicene.measures.metrics import USUAL, validate_metrics
from epicene.measures.rates import Measures
from epicene.options import PROTOCOLS, Scoring
from epicene.reader import DETECTORS
from epicene.sets import TestSet
from epicene.store.hypotheses import TranslationLines
from epicene.types import AnySystem, Detector, Item, Pair

if TYPE_CHECKING:
    from epicene.labour.reference import Reference
    from epicene.measures.quality import Quality
    from epicene.systems.network.money import Budget


class QualityRequest(NamedTuple):
    """The metrics and references that quality is measured by; none: the usual ones, where the set has references."""

    metrics: tuple[str, ...] = ()
    texts: tuple[str | Path, ...] = ()  # the user's own references: FILE, PAIR=FILE or SET@PAIR=FILE

    @classmethod
    def parse(cls, metrics: Sequence[str], texts: Sequence[str | Path]) -> QualityRequest:
        """What was asked for, if all of it is known."""
        return cls(validate_metrics(metrics) if metrics else (), tuple(texts))

    def narrow(self, set_name: str, pair: Pair) -> QualityRequest:
        """The same with the references of one set and pair alone."""
        owned = [_split_owner(text) for text in self.texts]
        paths = (path for owner, path in owned if owner in ("", str(pair), f"{set_name}@{pair}"))
        return self._replace(texts=tuple(paths))

    def open(self, target: str, items: Callable[[], Sequence[Item]], measures: Measures) -> Quality | None:
        """What measures the quality of translations of these items; None where nothing does, or could."""
        if not any(self) and not measures.quality:
            return None
        metrics = self.metrics or USUAL
        if find_spec("sacrebleu") is None and set(metrics) & set(USUAL):
            if any(self):
                raise MissingExtraError("BLEU and chrF", "quality")
            return None  # gender can be told without it
        from epicene.measures.quality import Quality

        if not self.texts:
            return Quality(target, metrics)
        lines: dict[str, list[str]] = {}
        for path in self.texts:
            for item, line in TranslationLines(path).pair_with(items(), target):
                lines.setdefault(item.id, []).append(line)
        references = {name: tuple(filter(str.strip, own)) for name, own in lines.items()}
        digest = checksum(repr(sorted(references.items())))
        names = "+".join(Path(path).name for path in self.texts)
        return Quality(target, metrics, references, f"reference:{names}@{digest}")


def _split_owner(text: str | Path) -> tuple[str, Path]:
    """Whose references a file has, if that is said, and the file."""
    owner, equals, path = str(text).partition("=")
    return (owner, Path(path)) if equals and not Path(text).exists() else ("", Path(text))


@dataclass(frozen=True)
class Task:
    """A set in a language pair with all that scores it, opened."""

    challenge: TestSet
    pair: Pair
    protocol: str
    measures: Measures
    detector: Detector
    build: Callable[[], Detector]  # makes the same detector on another machine
    references: Sequence[Reference]  # what the measures compare with
    min_confidence: float = 0.0  # verdicts that are less sure count as undetected
    quality: QualityRequest = field(default_factory=QualityRequest)

    @cached_property
    def items(self) -> list[Item]:
        """The sentences in official order."""
        return list(self.challenge.items(self.pair))

    @cached_property
    def version(self) -> str:
        """A checksum of what the sentences are made from."""
        return self.challenge.version()


class NamedSystem(NamedTuple):
    """An opened system, and the name by which another machine opens it; none where a caller made it."""

    spec: str
    system: AnySystem


@dataclass(frozen=True, slots=True)
class Plan:
    """What an audit does: every system on every task."""

    tasks: tuple[Task, ...]
    systems: tuple[NamedSystem, ...]


def open_set(spec: str | TestSet) -> TestSet:
    """Open a test set by name, or as ``custom:FILE.tsv``, ``winost:DIR`` or ``wibemt?adjectives=FILE``."""
    return spec if isinstance(spec, TestSet) else sets.load(spec)


def open_named(system: str | AnySystem) -> NamedSystem:
    """The system of a name, or one that the caller made, whatever it translates."""
    from epicene.systems import accept_object, open_system

    if isinstance(system, str):
        return NamedSystem(system, open_system(system))
    return NamedSystem("", accept_object(system))


def open_pair(langs: str, challenge: TestSet) -> Pair:
    """The language pair, checked against the languages of the set."""
    pair = parse_pair(langs)
    if pair.source not in challenge.about.sources:
        known = ", ".join(challenge.about.sources)
        raise InputError(f"set {challenge.name} is in {known}; the pair {langs} translates from {pair.source}")
    if challenge.about.targets and pair.target not in challenge.about.targets:
        known = ", ".join(challenge.about.targets)
        raise InputError(f"set {challenge.name} has no {pair.target}; translations into {known} can be measured")
    return pair


def detector_of(challenge: TestSet, protocol: str) -> Callable[[str], Detector]:
    """What builds the detector of a protocol for a target language: the paper's own, or ours."""
    if protocol not in PROTOCOLS:
        raise UnknownNameError("protocol", protocol, PROTOCOLS)
    build = challenge.detector if protocol == "epicene" else challenge.paper
    if build is None:
        raise InputError(f"set {challenge.name} has no protocol 'paper'; use --protocol epicene")
    return DETECTORS.find(build).build if isinstance(build, str) else build


class Opener:
    """Opens tasks; what several of them need is opened once. ``wrap`` may put something around every detector."""

    def __init__(self, wrap: Callable[[Detector], Detector] = lambda detector: detector) -> None:
        self._open_detector = cache(lambda build, target: wrap(build(target)))
        self._open_reference = cache(_open_reference)

    def task(self, challenge: TestSet, pair: Pair, protocol: str = "epicene", references: Sequence[str] = ()) -> Task:
        """A set in a language pair, ready to be scored."""
        build = detector_of(challenge, protocol)
        detector = self._open_detector(build, pair.target)
        # What the set is compared with: the references of these names, else its own.
        if references and not challenge.references:
            raise InputError(
                f"set {challenge.name} is compared with no reference; leave out --reference {references[0]}"
            )
        compared = list(map(self._open_reference, dict.fromkeys(references or challenge.references)))
        names = [reference.name for reference in compared]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputError(f"two references are called {twice}; give their files different names")
        return Task(challenge, pair, protocol, challenge.measures, detector, partial(build, pair.target), compared)


def _open_reference(name: str) -> Reference:
    from epicene.labour.read import open_reference

    return open_reference(name)


def open_task(challenge: TestSet, pair: Pair, protocol: str = "epicene", references: Sequence[str] = ()) -> Task:
    """A set in a language pair, ready to be scored."""
    return Opener().task(challenge, pair, protocol, references)


def expand_tasks(
    set_names: Sequence[str | TestSet], langs: Sequence[str], contexts: Sequence[str] = ()
) -> list[tuple[str | TestSet, str]]:
    """Every set with every pair of languages; ``all-natural``: all sets of natural text that have the pair.

    ``contexts``: sets that have sentences before those that they measure come once for each way to give them.
    """
    from epicene.flow import context

    tasks: list[tuple[str | TestSet, str]] = []
    for name in set_names:
        if name != sets.ALL_NATURAL:
            tasks += [(name, lang) for lang in langs]
            continue
        natural = [(name, pair) for pair in langs for name in sets.natural(parse_pair(pair))]
        if not natural:
            raise InputError(f"no set of natural text has {', '.join(langs)}; 'epicene sets list' names them")
        tasks += natural
    return context.expand_contexts(tasks, contexts)


def attach_references(tasks: Sequence[Task], scoring: Scoring) -> tuple[Task, ...]:
    """Tasks with the metrics, and the references that are theirs; a file that is nobody's, or several's, is refused."""
    wanted = QualityRequest.parse(scoring.metrics, scoring.reference_text)
    names = [(str(task.pair), f"{task.challenge.name}@{task.pair}") for task in tasks]
    for text in wanted.texts:
        head, path = _split_owner(text)
        owners = [own for own in names if head in ("", *own)]
        if not owners:
            known = ", ".join(dict.fromkeys(name for own in names for name in own))
            raise InputError(f"--reference-text {text}: nothing is called {head!r} here; expected {known}")
        if len(owners) > 1:
            several = ", ".join(f"{own[-1]}={path}" for own in owners[:2])
            raise InputError(
                f"--reference-text {text}: several could have these references; expected {several} or such"
            )
    return tuple(replace(task, quality=wanted.narrow(task.challenge.name, task.pair)) for task in tasks)


def _check_present(tasks: Sequence[Task]) -> None:
    """Read the sentences of every task, so that what is not on this machine is said before anything is translated."""
    missing: dict[str, None] = {}
    for task in tasks:
        try:
            _ = task.items
        except DataMissingError as error:
            missing[str(error)] = None
    if missing:
        raise DataMissingError("; ".join(missing))


def open_plan(
    set_names: Sequence[str | TestSet],
    langs: Sequence[str],
    systems: Sequence[str | AnySystem],
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    budget: Budget | None = None,
) -> Plan:
    """Every set, pair, detector, reference and system of an audit, each once; a system must accept every pair."""
    from epicene.systems import translator_of
    from epicene.systems.network.service import Service

    pairs = [
        (challenge, open_pair(langs_of_set, challenge))
        for challenge, langs_of_set in (
            (open_set(name), langs_of_set) for name, langs_of_set in expand_tasks(set_names, langs, scoring.contexts)
        )
    ]
    opener = Opener()
    opened_tasks = (opener.task(challenge, pair, scoring.protocol, scoring.references) for challenge, pair in pairs)
    sure = [replace(task, min_confidence=scoring.min_confidence) for task in opened_tasks]
    tasks = attach_references(sure, scoring)
    _check_present(tasks)
    names = {system for system in systems if isinstance(system, str)}
    opened = {name: open_named(name) for name in names}
    named_systems = tuple(opened[system] if isinstance(system, str) else open_named(system) for system in systems)
    for named in named_systems:
        asked = translator_of(named.system)
        if isinstance(asked, Service):
            for _, pair in pairs:
                asked.accepts(pair)
        if budget:
            budget.accept(asked)
    return Plan(tasks, named_systems)
