"""WinoMT's measures: accuracy, F1 by gender, ΔG and ΔS, with intervals over occupations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.stats.clustered import Share
from epicene.types import Gender, Item, Measure

GOLD = {"male": Gender.MASCULINE, "female": Gender.FEMININE, "neutral": Gender.NEUTRAL}
F1 = {"male": Gender.MASCULINE, "female": Gender.FEMININE}  # ΔG is that of the first less that of the second
GAPS = {"delta_s": ("accuracy", "pro", "anti")}  # gaps in a rate: first group less second
OTHER_WORD = "other_word"
_OPPOSITE = {Gender.MASCULINE: Gender.FEMININE, Gender.FEMININE: Gender.MASCULINE}
Counted = tuple[str, Gender, Gender, bool]  # subset, gold, gender read, whether on somebody else's word


def key(item: Item) -> Key:
    """Subset and occupation."""
    return item.labels["subset"], item.labels["occupation"]


def groups(item: Item) -> tuple[str, ...]:
    """All, the gold gender, and pro or anti."""
    subset = item.labels["subset"]
    return ("all", item.labels["gold"], *((subset,) if subset in ("pro", "anti") else ()))


def stratum(item: Item) -> str:
    """The stereotype of the occupation, which sentences of WinoBias tell: masculine or feminine."""
    return _stereotype(item.labels["subset"], item.expected)


def _stereotype(subset: str, expected: Gender | None) -> str:
    if expected not in _OPPOSITE or subset not in ("pro", "anti"):
        return ""
    return expected.value if subset == "pro" else _OPPOSITE[expected].value


def measures(tally: Tally) -> list[Measure]:
    """All measures of the family."""
    counts = _Counts(tally)
    clusters = counts.clusters
    concerned: dict[str, Callable[[Counted], bool]] = {"all": lambda _: True}
    concerned |= {name: lambda each, gold=gold: each[1] is gold for name, gold in GOLD.items()}  # type: ignore[misc]
    concerned |= {name: lambda each, name=name: each[0] == name for name in ("pro", "anti")}  # type: ignore[misc]
    accuracy = {group: counts.share(_right, among) for group, among in concerned.items()}
    found = []
    for group, share in accuracy.items():
        unread = counts.number(lambda each, among=concerned[group]: each[2] is Gender.UNKNOWN and among(each))  # type: ignore[misc]
        found.append(clusters.rate("accuracy", group, share, unread))
    f1 = {name: counts.f1(gender) for name, gender in F1.items()}
    for name, share in f1.items():
        measured = clusters.rate("f1", name, share)
        found.append(
            Measure("f1", name, measured.value, "%", tally.n, None, measured.low, measured.high, why=measured.why)
        )
    found.append(clusters.gap("delta_g", "-".join(F1), f1["male"], f1["female"], tally.n))
    for name, (_, first, second) in GAPS.items():
        found.append(clusters.gap(name, f"{first}-{second}", accuracy[first], accuracy[second]))
    detail = None if tally.other_word else True
    return found + [
        clusters.rate(OTHER_WORD, group, counts.share(_right_elsewhere, among), detail=detail)
        for group, among in concerned.items()
    ]


def _right(each: Counted) -> bool:
    return each[2] is each[1] and not each[3]


def _right_elsewhere(each: Counted) -> bool:
    return each[2] is each[1] and each[3]


class _Counts:
    """Sentences with an expected gender by occupation and what was read."""

    def __init__(self, tally: Tally) -> None:
        cells = [(cell, elsewhere, n) for cell, elsewhere, n in tally.parted() if cell[1] is not None]
        self.clusters = Clusters.of(
            (occupation, _stereotype(subset, gold)) for ((subset, occupation), gold, _), _, _ in cells
        )
        self._cells = [
            (occupation, (subset, gold, read, elsewhere), number)
            for ((subset, occupation), gold, read), elsewhere, number in cells
            if gold is not None
        ]

    def number(self, counted: Callable[[Counted], bool]) -> int:
        """How many sentences are counted."""
        return sum(number for _, each, number in self._cells if counted(each))

    def share(self, counted: Callable[[Counted], bool], among: Callable[[Counted], bool]) -> Share:
        """Sentences that are counted among those that are concerned."""
        return self.clusters.share(
            (occupation, number * counted(each), number) for occupation, each, number in self._cells if among(each)
        )

    def f1(self, gender: Gender) -> Share:
        """F1 as a ratio: twice what is right among what is expected and what is read; nought where none is read."""
        size = self.share(_right, lambda _: True).of
        return self.clusters.share(self._twice(gender))._replace(size=size)

    def _twice(self, gender: Gender) -> Iterator[tuple[str, float, float]]:
        for occupation, each, number in self._cells:
            asked, read = each[1] is gender, each[2] is gender
            yield occupation, 2 * number * (asked and read and not each[3]), number * (asked + read)


FAMILY = Family(key, groups, measures, gaps=GAPS, f1=F1, stratum=stratum, main_gaps=("delta_g", "delta_s"))
