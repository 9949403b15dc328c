"""From measuring to acting, typed: what ``epicene rerank``, ``alternatives`` and ``control`` do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.act import alternatives as versions
from epicene.act import candidates as nbest
from epicene.act import control as telling
from epicene.act import cost, tables
from epicene.act import rerank as choosing
from epicene.act.alternatives import Alternative
from epicene.act.control import Contest, Told
from epicene.act.cost import Cost
from epicene.act.rerank import Choice
from epicene.act.versions import Judged, judged, references_of
from epicene.compare.pairs import Comparison, compare_results
from epicene.errors import InputError
from epicene.flow import plan
from epicene.flow.score import score_outputs
from epicene.flow.translate import open_asker
from epicene.options import PROTOCOLS
from epicene.output.table import Answer, Row, Table
from epicene.sets import TestSet
from epicene.store.hypotheses import by_line
from epicene.systems import for_text
from epicene.types import GuidedSystem, Item, Output, Pair, Verdict

if TYPE_CHECKING:
    from epicene.flow.ask import Progress

BEAM = 12  # candidates, unless told otherwise
_BEFORE, _AFTER = "first candidates", "reranked"


@dataclass(frozen=True, slots=True)
class Reranked(Answer):
    """What was chosen of n-best lists, what other judges say of it, and what it cost."""

    langs: str
    system: str
    set: str  # "" for a text
    oracle: bool  # whether the set's labels said what to look for, not the sources
    choices: tuple[Choice, ...] = field(repr=False)
    comparisons: tuple[Comparison, ...] = ()  # by each protocol of the set, the one that selected first
    costs: tuple[Cost, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The translations that were chosen."""
        return [choice.text for choice in self.choices]

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences were changed, and why the others were not."""
        found = Counter(choice.why for choice in self.choices)
        return {why: found[why] for why in ("changed", "first fits", "none fits better", "nothing stated")}

    def tables(self) -> Iterable[Table]:
        """What was done, then the rates before and after by every protocol."""
        return tables.rerank_tables(self)

    def rows(self) -> Iterable[Row]:
        """One row per group and protocol; of a text, one per metric of quality."""
        rows = [row for comparison in self.comparisons for row in comparison.rows()]
        return rows or [cost.as_dict() for cost in self.costs]

    def records(self) -> list[dict[str, Any]]:
        """The one object that JSON has of it."""
        return [self.as_dict()]

    def as_dict(self) -> dict[str, Any]:
        """All but the sentences, as JSON has it."""
        return {
            "langs": self.langs,
            "system": self.system,
            "set": self.set,
            "oracle": self.oracle,
            "n": len(self.choices),
            "counts": self.counts,
            "judged": [each.as_dict() for each in self.comparisons],
            "costs": [each.as_dict() for each in self.costs],
            "notes": list(self.notes),
        }


def rerank(
    text: str | Iterable[str],
    langs: str,
    system: str = "bundled",
    nbest_file: str | Path | None = None,
    n: int = BEAM,
    oracle: bool = False,
    references: Sequence[str] = (),
    max_loss: float | None = None,
    constrain: bool = False,
    cached: bool = True,
    progress: Progress | None = None,
    anyway: bool = False,
) -> Reranked:
    """Choose from n-best lists of a set, given by its name, or of any lines: what fits the gender that they state.

    ``nbest_file``: lists that are there already, in place of a system's. ``oracle``: the set's labels say what to look
    for, as published oracles do. ``references``: one translation a line, for BLEU and chrF. ``max_loss``: how much
    less than the first candidate's the score of another may be. ``constrain``: where no candidate fits, hold the
    system to one that does, by constrained decoding.
    """
    challenge = plan.open_set(text) if isinstance(text, str) else None
    pair = plan.open_pair(langs, challenge) if challenge else plan.parse_pair(langs)
    groups = list(by_line(challenge.items(pair))) if challenge else []
    sources = [group[0].source for group in groups] if challenge else list(text)
    if oracle and challenge is None:
        raise InputError("--oracle takes the gender from a set's labels; a text has none")
    if references and len(references) != len(sources):
        raise InputError(
            f"{len(references):,} references for {len(sources):,} sentences; expected one a line, in the same order"
        )
    of = f"set {challenge.name}" if challenge else "the text"
    if nbest_file is not None:
        name, lists = f"file:{Path(nbest_file).name}", nbest.of_file(nbest_file, sources, of, pair)
    else:
        with open_asker("local", cached, progress) as by:
            name, lists = system, nbest.of_system(system, sources, pair, n, by)
    stated = choosing.from_labels(groups) if oracle else choosing.from_source(sources)
    given_lists = choosing.Lists(sources, lists, stated)
    choices = choosing.choose(given_lists, pair, max_loss)
    if constrain:
        guided = _guided(system) if nbest_file is None else None
        if guided is None:
            raise InputError("--constrain needs a system that goes on from given words; --nbest gives only lists")
        choices = choosing.choose(choosing.constrained(guided, given_lists, choices, pair), pair, max_loss)
    given = list(references) or cost.references_of([group[0] for group in groups])
    found = Reranked(
        str(pair),
        name,
        challenge.name if challenge else "",
        oracle,
        tuple(choices),
        costs=tuple(cost.costs(choices, given)),
    )
    return _judged(found, challenge, groups, pair, anyway) if challenge else found


def _guided(system: str) -> GuidedSystem:
    opened = for_text(*plan.open_named(system))
    if not isinstance(opened, GuidedSystem):
        raise InputError(f"{system} cannot be held to words; bundled, ctranslate2: and huggingface: can")
    return opened


def _judged(
    found: Reranked, challenge: TestSet, groups: Sequence[Sequence[Item]], pair: Pair, anyway: bool
) -> Reranked:
    """The set's measures before and after, by every protocol that it has."""
    comparisons, notes = [], list[str]()
    if challenge.open_gender or challenge.references:
        return replace(found, notes=(f"set {challenge.name} has no right answers, so nothing is judged",))
    for protocol in PROTOCOLS:
        try:
            task = plan.open_task(challenge, pair, protocol)
        except InputError as error:
            notes.append(f"not judged by protocol {protocol}: {error}")
            continue
        results = []
        for name, texts in ((_BEFORE, [c.candidates[0].text for c in found.choices]), (_AFTER, found.lines)):
            verdicts: list[Verdict] = []
            outputs = [
                Output(item, name, pair.target, text)
                for group, text in zip(groups, texts, strict=True)
                for item in group
            ]
            result = score_outputs(task, outputs, name, verdicts.append, anyway=anyway)
            results.append(replace(result, verdicts=tuple(verdicts)))
        comparisons += compare_results(results)
    return replace(found, comparisons=tuple(comparisons), notes=tuple(notes))


@dataclass(frozen=True, slots=True)
class Alternatives(Answer):
    """Both versions of sentences whose gender is open."""

    langs: str
    system: str
    set: str
    found: tuple[Alternative, ...] = field(repr=False)
    judged: dict[str, int] = field(default_factory=dict)  # versions by what the set's references say of them
    apart: dict[str, int] = field(default_factory=dict)  # pairs of versions by in what they differ, by the references

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences have both versions, and what became of the others."""
        return dict(Counter(each.why for each in self.found).most_common())

    @property
    def open(self) -> int:
        """Sentences in which somebody's gender is open."""
        return sum(bool(each.people) for each in self.found)

    @property
    def both(self) -> int:
        """Sentences with both versions that differ in nothing but gender."""
        return sum(each.both for each in self.found)

    def tables(self) -> Iterable[Table]:
        """The versions of a text's sentences, and how many have both."""
        return tables.alternative_tables(self)

    def rows(self) -> Iterator[Row]:
        """One row per sentence with its versions."""
        for sentence in self.found:
            record = sentence.as_dict()
            plain = {name: value for name, value in record.items() if name not in ("people", "scores", "differ")}
            yield {**plain, "people": ", ".join(record["people"])}

    def records(self) -> list[dict[str, Any]]:
        """The one object that JSON has of it."""
        return [self.as_dict()]

    def as_dict(self) -> dict[str, Any]:
        """Counts and versions as JSON has them."""
        return {
            "langs": self.langs,
            "system": self.system,
            "set": self.set,
            "n": len(self.found),
            "open": self.open,
            "both": self.both,
            "counts": self.counts,
            "references": self.judged,
            "apart": self.apart,
            "sentences": [each.as_dict() for each in self.found],
        }


def alternatives(
    text: str | Iterable[str],
    langs: str,
    system: str = "bundled",
    n: int = BEAM,
    sample: int | None = None,
    cached: bool = True,
    progress: Progress | None = None,
) -> Alternatives:
    """Give a feminine and a masculine version of sentences that leave a gender open: of a set, or of any lines.

    ``sample``: every so many-th sentence of a set, evenly, to have so many of them.
    """
    challenge = plan.open_set(text) if isinstance(text, str) else None
    pair = plan.open_pair(langs, challenge) if challenge else plan.parse_pair(langs)
    if pair.source != "en":
        raise InputError(f"people are found in English sentences; the pair {langs} translates from {pair.source}")
    groups = list(by_line(challenge.items(pair))) if challenge else []
    if sample is not None and groups:
        groups = [groups[place * len(groups) // sample] for place in range(min(sample, len(groups)))]
    sources = [group[0].source for group in groups] if challenge else list(text)
    opened = _guided(system)
    people = [
        tuple(dict.fromkeys(item.person for item in group))
        if challenge and challenge.open_gender
        else versions.open_people(source)
        for group, source in zip(groups or [[] for _ in sources], sources, strict=True)
    ]
    with open_asker("local", cached, progress) as by:
        lists = nbest.of_system(system, sources, pair, n, by)
    found = versions.both(opened, sources, people, lists, pair)
    told = judged((each, references_of(group)) for group, each in zip(groups, found, strict=bool(groups)))
    shown = told if any(told.versions.values()) else Judged({}, {})
    return Alternatives(str(pair), system, challenge.name if challenge else "", tuple(found), *shown)


@dataclass(frozen=True, slots=True)
class Control(Answer):
    """How systems took what they were told."""

    told: tuple[Told, ...]
    contests: tuple[tuple[str, str, Contest], ...]  # system, pair of languages, and two ways beside each other

    def tables(self) -> Iterable[Table]:
        """Who obeyed, by way and gender, then each two ways beside each other."""
        return tables.control_tables(self)

    def rows(self) -> list[Row]:
        """One row per measure."""
        return [
            {"system": outcome.system, "langs": outcome.langs, "way": outcome.way, **measure.as_dict()}
            for outcome in self.told
            for measure in outcome.measures
        ]

    def records(self) -> list[dict[str, Any]]:
        """The one object that JSON has of it."""
        return [self.as_dict()]

    def as_dict(self) -> dict[str, Any]:
        """All measures as JSON has them."""
        return {
            "told": [each.as_dict() for each in self.told],
            "contests": [
                {"system": system, "langs": langs, "first": each.first, "second": each.second, **each.change.as_dict()}
                for system, langs, each in self.contests
            ],
        }


def control(
    langs: Sequence[str],
    systems: Sequence[str] = ("bundled",),
    ways: Sequence[str] = (),
    cached: bool = True,
    progress: Progress | None = None,
) -> Control:
    """Tell systems the gender of one of two people in every way that they have an ear for, and read who took it on."""
    chosen, asked = telling.ways(ways), telling.items()
    told: list[Told] = []
    contests: list[tuple[str, str, Contest]] = []
    with open_asker("local", cached, progress) as by:
        for system in systems:
            for each in langs:
                found, compared = telling.control(plan.open_named(system), plan.parse_pair(each), by, chosen, asked)
                told += found
                contests += [(found[0].system, found[0].langs, contest) for contest in compared]
    return Control(tuple(told), tuple(contests))
