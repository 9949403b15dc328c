"""Does a system do what it is told? The same sentences, with one person's gender given in several ways.

A sentence names two people of open gender; one of them is told. What comes back is obeyed where that person has the
gender, ignored where not, and spilled where the other person, of whom nothing was said, took it on as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from epicene.act import tables
from epicene.act.alternatives import find_alternatives
from epicene.act.candidates import ask_for_lists
from epicene.errors import InputError, UnknownNameError
from epicene.flow import plan
from epicene.flow.plan import NamedSystem
from epicene.flow.translate import Asker, lines, open_asker
from epicene.languages.folder import load
from epicene.measures.outcomes import Clusters, Outcomes
from epicene.measures.paired import PairedTest, compare_groups
from epicene.measures.rates import Measures
from epicene.options import Asking, apply_options
from epicene.output.table import Answer, Row, Table
from epicene.reader import DETECTORS
from epicene.systems import for_text
from epicene.systems.services.openai import OpenAI
from epicene.tables import table
from epicene.text import normalised
from epicene.types import Gender, GuidedSystem, Item, Measure, Output, Pair, Person, System, Verdict

PLAIN = "untold"
_NOUNS = {Gender.FEMININE: "woman", Gender.MASCULINE: "man"}
_LETTERS = {Gender.FEMININE: "F", Gender.MASCULINE: "M"}
_OTHER = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
_END = re.compile(r"(?<=[.!?…])[\"”»]?\s+")
_EVERYBODY = Measures(lambda item: ("all",))  # noqa: ARG005
_N = 12  # candidates from which a model on this machine takes the word of a glossary


class Way(NamedTuple):
    """A way to tell a gender: a row of the table."""

    name: str
    kind: str  # tag, context, prompt or glossary
    text: str

    def told(self, item: Item, target: str) -> str:
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
    """Two ways of telling beside each other, on the same sentences."""

    first: str
    second: str
    change: PairedTest


@dataclass(frozen=True, slots=True, repr=False)
class Control(Answer):
    """How systems followed the gender instructions."""

    told: tuple[Obedience, ...]
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

    def as_dict(self) -> dict[str, Any]:
        """All measures as JSON has them."""
        return {
            "told": [outcome.as_dict() for outcome in self.told],
            "contests": [
                {"system": system, "langs": langs, "first": pair.first, "second": pair.second, **pair.change.as_dict()}
                for system, langs, pair in self.contests
            ],
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
    chosen, items = find_ways(ways), build_items()
    outcomes: list[Obedience] = []
    contests: list[tuple[str, str, Contest]] = []
    with open_asker(asking) as asker:
        for system in systems:
            for pair in langs:
                told, compared = _tell(plan.open_named(system), plan.parse_pair(pair), asker, chosen, items)
                outcomes += told
                contests += [(told[0].system, told[0].langs, contest) for contest in compared]
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
    named = [row["person"] for row in table("act/tables", "people.tsv")]
    found = []
    for number, row in enumerate(table("act/tables", "sentences.tsv")):
        for place, first in enumerate(named):
            second = named[(place + len(named) // 2) % len(named)]
            source = row["template"].format(a=first, b=second)
            people = [Person(each, source.index(f" {each}") + 1, each) for each in (first, second)]
            labels = {"occupation": first, "template": str(number)}
            found += [
                Item(f"{number}-{first}-{gender}", source, people[0], gender, labels, others=(people[1],))
                for gender in _NOUNS
            ]
    return found


def form_of(concept: str, gender: Gender, target: str) -> str:
    """The most usual word of a language for a person of a gender."""
    told = (gender.value, f"{gender.value}?")
    found = [(form.ranks[concept], form) for form in load(target).lexicon.forms() if form.readings.get(concept) in told]
    if not found:
        raise InputError(f"the lexicon of {target} has no {gender} word for {concept!r}; leave the glossary out")
    form = min(found, key=lambda each: each[0])[1]
    word = " ".join(form.words)
    return word[:1].upper() + word[1:] if form.capital else word


def _tell(
    named: NamedSystem, pair: Pair, asker: Asker, chosen: Sequence[Way], asked: Sequence[Item]
) -> tuple[list[Obedience], list[Contest]]:
    """Every way that the system can be told in, and each two of them beside each other."""
    if pair.source != "en":
        raise InputError(f"control tells in English; the pair {pair} translates from {pair.source}")
    system = for_text(*named)
    plain = _read(asked, lines(named, [item.source for item in asked], pair, asker), pair)
    found = [_told(system.identity, PLAIN, asked, plain, plain, pair)]
    for way in chosen:
        texts = _answers(named, system, way, asked, pair, asker)
        if texts is not None:
            found.append(_told(system.identity, way.name, asked, _read(asked, texts, pair), plain, pair))
    if len(found) == 1:
        raise InputError(f"{named.spec} can be told in none of these ways: {', '.join(way.name for way in chosen)}")
    contests = [
        Contest(first.way, second.way, compare_groups(first.outcomes, second.outcomes)[0])
        for first, second in combinations(found, 2)
    ]
    return found, contests


def _answers(
    named: NamedSystem, system: System, way: Way, asked: Sequence[Item], pair: Pair, asker: Asker
) -> list[str] | None:
    """The translations of what is told in a way; None where the system has no ear for it."""
    told = [way.told(item, pair.target) for item in asked]
    if way.kind == "tag":
        whole = "{source}" in way.text  # the tag is the sentence's and stands somewhere about it
        sources = [
            tag if whole else item.source[: item.person.start] + tag + item.source[item.person.end :]
            for item, tag in zip(asked, told, strict=True)
        ]
        return [_untagged(text) for text in lines(named, sources, pair, asker)]
    if way.kind == "context":
        sources = [f"{before} {item.source}" for before, item in zip(told, asked, strict=True)]
        return [last_sentence(text) for text in lines(named, sources, pair, asker)]
    if isinstance(system, OpenAI):
        return _instructed(system, told, asked, pair, asker)
    if way.kind == "glossary" and isinstance(system, GuidedSystem):
        return _constrained(named, system, asked, pair, asker)
    return None


def _instructed(system: OpenAI, told: Sequence[str], asked: Sequence[Item], pair: Pair, asker: Asker) -> list[str]:
    """A chat model is told in its prompt, each instruction with the sentences that it is for."""
    found: dict[str, str] = {}
    for instruction in dict.fromkeys(told):
        mine = [item for item, each in zip(asked, told, strict=True) if each == instruction]
        texts = asker.translate(system.instructed(instruction), [item.source for item in mine], pair)
        found |= {item.id: text for item, text in zip(mine, texts, strict=True)}
    return [found[item.id] for item in asked]


def _constrained(
    named: NamedSystem, system: GuidedSystem, asked: Sequence[Item], pair: Pair, asker: Asker
) -> list[str]:
    """A model on this machine takes the likeliest translation whose word has the gender, by constrained decoding."""
    sources = list(dict.fromkeys(item.source for item in asked))
    people = {item.source: (item.person,) for item in asked}
    lists = ask_for_lists(named.spec, sources, pair, _N, asker)
    made = find_alternatives(system, sources, [people[source] for source in sources], lists, pair)
    by_source = dict(zip(sources, made, strict=True))
    return [
        by_source[item.source].versions[item.expected].text
        if item.expected in by_source[item.source].versions
        else by_source[item.source].first
        for item in asked
        if item.expected is not None
    ]


def _untagged(text: str) -> str:
    """A translation without a tag that a model copied."""
    return re.sub(r"\s*<\s*[FMfm]\s*>", "", text)


def last_sentence(text: str) -> str:
    """What follows the translation of the sentence of context; all of it where the two became one."""
    parts = _END.split(text, maxsplit=1)
    return parts[-1] if len(parts) > 1 else text


def _read(asked: Sequence[Item], texts: Iterable[str], pair: Pair) -> list[tuple[Verdict, Verdict]]:
    """The verdicts on the person who was told and on the other one."""
    outputs = []
    for item, text in zip(asked, texts, strict=True):
        other = Item(f"{item.id}-other", item.source, item.others[0], None, item.labels, others=(item.person,))
        outputs += [Output(each, "", pair.target, normalised(text)) for each in (item, other)]
    verdicts = list(DETECTORS.find("reading").build(pair.target).detect(outputs))
    return list(zip(verdicts[::2], verdicts[1::2], strict=True))


def _told(
    system: str,
    way: str,
    asked: Sequence[Item],
    read: Sequence[tuple[Verdict, Verdict]],
    plain: Sequence[tuple[Verdict, Verdict]],
    pair: Pair,
) -> Obedience:
    clusters = Clusters.of((item.unit, "") for item in asked)
    rows = list(zip(asked, read, plain, strict=True))
    measures: list[Measure] = []
    for group in ("all", *(gender.value for gender in _NOUNS)):
        mine = [row for row in rows if group in ("all", row[0].expected)]
        unread = sum(told.gender is Gender.UNKNOWN for _, (told, _), _ in mine)
        counted = {
            "obeyed": [(item, told.right) for item, (told, _), _ in mine],
            "ignored": [(item, told.gender is _OTHER[_wanted(item)]) for item, (told, _), _ in mine],
        }
        for name, outcomes in counted.items():
            share = clusters.share((item.unit, hit, 1) for item, hit in outcomes)
            measures.append(clusters.rate(name, group, share, unread))
        # Whoever had the gender before cannot take it on.
        others = [
            (item, other.gender is item.expected)
            for item, (_, other), (_, before) in mine
            if before.gender is _OTHER[_wanted(item)] and other.gender in _OTHER
        ]
        share = clusters.share((item.unit, hit, 1) for item, hit in others)
        measures.append(clusters.rate("spilled", group, share))
    people = Outcomes.of(_EVERYBODY, (told for _, (told, _), _ in rows), paired=True)
    return Obedience(system, str(pair), way, tuple(measures), people, tuple(told.output for told, _ in read))


def _wanted(item: Item) -> Gender:
    return item.expected or Gender.UNKNOWN
