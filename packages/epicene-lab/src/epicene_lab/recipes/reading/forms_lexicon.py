"""Entries of a lexicon of forms, and the short codes that the shipped tables spell them in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple


class Entry(NamedTuple):
    """One reading of one form."""

    form: str
    pos: str  # N noun, A adjective, P participle, V verb, D determiner, O pronoun, M name, X anything else
    gender: str = "c"  # f, m, n (neuter), c: one form for both
    number: str = "-"  # s, p
    person: str = "?"  # + names a person, - does not, ? may
    fixed: str = "."  # !: the gender belongs to the word, not to the person
    case: str = "."  # n, a, d, g where the form tells it
    other: str = ""  # the form of the other gender


def code(entry: Entry) -> str:
    """A reading as the tables spell it; the counterpart as the letters to cut and to add."""
    if entry.pos == "X":
        return ""
    short = "".join(entry[1:7])
    return f"{short}:{rewriting(entry.form, entry.other)}" if entry.other else short


def rewriting(form: str, other: str) -> str:
    """How the other form is made of this one: ``letters cut from the end``>``letters added``."""
    shared = 0
    while shared < min(len(form), len(other)) and form[shared] == other[shared]:
        shared += 1
    if shared < 2 and len(other) > 3:  # a word of its own, as Arzt and Ärztin
        return f"={other}"
    return f"{len(form) - shared}>{other[shared:]}"


def labels(entries: Iterable[Entry], vocabulary: frozenset[str] | None = None) -> dict[str, str]:
    """All readings of each form as one label; forms that name no person only where ``vocabulary`` has them."""
    readings: dict[str, set[str]] = defaultdict(set)
    people: set[str] = set()
    for entry in entries:
        if not entry.form:
            continue
        readings[entry.form].add(code(entry))
        if entry.pos in "DO" or (entry.pos == "N" and entry.person == "+"):
            people.add(entry.form)
    found = {}
    for form, codes in readings.items():
        if vocabulary is None or form in people or form.lower() in vocabulary:
            found[form] = " ".join(_tidied(codes))
    return found


def _tidied(codes: set[str]) -> list[str]:
    """Codes in the order nouns, determiners, adjectives, participles, verbs; what a surer one says is left out."""
    order = "NODAPVM"
    kept = sorted(filter(None, codes), key=lambda item: (order.index(item[0]), item[3] != "+", item))
    with_other = {item.split(":")[0] for item in kept if ":" in item}
    kept = [item for item in kept if ":" in item or item not in with_other]
    surer: list[str] = []
    for item in kept:
        twin = item[:3] + "+"
        if item[0] == "N" and item[3] != "+" and any(other.startswith(twin) for other in surer):
            continue
        surer.append(item)
    return surer[:8]
