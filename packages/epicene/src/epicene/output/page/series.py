"""The results of a page, each with its name there and what its charts and links count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from epicene import sets
from epicene.languages.codes import name as language_name
from epicene.languages.codes import pair
from epicene.measures.breakdown import MISGENDERED, Breakdown
from epicene.measures.claims import Claim, claim
from epicene.output.page import filters
from epicene.output.page.templating import hide_folders
from epicene.result import Result
from epicene.text import visible
from epicene.types import Gender, Measure

LABEL = 60  # characters of a name from outside
GROUPS = {Gender.FEMININE: "female", Gender.MASCULINE: "male"}  # of who is misgendered
Tallies = Counter[tuple[str, str, str]]  # sentences by group, filter and value


@dataclass(frozen=True)
class Series:
    """One system's result in a panel."""

    label: str
    result: Result
    into: str  # the target language, or both languages where a page has several sources
    tallies: Tallies = field(default_factory=Tallies)
    linked: bool = True  # whether the page has its sentences, so that numbers can lead to them

    @cached_property
    def breakdown(self) -> Breakdown:
        """What was read where each gender is stated."""
        return Breakdown(self.result.verdicts)

    @cached_property
    def occupations(self) -> dict[str, dict[Gender, Measure]]:
        """How often each occupation is misgendered: women among the women, men among the men."""
        find = self.breakdown.find
        rates = {
            name: {gender: rate for gender, kind in MISGENDERED.items() if (rate := find(kind, name))}
            for name in self.breakdown.occupations
        }
        return {name: both for name, both in rates.items() if both}

    def misgendered(self, gender: Gender | None = None) -> Claim | None:
        """How often people of a gender, or all, are misgendered."""
        return claim(self.result, "misgendered", GROUPS[gender] if gender else "all")

    def share(self, gender: Gender) -> Claim | None:
        """How often a gender was read, where nobody's is stated."""
        return claim(self.result, "share", gender)

    @property
    def hides(self) -> bool:
        """Whether too few genders were detected to go by the rates of women or of men."""
        return any(claim.hides for claim in self.claims if claim)

    @property
    def claims(self) -> tuple[Claim | None, Claim | None]:
        """Women misgendered and men misgendered; where nobody's gender is stated, masculine and feminine."""
        if self.is_open:
            return self.share(Gender.MASCULINE), self.share(Gender.FEMININE)
        return self.misgendered(Gender.FEMININE), self.misgendered(Gender.MASCULINE)

    @property
    def is_open(self) -> bool:
        """Whether nobody's gender is stated."""
        return not any(self.misgendered(gender) for gender in GROUPS)

    @property
    def day(self) -> str:
        """When it was translated, or else when it was run; nothing where neither is known."""
        if self.result.translated:
            return self.result.translated.last
        return self.result.source.day if self.result.source else ""

    @property
    def name(self) -> str:
        """The label as a chart can hold it."""
        text = visible(self.label)
        return text if len(text) <= LABEL else text[: LABEL - 1] + "…"


def label_systems(results: Sequence[Result], linked: bool = True) -> list[Series]:
    """The results with short names of their systems; options, then numbers, tell apart those that have the same."""
    alike = Counter((result.set, result.langs, result.label) for result in results)
    several = len({pair(result.langs).source for result in results}) > 1
    seen = Counter[tuple[str, str, str]]()
    series = []
    for result in results:
        label, options = result.label, result.system.partition("?")[2]
        if alike[result.set, result.langs, label] > 1 and options:
            label = f"{label} {options.replace('&', ' ')}"
        key = (result.set, result.langs, label)
        seen[key] += 1
        label = label if seen[key] == 1 else f"{label} ({seen[key]})"
        into = name_languages(result.langs, several)
        series.append(Series(visible(hide_folders(label)), result, into, _tally(result), linked))
    return series


def name_languages(langs: str, both: bool = True) -> str:
    """The target language, or both languages, in English."""
    target = language_name(pair(langs).target)
    return f"{language_name(pair(langs).source)} to {target}" if both else target


def _tally(result: Result) -> Tallies:
    """How many sentences of each group have each verdict and reading: what a link must lead to."""
    measured, known = sets.of_result(result.set).measures, Counter[tuple[tuple[str, ...], str, str]]()
    for verdict in result.verdicts:
        groups = filters.groups_of(measured, verdict.output.item)
        known[groups, filters.outcome(verdict), verdict.gender.value] += 1
    tallies = Tallies()
    for (groups, outcome, read), size in known.items():
        for group in groups:
            tallies[group, "verdict", outcome] += size
            tallies[group, "read", read] += size
    return tallies
