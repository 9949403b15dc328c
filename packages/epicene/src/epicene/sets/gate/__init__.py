"""GATE (Rarrick et al. 2023): people whose gender is open, and every translation that gives them one.

Rewriters are measured as GATE's authors do: precision, recall and F0.5, whole and by category.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from epicene.errors import UnknownNameError
from epicene.files import checksum
from epicene.languages.english import person_at
from epicene.measures.outcomes import Clusters, Outcomes
from epicene.measures.rates import Measures, Rate, is_as_expected, reads
from epicene.sets import TestSet, read_about
from epicene.sets.files import entry, read_csv, require
from epicene.stats.clustered import Share
from epicene.types import Accepted, Gender, Item, Measure, Output, Pair, Person, Verdict

NAME = "gate"
_SIZES = (2, 4, 8)
_VARIANT = re.compile(r"[fm]+")
_NEEDED = ("labels", "source", "kw_s")
_POSITIONS = ("first", "second", "third")
_GENDERS = {"f": Gender.FEMININE, "m": Gender.MASCULINE}
_TO = {f"to-{gender.value}": gender for gender in _GENDERS.values()}
_BETA = 0.5
_HEAD = re.compile(r"\[([^\[\]]+)[\]\[]?")


class Row(NamedTuple):
    """A sentence, its people, and its translations by the genders that these have in them."""

    source: str
    people: tuple[tuple[str, ...], ...]  # of each person: the mentions, as the key words give them
    variants: dict[str, str]  # by letters: "fm" has a woman first and then a man
    labels: tuple[str, ...]


def rows(target: str, size: int | None = None) -> list[Row]:
    """The sentences of a language in published order: those with one person, then with two and three."""
    name = target.upper()
    wanted = {f"{name}/{name}_{number}_variants.tsv" for number in _SIZES if size in (None, number)}
    return [row for file in entry(NAME).files if file.name in wanted for row in _read_rows(file.name)]


def _read_rows(name: str) -> Iterator[Row]:
    for cells in read_csv(require(NAME, name), *_NEEDED, delimiter="\t"):
        variants = {key: text for key, text in cells.items() if key and _VARIANT.fullmatch(key) and text}
        number = len(next(iter(variants)))
        yield Row(cells["source"], _people(cells["kw_s"], number), variants, tuple(cells["labels"].split(";")))


def _people(words: str, number: int) -> tuple[tuple[str, ...], ...]:
    """The mentions of each person; files differ in what they put between people."""
    persons = [words] if number == 1 else re.split(r"[;,]" if ";" not in words else ";", words)
    mentions = [tuple(mention.strip() for mention in person.split("=")) for person in persons[:number]]
    return (*mentions, *[("",)] * (number - len(mentions)))


def _person(source: str, mentions: tuple[str, ...], plural: bool) -> Person:
    """The first mention that stands in the sentence, by its head; the first word where none does."""
    overt = [mention for mention in mentions if mention and not mention.startswith("(")]
    for mention in overt:
        match = _HEAD.search(mention)
        if span := _find(source, match[1] if match else mention):
            return person_at(source, *span, plural)
    for word in (word for mention in mentions for word in re.findall(r"\w+", mention)):
        if span := _find(source, word):
            return person_at(source, *span, plural)
    return person_at(source, 0, len(source.split()[0]), plural)


def _find(source: str, words: str) -> tuple[int, int] | None:
    """Where words stand, as they are or, since key words have slips, with another ending."""
    for ending in ("(?!\\w)", "\\w{0,3}(?!\\w)"):
        if match := re.search(rf"(?<!\w){re.escape(words.strip())}{ending}", source, re.IGNORECASE):
            return match.span()
    return None


def _items(pair: Pair) -> list[Item]:
    """Every person of every sentence; people of one sentence share its translation."""
    items = []
    for number, row in enumerate(rows(pair.target)):
        alone = len(row.people) == 1
        people = [_person(row.source, mentions, alone and "PLUR" in row.labels) for mentions in row.people]
        for place, person in enumerate(people):
            references = (Accepted(text, _GENDERS[letters[place]]) for letters, text in row.variants.items())
            labels = {
                "occupation": person.concept,
                "position": _POSITIONS[place],
                "people": str(len(people)),
                "categories": ";".join(dict.fromkeys(row.labels)) if alone else "",
            }
            others = tuple(other for other in people if other is not person)
            item = Item(f"{number}-{place}", row.source, person, None, labels, others=others, line=str(number))
            items.append(replace(item, references=tuple(references)))
    return items


def _rewrites(gender: Gender, pair: Pair) -> list[Item]:
    """Sentences with one person: the translation that a rewriter of the other gender's must give."""
    return [
        Item(
            str(number),
            row.source,
            _person(row.source, row.people[0], "PLUR" in row.labels),
            gender,
            {"pair": str(number), "categories": ";".join(dict.fromkeys(row.labels))},
            references=tuple(Accepted(text, _GENDERS[letter]) for letter, text in row.variants.items()),
        )
        for number, row in enumerate(rows(pair.target, size=2))
    ]


def _version() -> str:
    sentences = (row for target in SET.about.targets for row in rows(target))
    return checksum(*("\t".join((row.source, *row.variants.values())) for row in sentences))


class Exact:
    """The rule of the authors' script for rewriters: a line is the reference of the wanted gender, or it is wrong."""

    identity = "exact1"
    verbatim = True  # other apostrophes are other letters to the authors' script

    def __init__(self, target: str) -> None:  # the rule is the same in every language
        self.target = target

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """The expected gender for a match, neutral for any other line, unknown for an empty one."""
        for output in outputs:
            text, expected = output.text.strip(), output.item.expected
            wanted = {reference.strip() for reference, gender in output.item.references if gender is expected}
            if not text or expected is None:
                yield Verdict(output, Gender.UNKNOWN, "empty")
            else:
                match = text in wanted
                yield Verdict(output, expected if match else Gender.NEUTRAL, "match" if match else "mismatch")


def _categories(item: Item) -> tuple[str, ...]:
    return tuple(filter(None, item.labels.get("categories", "").split(";")))


def _order(sizes: Mapping[str, int]) -> list[str]:
    """Positions first, then categories, the larger ones first."""
    return sorted(sizes, key=lambda group: (group.isupper(), -sizes[group] if group.isupper() else 0))


def _mixed(outcomes: Outcomes) -> Iterable[Measure]:
    """Of sentences in which two people or more were read, those with a woman and a man."""
    read: dict[str, list[Gender]] = {}
    for profile, outcome, number in outcomes.cells():
        if outcome.shown:
            read.setdefault(profile.labels[0], []).extend([outcome.gender] * number)
    several = {line: genders for line, genders in read.items() if len(genders) > 1}
    if several:
        clusters = Clusters.of((line, "") for line in several)
        share = clusters.share((line, len(set(genders)) > 1, 1) for line, genders in several.items())
        yield replace(clusters.rate("mixed", "sentences", share), unit="% of sentences")


def _occupations(outcomes: Outcomes) -> Iterable[Measure]:
    """The masculine share of each occupation, of what was read as either; too many for a printed table."""
    read: dict[str, list[tuple[str, int, int]]] = {}
    for profile, outcome, number in outcomes.cells():
        if outcome.shown:
            counted = number * (outcome.gender is Gender.MASCULINE)
            read.setdefault(profile.unit, []).append((profile.labels[0], counted, number))
    for occupation, counts in sorted(read.items()):
        clusters = Clusters.of((line, "") for line, _, _ in counts)
        share = clusters.share(counts)
        yield clusters.rate("masculine_of_read", f"occupation {occupation}", share, detail=True)


_PRECISION = Rate("precision", is_as_expected, lambda outcome: not outcome.undetected, undetected=False)
_RECALL = Rate("recall", is_as_expected, undetected=False)


def _larger_first(sizes: Mapping[str, int]) -> list[str]:
    return sorted(sizes, key=lambda group: (group != "all", -sizes[group], group))


def _f(outcomes: Outcomes) -> list[Measure]:
    """F as a ratio of sums, so that it has an interval too: (1 + b²) matches over b² sentences and lines written."""
    square, measures = _BETA * _BETA, []
    for group in _larger_first(outcomes.group_sizes()):
        written, asked = (outcomes.share(rate, group) for rate in (_PRECISION, _RECALL))
        f = Share((1 + square) * asked.counted, square * asked.of + written.of, size=asked.of)
        value = 100 * float(f.counted.sum() / f.of.sum()) if f.of.any() else None
        interval = outcomes.clusters.rate("f0.5", group, f)
        measures.append(replace(interval, value=value, n=round(float(asked.of.sum())), count=None))
    return measures


MEASURES = Measures(
    groups=lambda item: ("all", item.labels["position"], *_categories(item)),
    rates=tuple(Rate(gender.value, reads(gender)) for gender in (Gender.MASCULINE, Gender.FEMININE, Gender.NEUTRAL)),
    labels=lambda item: (item.line or item.id,),
    order=_order,
    own=lambda outcomes: [*_mixed(outcomes), *_occupations(outcomes)],
    compared=lambda item: ("all", item.labels["position"]),
)
REWRITES = Measures(
    groups=lambda item: ("all", *_categories(item)),
    rates=(_PRECISION, _RECALL),
    order=_larger_first,
    own=_f,
    misgendered=False,  # another line than the reference says nothing of anybody's gender
    quality=False,  # a rewriter may leave lines empty
)


def variant(argument: str) -> TestSet:
    """The set of ``gate:to-feminine`` or ``gate:to-masculine``, which measure rewriters."""
    if argument not in _TO:
        raise UnknownNameError("part of gate", argument, tuple(_TO))
    return replace(
        SET,
        about=replace(
            SET.about, name=f"gate:{argument}", title=f"GATE: translations rewritten {argument.replace('-', ' ')}"
        ),
        measures=REWRITES,
        paper=Exact,
        detector=Exact,
        items=lambda pair: _rewrites(_TO[argument], pair),
        may_abstain=True,
        open_gender=False,
    )


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    detector="contrast",
    items=_items,
    version=_version,
    variant=variant,
    open_gender=True,
)
