"""How WiBeMT's sentences are made: WinoBias with adjectives, and occupations doing what verbs say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import checksum, read_lines
from epicene.languages.english import concept, mentioned, ready_for
from epicene.sets import winomt
from epicene.sets.files import require
from epicene.sets.wibemt.files import SENTENCES, VerbRow, find_occupation, read_verbs
from epicene.tables import table
from epicene.types import Item, Pair, Person

NO_CLASS = "none"
_CLASSES = {"f": "feminine", "female": "feminine", "m": "masculine", "male": "masculine"}
_SLOT = "{occupation}"
_BLANKS = re.compile(r"\s+")
_DOUBLED = re.compile(r"\b(the|a|an) (?=\1 )", re.IGNORECASE)


class Word(NamedTuple):
    """An adjective or verb and the class whose stereotype it carries; a verb has its sentence."""

    word: str
    group: str
    template: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a set is made of."""

    adjectives: tuple[Word, ...] | None  # None: without the sentences of WinoBias
    verbs: tuple[Word, ...] = ()
    published: tuple[VerbRow, ...] = ()  # verb sentences that are not made from templates

    def items(self, pair: Pair) -> Iterator[Item]:
        """WinoBias as it is, then with each adjective; then each verb with each occupation."""
        if self.adjectives is not None:
            sentences = (item for item in winomt.items(pair) if item.labels["subset"] != "winogender")
            yield from _extended([_mend(item) for item in sentences], self.adjectives)
        yield from _verb_items(self.verbs)
        yield from _published_items(self.published)

    def version(self) -> str:
        """A checksum of all that the sentences are made from."""
        extended = "" if self.adjectives is None else winomt.SET.version() + repr(self.adjectives)
        made = repr((self.verbs, tuple(occupations()))) if self.verbs else ""
        return checksum(extended, made, *(f"{row.id}\t{row.sentence}\n" for row in self.published))


@cache
def occupations() -> Mapping[str, Mapping[str, str]]:
    """The 99 occupations of the verb sentences in official order: group, score and share of women."""
    return {row["occupation"]: row for row in table("sets/wibemt/tables", "occupations.tsv") if row["group"]}


@cache
def group_of(name: str) -> str:
    """The third of the gender score that an occupation falls into, or nothing."""
    return next((row["group"] for occupation, row in occupations().items() if occupation.lower() == name), "")


def adjectives(path: str = "") -> tuple[Word, ...]:
    """The twenty adjectives of the paper, or those of a file: adjective and class on each line."""
    if not path:
        return tuple(Word(row["adjective"], row["class"]) for row in table("sets/wibemt/tables", "adjectives.tsv"))
    return tuple(Word(adjective, _class(group)) for _, (adjective, group) in _cells(path, ("adjective", "class")))


def verbs(path: str = "") -> tuple[Word, ...]:
    """The 42 verbs of the paper with its sentences, or those of a file: verb, class and sentence."""
    if not path:
        rows = table("sets/wibemt/tables", "verbs.tsv")
        return tuple(Word(row["verb"], row["class"], row["template"]) for row in rows)
    words = []
    for where, (verb, group, template) in _cells(path, ("verb", "class", "template")):
        if template.count(_SLOT) != 1:
            raise InputError(f"{where}: {template!r} is no template; expected a sentence with one {_SLOT} in it")
        words.append(Word(verb, _class(group), template))
    return tuple(words)


def published() -> tuple[VerbRow, ...]:
    """The published verb sentences, once they were added."""
    return tuple(read_verbs(require("wibemt", SENTENCES)))


def _class(text: str) -> str:
    return _CLASSES.get(text.lower(), text.lower())


def _cells(path: str, columns: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """Where each line stands, and its cells; header, blank lines and comments are passed over, doubles refused."""
    seen: dict[str, int] = {}
    for number, line in enumerate(read_lines(path), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not line.strip() or line.startswith("#") or cells[:2] == list(columns[:2]):
            continue
        where = f"{path}:{number}"
        if len(cells) < len(columns) or not all(cells[: len(columns)]):
            raise InputError(f"{where}: got {line!r}; expected {', '.join(columns)}, separated by tabs")
        if cells[0] in seen:
            raise InputError(f"{where}: {cells[0]!r} appears twice (first: {seen[cells[0]]}); remove one")
        seen[cells[0]] = number
        yield where, cells[: len(columns)]
    if not seen:
        raise InputError(f"{path}: empty; expected lines of {', '.join(columns)}, separated by tabs")


def _mend(item: Item) -> Item:
    """A sentence of WinoBias, doubled articles and blanks mended."""
    source = _DOUBLED.sub("", _BLANKS.sub(" ", item.source))
    if source == item.source:
        return item
    before = _DOUBLED.sub("", _BLANKS.sub(" ", item.source[: item.person.start] + "\N{NULL}")).removesuffix("\0")
    start = len(before)
    person, others = replace(item.person, start=start), mentioned(source, but=start)
    return replace(item, source=source, person=person, others=others, variant=item.source)


def _extended(sentences: Sequence[Item], words: tuple[Word, ...]) -> Iterator[Item]:
    for code, word in [("", Word("", NO_CLASS)), *_numbered(words)]:
        for number, item in enumerate(sentences, 1):
            yield _with_adjective(item, word, f"WB{number:04}{code and '-A' + code}")


def _numbered(words: Iterable[Word]) -> Iterator[tuple[str, Word]]:
    """Words with their class and number in it, as the published ids have them: F01."""
    counts = Counter[str]()
    for word in words:
        counts[word.group] += 1
        letter = word.group[0].upper() if word.group in (*_CLASSES.values(), "neutral") else word.group
        yield f"{letter}{counts[word.group]:02}", word


def _with_adjective(item: Item, word: Word, name: str) -> Item:
    """An item with the adjective before the person whom the pronoun means, and before nobody else."""
    pronoun = item.expected.value if item.expected else ""
    labels = _label("adjectives", word, pronoun, item.person.concept, item.labels["subset"])
    if not word.word:
        return replace(item, id=name, labels=labels)
    start = item.person.start
    before = ready_for(item.source[:start], word.word) + word.word + " "
    moved = len(before) - start
    others = tuple(replace(other, start=other.start + moved) if other.start > start else other for other in item.others)
    person, source = replace(item.person, start=start + moved), before + item.source[start:]
    return replace(item, id=name, source=source, person=person, others=others, labels=labels, variant=None)


def _label(part: str, word: Word, pronoun: str, occupation: str, subset: str) -> dict[str, str]:
    return {
        "part": part,
        "word": word.word,
        "class": word.group,
        "pronoun": pronoun,
        "group": group_of(occupation),
        "occupation": occupation,
        "subset": subset,
    }


def _verb_items(words: tuple[Word, ...]) -> Iterator[Item]:
    people = list(_numbered(Word(name, row["group"]) for name, row in occupations().items()))
    for code, verb in _numbered(words):
        before, _, after = verb.template.partition(_SLOT)
        for occupation_code, (occupation, *_) in people:
            begin = ready_for(before, occupation)
            source = begin + occupation + after
            yield _verb_item(f"V{code}Occ{occupation_code}", source, len(begin), occupation, verb)


def _published_items(rows: Iterable[VerbRow]) -> Iterator[Item]:
    """Items of published sentences; a misspelt verb (twirls, overhtrow) is known by its number in the id."""
    classes = {verb.word: verb for verb in verbs()}
    by_code = {f"V{code}": verb for code, verb in _numbered(verbs())}
    for row in rows:
        verb = classes.get(row.verb) or by_code.get(row.id[:4])
        if verb is None:
            raise InputError(f"{row.id}: unknown verb {row.verb!r}; known: {', '.join(classes)}")
        start = find_occupation(row)
        assert start is not None  # noqa: S101 - checked as the file was read
        yield _verb_item(row.id, row.sentence, start, row.occupation, verb)


def _verb_item(name: str, source: str, start: int, occupation: str, verb: Word) -> Item:
    known, _ = concept(occupation)
    person, others = Person(occupation, start, known), mentioned(source, but=start)
    return Item(name, source, person, None, _label("verbs", verb, "", known, ""), others=others)
