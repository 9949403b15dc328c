"""The lexicon of forms for German."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from epicene_lab.recipes.reading.forms_learn import Entry
from epicene_lab.recipes.reading.forms_sources import wiktionary

_CASES = {"nominativ": "n", "genitiv": "g", "dativ": "d", "akkusativ": "a"}
_THINGS = ("ung", "heit", "keit", "schaft", "ion", "ei", "ment", "um", "zeug")  # people so called are listed
_UMLAUTS = str.maketrans("äöü", "aou")


class _Lemma(NamedTuple):
    word: str
    gender: str
    forms: frozenset[tuple[str, str, str]]  # form, number, case
    adjectival: bool


def _lemmas(path: Path) -> Iterator[_Lemma]:
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            word = row["lemma"]
            if not re.fullmatch(r"[A-ZÄÖÜ][\wäöüß-]+", word) or "Vorname" in row["pos"] or "Toponym" in row["pos"]:
                continue
            genders = {row[name] for name in row if name.startswith("genus") and row[name]} & {"m", "f", "n"}
            forms = set()
            for name, value in row.items():
                parts = (name or "").split()
                if len(parts) >= 2 and parts[0] in _CASES and value:
                    forms.add((value, "s" if parts[1].startswith("singular") else "p", _CASES[parts[0]]))
            gender = genders.pop() if len(genders) == 1 else "c"
            if genders or forms:
                yield _Lemma(word, gender, frozenset(forms), "adjektivische Deklination" in row["pos"])


def nouns(root: Path) -> Iterator[Entry]:
    """German nouns: their forms and, of people, the counterpart made with -in."""
    lemmas = list(_lemmas(root / "german" / "nouns.csv"))
    by_word: dict[str, list[_Lemma]] = defaultdict(list)
    for lemma in lemmas:
        by_word[lemma.word].append(lemma)
    votes, meant = defaultdict(list), defaultdict(set)
    for noun in wiktionary(root / "wiktionary", "de", root / "wordnet"):
        votes[noun.lemma].append(noun.person)
        meant[noun.lemma].add(noun.meant)
    people = {word for word, said in votes.items() if 2 * sum(said) >= len(said)}
    women = dict(_pairs(by_word))
    men = {woman: man for man, woman in women.items()}
    for lemma in lemmas:
        word = lemma.word
        if lemma.adjectival:
            yield from adjectival(word) if stem_of(word) + "in" not in by_word else _official(word)
            continue
        if lemma.gender == "f" and word in men:
            for form, number, _ in lemma.forms | {(word, "s", "n")}:
                other = men[word]
                if number == "p":
                    other = _plural(by_word[other], other)
                yield Entry(form, "N", "f", number, "+", other=other)
        elif lemma.gender == "m" and word in women:
            for form, number, _ in lemma.forms | {(word, "s", "n")}:
                other = women[word] + ("nen" if number == "p" else "")
                yield Entry(form, "N", "m", number, "+", other=other)
        else:
            person = word in people and not word.endswith(_THINGS)
            if lemma.gender == "c":
                lemma = lemma._replace(gender=_meant_gender(meant[word]) if person else "c")
            fixed = "!" if person and lemma.gender == "n" else "."
            for form, number, _ in lemma.forms | {(word, "s", "n")}:
                yield Entry(form, "N", lemma.gender, number, "+" if person else "-", fixed)


def _meant_gender(meant: set[str]) -> str:
    """The gender of a noun that has two: the one that it means, else the feminine of die Geisel."""
    return "m" if "m" in meant and "f" not in meant else "f"


def _plural(lemmas: list[_Lemma], word: str) -> str:
    for lemma in lemmas:
        for form, number, case in sorted(lemma.forms):
            if number == "p" and case == "n":
                return form
    return word


def _pairs(by_word: dict[str, list[_Lemma]]) -> Iterator[tuple[str, str]]:
    """Masculine nouns and the feminine ones made of them with -in."""
    masculine = {lemma.word for lemmas in by_word.values() for lemma in lemmas if lemma.gender == "m"}
    folded = {word.lower().translate(_UMLAUTS): word for word in sorted(masculine)}
    for word, lemmas in by_word.items():
        if not word.endswith("in") or not any(lemma.gender == "f" for lemma in lemmas) or len(word) < 5:
            continue
        stem = word[:-2]
        options = (stem, stem + "e", stem + "er", stem + "er" if stem.endswith("er") else stem)
        man = next((option for option in options if option in masculine), None)
        if man is None:
            bare = stem.lower().translate(_UMLAUTS)
            man = folded.get(bare) or folded.get(bare + "e")
        if man is not None:
            yield man, word


def stem_of(word: str) -> str:
    """The stem of a noun that is declined like an adjective."""
    return re.sub(r"e[rsmn]?$", "", word)


def _official(word: str) -> Iterator[Entry]:
    """Der Beamte, ein Beamter: declined like an adjective, but the word for a woman is made with -in."""
    stem = stem_of(word)
    for ending in ("er", "e", "en", "em"):
        yield Entry(stem + ending, "N", "m", "-", "+", other=stem + "in")


def adjectival(word: str) -> Iterator[Entry]:
    """A noun that is declined like an adjective: der Angestellte, eine Angestellte, Angestellten."""
    stem = stem_of(word)
    man, woman = stem + "er", stem + "e"
    yield Entry(man, "N", "m", "s", "+", case="n", other=woman)
    yield Entry(man, "N", "f", "s", "+", case="d")
    yield Entry(woman, "N", "c", "-", "+")
    yield Entry(stem + "en", "N", "c", "-", "+")
    yield Entry(stem + "em", "N", "m", "s", "+", case="d")


_ADJECTIVE = (("er", "m", "s", "n"), ("er", "f", "s", "d"), ("em", "m", "s", "d"), ("e", "c", "-", "."),
              ("en", "c", "-", "."), ("es", "n", "s", "n"))  # fmt: skip


def words(root: Path) -> Iterator[Entry]:
    """German adjectives with their endings, as far as these show a gender."""
    path = root / "wiktionary" / "en-de-enwiktionary.txt"
    seen = set()
    for line in path.read_text().splitlines():
        left, _, right = line.partition(" :: ")
        adjective = " {adj}" in left
        if not adjective and not re.search(r" \{(?:v|adv|prep|conj|num)\}", left):
            continue
        for item in re.split(r"[,;]", re.sub(r"\([^)]*\)|\[[^\]]*\]|\{[^}]*\}", "", right)):
            word = item.strip()
            if not re.fullmatch(r"[a-zäöüß]{2,}", word) or (word, adjective) in seen:
                continue
            seen.add((word, adjective))
            yield Entry(word, "X")
            if adjective:
                stem = word[:-1] if word.endswith("e") else word
                stem = stem[:-2] + stem[-1] if re.search(r"[^aeiou]el$", stem) else stem
                for ending, gender, number, case in _ADJECTIVE:
                    yield Entry(stem + ending, "A", gender, number, case=case)
