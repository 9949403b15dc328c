"""Whether a candidate may be released: what it lost against a baseline, and how well it does by itself.

Of sets that tell nobody's gender, what is judged is how far the share of women lies from half, and whether the gender
that is written less became rarer. Quality is judged where there are references.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from epicene.compare.paired import RIGHT, Change, Outcome, adjusted, rarer, rates_of, undetected_of
from epicene.compare.pairs import Comparison, Entry, compared, entries_of, nothing_shared, target_of, task_of
from epicene.errors import InputError
from epicene.flow.reference_text import Wanted
from epicene.gate.rules import (
    Judgement,
    judge_drops,
    judge_gap,
    judge_half,
    judge_quality,
    judge_rate,
    judge_unread,
    worst,
)
from epicene.measures.quality import USUAL, levels
from epicene.options import Limits, Scoring, apply_options
from epicene.output.table import Answer, Row, Table
from epicene.types import Measure


@dataclass(frozen=True, slots=True)
class Gate(Answer):
    """A comparison with a judgement for each thing that was asked."""

    comparison: Comparison
    limits: Limits
    judgements: tuple[Judgement, ...]

    @property
    def answer(self) -> str:
        """``regression`` if anything failed, else ``unclear`` if anything might, else ``improved`` or ``ok``."""
        return worst(self.judgements)

    def tables(self) -> Iterable[Table]:
        """The changes, then what was asked and the answers."""
        from epicene.gate.formats import gate_tables

        return gate_tables(self)

    def rows(self) -> list[Row]:
        """One row per judgement."""
        return [judgement.as_dict() for judgement in self.judgements]

    def records(self) -> list[dict[str, Any]]:
        """The one object that JSON has of it."""
        return [self.as_dict()]

    def as_dict(self) -> dict[str, Any]:
        """The gate as JSON has it."""
        return {
            **self.comparison.as_dict(),
            **self.limits.as_dict(),
            "judgements": [each.as_dict() for each in self.judgements],
            "answer": self.answer,
        }


def gate(
    baseline: str | Path | None,
    candidate: str | Path,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    set_name: str | None = None,
    langs: str | None = None,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    groups: Sequence[str] = (),
    **options: Any,
) -> list[Gate]:
    """Judge whether a candidate keeps within limits: what it lost against a baseline, and how well it does.

    ``options`` are fields of ``Limits`` and ``Scoring`` by name, such as ``max_drop=2``. Without a baseline (None) only
    gaps, rates, what is unread and quality are judged. ``groups`` narrows drops, gaps and rates by name. Quality is
    judged by BLEU and chrF, or the ``metrics`` that are named, against the set's references or ``reference_text``.
    """
    if not isinstance(limits, Limits):
        raise InputError(f"limits {limits!r} is no Limits; say which: max_drop={limits!r}")
    limits, scoring = apply_options(options, limits, scoring)
    limits.demand_any()
    if baseline is None and limits.relative:
        which = "max-drop" if limits.max_drop is not None else "max-quality-drop"
        raise InputError(f"{which} is a loss against something; name it with --baseline RUN_OR_HYP")
    wanted = asked_of_quality(limits, scoring.metrics, scoring.reference_text)
    rules = (set_name, langs, scoring.protocol, scoring.anyway, True, wanted)
    after = entries_of(candidate, *rules)
    before = after if baseline is None else entries_of(baseline, *rules)
    pairs = [(old, new) for new in after if (old := new if baseline is None else _baseline_of(new, before, baseline))]
    if not pairs:
        raise nothing_shared([*before, *after])
    return [judged(old, new, limits, groups, wanted) for old, new in pairs]


def asked_of_quality(limits: Limits, metrics: Sequence[str], texts: Sequence[str | Path]) -> Wanted | None:
    """The metrics and references that the limits need; a refusal of such as none needs."""
    if limits.of_quality:
        return Wanted.of(metrics or USUAL, texts)
    if metrics or texts:
        given = f"metric {', '.join(metrics)}" if metrics else f"reference-text {', '.join(map(str, texts))}"
        raise InputError(f"{given} judges nothing by itself; add max-quality-drop POINTS or min-quality SCORE")
    return None


def _baseline_of(candidate: Entry, before: Sequence[Entry], baseline: str | Path) -> Entry | None:
    """What a candidate is measured by: the baseline's system on the same set and pair, by name if there are two."""
    same = [entry for entry in before if task_of(entry.signature) == task_of(candidate.signature)]
    named = [entry for entry in same if entry.name == candidate.name] or same
    if len(named) > 1:
        systems = ", ".join(entry.name for entry in named)
        raise InputError(
            f"--baseline {baseline} holds several systems ({systems}) and none is called {candidate.name}; give a run "
            "of one system"
        )
    return named[0] if named else None


def judged(
    before: Entry, after: Entry, limits: Limits, groups: Sequence[str] = (), wanted: Wanted | None = None
) -> Gate:
    """A candidate held against the limits; one that is its own baseline has none."""
    metrics = wanted.metrics if wanted else ()
    comparison = compared(before, after, metrics if limits.max_quality_drop is not None else ())
    if before is after:
        comparison = replace(comparison, baseline="")
    counted = [each for each in comparison.changes if each.measure == RIGHT]
    leaves_open = not counted
    changes = counted or list(comparison.changes)
    gaps = {measure.name: measure for measure in after.gaps}
    known = [*(change.group for change in changes), *gaps]
    if missing := [group for group in groups if group not in known]:
        raise InputError(f"no group {', '.join(missing)} in {comparison.signature}; known: {', '.join(known)}")
    chosen = [each for each in changes if not groups or each.group in groups]
    shared = [each for name, each in after.outcomes.items() if name in before.outcomes]
    found = [
        *(_of_shares(before, after, limits, chosen) if leaves_open else _of_answers(shared, limits, chosen)),
        *_of_gaps(comparison.signature, gaps, limits, groups, leaves_open),
        *_of_quality(after, comparison, limits, metrics),
    ]
    if limits.max_unread is not None:
        found.append(judge_unread(undetected_of(shared), limits.max_unread))
    if not found:
        raise InputError(
            f"nothing is judged of {', '.join(groups)}; a gap is judged by --max-gap, a group by --max-drop"
        )
    return Gate(replace(comparison, changes=tuple(adjusted(chosen))), limits, tuple(found))


def _of_answers(shared: Sequence[Outcome], limits: Limits, chosen: Sequence[Change]) -> Iterable[Judgement]:
    """Groups whose sentences can come out right."""
    if limits.max_drop is not None:
        yield from judge_drops(adjusted(chosen), limits.max_drop)
    if limits.min_rate is not None:
        names = {change.group for change in chosen}
        yield from (judge_rate(each, limits.min_rate) for each in rates_of(shared, "right") if each.group in names)


def _of_shares(before: Entry, after: Entry, limits: Limits, chosen: Sequence[Change]) -> Iterable[Judgement]:
    """Groups whose sentences leave the gender open: who is written as a woman, and who as a man."""
    names = {change.group for change in chosen}
    if limits.min_rate is not None:
        raise InputError(
            f"min-rate counts right answers, and {after.signature.partition('|')[0]} has none; max-gap = "
            f"{max(0.0, 50 - limits.min_rate):g} asks how far the share of women may lie from 50 %, max-drop how much "
            "rarer the rarer gender may become"
        )
    old = {name: each for name, each in before.outcomes.items() if name in after.outcomes}
    if limits.max_drop is not None:
        drops = [each for each in rarer(old, after.outcomes) if each.group in names]
        yield from judge_drops(adjusted(drops), limits.max_drop, "rarer")
    if limits.max_gap is not None:
        told = [each for name, each in after.outcomes.items() if name in old and each.among]
        shares = [each for each in rates_of(told, "feminine") if each.group in names]
        yield from (judge_half(each, limits.max_gap) for each in shares)


def _of_gaps(
    signature: str, gaps: dict[str, Measure], limits: Limits, groups: Sequence[str], leaves_open: bool
) -> Iterable[Judgement]:
    if limits.max_gap is None:
        return
    if not gaps and not leaves_open:
        raise InputError(f"--max-gap: {signature} has no gap between groups; leave it out")
    named = [name for name in gaps if name in groups]
    if leaves_open and groups and not named:
        return  # of groups alone, which have a share of women each
    yield from (judge_gap(gaps[name], limits.max_gap) for name in named or gaps)


def _of_quality(after: Entry, comparison: Comparison, limits: Limits, metrics: Sequence[str]) -> Iterable[Judgement]:
    if not limits.of_quality:
        return
    if not after.segments or (limits.max_quality_drop is not None and not comparison.quality):
        raise InputError(
            f"set {after.signature.partition('|')[0]} has no references to measure quality by; give them with "
            "reference-text FILE, one a line in the set's order"
        )
    if limits.max_quality_drop is not None:
        yield from (judge_quality(each, limits.max_quality_drop) for each in comparison.quality)
    if limits.min_quality is not None:
        scores = levels(after.segments, target_of(after.signature), metrics)
        yield from (judge_rate(each, limits.min_quality, "quality") for each in scores)
