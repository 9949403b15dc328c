"""Families of measures: one file each in ``families``, with ``FAMILY = Family(…)``; the rest is what they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from epicene import registry
from epicene.labour.reference import Reference
from epicene.measures.jobs import Judged
from epicene.measures.tally import Key, Tally
from epicene.types import Gender, Item, Measure

WEAK = "weak:"  # how a note begins that says a set's own sentences to be doubtful


def _nothing(tally: Tally, references: Sequence[Reference]) -> list[Measure]:  # noqa: ARG001
    return []


def _no_notes(tally: Tally, references: Sequence[Reference]) -> list[str]:  # noqa: ARG001
    return []


def _no_groups(item: Item) -> tuple[str, ...]:  # noqa: ARG001
    return ()


def _no_stratum(item: Item) -> str:  # noqa: ARG001
    return ""


@dataclass(frozen=True, eq=False)
class Family:
    """What is measured of a set: pure functions on counts."""

    key: Callable[[Item], Key]  # what of an item is counted
    groups: Callable[[Item], tuple[str, ...]]  # those that a sentence counts for when two systems are compared
    measures: Callable[[Tally], list[Measure]]
    # For sets that are compared with references: measures against them, and what they say nothing about.
    against: Callable[[Tally, Sequence[Reference]], list[Measure]] = _nothing
    notes: Callable[[Tally, Sequence[Reference]], list[str]] = _no_notes
    gaps: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)  # a rate of one group less that of another
    f1: Mapping[str, Gender] = field(default_factory=dict)  # by group, for "f1"; "delta_g" is the first less the second
    stratum: Callable[[Item], str] = _no_stratum  # that its occupation is drawn from, where the set has strata
    main_gaps: tuple[str, ...] = ()  # measures that a gate judges by --max-gap
    # For sets whose right answers a reference defines: from the measures of a result, what judges answers by each of
    # its references; nothing of what they say nothing of.
    right: Callable[[Sequence[Measure]], Callable[[Item, Gender], list[Judged]]] | None = None
    quality: bool = True  # whether BLEU and chrF stand beside them where items have references
    shares: Callable[[Item], tuple[str, ...]] = _no_groups  # groups of a sentence that leaves the gender open
    of_shown: bool = False  # whether only people whose gender the translation shows are counted


FAMILIES = registry.Kind(
    "family of measures", "epicene.measures", (Family,), registry.modules("FAMILY", "epicene.measures.families")
)
