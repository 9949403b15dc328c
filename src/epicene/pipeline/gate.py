"""Whether a candidate may be released: what it lost against a baseline, and how well it does by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene.measures.gate import Judgement, judge_drops, judge_gap, judge_rate, judge_unread, worst
from epicene.measures.inference import Clusters
from epicene.measures.paired import Outcome, adjusted
from epicene.pipeline.compare import Comparison, Entry, compared, entries_of, nothing_shared, task_of
from epicene.rows import as_html, frame
from epicene.types import Measure

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Limits:
    """What a candidate may lose, how far groups may lie apart, how well each must do, how much may be unread."""

    max_drop: float | None = None
    max_gap: float | None = None
    min_rate: float | None = None
    max_unread: float | None = None

    def __post_init__(self) -> None:
        given = {name.replace("_", "-"): getattr(self, name) for name in Limits.__dataclass_fields__}
        if all(value is None for value in given.values()):
            raise InputError(
                "nothing to judge by; give max-drop POINTS, max-gap POINTS, min-rate PERCENT or max-unread PERCENT"
            )
        for option, value in given.items():
            if value is not None and not 0 <= value <= 100:
                raise InputError(f"{option} {value:g} is not between 0 and 100; expected a number such as 2")

    def as_dict(self) -> dict[str, float | None]:
        """The limits as JSON has them."""
        return {name: getattr(self, name) for name in Limits.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Gate:
    """A comparison with a judgement for each thing that was asked."""

    comparison: Comparison
    limits: Limits
    judgements: tuple[Judgement, ...]

    @property
    def answer(self) -> str:
        """``regression`` if anything failed, else ``unclear`` if anything might, else ``improved`` or ``ok``."""
        return worst(self.judgements)

    def to_frame(self) -> DataFrame:
        """A pandas table with one row per judgement."""
        return frame([each.as_dict() for each in self.judgements])

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        rows = [each.as_dict() for each in self.judgements]
        return as_html(f"{self.comparison.system}: {self.answer}", rows, [self.comparison.signature])

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
    max_drop: float | None = None,
    set_name: str | None = None,
    langs: str | None = None,
    protocol: str = "epicene",
    groups: Sequence[str] = (),
    *,
    max_gap: float | None = None,
    min_rate: float | None = None,
    max_unread: float | None = None,
    anyway: bool = False,
) -> list[Gate]:
    """Judge whether a candidate lost more than ``max_drop`` points against a baseline, group by group.

    ``max_gap`` also judges how far the candidate's groups lie apart, ``min_rate`` how well each of them does and
    ``max_unread`` how much of it could not be read; these three need no baseline. ``groups`` narrows the first three to
    groups and gaps by name.
    """
    limits = Limits(max_drop, max_gap, min_rate, max_unread)
    if baseline is None and max_drop is not None:
        raise InputError("max-drop is a loss against something; name it with --baseline RUN_OR_HYP")
    after = entries_of(candidate, set_name, langs, protocol, anyway, True)
    before = after if baseline is None else entries_of(baseline, set_name, langs, protocol, anyway, True)
    pairs = [(old, new) for new in after if (old := new if baseline is None else _baseline_of(new, before, baseline))]
    if not pairs:
        raise nothing_shared([*before, *after])
    return [judged(old, new, limits, groups) for old, new in pairs]


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


def judged(before: Entry, after: Entry, limits: Limits, groups: Sequence[str] = ()) -> Gate:
    """A candidate held against the limits; one that is its own baseline has none."""
    comparison = compared(before, after)
    if before is after:
        comparison = replace(comparison, baseline="")
    gaps = {measure.name: measure for measure in after.gaps}
    known = [*(change.group for change in comparison.changes), *gaps]
    if missing := [group for group in groups if group not in known]:
        raise InputError(f"no group {', '.join(missing)} in {comparison.signature}; known: {', '.join(known)}")
    chosen = [each for each in comparison.changes if not groups or each.group in groups]
    found: list[Judgement] = []
    if limits.max_drop is not None:
        found += judge_drops(adjusted(chosen), limits.max_drop)
    shared = [each for name, each in after.outcomes.items() if name in before.outcomes]
    if limits.min_rate is not None:
        wanted = {change.group for change in chosen}
        found += [judge_rate(each, limits.min_rate) for each in _rates(shared) if each.group in wanted]
    if limits.max_gap is not None:
        if not gaps:
            raise InputError(f"--max-gap: {comparison.signature} has no gap between groups; leave it out")
        named = [name for name in gaps if name in groups]
        found += [judge_gap(gaps[name], limits.max_gap) for name in named or gaps]
    if limits.max_unread is not None:
        found.append(judge_unread(_unread(shared), limits.max_unread))
    if not found:
        raise InputError(
            f"nothing is judged of {', '.join(groups)}; a gap is judged by --max-gap, a group by --max-drop"
        )
    return Gate(replace(comparison, changes=tuple(adjusted(chosen))), limits, tuple(found))


def _rates(outcomes: Iterable[Outcome]) -> list[Measure]:
    """How many sentences of each group came out right."""
    found = list(outcomes)
    clusters = Clusters.of((each.cluster, each.stratum) for each in found)
    groups = dict.fromkeys(group for each in found for group in each.groups)
    return [
        clusters.rate("right", group, clusters.share((e.cluster, e.right, 1) for e in found if group in e.groups))
        for group in groups
    ]


def _unread(outcomes: Sequence[Outcome]) -> Measure:
    """How many sentences could not be read."""
    clusters = Clusters.of((each.cluster, each.stratum) for each in outcomes)
    return clusters.rate("unread", "all", clusters.share((each.cluster, each.unread, 1) for each in outcomes))
