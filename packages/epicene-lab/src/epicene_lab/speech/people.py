"""Sentences about two people for training speech, in frames of our own; how they are kept from the tests' frames."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from functools import cache

from epicene.languages.english import takes_an
from epicene_lab.augment import name_in_english
from epicene_lab.tables import table

SPAN = 6  # words in a row that no sentence shares with a challenge set, people and pronouns being alike
_SLOT = re.compile(r"\{(\w+)\}")
_AGREES = re.compile(r"\{[sS]he\} \{(?:did|does)\}")
_SETTLED = re.compile(r"was \{she\}|\{she\} was")  # frames whose own words agree with one person
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_NUMBER = ("she", "he", "they")
_FORMS = {
    "she": {"she": "she", "her_o": "her", "her": "her", "herself": "herself"},
    "he": {"she": "he", "her_o": "him", "her": "his", "herself": "himself"},
    "they": {"she": "they", "her_o": "them", "her": "their", "herself": "themselves"},
}
_PRONOUNS = frozenset(form for forms in _FORMS.values() for form in forms.values()) | {"hers", "theirs", "themself"}
_BE = {"was": ("was", "were"), "is": ("is", "are"), "has": ("has", "have")}
_SAME = frozenset(("can", "should", "may", "must", "cannot", "will"))
_STRANGERS = 0.25  # how often a person is none of those that challenge sets speak of
_THEY = 0.06


def make_sentences(seed: int) -> Iterator[str]:
    """Sentences without end; the seed says which."""
    generator = random.Random(seed)
    frames = [row["frame"] for row in table("speech", "frames.tsv")]
    while True:
        yield _filled(generator.choice(frames), generator)


def list_spans(text: str) -> frozenset[str]:
    """All runs of ``SPAN`` words of a sentence in which every person is one word and every pronoun another."""
    marked = f" {' '.join(_WORD.findall(text.lower()))} "
    marked = _people_pattern().sub(" PERSON ", marked)
    words = ["PRONOUN" if word in _PRONOUNS else word for word in marked.split()]
    return frozenset(" ".join(words[place : place + SPAN]) for place in range(len(words) - SPAN + 1))


def spans_of(texts: Iterable[str]) -> frozenset[str]:
    """The runs of many sentences."""
    return frozenset(span for text in texts for span in list_spans(text))


@cache
def _words() -> dict[str, list[str]]:
    return {row["slot"]: row["words"].split("|") for row in table("speech", "words.tsv")}


@cache
def _taught() -> list[str]:
    """People whom the teacher was taught: those of the challenge sets, nearly all."""
    return [name_in_english(row["concept"]) for row in table("augmentation", "people.tsv")]


@cache
def _people_pattern() -> re.Pattern[str]:
    """Any person's name between blanks, the longest first; the blank behind it may be the one before the next."""
    names = sorted({name.lower() for name in (*_taught(), *_words()["person"])}, key=len, reverse=True)
    return re.compile(rf"(?<= )(?:{'|'.join(map(re.escape, names))})(?= )")


def _filled(frame: str, generator: random.Random) -> str:
    settled = _SETTLED.search(frame) is not None
    pronoun = "they" if not settled and generator.random() < _THEY else generator.choice(_NUMBER[:2])
    people = {"1": _person(generator), "2": _person(generator)}
    many = {match.end() for match in _AGREES.finditer(frame)} if pronoun == "they" else set()
    used: set[str] = set()

    def word(match: re.Match[str]) -> str:
        slot = match[1]
        if slot[-1] in people and slot[:-1].lower() in ("the", "a", "p"):
            return _with_article(slot[:-1], people[slot[-1]])
        small = slot.removesuffix("_c").lower()
        if small in _FORMS["she"]:
            return _cased(_FORMS[pronoun][small], slot)
        chosen = generator.choice([unused for unused in _words()[slot] if unused not in used] or _words()[slot])
        used.add(chosen)
        return _SLOT.sub(lambda verb: _agreeing(verb[1], match.end() in many), chosen)

    return _SLOT.sub(word, frame)


def _person(generator: random.Random) -> str:
    return generator.choice(_words()["person"] if generator.random() < _STRANGERS else _taught())


def _with_article(kind: str, person: str) -> str:
    if kind == "p":
        return person
    article = ("an" if takes_an(person) else "a") if kind.lower() == "a" else "the"
    return f"{_cased(article, kind)} {person}"


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[0].isupper() else word


def _agreeing(verb: str, many: bool) -> str:
    if verb in _BE:
        return _BE[verb][many]
    if many or verb in _SAME:
        return verb
    return verb + ("es" if verb.endswith("ch") else "s")
