"""Makes a shipped translation table: python tables.py LANGUAGE OUTPUT.tsv.gz WORDNET [SOURCE...].

WORDNET is the folder of Princeton WordNet 3.0 (Debian: wordnet-base). A SOURCE is what learn.py writes
(``learned:FILE``), what wiktionary.py writes (``wiktionary:FILE``), or a table of the Open Multilingual Wordnet
(``wordnet:FILE``), of which the words for people are taken.
Each line: English word in its base form, then stems and how surely each translates it, in per cent.
"""

from __future__ import annotations

import gzip
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from epicene.reader.align import base, stem
from epicene.reader.words import cut

_PERSON = "18"  # WordNet's lexicographer file noun.person
_LISTED = 0.25  # of a dictionary's translation
_MEMBER = 0.15  # of a member of the same set of synonyms
_PART = 0.05  # of a word within a translation of several
_NARROWER = 0.08  # of a translation of a narrower word
_RARE = 20  # times that an English word must occur for its counts to outdo a dictionary
_ALSO = 0.06  # of a dictionary's translation that text does not bear out
_PEOPLE, _OTHERS = (0.006, 20), (0.04, 5)  # least probability, most stems

Table = dict[str, dict[str, float]]


def people(folder: Path) -> dict[str, set[str]]:
    """English words for people by synset."""
    found: dict[str, set[str]] = {}
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        if not line.startswith(" ") and fields[1] == _PERSON and " @i " not in line:  # no instances: Mozart
            count = int(fields[3], 16)
            found[fields[0]] = {fields[4 + 2 * number].replace("_", " ").lower() for number in range(count)}
    return found


def key(english: str) -> str:
    """An English word or phrase as the tables list it."""
    return " ".join(base(word) for word in english.replace("-", " ").split())


def learned(file: Path) -> Iterator[tuple[str, str, float, int]]:
    """English word, stem, probability and how often the English word occurs."""
    for line in file.read_text(encoding="utf-8").splitlines():
        english, found, count, total = line.split("\t")
        if len(found) > 1 or not found.isascii():
            yield english, found, int(count) / int(total), int(total)


def wiktionary(file: Path) -> Iterator[tuple[str, str]]:
    """English word and translation."""
    for line in file.read_text(encoding="utf-8").splitlines():
        english, _, word, _, _ = line.split("\t")
        yield key(english), word


def wordnet(file: Path, synsets: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    """English word for a person and a word of the same synset."""
    for line in file.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if len(fields) >= 3 and fields[1].endswith("lemma"):
            for english in synsets.get(fields[0].removesuffix("-n"), ()):
                yield key(english), fields[2]


def kin() -> dict[str, list[str]]:
    """English words for people and narrower ones that translations may choose instead."""
    text = Path(__file__).with_name("kin.toml").read_text(encoding="utf-8")
    return {key(word): [key(each) for each in others.split()] for word, others in tomllib.loads(text).items()}


def main(language: str, output: str, folder: str, *sources: str) -> None:
    """Writes the table."""
    synsets = people(Path(folder))
    persons = {key(word) for words in synsets.values() for word in words}
    cut_stem = stem(language)
    table: Table = defaultdict(dict)
    totals: dict[str, int] = {}

    def add(english: str, word: str, weight: float) -> None:
        words = [each.lower for each in cut(word).words]
        weight = weight if totals.get(english, 0) < _RARE else min(weight, _ALSO)
        for each in words:
            if len(each) > 1 and (len(words) == 1 or len(each) > 3):
                row, found = table[english], cut_stem(each)
                row[found] = max(row.get(found, 0), weight if len(words) == 1 else min(weight, _PART))

    for source in sorted(sources, key=lambda each: not each.startswith("learned")):
        kind, _, name = source.partition(":")
        if kind == "learned":
            for english, found, probability, total in learned(Path(name)):
                table[english][found] = probability
                totals[english] = total
        elif kind == "wiktionary":
            for english, word in wiktionary(Path(name)):
                if " " not in english or english in persons:
                    add(english, word, _LISTED)
        else:
            for english, word in wordnet(Path(name), synsets):
                add(english, word.replace("_", " "), _MEMBER)
    for english, narrower in kin().items():
        for other in narrower:
            for found, value in table.get(other, {}).items():
                table[english][found] = max(table[english].get(found, 0), min(value, _NARROWER))
    lines = []
    for english, row in sorted(table.items()):
        least, most = _PEOPLE if english in persons else _OTHERS
        if (
            "\t" in english
            or not english
            or english.count(" ") > 1
            or (english not in persons and totals.get(english, 9) < 4)
        ):
            continue
        best = sorted((each for each in row.items() if each[1] >= least), key=lambda each: (-each[1], each[0]))[:most]
        if best:
            lines.append(
                english + "\t" + " ".join(f"{found} {max(1, round(100 * value))}" for found, value in best) + "\n"
            )
    Path(output).write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
