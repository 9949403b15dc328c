"""N-best lists → the best-scored candidate whose reading fits the gender that the source states.

The source alone says what is stated: nobody who translates a text has labels for it. A sentence that states nothing
keeps its first candidate, and so does one of which no candidate fits better than the first. Whoever selects must not be
the only judge, so a set's outputs are measured before and after by every protocol that it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from epicene.act import tables
from epicene.act.alternatives import VersionRequest, find_versions
from epicene.act.candidates import ask_for_lists, open_guided, read_matching_lists
from epicene.act.stated import Stated, find_stated
from epicene.compare.pairs import Comparison, compare_results
from epicene.errors import InputError
from epicene.flow import plan
from epicene.flow.score import score_outputs
from epicene.flow.translate import open_asker
from epicene.options import PROTOCOLS, SURE, Asking, Reranking, apply_options
from epicene.output.table import Answer, Row, Table
from epicene.reader import DETECTORS
from epicene.reader.people import others_than
from epicene.sets import TestSet
from epicene.store.hypotheses import group_by_line
from epicene.text import normalised
from epicene.types import Candidate, Gender, GuidedSystem, Item, Output, Pair, Person, Verdict

_EVEN = 1e-9
_GENDERS = (Gender.FEMININE, Gender.MASCULINE)
_BEFORE, _AFTER = "first candidates", "reranked"


class Choice(NamedTuple):
    """What was chosen of one list, and why."""

    source: str
    candidates: tuple[Candidate, ...]
    stated: tuple[Stated, ...]
    fits: tuple[float, ...]  # of each candidate: how much of what is stated it shows, 1 for each person in full
    chosen: int = 0

    @property
    def text(self) -> str:
        """The translation that was chosen."""
        return self.candidates[self.chosen].text

    @property
    def why(self) -> str:
        """Why this one."""
        if not self.stated:
            return "nothing stated"
        if self.chosen:
            return "changed"
        return "first fits" if self.fits[0] >= len(self.stated) - _EVEN else "none fits better"

    def as_dict(self) -> dict[str, Any]:
        """The choice as JSON has it."""
        return {
            "source": self.source,
            "stated": [str(statement) for statement in self.stated],
            "why": self.why,
            "chosen": self.chosen,
            "candidates": [
                {"text": candidate.text, "score": candidate.score, "fit": fit}
                for candidate, fit in zip(self.candidates, self.fits or (None,) * len(self.candidates), strict=True)
            ],
        }


@dataclass(frozen=True, slots=True)
class Lists:
    """Sources with their candidates, and what each source states."""

    sources: Sequence[str]
    candidates: Sequence[Sequence[Candidate]]
    stated: Sequence[tuple[Stated, ...]]


@dataclass(frozen=True, slots=True, repr=False)
class Reranked(Answer):
    """The chosen candidates, and their scores by every protocol of the set."""

    langs: str
    system: str
    set: str  # "" for a text
    oracle: bool  # whether the set's labels said what to look for, not the sources
    choices: tuple[Choice, ...] = field(repr=False)
    comparisons: tuple[Comparison, ...] = ()  # by each protocol of the set, the one that selected first
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The translations that were chosen."""
        return [choice.text for choice in self.choices]

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences were changed, and why the others were not."""
        reasons = Counter(choice.why for choice in self.choices)
        return {why: reasons[why] for why in ("changed", "first fits", "none fits better", "nothing stated")}

    def tables(self) -> Iterable[Table]:
        """What was done, then the rates before and after by every protocol."""
        return tables.rerank_tables(self)

    def rows(self) -> Iterable[Row]:
        """One row per group and protocol; of a text, how many sentences were changed."""
        rows = [row for comparison in self.comparisons for row in comparison.rows()]
        return rows or [{"why": why, "n": count} for why, count in self.counts.items()]

    def as_dict(self) -> dict[str, Any]:
        """All but the sentences, as JSON has it."""
        return {
            "langs": self.langs,
            "system": self.system,
            "set": self.set,
            "oracle": self.oracle,
            "n": len(self.choices),
            "counts": self.counts,
            "judged": [comparison.as_dict() for comparison in self.comparisons],
            "notes": list(self.notes),
        }


def rerank(
    text: str | Iterable[str],
    langs: str,
    system: str = "bundled",
    nbest_file: str | Path | None = None,
    reranking: Reranking = Reranking(),  # noqa: B008 - frozen
    asking: Asking = Asking(),  # noqa: B008 - frozen
    **options: Any,
) -> Reranked:
    """Choose candidates that have the gender stated in the source, for a test set, given by name, or any lines.

    ``nbest_file`` has n-best lists to use instead of a system's. ``options`` are fields of ``Reranking`` and
    ``Asking``: ``oracle`` takes the gender from the set's labels, as published oracles do; ``max_loss`` limits how
    far a score may be below the first candidate's; ``min_confidence`` is the confidence that the detector needs in a
    replacement; if no candidate fits, ``constrain`` tries to make the system generate one.
    """
    reranking, asking = apply_options(options, reranking, asking)
    test_set = plan.open_set(text) if isinstance(text, str) else None
    pair = plan.open_pair(langs, test_set) if test_set else plan.parse_pair(langs)
    groups = list(group_by_line(test_set.items(pair))) if test_set else []
    sources = [group[0].source for group in groups] if test_set else list(text)
    if reranking.oracle and test_set is None:
        raise InputError("--oracle takes the gender from a set's labels; a text has none")
    if nbest_file is not None:
        owner = f"set {test_set.name}" if test_set else "the text"
        name, candidates = f"file:{Path(nbest_file).name}", read_matching_lists(nbest_file, sources, owner)
    else:
        with open_asker(asking) as asker:
            name, candidates = system, ask_for_lists(system, sources, pair, reranking.n, asker)
    known = _read_labels(groups) if reranking.oracle else [find_stated(source) for source in sources]
    lists = Lists(sources, candidates, known)
    choices = choose(lists, pair, reranking.max_loss, reranking.min_confidence)
    if reranking.constrain:
        if nbest_file is not None:
            raise InputError("--constrain needs a system that can continue from given words; --nbest gives only lists")
        lists = _add_constrained(open_guided(system), lists, choices, pair)
        choices = choose(lists, pair, reranking.max_loss, reranking.min_confidence)
    answer = Reranked(str(pair), name, test_set.name if test_set else "", reranking.oracle, tuple(choices))
    return _judge(answer, test_set, groups, pair, reranking.anyway) if test_set else answer


def _judge(answer: Reranked, test_set: TestSet, groups: Sequence[Sequence[Item]], pair: Pair, anyway: bool) -> Reranked:
    """The set's measures before and after, by every protocol that it has."""
    comparisons, notes = [], list[str]()
    if test_set.open_gender or test_set.references:
        return replace(answer, notes=(f"set {test_set.name} has no right answers, so nothing is scored",))
    for protocol in PROTOCOLS:
        try:
            task = plan.open_task(test_set, pair, protocol)
        except InputError as error:
            notes.append(f"not scored with protocol {protocol}: {error}")
            continue
        results = []
        for name, texts in ((_BEFORE, [c.candidates[0].text for c in answer.choices]), (_AFTER, answer.lines)):
            verdicts: list[Verdict] = []
            outputs = [
                Output(item, name, pair.target, text)
                for group, text in zip(groups, texts, strict=True)
                for item in group
            ]
            result = score_outputs(task, outputs, name, verdicts.append, anyway=anyway)
            results.append(replace(result, verdicts=tuple(verdicts)))
        comparisons += compare_results(results)
    return replace(answer, comparisons=tuple(comparisons), notes=tuple(notes))


def _read_labels(groups: Iterable[Sequence[Item]]) -> list[tuple[Stated, ...]]:
    """What a set's labels say of its people: an oracle, since a text to be translated has no labels."""
    return [
        tuple(
            Stated(item.expected, "label", (item.person,))
            for item in group
            if item.expected in _GENDERS and item.expected
        )
        for group in groups
    ]


def choose(lists: Lists, pair: Pair, max_loss: float | None = None, min_confidence: float = SURE) -> list[Choice]:
    """The best-scored candidate of each list that fits best, where it fits better than the first.

    ``max_loss``: how much less a candidate's score may be than that of the first. ``min_confidence``: how sure the
    reader must be of a candidate that takes the place of the first.
    """
    if pair.source != "en":
        raise InputError(f"what a source states is read in English; the pair {pair} translates from {pair.source}")
    fits = _rate_lists(lists, pair, min_confidence)
    return [
        _choose_one(Choice(source, tuple(candidates), statements, fit), max_loss)
        for source, candidates, statements, fit in zip(lists.sources, lists.candidates, lists.stated, fits, strict=True)
    ]


def _add_constrained(system: GuidedSystem, lists: Lists, choices: Sequence[Choice], pair: Pair) -> Lists:
    """The lists with candidates that the system was held to, for sentences of which none fits all that is stated."""
    requests = [
        (index, VersionRequest(choice.source, statement.people, statement.gender, choice.candidates))
        for index, choice in enumerate(choices)
        if choice.stated and choice.fits[choice.chosen] < len(choice.stated) - _EVEN
        for statement in choice.stated
    ]
    longer = [list(candidates) for candidates in lists.candidates]
    versions = find_versions(system, [request for _, request in requests], pair)
    for (index, _), candidates in zip(requests, versions, strict=True):
        known = {candidate.text for candidate in longer[index]}
        longer[index] += [candidate for candidate in candidates if candidate.text not in known]
    return replace(lists, candidates=longer)


def _choose_one(choice: Choice, max_loss: float | None) -> Choice:
    if not choice.fits:
        return choice
    first = choice.candidates[0].score
    allowed = [
        index
        for index, candidate in enumerate(choice.candidates)
        if max_loss is None or first is None or candidate.score is None or first - candidate.score <= max_loss
    ]
    best = max(choice.fits[index] for index in allowed)
    if best <= choice.fits[0] + _EVEN:
        return choice
    fitting = [index for index in allowed if choice.fits[index] >= best - _EVEN]
    scores = [choice.candidates[index].score for index in fitting]
    ranked = [(-score, index) for score, index in zip(scores, fitting, strict=True) if score is not None]
    return choice._replace(chosen=min(ranked)[1] if len(ranked) == len(fitting) else fitting[0])


def _rate_lists(lists: Lists, pair: Pair, min_confidence: float) -> list[tuple[float, ...]]:
    """How well every candidate fits; nothing for a source that states nothing. The first gets the benefit of doubt."""
    outputs = list(_outputs_to_read(lists, pair))
    detector = DETECTORS.find("reading").build(pair.target)
    verdicts: dict[tuple[str, Person, str], Verdict] = {}
    for output, verdict in zip(outputs, detector.detect(outputs), strict=True):
        verdicts[output.item.source, output.item.person, output.text] = verdict

    def shows(source: str, person: Person, text: str, gender: Gender, least: float) -> bool:
        verdict = verdicts[source, person, normalised(text)]
        return verdict.gender is gender and not verdict.on_other_word and (verdict.confidence or 0) >= least

    return [
        tuple(
            _rate(statements, source, candidate.text, partial(shows, least=min_confidence if place else 0))
            for place, candidate in enumerate(candidates)
        )
        if statements
        else ()
        for source, candidates, statements in zip(lists.sources, lists.candidates, lists.stated, strict=True)
    ]


def _rate(
    statements: Sequence[Stated], source: str, text: str, shows: Callable[[str, Person, str, Gender], bool]
) -> float:
    """One for each person in full; of people one of whom is meant, and the sentence does not say who, the share."""
    return sum(
        sum(shows(source, person, text, statement.gender) for person in statement.people) / len(statement.people)
        for statement in statements
    )


def _outputs_to_read(lists: Lists, pair: Pair) -> Iterator[Output]:
    """Every person of whom something is stated in every candidate, once."""
    seen = set[tuple[str, Person, str]]()
    for source, candidates, statements in zip(lists.sources, lists.candidates, lists.stated, strict=True):
        for person in dict.fromkeys(person for statement in statements for person in statement.people):
            item = Item(f"{person.text}@{person.start}", source, person, None, others=others_than(person, source))
            for candidate in candidates:
                text = normalised(candidate.text)
                if (source, person, text) not in seen:
                    seen.add((source, person, text))
                    yield Output(item, "", pair.target, text)
