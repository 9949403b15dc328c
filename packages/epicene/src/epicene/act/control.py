"""Does a system do what it is told? The same sentences, with one person's gender given in several ways.

A sentence names two people of open gender; one of them is told. What comes back is obeyed where that person has the
gender, ignored where not, and spilled where the other person, of whom nothing was said, took it on as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, starmap
from typing import Any, NamedTuple

from epicene.act.alternatives import find_alternatives
from epicene.act.candidates import ask_for_lists
from epicene.errors import InputError, UnknownNameError
from epicene.flow import plan
from epicene.flow.plan import NamedSystem
from epicene.flow.translate import Asker, open_asker, translate_lines
from epicene.languages.codes import pair as parse_pair
from epicene.languages.folder import load
from epicene.measures.outcomes import Outcomes
from epicene.measures.paired import PairedTest, compare_groups
from epicene.measures.rates import OPPOSITE, Measures, Outcome, Rate, is_misgendered, is_right
from epicene.options import Asking, apply_options
from epicene.output.table import Answer, Cell, Column, Row, Table, format_number, format_p, make_columns
from epicene.reader import DETECTORS
from epicene.systems import for_text
from epicene.systems.services.openai import OpenAI
from epicene.tables import table
from epicene.text import normalised
from epicene.types import Gender, GuidedSystem, Item, Measure, Output, Pair, Person, System, Verdict

PLAIN = "untold"
_RESULTS = ("obeyed", "ignored", "spilled")
_NOUNS = {Gender.FEMININE: "woman", Gender.MASCULINE: "man"}
_LETTERS = {Gender.FEMININE: "F", Gender.MASCULINE: "M"}
_END = re.compile(r"(?<=[.!?…])[\"”»]?\s+")
_GROUPS = ("all", *(gender.value for gender in _NOUNS))
_OBEYED = Measures(
    lambda item: ("all", item.expected or ""),
    (Rate("obeyed", is_right), Rate("ignored", is_misgendered)),
    compared=lambda item: ("all",),  # noqa: ARG005
)
_SPILLED = replace(
    _OBEYED, rates=(Rate("spilled", lambda outcome: outcome.gender is outcome.expected, undetected=False),)
)
_N = 12  # candidates from which a model on this machine takes the word of a glossary


class Way(NamedTuple):
    """A way to tell a gender: a row of the table."""

    name: str
    kind: str  # tag, context, prompt or glossary
    text: str

    def fill(self, item: Item, target: str) -> str:
        """The text for a person and a gender."""
        gender = item.expected
        if gender is None:
            return ""
        values = {"person": item.person.text, "noun": _NOUNS[gender], "gender": gender.value, "source": item.source}
        values |= {"letter": _LETTERS[gender]}
        values |= {"form": form_of(item.person.concept, gender, target)} if "{form}" in self.text else {}
        return self.text.format(**values)


@dataclass(frozen=True, slots=True)
class Obedience:
    """How a system took one way of being told."""

    system: str
    langs: str
    way: str
    measures: tuple[Measure, ...]
    outcomes: Outcomes
    outputs: tuple[Output, ...] = ()

    def __getitem__(self, key: str | tuple[str, str]) -> Measure:
        name, group = (key, "all") if isinstance(key, str) else key
        return next(measure for measure in self.measures if (measure.name, measure.group) == (name, group))

    def as_dict(self) -> dict[str, Any]:
        """The measures as JSON has them."""
        return {
            "system": self.system,
            "langs": self.langs,
            "way": self.way,
            "measures": [measure.as_dict() for measure in self.measures],
        }


class Contest(NamedTuple):
    """Two ways of telling a system beside each other, on the same sentences."""

    system: str
    langs: str
    first: str
    second: str
    change: PairedTest

    def as_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it."""
        named = self._asdict()
        del named["change"]
        return {**named, **self.change.as_dict()}


@dataclass(frozen=True, slots=True, repr=False)
class Control(Answer):
    """How systems followed the gender instructions."""

    told: tuple[Obedience, ...]
    contests: tuple[Contest, ...]

    def tables(self) -> Iterator[Table]:
        """Who obeyed, by way and gender, then each two ways beside each other."""
        columns = (Column("way", "%"), *(Column(name, name, 1) for name in _RESULTS))
        contest_columns = make_columns(
            ways="obeyed, points", n="n", first="first", second="second", difference="difference", p="p"
        )
        for system, langs in dict.fromkeys((outcome.system, outcome.langs) for outcome in self.told):
            outcomes = [outcome for outcome in self.told if (outcome.system, outcome.langs) == (system, langs)]
            rows: list[tuple[Cell, ...]] = []
            for outcome in outcomes:
                for name, group in {outcome.way: "all", "  women": "feminine", "  men": "masculine"}.items():
                    rows.append((name, *(outcome[result, group] for result in _RESULTS)))
            undetected = ", ".join(
                f"{outcome.way} {outcome['obeyed'].undetected}" for outcome in outcomes if outcome["obeyed"].undetected
            )
            others = ", ".join(f"{outcome.way} {outcome['spilled'].n}" for outcome in outcomes)
            notes = (
                f"n = {outcomes[0]['obeyed'].n} people, half told as women, half as men; "
                f"gender not detected: {undetected or 'none'}",
                f"n of spilled (other people, who had the other gender untold): {others}",
            )
            yield Table(f"{system} {langs}", columns, tuple(rows), notes)
            contests: list[tuple[Cell, ...]] = []
            for contest in self.contests:
                if (contest.system, contest.langs) == (system, langs):
                    change = contest.change
                    rates = (format_number(change.before), format_number(change.after), f"{change.difference:+.1f}")
                    contests.append((f"{contest.first} → {contest.second}", change.n, *rates, format_p(change.p)))
            yield Table("", contest_columns, tuple(contests))

    def rows(self) -> list[Row]:
        """One row per measure."""
        return [
            {"system": outcome.system, "langs": outcome.langs, "way": outcome.way, **measure.as_dict()}
            for outcome in self.told
            for measure in outcome.measures
        ]

    def as_dict(self) -> dict[str, Any]:
        """All measures as JSON has them."""
        return {
            "told": [outcome.as_dict() for outcome in self.told],
            "contests": [contest.as_dict() for contest in self.contests],
        }


def control(
    langs: Sequence[str],
    systems: Sequence[str] = ("bundled",),
    ways: Sequence[str] = (),
    asking: Asking = Asking(),  # noqa: B008 - frozen
    **options: Any,
) -> Control:
    """Test whether systems follow a gender instruction for one of two people, in every way that they support.

    ``ways`` are names from the table of ways; default: all. ``options`` are fields of ``Asking``.
    """
    (asking,) = apply_options(options, asking)
    known_ways, items = find_ways(ways), build_items()
    outcomes: list[Obedience] = []
    contests: list[Contest] = []
    with open_asker(asking) as asker:
        for system in systems:
            for pair in langs:
                obediences = _try_ways(plan.open_named(system), parse_pair(pair), asker, known_ways, items)
                outcomes += obediences
                contests += starmap(_compare, combinations(obediences, 2))
    return Control(tuple(outcomes), tuple(contests))


def find_ways(names: Sequence[str] = ()) -> list[Way]:
    """The ways of the table, or those named."""
    known = {row["name"]: Way(row["name"], row["kind"], row["text"]) for row in table("act/tables", "ways.tsv")}
    for name in names:
        if name not in known:
            raise UnknownNameError("way of telling", name, known)
    return [known[name] for name in names or known]


def build_items() -> list[Item]:
    """Every sentence twice: its first person told to be a woman, and told to be a man."""
    persons = [row["person"] for row in table("act/tables", "people.tsv")]
    items = []
    for number, row in enumerate(table("act/tables", "sentences.tsv")):
        for index, first in enumerate(persons):
            second = persons[(index + len(persons) // 2) % len(persons)]
            source = row["template"].format(a=first, b=second)
            people = [Person(noun, source.index(f" {noun}") + 1, noun) for noun in (first, second)]
            labels = {"occupation": first, "template": str(number)}
            items += [
                Item(f"{number}-{first}-{gender}", source, people[0], gender, labels, others=(people[1],))
                for gender in _NOUNS
            ]
    return items


@cache
def form_of(concept: str, gender: Gender, target: str) -> str:
    """The most usual word of a language for a person of a gender."""
    readings = (gender.value, f"{gender.value}?")
    forms = [form for form in load(target).lexicon.forms() if form.readings.get(concept) in readings]
    if not forms:
        raise InputError(f"the lexicon of {target} has no {gender} word for {concept!r}; leave the glossary out")
    form = min(forms, key=lambda form: form.ranks[concept])
    word = " ".join(form.words)
    return word[:1].upper() + word[1:] if form.capital else word


def _try_ways(
    named: NamedSystem, pair: Pair, asker: Asker, ways: Sequence[Way], items: Sequence[Item]
) -> list[Obedience]:
    """What becomes of the sentences untold, and in every way that the system can be told in."""
    if pair.source != "en":
        raise InputError(f"control tells in English; the pair {pair} translates from {pair.source}")
    system = for_text(*named)
    plain = _read(items, translate_lines(named, [item.source for item in items], pair, asker), pair)
    outcomes = [_count(system.identity, PLAIN, plain, plain, pair)]
    for way in ways:
        texts = _translate(named, system, way, items, pair, asker)
        if texts is not None:
            outcomes.append(_count(system.identity, way.name, _read(items, texts, pair), plain, pair))
    if len(outcomes) == 1:
        raise InputError(f"{named.spec} can be told in none of these ways: {', '.join(way.name for way in ways)}")
    return outcomes


def _compare(first: Obedience, second: Obedience) -> Contest:
    change = compare_groups(first.outcomes, second.outcomes)[0]
    return Contest(first.system, first.langs, first.way, second.way, change)


def _translate(
    named: NamedSystem, system: System, way: Way, items: Sequence[Item], pair: Pair, asker: Asker
) -> list[str] | None:
    """The translations of what is told in a way; None where the system has no ear for it."""
    instructions = [way.fill(item, pair.target) for item in items]
    if way.kind == "tag":
        whole = "{source}" in way.text  # the tag is the sentence's and stands somewhere about it
        sources = [
            tag if whole else item.source[: item.person.start] + tag + item.source[item.person.end :]
            for item, tag in zip(items, instructions, strict=True)
        ]
        return [_remove_tags(text) for text in translate_lines(named, sources, pair, asker)]
    if way.kind == "context":
        sources = [f"{before} {item.source}" for before, item in zip(instructions, items, strict=True)]
        return [last_sentence(text) for text in translate_lines(named, sources, pair, asker)]
    if isinstance(system, OpenAI):
        return _instruct(system, instructions, items, pair, asker)
    if way.kind == "glossary" and isinstance(system, GuidedSystem):
        return _constrain(named, system, items, pair, asker)
    return None


def _instruct(
    system: OpenAI, instructions: Sequence[str], items: Sequence[Item], pair: Pair, asker: Asker
) -> list[str]:
    """A chat model is told in its prompt, each instruction with the sentences that it is for."""
    texts: dict[str, str] = {}
    for instruction in dict.fromkeys(instructions):
        instructed = [item for item, other in zip(items, instructions, strict=True) if other == instruction]
        answers = asker.translate(system.with_instruction(instruction), [item.source for item in instructed], pair)
        texts |= {item.id: text for item, text in zip(instructed, answers, strict=True)}
    return [texts[item.id] for item in items]


def _constrain(named: NamedSystem, system: GuidedSystem, items: Sequence[Item], pair: Pair, asker: Asker) -> list[str]:
    """A model on this machine takes the likeliest translation whose word has the gender, by constrained decoding."""
    people = {item.source: (item.person,) for item in items}
    sources = list(people)
    lists = ask_for_lists(named.spec, sources, pair, _N, asker)
    alternatives = find_alternatives(system, sources, list(people.values()), lists, pair)
    texts = {
        (sentence.source, gender): sentence.versions[gender].text if gender in sentence.versions else sentence.first
        for sentence in alternatives
        for gender in _NOUNS
    }
    return [texts[item.source, item.expected] for item in items if item.expected]


def _remove_tags(text: str) -> str:
    """A translation without a tag that a model copied."""
    return re.sub(r"\s*<\s*[FMfm]\s*>", "", text)


def last_sentence(text: str) -> str:
    """What follows the translation of the sentence of context; all of it where the two became one."""
    parts = _END.split(text, maxsplit=1)
    return parts[-1] if len(parts) > 1 else text


def _read(items: Sequence[Item], texts: Iterable[str], pair: Pair) -> list[tuple[Verdict, Verdict]]:
    """The verdicts on the person whose gender was told, and on the other one as if it had been told of them."""
    outputs = []
    for item, text in zip(items, texts, strict=True):
        other = replace(item, id=f"{item.id}-other", person=item.others[0], others=(item.person,))
        outputs += [Output(measured, "", pair.target, normalised(text)) for measured in (item, other)]
    verdicts = list(DETECTORS.find("reading").build(pair.target).detect(outputs))
    return list(zip(verdicts[::2], verdicts[1::2], strict=True))


def _count(
    system: str,
    way: str,
    read: Sequence[tuple[Verdict, Verdict]],
    plain: Sequence[tuple[Verdict, Verdict]],
    pair: Pair,
) -> Obedience:
    """How often people who were told, and others who were not, have the gender that was told."""
    # Whoever had the gender before cannot take it on.
    others = [
        other
        for (_, other), (_, before) in zip(read, plain, strict=True)
        if Outcome(before.output.item.expected, before.gender).misgendered and other.gender in OPPOSITE
    ]
    people = [told for told, _ in read]
    measures = [
        measure
        for declared, verdicts in ((_OBEYED, people), (_SPILLED, others))
        for outcomes in (Outcomes.of(declared, verdicts),)
        for group in _GROUPS
        for rate in declared.rates
        if (measure := outcomes.measure(rate, group))
    ]
    paired = Outcomes.of(_OBEYED, people, paired=True)
    return Obedience(system, str(pair), way, tuple(measures), paired, tuple(told.output for told in people))
