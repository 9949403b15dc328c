"""The lexicon of English words: which of them name people, of Princeton WordNet."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from epicene_lab.recipes.reading.forms_learn import Entry
from epicene_lab.recipes.reading.forms_sources import english

_SINGLE = re.compile(r"[a-z][a-z'\-]+")


def entries(root: Path) -> Iterator[Entry]:
    """Nouns with + (first of all a person), ? (a person too), - (never); verbs and adjectives beside them."""
    folder = root / "wordnet"
    people = english(folder)
    shares = _shares(folder / "cntlist.rev")
    irregular = dict(_exceptions(folder / "noun.exc"))
    for word in _lemmas(folder / "index.noun"):
        person = _person(people.get(word), shares.get(word))
        yield Entry(word, "N", "c", "s", person)
        for form in irregular.get(word, [_plural(word)]):
            yield Entry(form, "N", "c", "p", person)
    for word in _lemmas(folder / "index.verb"):
        yield Entry(word, "V")
        for form in _verb(word):
            yield Entry(form, "V")
    for form, _ in ((form, base) for base, forms in _exceptions(folder / "verb.exc") for form in forms):
        yield Entry(form, "V")
    for name in ("adj", "adv"):
        for word in _lemmas(folder / f"index.{name}"):
            yield Entry(word, "A")


def _person(first: tuple[bool, str] | None, share: float | None) -> str:
    """+, ? or - by how often the word means a person in the texts that WordNet's makers tagged."""
    if first is None:
        return "-"
    if share is None:
        return "+" if first[0] else "-"
    return "+" if share >= 0.5 else "?" if share >= 0.15 else "-"


def _shares(path: Path) -> dict[str, float]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for line in path.read_text(encoding="latin1").splitlines():
        sense, _, count = line.split()
        lemma, _, place = sense.partition("%")
        if place.startswith("1:"):
            counts[lemma][0] += int(count) * (place.startswith("1:18:") or lemma == "person")
            counts[lemma][1] += int(count)
    return {lemma: people / total for lemma, (people, total) in counts.items()}


def _lemmas(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="latin1").splitlines():
        word = line.split(" ")[0]
        if not line.startswith("  ") and _SINGLE.fullmatch(word):
            yield word


def _exceptions(path: Path) -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="latin1").splitlines():
        form, *bases = line.split()
        for base in bases:
            if _SINGLE.fullmatch(form) and _SINGLE.fullmatch(base):
                found.setdefault(base, []).append(form)
    yield from found.items()


def _plural(word: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh)$", word):
        return word + "es"
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return re.sub(r"man$", "men", word) if word.endswith("man") and word != "human" else word + "s"


def _verb(word: str) -> Iterator[str]:
    yield _plural(word) if not word.endswith("man") else word + "s"
    stem = word.removesuffix("e")
    yield stem + "ed"
    yield stem + "ing"
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprtv]", word):
        yield word + word[-1] + "ed"
        yield word + word[-1] + "ing"
    if re.search(r"[^aeiou]y$", word):
        yield word[:-1] + "ied"
