"""What references that people wrote, one of women and one of men, say of two versions of a translation.

The reader that found the versions must not be the only judge of them. A version is right where it shares with the
reference of its gender what the other reference has not. Two versions differ in nothing but gender as far as people
can tell where they turn no word that both references have, and keep none that the references turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from epicene.act.alternatives import Alternative
from epicene.reader.contrast import read, telling, words
from epicene.types import Accepted, Gender, Item

_SHORT = 3  # letters of articles and prepositions, which agree with things as well as with people
VERSIONS = ("right", "wrong", "silent")
PAIRS = ("nothing but gender", "a word turned that people keep", "a word kept that people turn", "silent")


class References(NamedTuple):
    """The translations of a sentence with everybody as a woman, and with everybody as a man."""

    women: str
    men: str

    @property
    def accepted(self) -> tuple[Accepted, Accepted]:
        """As detectors have them."""
        return Accepted(self.women, Gender.FEMININE), Accepted(self.men, Gender.MASCULINE)


class Judged(NamedTuple):
    """Versions, and pairs of them, by what references say."""

    versions: dict[str, int]
    pairs: dict[str, int]


def references_of(group: Sequence[Item]) -> References | None:
    """The references in which all people of a sentence have one gender; None where there are no such two."""
    found = []
    for gender in (Gender.FEMININE, Gender.MASCULINE):
        texts = [[text for text, told in item.references if told is gender] for item in group]
        shared = [text for text in texts[0] if all(text in other for other in texts[1:])] if texts else []
        if not shared:
            return None
        found.append(shared[0])
    return References(*found)


def judged(found: Iterable[tuple[Alternative, References | None]]) -> Judged:
    """What references say of all versions that came in pairs."""
    versions, pairs = Counter[str](), Counter[str]()
    for each, references in found:
        if not each.both or references is None:
            continue
        for gender, version in each.versions.items():
            said = read(references.accepted, version.text).gender
            versions["silent" if said is Gender.UNKNOWN else "right" if said is gender else "wrong"] += 1
        pairs[apart(each, references)] += 1
    return Judged({name: versions[name] for name in VERSIONS}, {name: pairs[name] for name in PAIRS})


def apart(found: Alternative, references: References) -> str:
    """In what two versions differ, by the words that the references share and those in which they differ."""
    theirs = telling(references.accepted)
    turned = theirs[Gender.FEMININE] | theirs[Gender.MASCULINE]
    kept = words(references.women) & words(references.men)
    texts = [found.versions[gender].text for gender in (Gender.FEMININE, Gender.MASCULINE)]
    ours = telling((Accepted(texts[0], Gender.FEMININE), Accepted(texts[1], Gender.MASCULINE)))
    both = words(texts[0]) & words(texts[1])
    changed = ours[Gender.FEMININE] | ours[Gender.MASCULINE]
    for said, telling_words in ((PAIRS[1], changed & kept), (PAIRS[2], both & turned), (PAIRS[0], changed & turned)):
        if any(len(word) > _SHORT for word in telling_words):
            return said
    return PAIRS[3]
