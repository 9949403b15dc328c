"""The lexicon of forms for Russian, of OpenCorpora's dictionary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from epicene_lab.recipes.reading.forms_learn import Entry
from epicene_lab.recipes.reading.forms_sources import wiktionary

_GENDERS = {"masc": "m", "femn": "f", "neut": "n"}
_NUMBERS = {"sing": "s", "plur": "p"}
_CASES = {"nomn": "n"}  # the others tell nothing that readers need
_WOMEN = (("ница", "ник"), ("ница", ""), ("ка", ""), ("ка", "ец"), ("анка", "анин"), ("янка", "янин"), ("ка", "ин"),
          ("ица", ""), ("ица", "ец"), ("иня", ""), ("ыня", ""), ("ня", ""), ("ка", "ик"),
          ("чица", "чик"), ("щица", "щик"), ("а", ""), ("ья", "ун"), ("унья", "ун"), ("енка", "енец"),
          ("йка", "ец"), ("ийка", "иец"), ("лька", "лец"), ("ька", "ь"), ("ница", "ь"),
          ("тельница", "тель"))  # fmt: skip


def entries(root: Path) -> Iterator[Entry]:
    """Nouns, adjectives, participles and past tenses with gender; the rest shows nothing."""
    import pymorphy3

    dictionary = list(wiktionary(root / "wiktionary", "ru", root / "wordnet"))
    people = {noun.lemma.replace("\u0301", "").lower() for noun in dictionary if noun.person}
    lemmas: dict[str, set[str]] = defaultdict(set)
    rows = []
    kinds: dict[str, tuple[str, str, str, str, bool]] = {}
    for word, tag, normal, _, _ in pymorphy3.MorphAnalyzer().dictionary.iter_known_words():
        key = str(tag)
        if key not in kinds:
            kinds[key] = _kind(tag)
        kind = kinds[key]
        if kind[0]:
            rows.append((word, normal, kind))
            if kind[0] == "N" and kind[4]:
                lemmas[normal].add(kind[1])
    women = _pairs(lemmas)
    men = {woman: man for man, woman in women.items()}
    for word, normal, (pos, gender, number, case, animate) in rows:
        if pos == "N":
            yield from _noun(word, gender, number, case, animate, normal, people, women, men)
        else:
            yield Entry(word, pos, gender, number, "+" if pos == "M" else "?", ".", case)


def _kind(tag: Any) -> tuple[str, str, str, str, bool]:
    """Part of speech (empty: left out), gender, number, case and whether it is animate, of a tag of OpenCorpora."""
    grammemes = tag.grammemes
    pos = str(tag.POS)
    gender = _GENDERS.get(str(tag.gender), "c")
    number, case = _NUMBERS.get(str(tag.number), "-"), _CASES.get(str(tag.case), ".")
    if pos == "NOUN":
        if grammemes & {"Geox", "Orgn", "Trad", "Abbr", "Init"}:
            return "", "", "", "", False
        if grammemes & {"ms-f", "Ms-f", "GNdr"}:
            gender = "c"
        return "M" if grammemes & {"Name", "Surn", "Patr"} else "N", gender, number, case, "anim" in grammemes
    if pos in ("ADJF", "PRTF", "ADJS", "PRTS"):
        return "A" if pos.startswith("ADJ") else "P", gender, number, case, False
    if pos == "VERB" and gender != "c" and number == "s":
        return "V", gender, "s", ".", False
    return "X", "c", "-", ".", False


def _noun(
    word: str, gender: str, count: str, case: str, animate: bool, normal: str,
    people: set[str], women: dict[str, str], men: dict[str, str],
) -> Iterator[Entry]:  # fmt: skip
    paired = normal in women or normal in men
    person = "+" if normal in people or (animate and paired) else "?" if animate else "-"
    other = (women.get(normal) or men.get(normal) or "") if word == normal else ""
    yield Entry(word, "N", gender, count, person, ".", case, other)


def _pairs(lemmas: dict[str, set[str]]) -> dict[str, str]:
    """Animate feminine nouns by the masculine ones that they are made of."""
    found: dict[str, str] = {}
    for word in sorted(lemmas):
        if lemmas[word] != {"f"}:
            continue
        for ending, base in _WOMEN:
            man = word.removesuffix(ending) + base
            if word.endswith(ending) and man != word and "m" in lemmas.get(man, ()):
                found.setdefault(man, word)
                break
    return found
