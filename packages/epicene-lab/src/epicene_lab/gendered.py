"""Training data by which papers mend gender: balanced sentences, gender tags, counterfactual copies.

Each takes pairs of a source and a translation and gives pairs, so that ``lab train`` and any other trainer can use it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from epicene.act.candidates import Readings
from epicene.act.rewrite import rewriter
from epicene.act.stated import find_stated, gender_of, swap_genders
from epicene.errors import InputError, UnknownNameError
from epicene.files import read_lines
from epicene.languages.codes import pair as parse_pair
from epicene.languages.english import known as concepts
from epicene.reader.people import names_person, people
from epicene.reader.words import cut
from epicene.tables import table
from epicene.types import Gender, Kind, Person, Verdict
from epicene_lab.adaptation import HOWS
from epicene_lab.frames import draw_twosomes

_WORDS = {
    "F": {"noun": "woman", "gender": "feminine", "sex": "female", "pronoun": "she", "other": "masculine"},
    "M": {"noun": "man", "gender": "masculine", "sex": "male", "pronoun": "he", "other": "feminine"},
}
_BETWEEN = " || "
_TAGGED = re.compile(r"([\w'’-]+) <([FM])>")


def make_instructed(instruction: str, source: str) -> str:
    """A sentence with its instruction, as models are trained to read them."""
    return f"{instruction}{_BETWEEN}{source}"


def write_instructions() -> list[str]:
    """The forms of instructions that are trained on."""
    return [row["text"] for row in table("act/tables", "instructions.tsv")]


def add_instructions(given: Iterable[tuple[str, str]], target: str, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Every pair as it is, and with an instruction about one of its people whose gender the translation shows."""
    return draw_instructed(tag_pairs(given, target), seed)


def draw_instructed(given: Iterable[tuple[str, str]], seed: int = 1) -> Iterator[tuple[str, str]]:
    """Tagged pairs with an instruction about one of those tagged in place of the tags."""
    generator, forms = random.Random(seed), write_instructions()
    for source, translation in given:
        marks = _TAGGED.findall(source)
        if not marks:
            if "<" not in source[:1]:  # a tag for the whole sentence says nothing of one person
                yield source, translation
            continue
        person, letter = generator.choice(marks)
        form = generator.choice(forms).format(person=person, **_WORDS[letter])
        yield make_instructed(form, _TAGGED.sub(r"\1", source)), translation


Pairs = Iterable[tuple[str, str]]
FEW = 400  # sentences of a balanced set: Saunders and Byrne (2020) adapt on 388
_LETTERS = {Gender.FEMININE: "F", Gender.MASCULINE: "M"}
_OTHER = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
_TOGETHER = 4096  # pairs that are read at once
_SURE = 0.8  # confidence from which a translation is taken to show a gender


def make(how: str, given: Pairs, target: str, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Pairs of a kind, from those given; ``balanced`` needs none."""
    if how not in HOWS:
        raise UnknownNameError("kind of pairs", how, HOWS)
    if how == "balanced":
        return iter(make_balanced(target, FEW, seed))
    if how == "instructed":
        return add_instructions(given, target, seed)
    return tag_pairs(given, target) if how == "tagged" else make_counterfactual(given, target)


def make_from_file(how: str, path: Path | None, langs: str, seed: int = 1) -> Iterator[tuple[str, str]]:
    """The same of a file of pairs; only balanced pairs, which are made from tables, need none."""
    pair = parse_pair(langs)
    if pair.source != "en":
        raise InputError(f"people are found in English sentences; the pair {langs} translates from {pair.source}")
    if (path is None) != (how == "balanced"):
        raise InputError(
            "balanced pairs are made from tables, so they take no --data; tagged, counterfactual and instructed need it"
        )
    return make(how, _read_pairs(path) if path else (), pair.target, seed)


def _read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if len(cells) < 2:
            raise InputError(f"{path}:{number}: no tab; expected source TAB target")
        yield cells[0], cells[1]


def make_balanced(target: str, count: int = FEW, seed: int = 1) -> list[tuple[str, str]]:
    """A few sentences that state a gender, as many of women as of men, each sentence in both genders."""
    shown = (
        twosome_pairs for twosome_pairs in draw_twosomes(target, seed) if twosome_pairs[0][1] != twosome_pairs[1][1]
    )  # the translation shows it
    return [pair for twosome in islice(shown, count // 2) for pair in twosome]


def tag_pairs(given: Pairs, target: str) -> Iterator[tuple[str, str]]:
    """Every pair as it is, and with the gender of its people, as the translation shows it, behind their words.

    Where all of them have one gender, it stands before a third copy, for the whole sentence.
    """
    for part in _parts(given):
        wanted = [(place, person) for place, (source, _) in enumerate(part) for person in _persons(source)]
        verdicts = _read(part, wanted, target)
        marks: dict[int, list[tuple[int, str]]] = {}
        for (place, person), verdict in zip(wanted, verdicts, strict=True):
            if verdict.gender in _LETTERS and (verdict.confidence or 0) >= _SURE and not verdict.on_other_word:
                marks.setdefault(place, []).append((person.end, f" <{_LETTERS[verdict.gender]}>"))
        for place, (source, translation) in enumerate(part):
            yield source, translation
            if place in marks:
                yield _inserted(source, marks[place]), translation
                if len(letters := {mark for _, mark in marks[place]}) == 1:
                    yield f"{letters.pop().strip()} {source}", translation


def make_counterfactual(given: Pairs, target: str) -> Iterator[tuple[str, str]]:
    """Every pair as it is and, where it states one gender, its copy in the other, if the translation turned."""
    for part in _parts(given):
        wanted, turned = list[tuple[int, Person]](), list[tuple[int, Gender, str]]()
        for place, (source, translation) in enumerate(part):
            statements = [each for each in find_stated(source) if each.sure]
            copy = swap_genders(source)
            if copy and len({each.gender for each in statements}) == 1 and not _names(source, translation):
                wanted += [(place, person) for each in statements for person in each.people]
                wanted += [(place, person) for person in people(source) if gender_of(person.text.lower())]
                turned.append((place, _OTHER[statements[0].gender], copy))
        heads: dict[int, set[tuple[int, int]]] = {}
        for (place, _), verdict in zip(wanted, _read(part, wanted, target), strict=True):
            heads.setdefault(place, set()).update((each.start, each.end) for each in verdict.evidence)
        copies = {
            place: (copy, text)
            for place, gender, copy in turned
            if (text := _turned(part[place][1], heads.get(place, set()), gender, target))
        }
        copies = _believed(copies, {place: gender for place, gender, _ in turned}, target)
        for place, pair in enumerate(part):
            yield pair
            if place in copies:
                yield copies[place]


def _names(source: str, translation: str) -> bool:
    """Whether somebody is called by a name, which has a gender of its own and cannot be turned.

    A capital word that begins as one of the translation does is one, at the beginning of a sentence too.
    """
    same = {word[:3] for word in translation.split() if word[:1].isupper()}
    capital = (word for word in source.split() if word[:1].isupper() and len(word) > 2)
    return any(word[:3] in same for word in capital) or any(person.kind is Kind.NAME for person in people(source))


def _believed(
    copies: Mapping[int, tuple[str, str]], wanted: Mapping[int, Gender], target: str
) -> dict[int, tuple[str, str]]:
    """Copies in whose translation everybody who was turned is read in the new gender, and nobody in the old one."""
    places = list(copies)
    asked = [
        (number, person)
        for number, place in enumerate(places)
        for person in people(copies[place][0])
        if person.kind is Kind.PRONOUN or person in _stated(copies[place][0])
    ]
    read: dict[int, set[Gender]] = {}
    for (number, _), verdict in zip(asked, _read([copies[place] for place in places], asked, target), strict=True):
        read.setdefault(places[number], set()).add(verdict.gender)
    return {
        place: copy
        for place, copy in copies.items()
        if wanted[place] in read.get(place, ()) and _OTHER[wanted[place]] not in read[place]
    }


def _stated(source: str) -> list[Person]:
    """Everybody of whom a sentence states the gender."""
    return [person for statement in find_stated(source) for person in statement.people]


def _turned(translation: str, heads: set[tuple[int, int]], gender: Gender, target: str) -> str:
    """A translation with the person's words, and what agrees with them, in a gender; empty where none turned."""
    sentence = cut(translation)
    places = {place for start, end in heads for place in sentence.at(start, end)}
    words = rewriter(target)
    every = words.find_agreeing(sentence, places, gender) | words.find_all_agreeing(sentence, places, gender)
    text = words.rewrite(sentence, every, gender)
    return text if text != translation and words.differences(translation, text) else ""


def _parts(given: Pairs) -> Iterator[list[tuple[str, str]]]:
    rest = iter(given)
    return iter(lambda: list(islice(rest, _TOGETHER)), [])


def _persons(source: str) -> list[Person]:
    return [
        person
        for person in people(source)
        if person.kind is Kind.NOUN and (person.concept in concepts() or names_person(person.concept))
    ]


def _read(part: Sequence[tuple[str, str]], wanted: Sequence[tuple[int, Person]], target: str) -> list[Verdict]:
    asked = [(part[index][0], person, part[index][1]) for index, person in wanted]
    readings = Readings(target)
    readings.read(asked)
    return [readings.find(*key) for key in asked]


def _inserted(source: str, marks: Sequence[tuple[int, str]]) -> str:
    for end, mark in sorted(marks, reverse=True):
        source = source[:end] + mark + source[end:]
    return source
