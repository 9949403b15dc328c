"""Outputs → verdicts → measures: every number that is ever printed comes through ``score_outputs``.

Quality is measured beside gender where there are references, the set's or the user's own from text files.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from epicene.check.check import Check
from epicene.errors import InputError, MissingExtraError
from epicene.files import checksum
from epicene.flow import plan
from epicene.flow.plan import Task
from epicene.measures.metrics import USUAL
from epicene.measures.outcomes import Outcomes
from epicene.measures.quality import Quality, validate_metrics
from epicene.measures.rates import Measures
from epicene.options import Scoring, apply_options
from epicene.result import Result
from epicene.sets import TestSet
from epicene.store.hypotheses import TranslationLines
from epicene.text import normalised
from epicene.types import Gender, Heard, Item, Measure, Output, Pair, Verdict
from epicene.version import __version__

if TYPE_CHECKING:
    from epicene.flow.ask import Engine
    from epicene.flow.sample import Sample
    from epicene.measures.speech import Speech

_log = logging.getLogger(__name__)
Sink = Callable[[Verdict], None]


def score(
    set_name: str | TestSet | Iterable[str | Mapping[str, Any]],
    langs: str,
    translations: str | Path | Iterable[str],
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    **options: Any,
) -> Result:
    """Score translations of a test set, given as a path, an open file or a list of lines.

    The set is a name, the result of ``open_set``, or the source sentences in any form that ``sentences`` accepts;
    sentences without a person are then left out. ``options`` are fields of ``Scoring``, such as ``anyway=True``:
    unreliable numbers then come with ``warnings`` instead of raising ``EvidenceError``. The result includes the
    verdicts.
    """
    (scoring,) = apply_options(options, scoring)
    if len(scoring.contexts) > 1:
        raise InputError(f"{len(scoring.contexts)} contexts for one file; score each file with its own")
    if not isinstance(set_name, str | TestSet):
        from epicene.sets.custom import pair_people

        lines = TranslationLines(translations).lines()
        set_name, translations = pair_people(set_name, lines)
    if scoring.contexts:
        from epicene.flow.context import name_in_context

        set_name = name_in_context(set_name, scoring.contexts[0])
    verdicts: list[Verdict] = []
    result = score_file(set_name, langs, translations, scoring, verdicts.append)
    return replace(result, verdicts=tuple(verdicts))


def score_file(
    set_name: str | TestSet,
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
    (task,) = attach_references([task], scoring.metrics, scoring.reference_text)
    return score_outputs(
        task, outputs_of_file(challenge, pair, hypotheses), hypotheses.name, sink, anyway=scoring.anyway
    )


def score_outputs(
    task: Task,
    outputs: Iterable[Output],
    system: str,
    sink: Sink | None = None,
    sample: Sample | None = None,
    engine: Engine | None = None,
    anyway: bool = False,
) -> Result:
    """Detect and measure what can be believed; memory does not grow with the outputs unless the sink keeps them.

    ``anyway``: what cannot be believed is measured too, and the result says so.
    """
    outcomes, speech, check = Outcomes(task.measures), None, Check(task.pair, task.challenge.may_abstain)
    quality = open_quality_metrics(task)
    for verdict in read(task, outputs, engine):
        check.add(verdict)
        outcomes.add(verdict)
        if verdict.output.item.audio is not None:
            speech = speech or _open_speech(task)
            speech.add(verdict)
        if quality:
            quality.add(verdict)
        if sink:
            sink(verdict)
    if not outcomes:
        raise InputError(f"set {task.challenge.name} gave no sentence to score")
    findings = check.findings()
    warnings = findings.accept(system, anyway)
    quality_notes = explain_missing_quality(task, quality)
    measures = (
        *task.measures.compute(outcomes, task.references),
        *(speech.measures() if speech else ()),
        *(quality.measures() if quality else ()),
    )
    _log.info("%s %s: %s scored, %d sentences", task.challenge.name, task.pair, system, len(outcomes))
    something = len(outcomes) > outcomes.genders()[Gender.UNKNOWN]
    return Result(
        set=task.challenge.name,
        langs=str(task.pair),
        system=system,
        protocol=task.protocol,
        signature=signature(task, sample),
        n=len(outcomes),
        genders=outcomes.genders(),
        empty=outcomes.empty,
        refused=outcomes.refused,
        spoken=task.challenge.about.spoken,
        measures=tuple(measure if something else _strip_inference(measure) for measure in measures),
        notes=(*task.measures.notes(outcomes, task.references), *findings.notes, *quality_notes),
        warnings=warnings,
    )


def read(task: Task, outputs: Iterable[Output], engine: Engine | None = None) -> Iterator[Verdict]:
    """The verdicts alone, unchecked, in the order of the outputs."""
    spelled = outputs if getattr(task.detector, "verbatim", False) else _normalise(outputs)
    return _detect(task, spelled, engine)


def signature(task: Task, sample: Sample | None = None) -> str:
    """One line that says which number this is, so that two labs can compare."""
    parts = (
        task.challenge.name,
        f"set:{task.version}",
        f"sample:{sample}" if sample else "",
        f"langs:{task.pair}",
        f"protocol:{task.protocol}",
        f"detector:{task.detector.identity}",
        f"min-confidence:{task.min_confidence:g}" if task.min_confidence else "",
        *(f"reference:{reference.identity}" for reference in task.references),
        f"v:{__version__}",
    )
    return "|".join(filter(None, parts))


def _detect(task: Task, outputs: Iterable[Output], engine: Engine | None) -> Iterator[Verdict]:
    def detect(part: Iterable[Output]) -> Iterator[Verdict]:
        return engine.detect(task.detector, task.build, part) if engine else task.detector.detect(part)

    if isinstance(outputs, list) and any(output.heard for output in outputs):
        from epicene.flow.hear import attribute_errors

        verdicts = attribute_errors(detect, outputs)
    else:
        verdicts = detect(outputs)
    if task.min_confidence:
        verdicts = (_drop_doubtful(verdict, task.min_confidence) for verdict in verdicts)
    return verdicts


def _drop_doubtful(verdict: Verdict, least: float) -> Verdict:
    if verdict.confidence is None or verdict.confidence >= least:
        return verdict
    return verdict._replace(gender=Gender.UNKNOWN, step="doubtful", confidence=None)


def _strip_inference(measure: Measure) -> Measure:
    """A measure of nothing: no interval and no test would be one of anything."""
    return replace(measure, low=None, high=None, p=None)


def _normalise(outputs: Iterable[Output]) -> Iterable[Output]:
    """Outputs in the one spelling that is read; a list stays one, since a cascade's outputs are read twice."""
    return list(map(_respell, outputs)) if isinstance(outputs, list) else map(_respell, outputs)


def _respell(output: Output) -> Output:
    text = normalised(output.text)
    if text != output.text:
        output = replace(output, text=text, verbatim=output.text)
    return replace(output, heard=Heard(*map(normalised, output.heard))) if output.heard else output


def _open_speech(task: Task) -> Speech:
    from epicene.measures.speech import Speech

    return Speech(task.measures)


def open_file(challenge: TestSet, translations: str | Path | Iterable[str]) -> tuple[TestSet, TranslationLines]:
    """Translations and what they translate: the set, or the sentences that a published file brings along."""
    if challenge.read_outputs is not None and isinstance(translations, str | Path):
        published = challenge.read_outputs(Path(translations))
        if published is not None:
            return published[0], TranslationLines(published[1], translations)
    return challenge, TranslationLines(translations)


def outputs_of_file(challenge: TestSet, pair: Pair, hypotheses: TranslationLines) -> Iterator[Output]:
    """Outputs from a file of translations, checked against the set as they are read."""
    for item, text in hypotheses.pair_with(challenge.items(pair), pair.target):
        yield Output(item, hypotheses.name, pair.target, text)


def attach_references(tasks: Sequence[Task], metrics: Sequence[str], texts: Sequence[str | Path]) -> tuple[Task, ...]:
    """Tasks with the metrics, and the references that are theirs: ``FILE``, ``PAIR=FILE`` or ``SET@PAIR=FILE``."""
    wanted = validate_metrics(metrics)
    files: dict[int, list[Path]] = {number: [] for number in range(len(tasks))}
    for text in texts:
        head, path = _split_owner(text)
        owners = [number for number, task in enumerate(tasks) if head in ("", *_names(task))]
        if not owners:
            known = ", ".join(dict.fromkeys(name for task in tasks for name in _names(task)))
            raise InputError(f"--reference-text {text}: nothing is called {head!r} here; expected {known}")
        if len(owners) > 1:
            names = ", ".join(f"{_names(tasks[owner])[-1]}={path}" for owner in owners[:2])
            raise InputError(f"--reference-text {text}: several could have these references; expected {names} or such")
        files[owners[0]].append(path)
    return tuple(
        replace(task, metrics=wanted, reference_text=tuple(files[number])) for number, task in enumerate(tasks)
    )


def _split_owner(text: str | Path) -> tuple[str, Path]:
    """Whose references a file has, if that is said, and the file."""
    owner, equals, path = str(text).partition("=")
    return (owner, Path(path)) if equals and not Path(text).exists() else ("", Path(text))


def _names(task: Task) -> tuple[str, ...]:
    return str(task.pair), f"{task.challenge.name}@{task.pair}"


def open_quality_metrics(task: Task) -> Quality | None:
    """What measures the quality of a task's translations; None where nothing does, or could."""
    return _open_quality(task.metrics, task.reference_text, task.pair, task.measures, lambda: task.items)


class QualityRequest(NamedTuple):
    """The metrics and references that a comparison asks for."""

    metrics: tuple[str, ...]
    texts: tuple[str | Path, ...]

    @classmethod
    def parse(cls, metrics: Sequence[str], texts: Sequence[str | Path]) -> QualityRequest:
        """What was asked for, if all of it is known."""
        return cls(validate_metrics(metrics), tuple(texts))

    def reader(self, set_name: str, pair: Pair, items: Sequence[Item], measures: Measures) -> Quality | None:
        """What collects translations with their references."""
        named = map(_split_owner, self.texts)
        files = tuple(path for owner, path in named if owner in ("", str(pair), f"{set_name}@{pair}"))
        return _open_quality(self.metrics, files, pair, measures, lambda: items)


def _open_quality(
    metrics: tuple[str, ...],
    files: tuple[Path, ...],
    pair: Pair,
    measures: Measures,
    items: Callable[[], Sequence[Item]],
) -> Quality | None:
    asked = bool(metrics or files)
    if not asked and not measures.quality:
        return None
    metrics = metrics or USUAL
    if find_spec("sacrebleu") is None and set(metrics) & set(USUAL):
        if asked:
            raise MissingExtraError("BLEU and chrF", "quality")
        return None  # gender can be told without it
    if not files:
        return Quality(pair.target, metrics)
    texts: dict[str, list[str]] = {}
    for path in files:
        for item, text in TranslationLines(path).pair_with(items(), pair.target):
            texts.setdefault(item.id, []).append(text)
    filled = {name: tuple(filter(str.strip, own)) for name, own in texts.items()}
    digest = checksum(repr(sorted(filled.items())))
    names = "+".join(path.name for path in files)
    return Quality(pair.target, metrics, filled, f"reference:{names}@{digest}")


def explain_missing_quality(task: Task, quality: Quality | None) -> tuple[str, ...]:
    """What is to be said where quality was not measured; a refusal where it was asked for."""
    if quality is not None and quality.segments:
        return ()
    if task.metrics or task.reference_text:
        raise InputError(
            f"set {task.challenge.name} has no references for {task.pair}; give them with --reference-text FILE, one a "
            f"line in the order of: epicene sets export {task.challenge.name}"
        )
    first = next(iter(task.challenge.items(task.pair)), None) if quality is None and task.measures.quality else None
    if first and first.references:
        return ("quality: the set has references; BLEU and chrF: pip install 'epicene[quality]'",)
    return ()
