"""Quality beside gender: BLEU, chrF and COMET against references, whole and for women and men, and tested in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from epicene.measures import metrics
from epicene.measures.metrics import UNITS, USUAL, QualityChange
from epicene.measures.outcomes import Clusters
from epicene.stats import clustered
from epicene.types import Gender, Item, Measure, Verdict

_FEWEST = 5  # units, below which no interval is given, as for rates
_SIDES = (Gender.FEMININE, Gender.MASCULINE)


class Segment(NamedTuple):
    """A translation with what it may be measured by."""

    id: str
    source: str
    text: str
    references: tuple[str, ...]
    unit: str
    expected: Gender | None = None
    twin: str = ""  # the pair that it is one side of


def accepted(item: Item) -> tuple[str, ...]:
    """The references that are right for an item: all of them where its gender is open."""
    wanted = {None, item.expected} if item.expected else {None, *Gender}
    return tuple(dict.fromkeys(text for text, gender in item.references if gender in wanted))


def bleu(group: str, pairs: Sequence[tuple[str, str]]) -> Measure:
    """BLEU of translations against one reference each."""
    references = [(reference,) for _, reference in pairs]
    return metrics.score_corpus("bleu", [text for text, _ in pairs], references, group=group)


@dataclass(slots=True)
class Quality:
    """Watches verdicts go by, and scores those that have references; people of one line are one sentence."""

    target: str
    metrics: tuple[str, ...] = USUAL
    # The user's own references by the id of the first item of each line, in place of the set's.
    texts: Mapping[str, tuple[str, ...]] | None = None
    source: str = ""  # what the user's references are, for the signature
    segments: list[Segment] = field(default_factory=list)
    _line: str | None = None

    def add(self, verdict: Verdict) -> None:
        """Look at one verdict."""
        item = verdict.output.item
        if item.line is not None and item.line == self._line:
            return
        self._line = item.line
        references = accepted(item) if self.texts is None else self.texts.get(item.id, ())
        if references:
            twin = item.labels.get("pair", "")
            text = verdict.output.as_written
            self.segments.append(Segment(item.id, item.source, text, references, item.unit, item.expected, twin))

    def measures(self) -> list[Measure]:
        """The score of all sentences, of those about women and about men, and how far pairs of these lie apart."""
        measures: list[Measure] = []
        groups = {"all": self.segments}
        sides = {side.value: [segment for segment in self.segments if segment.expected is side] for side in _SIDES}
        if all(sides.values()):
            groups |= sides
        for metric in self.metrics if self.segments else ():
            scores = _score_sentences(metric, self.segments)
            for group, segments in groups.items():
                if scores:
                    measure, signature = _average(group, segments, scores), metrics.sign_comet(_name_model(metric))
                else:
                    measure = metrics.score_corpus(metric, *_split(segments), self.target, group)
                    signature = measure.signature or ""
                measures.append(replace(measure, signature="|".join(filter(None, (self.source, signature)))))
            if metric != "bleu":
                measures += self._compare_twins(metric, scores)
        return measures

    def _compare_twins(self, metric: str, scores: Mapping[str, float] | None) -> list[Measure]:
        """The mean of what the woman's sentence of a pair has more than the man's, sentence by sentence."""
        women, men = (
            {segment.twin: segment for segment in self.segments if segment.twin and segment.expected is side}
            for side in _SIDES
        )
        twins = sorted(women.keys() & men.keys())
        if not twins:
            return []

        def score(segment: Segment) -> float:
            if scores:
                return scores[segment.id]
            return metrics.score_sentence(metric, segment.text, segment.references, self.target)

        clusters = Clusters.of((twin, "") for twin in twins)
        share = clusters.share((twin, score(women[twin]) - score(men[twin]), 1) for twin in twins)
        name = metric.partition(":")[0]
        return [clusters.mean(f"{name}_gap", "feminine-masculine", UNITS[name], share, len(twins))]


def changes(
    before: Sequence[Segment], after: Sequence[Segment], target: str, names: Sequence[str] = USUAL
) -> list[QualityChange]:
    """What two systems' scores are on the sentences that both have, with paired tests."""
    old = {segment.id: segment for segment in before}
    pairs = [
        (old[segment.id], segment)
        for segment in after
        if segment.id in old and old[segment.id].references == segment.references
    ]
    if len(pairs) < 2:
        return []
    first, second = zip(*pairs, strict=True)
    return [_compare(metric, first, second, target) for metric in names]


def _compare(metric: str, first: Sequence[Segment], second: Sequence[Segment], target: str) -> QualityChange:
    if metric.startswith("comet"):
        return _compare_comet(metric, first, second)
    (before, references), (after, _) = _split(first), _split(second)
    low, high = _draw_interval(metric, (before, after), first, target)
    return replace(metrics.compare_corpora(metric, before, after, references, target), low=low, high=high)


def levels(segments: Sequence[Segment], target: str, names: Sequence[str] = USUAL) -> list[Measure]:
    """The score of a system by each metric, with an interval over the set's units."""
    measures = []
    for metric in names:
        if scores := _score_sentences(metric, segments):
            measures.append(_average("all", segments, scores))
            continue
        texts, references = _split(segments)
        low, high = _draw_interval(metric, (texts,), segments, target)
        why = "" if low is not None else f"fewer than {_FEWEST} independent units"
        measure = metrics.score_corpus(metric, texts, references, target, interval=False)
        measures.append(replace(measure, low=low, high=high, why=why, signature=None))
    return measures


def _split(segments: Sequence[Segment]) -> tuple[list[str], list[tuple[str, ...]]]:
    return [segment.text for segment in segments], [segment.references for segment in segments]


def _name_model(metric: str) -> str:
    return metric.partition(":")[2]


def _score_sentences(metric: str, segments: Sequence[Segment]) -> dict[str, float] | None:
    """COMET of each sentence; None for metrics that score a corpus as a whole."""
    if not metric.startswith("comet"):
        return None
    sources = [segment.source for segment in segments]
    scores = metrics.score_comet(_name_model(metric), sources, *_split(segments))
    return {segment.id: score for segment, score in zip(segments, scores, strict=True)}


def _average(group: str, segments: Sequence[Segment], scores: Mapping[str, float]) -> Measure:
    clusters = Clusters.of((segment.unit, "") for segment in segments)
    share = clusters.share((segment.unit, scores[segment.id], 1) for segment in segments)
    return clusters.mean("comet", group, UNITS["comet"], share, len(segments))


def _draw_interval(
    metric: str, systems: Sequence[Sequence[str]], segments: Sequence[Segment], target: str
) -> tuple[float | None, float | None]:
    """The interval of a score, or of the second system's less the first's: 2.5 % of all draws lie on either side."""
    units = [segment.unit for segment in segments]
    if len(set(units)) < _FEWEST:
        return None, None
    first, *others = metrics.draw_scores(metric, systems, _split(segments)[1], units, target)
    low, high = np.quantile(others[0] - first if others else first, (0.025, 0.975))
    return float(low), float(high)


def _compare_comet(metric: str, first: Sequence[Segment], second: Sequence[Segment]) -> QualityChange:
    """Means over sentences; p keeps sentences of one unit together, as all tests of gender do."""
    before, after = (list((_score_sentences(metric, side) or {}).values()) for side in (first, second))
    clusters = Clusters.of((segment.unit, "") for segment in first)
    share = clusters.share((segment.unit, new - old, 1) for segment, old, new in zip(first, before, after, strict=True))
    estimate = clustered.mean(share, clusters.design)
    n, p = len(first), estimate.p_value()
    signature = metrics.sign_comet(_name_model(metric))
    return QualityChange(
        "comet",
        UNITS["comet"],
        n,
        sum(before) / n,
        sum(after) / n,
        None if p is None else float(p),
        signature,
        *estimate.ends(1.0),
    )
