"""Sentences about one or two people to adapt a translator with: gender stated, or open and perhaps told by a tag."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from epicene.errors import InputError
from epicene_lab.augment import Filler, name_in_english
from epicene_lab.tables import table

LETTERS = {True: "F", False: "M"}  # of women and men
_SECOND = re.compile(r"<([^|>]*)\|([^>]*)>")
_SLOT2 = re.compile(r"\{(\w+?)2\}")
_PERSON = re.compile(r"\{(?:occ|a|A)(2?)\}")
# German nouns that take -en or -n wherever they are no subject: Student, Psychologe, Bauer.
_WEAK = re.compile(r"(?:ent|ant|ist|at|ekt|nom|graf|graph|et|eut|aut|Bauer)$")
_LONG = re.compile(r"(?:s|ß|z|x|arzt|mann)$")  # German nouns whose genitive is -es
_CASES = re.compile(r"\{(acc|dat|to|of)\}")
_ARTICLE = re.compile(r"\w+'|\w+ ")
# Articles with the prepositions that mean to and of.
_TO_OF = {
    "es": {"el": ("al", "del"), "la": ("a la", "de la")},
    "fr": {"le": ("au", "du"), "la": ("à la", "de la"), "l'": ("à l'", "de l'")},
    "it": {"il": ("al", "del"), "lo": ("allo", "dello"), "la": ("alla", "della"), "l'": ("all'", "dell'")},
    "pt": {"o": ("ao", "do"), "a": ("à", "da")},
}


class Frame(NamedTuple):
    """A sentence about given people, ready to be filled in either gender."""

    kind: str  # stated, two, open
    english: str
    translation: str
    people: tuple[Mapping[str, str], ...]  # rows of the table of people: one, or two
    target: str

    def pair(self, women: Sequence[bool], tagged: Sequence[bool] = ()) -> tuple[str, str]:
        """Source and translation with each person as a woman or not; a tag stands behind those who are tagged."""
        marks = [f" <{LETTERS[woman]}>" if mark else "" for woman, mark in zip(women, tagged, strict=False)]
        english = _PERSON.sub(lambda match: match[0] + _nth(marks, len(match[1])), self.english)
        names = tuple(name_in_english(person["concept"]) for person in self.people)
        forms = tuple(
            person[self.target].split("|")[1 if woman else 0] for person, woman in zip(self.people, women, strict=True)
        )
        return fill(english, "en", names, women), fill(self.translation, self.target, forms, women)


def read_rows(kinds: Sequence[str]) -> list[dict[str, str]]:
    """The sentences of these kinds, unfilled."""
    return [row for row in table("augmentation", "frames.tsv") if row["kind"] in kinds]


def list_people(target: str) -> list[dict[str, str]]:
    """Everybody who is named, with their words in a language."""
    every = table("augmentation", "people.tsv")
    known = [name for name in every[0] if name != "concept"]
    if target not in known:
        raise InputError(f"no sentences about people are written in {target!r}; there are: {', '.join(known)}")
    return [row for row in every if not _awkward(row[target])]


def list_frames(target: str, kinds: Sequence[str], seed: int = 1) -> Iterator[Frame]:
    """For ever: frames of these kinds in turn, with people drawn by the seed, each once before any comes twice."""
    generator = random.Random(seed)
    every = list_people(target)
    deck: list[Mapping[str, str]] = []
    while True:
        for row in read_rows(kinds):
            wanted = 2 if "2}" in row["en"] else 1
            if len(deck) < wanted:
                deck = generator.sample(every, len(every))
            yield Frame(row["kind"], row["en"], row[target], tuple(deck.pop() for _ in range(wanted)), target)


def draw_twosomes(target: str, seed: int = 1) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """For ever: a sentence that states a person's gender, about a woman and about a man; all else is the same."""
    generator = random.Random(seed)
    for frame in list_frames(target, ("stated", "two"), seed):
        rest = [generator.random() < 0.5 for _ in frame.people[1:]]
        yield frame.pair((True, *rest)), frame.pair((False, *rest))


def draw_both_genders(target: str, kinds: Sequence[str], rounds: int) -> Iterator[tuple[str, str]]:
    """Sentences that state everybody's gender, each about so many people in turn, and with all genders turned round."""
    generator = random.Random(1)
    for frame in islice(list_frames(target, kinds), rounds * len(read_rows(kinds))):
        women = [generator.random() < 0.5 for _ in frame.people]
        for genders in (women, [not woman for woman in women]):
            source, translation = frame.pair(genders)
            yield source, translation
            yield source.replace("'s ", " 's "), translation  # as tokenised text writes whose a thing is


def draw_tagged(target: str, seed: int = 1) -> Iterator[tuple[str, str]]:
    """For ever: sentences in which a tag tells the gender: behind a person, behind both, before all, or nowhere."""
    generator = random.Random(seed)
    for frame in list_frames(target, ("stated", "two", "open"), seed):
        women = [generator.random() < 0.5 for _ in frame.people]
        way = generator.choice(("word", "word", "every", "sentence", "none"))
        if way == "sentence":
            women = [women[0]] * len(women)
            source, translation = frame.pair(women)
            yield f"<{LETTERS[women[0]]}> {source}", translation
        elif way == "word":
            place = generator.randrange(len(women))
            yield frame.pair(women, [index == place for index in range(len(women))])
        else:
            yield frame.pair(women, [way == "every"] * len(women))


def fill(phrase: str, language: str, words: Sequence[str], women: Sequence[bool]) -> str:
    """A phrase about one or two people, or things, whose words and genders these are."""
    fillers = [Filler(language, word, woman, False, {}) for word, woman in zip(words, women, strict=True)]
    if len(fillers) > 1:
        phrase = _SECOND.sub(lambda match: match[1 if women[1] else 2], phrase)
        phrase = _SLOT2.sub(lambda match: _slot(fillers[1], match[1]), phrase)
    return fillers[0].filled(_CASES.sub(lambda match: _slot(fillers[0], match[1]), phrase))


def _slot(filler: Filler, name: str) -> str:
    """A person with the article, in a case or behind a preposition."""
    if not _CASES.fullmatch(f"{{{name}}}"):
        return filler.filled(f"{{{name}}}")
    if filler.language != "de":
        articles = _TO_OF[filler.language]
        return _ARTICLE.sub(lambda match: _melted(match[0], articles, name), filler.filled("{the}"), count=1)
    if filler.feminine:
        return f"{'die' if name == 'acc' else 'der'} {filler.word}"
    ending = "n" if filler.word.endswith(("e", "Bauer")) else "en" if _WEAK.search(filler.word) else ""
    if name == "of":
        return f"des {filler.word}{ending or ('es' if _LONG.search(filler.word) else 's')}"
    return f"{'den' if name == 'acc' else 'dem'} {filler.word}{ending}"


def _melted(article: str, articles: Mapping[str, tuple[str, str]], name: str) -> str:
    melted = articles[article.strip()][name == "of"]
    return melted if melted.endswith("'") else f"{melted} "


def _awkward(forms: str) -> bool:
    """Words that an article or a case changes otherwise than the rest: el ama de llaves."""
    return forms.startswith("ama ") or "|ama " in forms


def _nth(marks: Sequence[str], place: int) -> str:
    return marks[place] if place < len(marks) else ""
