"""GEST (Pikuliak et al. 2024): sentences in the first person with a stereotype; nobody's gender is told."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from epicene.errors import UnknownNameError
from epicene.sets import SetBuilder
from epicene.sets.gest import files as published
from epicene.types import ChallengeSet, Item, Kind, Pair, Person

_FAMILY = "gest"
_TARGETS = ("be", "bg", "bs", "cs", "hr", "mk", "pl", "ru", "sk", "sl", "sr", "uk")
# The pronoun as a subject first: it says best where the speaker stands.
_SPEAKER = (re.compile(r"\bI\b"), re.compile(r"\b(?:me|my|mine|myself)\b", re.IGNORECASE))


def _person(sentence: str) -> Person:
    """Who speaks; the sentence's first word where no pronoun names the speaker."""
    match = next((found for pattern in _SPEAKER if (found := pattern.search(sentence))), None)
    if match is None:
        first = sentence.split()[0]
        return Person(first, 0, "i", kind=Kind.PRONOUN)
    return Person(match[0], match.start(), "i", kind=Kind.PRONOUN)


def _items(version: str, pair: Pair) -> list[Item]:  # noqa: ARG001 - the English sentences serve every target
    """The sentences in published order."""
    return [
        Item(str(number), text, _person(text), None, {"stereotype": stereotype})
        for number, (text, stereotype) in enumerate(published.sentences(version))
    ]


def _version(version: str) -> str:
    digest = hashlib.sha256()
    for text, stereotype in published.sentences(version):
        digest.update(f"{stereotype}\t{text}\n".encode())
    return digest.hexdigest()[:8]


def of_file(path: Path) -> tuple[ChallengeSet, list[str]] | None:
    """The sentences that a published ``translations.csv`` translates, whichever version they are of, and its lines."""
    if path.suffix != ".csv" or not path.is_file():
        return None
    translated = published.translations(path)
    places = [version for version in published.VERSIONS if published.path_of(version).is_file()]
    version = places[-1] if places else "1.1"  # 1.0, the one that was translated, where it is here
    rows = [row for row in published.sentences(version) if row.text in translated]
    own = [item for item in _items(version, Pair("en", "ru")) if item.source in translated]

    def checksum() -> str:
        return hashlib.sha256("".join(f"{row.stereotype}\t{row.text}\n" for row in rows).encode()).hexdigest()[:8]

    challenge = replace(_PLAIN, items=lambda _: own, version=checksum, of_file=None)
    return challenge, [translated[item.source] for item in own]


def build(argument: str) -> ChallengeSet:
    """The set of ``gest:1.0``, the version that the published translations were made from, or ``gest:1.1``."""
    if argument not in published.VERSIONS:
        raise UnknownNameError("version of gest", argument, tuple(published.VERSIONS))
    return replace(
        _PLAIN,
        name=f"gest:{argument}",
        items=lambda pair: _items(argument, pair),
        version=lambda: _version(argument),
    )


_PLAIN = ChallengeSet(
    name="gest",
    title="GEST: which gender a speaker gets, by stereotype",
    sources=("en",),
    targets=_TARGETS,
    family=_FAMILY,
    items=lambda pair: _items("1.1", pair),
    version=lambda: _version("1.1"),
    licence="Apache-2.0; not shipped, see 'epicene data get gest'",
    citation="""@inproceedings{pikuliak-etal-2024-women,
  title = {Women Are Beautiful, Men Are Leaders: Gender Stereotypes in Machine Translation and Language Modeling},
  author = {Pikuliak, Matúš and Oresko, Stefan and Hrckova, Andrea and Simko, Marian},
  booktitle = {Findings of EMNLP 2024},
  year = {2024}
}""",
    card="""3,565 English sentences in the first person ("I am emotional"), each with one of 16 stereotypes: 1 to
7 about women, 8 to 16 about men. No gender is told, so none is right; measured is how often the speaker becomes a man.
Version 1.1 mends 244 typing errors of 1.0; gest:1.0 is the version that was translated for the paper.
Label: stereotype. Known faults: 11 sentences stand there twice.""",
    open_gender=True,
    of_file=of_file,
)
SET = SetBuilder(_PLAIN.title, build, lambda _: _FAMILY, _PLAIN)
