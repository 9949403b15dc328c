"""The lexicon of forms for Polish, of the dictionary SGJP in Morfeusz."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import wordfreq

from epicene_lab.recipes.reading.forms_general import _rules
from epicene_lab.recipes.reading.forms_learn import Entry
from epicene_lab.recipes.reading.forms_sources import wiktionary

_GENDERS = {"f": "f", "n": "n", "m1": "m", "m2": "m", "m3": "m"}


def entries(root: Path) -> Iterator[Entry]:
    """Nouns, adjectives, participles and past tenses with gender; the masculine of persons has a class of its own."""
    import morfeusz2

    analyser = morfeusz2.Morfeusz()
    dictionary = list(wiktionary(root / "wiktionary", "pl", root / "wordnet"))
    people = {noun.lemma.lower() for noun in dictionary if noun.person}
    words = set(wordfreq.top_n_list("pl", 1_000_000, wordlist="best")) | {noun.lemma.lower() for noun in dictionary}
    rows = []
    kinds: dict[str, set[str]] = defaultdict(set)
    for word in sorted(word for word in words if word.isalpha()):
        for start, _, (_, lemma, tag, *_) in analyser.analyse(word):
            if start == 0:
                base, tags = lemma.split(":")[0].lower(), tag.split(":")
                rows.append((word, base, tags))
                if tags[0] == "subst" and len(tags) > 3:
                    kinds[base] |= set(tags[3].split("."))
    men, women = _pairs(kinds, people)
    for word, base, tags in rows:
        yield from _entry(word, base, tags, people, men, women)


def _entry(
    word: str, base: str, tags: list[str], people: set[str], men: dict[str, str], women: dict[str, str]
) -> Iterator[Entry]:
    kind = tags[0]
    number = {"sg": "s", "pl": "p"}.get(tags[1] if len(tags) > 1 else "", "-")
    if kind == "subst" and len(tags) > 3:
        genders = tags[3].split(".")
        case = "n" if "nom" in tags[2].split(".") else "."
        person = "+" if "m1" in genders or base in people or base in men else "-" if genders == ["n"] else "?"
        other = (women.get(base) or men.get(base) or "") if word == base else ""
        fixed = "!" if person == "+" and genders[0] == "n" else "."
        yield Entry(word, "N", _GENDERS.get(genders[0], "c"), number, person, fixed, case, other)
    elif kind in ("adj", "ppas", "pact") and len(tags) > 3:
        genders = {_GENDERS.get(each, "c") for each in tags[3].split(".")}
        case = "n" if "nom" in tags[2].split(".") else "."
        shown = genders.pop() if len(genders) == 1 else "m" if genders == {"m"} else "c"
        yield Entry(word, "A" if kind == "adj" else "P", shown, number, case=case)
    elif kind == "praet":
        genders = {_GENDERS.get(each, "c") for each in tags[2].split(".")}
        yield Entry(word, "V", genders.pop() if len(genders) == 1 else "c", number)
    else:
        yield Entry(word, "X")


def _pairs(kinds: dict[str, set[str]], people: set[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Words for men by those for women, and the other way round."""
    men: dict[str, str] = {}
    for word in sorted(kinds):
        if "f" not in kinds[word]:
            continue
        for rule in _rules("pl")["women"]:
            woman, man = rule.replace(".", "").split(" ")
            base = word.removesuffix(woman) + man
            if word.endswith(woman) and base != word and "m1" in kinds.get(base, ()) and len(base) > 2:
                men[word] = base
                break
    women: dict[str, str] = {}
    for woman, man in men.items():
        if man not in women or woman in people:
            women[man] = woman
    return men, women
