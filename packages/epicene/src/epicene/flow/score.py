"""Outputs → verdicts → measures: every number that is ever printed comes through ``score_outputs``.

Quality is measured beside gender where there are references, the set's or the user's own from text files.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.check.check import Check
from epicene.errors import InputError
from epicene.flow import plan
from epicene.flow.plan import Task
from epicene.measures.outcomes import Outcomes
from epicene.options import Scoring, apply_options
from epicene.result import Result
from epicene.sets import TestSet
from epicene.store.hypotheses import TranslationLines
from epicene.text import normalised
from epicene.types import Gender, Output, Pair, Transcription, Verdict
from epicene.version import __version__

if TYPE_CHECKING:
    from epicene.flow.ray import Cluster
    from epicene.flow.sample import Sample
    from epicene.measures.quality import Quality

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
    (task,) = plan.open_tasks([(challenge, pair)], scoring)
    return score_outputs(
        task, outputs_of_file(challenge, pair, hypotheses), hypotheses.name, sink, anyway=scoring.anyway
    )


def score_outputs(
    task: Task,
    outputs: Iterable[Output],
    system: str,
    sink: Sink | None = None,
    sample: Sample | None = None,
    engine: Cluster | None = None,
    anyway: bool = False,
) -> Result:
    """Detect and measure what can be believed; memory does not grow with the outputs unless the sink keeps them.

    ``anyway``: what cannot be believed is measured too, and the result says so.
    """
    outcomes, speech, check = Outcomes(task.measures), None, Check(task.pair, task.challenge.may_abstain)
    quality = task.quality.open(task.pair.target, lambda: task.items, task.measures)
    for verdict in read(task, outputs, engine):
        check.add(verdict)
        outcomes.add(verdict)
        if verdict.output.item.audio is not None:
            if speech is None:
                from epicene.measures.speech import Speech

                speech = Speech(task.measures)
            speech.add(verdict)
        if quality and (quality.texts or verdict.output.item.references):
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
        *(quality.measures() if quality and quality.segments else ()),
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
        # Of nothing, an interval or a test would be one of anything.
        measures=tuple(measure if something else replace(measure, low=None, high=None, p=None) for measure in measures),
        notes=(*task.measures.notes(outcomes, task.references), *findings.notes, *quality_notes),
        warnings=warnings,
    )


def read(task: Task, outputs: Iterable[Output], engine: Cluster | None = None) -> Iterator[Verdict]:
    """The verdicts alone, unchecked, in the order of the outputs."""
    if not getattr(task.detector, "verbatim", False):
        # A list stays one, since a cascade's outputs are read twice.
        outputs = list(map(_respell, outputs)) if isinstance(outputs, list) else map(_respell, outputs)
    return _detect(task, outputs, engine)


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


def _detect(task: Task, outputs: Iterable[Output], engine: Cluster | None) -> Iterator[Verdict]:
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


def _respell(output: Output) -> Output:
    text = normalised(output.text)
    if text != output.text:
        output = replace(output, text=text, verbatim=output.text)
    return replace(output, heard=Transcription(*map(normalised, output.heard))) if output.heard else output


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


def explain_missing_quality(task: Task, quality: Quality | None) -> tuple[str, ...]:
    """What is to be said where quality was not measured; a refusal where it was asked for."""
    if quality is not None and quality.segments:
        return ()
    if any(task.quality):
        raise InputError(
            f"set {task.challenge.name} has no references for {task.pair}; give them with --reference-text FILE, one a "
            f"line in the order of: epicene sets export {task.challenge.name}"
        )
    first = next(iter(task.challenge.items(task.pair)), None) if quality is None and task.measures.quality else None
    if first and first.references:
        return ("quality: the set has references; BLEU and chrF: pip install 'epicene[quality]'",)
    return ()
