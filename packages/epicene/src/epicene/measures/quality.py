"""Quality beside gender: BLEU, chrF and COMET against references, whole and for women and men, and tested in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from epicene.errors import UnknownNameError
from epicene.measures import comet, sacre
from epicene.measures.outcomes import Clusters
from epicene.types import Gender, Item, Measure, Verdict

USUAL = ("bleu", "chrf")
METRICS = (*sacre.NAMES, "comet")
_COMET = "COMET ×100"
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


@dataclass(frozen=True, slots=True)
class QualityChange:
    """How the score of a system differs from the baseline's on the same sentences."""

    metric: str
    unit: str
    n: int
    before: float
    after: float
    p: float | None  # two-sided: sacreBLEU's paired bootstrap; of COMET a clustered t-test
    signature: str
    low: float | None = None  # 95 % interval of the difference, over the set's units as all intervals are
    high: float | None = None

    @property
    def difference(self) -> float:
        """The system's score less the baseline's."""
        return self.after - self.before

    def as_dict(self) -> dict[str, Any]:
        """The change as JSON has it."""
        found = {name: getattr(self, name) for name in QualityChange.__dataclass_fields__}
        return {**found, "difference": self.difference}


def validate_metrics(metrics: Sequence[str]) -> tuple[str, ...]:
    """Names of metrics, if they are known: ``bleu``, ``chrf``, ``comet`` or ``comet:MODEL``."""
    for name in metrics:
        if name.partition(":")[0] not in METRICS or (":" in name and not name.startswith("comet:")):
            raise UnknownNameError("metric", name, METRICS, "A model of COMET is named as in comet:PATH.")
    return tuple(dict.fromkeys(metrics))


def accepted(item: Item) -> tuple[str, ...]:
    """The references that are right for an item: all of them where its gender is open."""
    wanted = {None, item.expected} if item.expected else {None, *Gender}
    return tuple(dict.fromkeys(text for text, gender in item.references if gender in wanted))


def bleu(group: str, pairs: Sequence[tuple[str, str]]) -> Measure:
    """BLEU of translations against one reference each."""
    found = sacre.corpus("bleu", [text for text, _ in pairs], [(reference,) for _, reference in pairs])
    return Measure("bleu", group, found.value, "BLEU", found.n, None, found.low, found.high, signature=found.signature)


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
        found: list[Measure] = []
        groups = {"all": self.segments}
        sides = {side.value: [each for each in self.segments if each.expected is side] for side in _SIDES}
        if all(sides.values()):
            groups |= sides
        for metric in self.metrics if self.segments else ():
            scores = self._sentences(metric) if metric.startswith("comet") else None
            for group, segments in groups.items():
                found.append(
                    self._mean(metric, group, segments, scores) if scores else self._sacre(metric, group, segments)
                )
            if metric != "bleu":
                found += self._gap(metric, scores)
        return found

    def _sacre(self, metric: str, group: str, segments: Sequence[Segment]) -> Measure:
        texts, references = [each.text for each in segments], [each.references for each in segments]
        score = sacre.corpus(metric, texts, references, self.target)
        told = "|".join(filter(None, (self.source, score.signature)))
        unit = sacre.UNITS[metric]
        return Measure(metric, group, score.value, unit, score.n, None, score.low, score.high, signature=told)

    def _sentences(self, metric: str) -> dict[str, float]:
        """COMET of each sentence, in hundredths as papers print it."""
        columns = ([getattr(each, name) for each in self.segments] for name in ("source", "text", "references"))
        found = comet.scores(metric.partition(":")[2], *columns)
        return {each.id: 100 * score for each, score in zip(self.segments, found, strict=True)}

    def _mean(self, metric: str, group: str, segments: Sequence[Segment], scores: Mapping[str, float]) -> Measure:
        clusters = Clusters.of((each.unit, "") for each in segments)
        share = clusters.share((each.unit, scores[each.id], 1) for each in segments)
        mean = clusters.mean("comet", group, _COMET, share, len(segments))
        told = "|".join(filter(None, (self.source, comet.signature(metric.partition(":")[2]))))
        return Measure(
            "comet", group, mean.value, _COMET, mean.n, None, mean.low, mean.high, why=mean.why, signature=told
        )

    def _gap(self, metric: str, scores: Mapping[str, float] | None) -> list[Measure]:
        """The mean of what the woman's sentence of a pair has more than the man's, sentence by sentence."""
        sides: dict[Gender | None, dict[str, Segment]] = {}
        for each in self.segments:
            if each.twin:
                sides.setdefault(each.expected, {})[each.twin] = each
        women, men = (sides.get(side, {}) for side in _SIDES)
        both = sorted(women.keys() & men.keys())
        if not both:
            return []

        def score(each: Segment) -> float:
            return scores[each.id] if scores else sacre.sentence(metric, each.text, each.references, self.target)

        clusters = Clusters.of((twin, "") for twin in both)
        share = clusters.share((twin, score(women[twin]) - score(men[twin]), 1) for twin in both)
        name = "comet" if scores else metric
        unit = _COMET if scores else sacre.UNITS[metric]
        return [clusters.mean(f"{name}_gap", "feminine-masculine", unit, share, len(both))]


def changes(
    before: Sequence[Segment], after: Sequence[Segment], target: str, metrics: Sequence[str] = USUAL
) -> list[QualityChange]:
    """What two systems' scores are on the sentences that both have, with paired tests."""
    old = {each.id: each for each in before}
    pairs = [(old[each.id], each) for each in after if each.id in old and old[each.id].references == each.references]
    if len(pairs) < 2:
        return []
    first, second = ([each.text for each in side] for side in zip(*pairs, strict=True))
    references = [each.references for each, _ in pairs]
    found = []
    for metric in metrics:
        if metric.startswith("comet"):
            found.append(_comet_change(metric.partition(":")[2], pairs))
        else:
            tested = sacre.paired(metric, first, second, references, target)
            p = 1.0 if first == second else tested.p
            unit = sacre.UNITS[metric]
            ends = _ends(metric, (first, second), [each for each, _ in pairs], target)
            found.append(QualityChange(metric, unit, tested.n, tested.before, tested.after, p, tested.signature, *ends))
    return found


def levels(segments: Sequence[Segment], target: str, metrics: Sequence[str] = USUAL) -> list[Measure]:
    """The score of a system by each metric, with an interval over the set's units."""
    found = []
    for metric in metrics:
        watched = Quality(target, (metric,), segments=list(segments))
        if metric.startswith("comet"):
            found.append(watched._mean(metric, "all", segments, watched._sentences(metric)))
            continue
        texts = [each.text for each in segments]
        score = sacre.corpus(metric, texts, [each.references for each in segments], target, interval=False)
        low, high = _ends(metric, (texts,), segments, target)
        why = "" if low is not None else f"fewer than {_FEWEST} independent units"
        unit = sacre.UNITS[metric]
        found.append(Measure(metric, "all", score.value, unit, score.n, None, low, high, why=why))
    return found


def _ends(
    metric: str, systems: Sequence[Sequence[str]], segments: Sequence[Segment], target: str
) -> tuple[float | None, float | None]:
    """The interval of a score, or of the second system's less the first's: 2.5 % of all draws lie on either side."""
    units = [each.unit for each in segments]
    if len(set(units)) < _FEWEST:
        return None, None
    import numpy as np

    references = [each.references for each in segments]
    scores = [each.scores for each in sacre.drawn(metric, systems, references, units, target)]
    low, high = np.quantile(scores[-1] - scores[0] if len(scores) > 1 else scores[0], (0.025, 0.975))
    return float(low), float(high)


def _comet_change(model: str, pairs: Sequence[tuple[Segment, Segment]]) -> QualityChange:
    """Means over sentences; p keeps sentences of one unit together, as all tests of gender do."""
    from epicene.stats import clustered

    sides = []
    for side in zip(*pairs, strict=True):
        columns = ([getattr(each, name) for each in side] for name in ("source", "text", "references"))
        sides.append([100 * score for score in comet.scores(model, *columns)])
    clusters = Clusters.of((each.unit, "") for each, _ in pairs)
    units = (each.unit for each, _ in pairs)
    share = clusters.share((unit, new - old, 1) for unit, old, new in zip(units, *sides, strict=True))
    estimate = clustered.mean(share, clusters.design)
    n, p = len(pairs), estimate.p_value()
    ends = [None if each is None else float(each) for each in (estimate.low, estimate.high)]
    before, after = (sum(side) / n for side in sides)
    signature = comet.signature(model)
    return QualityChange("comet", _COMET, n, before, after, None if p is None else float(p), signature, *ends)
