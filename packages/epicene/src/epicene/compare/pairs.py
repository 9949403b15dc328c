"""Systems beside the first of them: what changed in gender, group by group, and in quality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from epicene.compare.entrants import Entrant, Scorer
from epicene.compare.sources import collect_entrants
from epicene.errors import EvidenceError, InputError
from epicene.flow.plan import QualityRequest
from epicene.measures.metrics import USUAL, QualityChange
from epicene.measures.paired import PairedTest, adjust_tests, compare_groups
from epicene.measures.quality import changes as quality_changes
from epicene.options import Scoring, apply_options
from epicene.output.table import Answer, Table


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Answer):
    """A system against the baseline."""

    signature: str
    baseline: str
    system: str
    changes: tuple[PairedTest, ...]
    undetected: tuple[float, float] = (0.0, 0.0)  # of the baseline and of the system, in per cent
    warnings: tuple[str, ...] = ()
    quality: tuple[QualityChange, ...] = ()  # where there are references

    def rows(self) -> list[dict[str, Any]]:
        """One row per group and per metric of quality, as CSV and ``to_frame`` have them."""
        systems = {"baseline": self.baseline, "system": self.system}
        return [
            *({**systems, **change.as_dict(), "signature": self.signature} for change in self.changes),
            *({**systems, **change.as_dict()} for change in self.quality),
        ]

    def tables(self) -> Iterable[Table]:
        """One row a group for each measure, then quality."""
        from epicene.compare.tables import comparison_tables

        return comparison_tables(self)

    def as_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it."""
        undetected = dict(zip(("before", "after"), self.undetected, strict=True))
        return {
            "signature": self.signature,
            "baseline": self.baseline,
            "system": self.system,
            "measures": list(dict.fromkeys(change.measure for change in self.changes)),
            "changes": [change.as_dict() for change in self.changes],
            "undetected": undetected,
            "unread": undetected,  # for one version
            "warnings": list(self.warnings),
            **({"quality": [change.as_dict() for change in self.quality]} if self.quality else {}),
        }


def compare(
    entries: Sequence[str | Path],
    set_name: str | None = None,
    langs: str | None = None,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    **options: Any,
) -> list[Comparison]:
    """Compare runs or files of translations with the first one, on the sentences that they share.

    ``options`` are fields of ``Scoring``, as in ``score``, but for ``contexts`` and ``min_confidence``. If there are
    reference translations, quality is compared as well.
    """
    (scoring,) = apply_options(options, scoring)
    if scoring.contexts or scoring.min_confidence:
        raise InputError("compare takes neither contexts nor min_confidence; score the files with them, then compare")
    if scoring.references:
        set_name = name_with_references(set_name, scoring.references)
    wanted = QualityRequest.parse(scoring.metrics, scoring.reference_text)
    scorer = Scorer(scoring.protocol, scoring.anyway, wanted)
    sets, pairs = ([name] if name else [] for name in (set_name, langs))
    entrants = collect_entrants(entries, sets, pairs, scorer, strict=True).entrants
    if (scoring.metrics or scoring.reference_text) and not any(entrant.segments for entrant in entrants):
        raise InputError(f"no references in {', '.join(map(str, entries))}; give them with --reference-text FILE")
    comparisons = [compare_two(first, other, wanted.metrics or USUAL) for first, other in _pair_with_first(entrants)]
    if not comparisons:
        raise nothing_shared(entrants)
    return comparisons


def name_with_references(set_name: str | None, references: Sequence[str]) -> str:
    """A set that names the references it is judged by."""
    if not set_name:
        raise InputError("--reference needs the test set: -t occupations")
    return f"{set_name}{'&' if '?' in set_name else '?'}reference={','.join(references)}"


def compare_entrants(entrants: Sequence[Entrant]) -> list[Comparison]:
    """Compare systems, each with the first that measures the same; leave out what cannot be.

    Two cannot be compared where no gender was detected in one of them, or where they share no sentence.
    """
    comparisons = []
    for first, other in _pair_with_first(entrants):
        with suppress(EvidenceError):
            comparisons.append(compare_two(first, other))
    return comparisons


def nothing_shared(entrants: Sequence[Entrant]) -> InputError:
    """The error of entrants none of which can be compared."""
    tasks = "; ".join(dict.fromkeys(entrant.result.signature for entrant in entrants))
    return InputError(f"nothing to compare: no two entries measure the same thing in the same way ({tasks})")


def _pair_with_first(entrants: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    by_task: dict[str, list[Entrant]] = {}
    for entrant in entrants:
        by_task.setdefault(entrant.task, []).append(entrant)
    return [(group[0], other) for group in by_task.values() for other in group[1:]]


def compare_two(baseline: Entrant, other: Entrant, metrics: Sequence[str] = USUAL) -> Comparison:
    """What changed from one system to another."""
    signature = baseline.result.signature
    if not set(baseline.outcomes.ids or ()).intersection(other.outcomes.ids or ()):
        raise EvidenceError(f"{baseline.system} and {other.system} share no sentence")
    identical = baseline.wrote_the_same(other)
    tests = compare_groups(baseline.outcomes, other.outcomes, identical=identical)
    if baseline.judged and other.judged:
        tests = adjust_tests([*tests, *compare_groups(baseline.judged, other.judged, identical=identical)])
    if not tests:
        raise EvidenceError(f"{signature}: nobody's gender can be compared, since none was read; use: epicene score")
    warnings = tuple(f"{entrant.system}: {line}" for entrant in (baseline, other) for line in entrant.warnings)
    undetected = (baseline.undetected, other.undetected)
    quality = tuple(quality_changes(baseline.segments, other.segments, baseline.target, metrics))
    return Comparison(signature, baseline.system, other.system, tuple(tests), undetected, warnings, quality)
