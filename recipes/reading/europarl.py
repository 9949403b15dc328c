"""Writes sentence pairs of the European Parliament's debates: python europarl.py REPOSITORY LANGUAGE OUTPUT [EVERY].

REPOSITORY is a git directory of UDS-SFB-B6-Datasets/Multilingual-Parallel-Direct-Europarl; every EVERYth sitting is
taken. Paragraphs are matched by speech and number, sentences where both paragraphs have as many.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+(?=[^\Wa-zà-ÿ]|[¿¡«\"“„])")
_LONGEST = 60  # words
_FOLDER = "proceedings/xml"


def speeches(repository: str, language: str, sitting: str) -> dict[str, list[str]]:
    """The paragraphs of each speech of a sitting, by the speech's number."""
    name = f"HEAD:{_FOLDER}/{language}/{sitting}.{language.upper()}.xml"
    found = subprocess.run(["git", "-C", repository, "show", name], capture_output=True, check=False)
    if found.returncode:
        return {}
    root = ElementTree.fromstring(found.stdout)  # noqa: S314  a repository that one chose oneself
    return {
        speech.get("id", ""): ["".join(paragraph.itertext()).strip() for paragraph in speech.iter("p")]
        for speech in root.iter("intervention")
    }


def pairs(english: dict[str, list[str]], other: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Sentence pairs of one sitting."""
    for number in english.keys() & other.keys():
        if len(english[number]) != len(other[number]):
            continue
        for first, second in zip(english[number], other[number], strict=True):
            ours, theirs = _SENTENCE_END.split(first), _SENTENCE_END.split(second)
            if len(ours) == len(theirs):
                yield from zip(ours, theirs, strict=True)


def fits(first: str, second: str) -> bool:
    """Whether two sentences can be translations of each other by their lengths."""
    m, n = len(first.split()), len(second.split())
    return 0 < m <= _LONGEST and 0 < n <= _LONGEST and m < 2 * n + 3 and n < 2 * m + 3


def main(repository: str, language: str, output: str, every: str = "3") -> None:
    """Writes one tab-separated pair a line, English first."""
    listing = subprocess.run(
        ["git", "-C", repository, "ls-tree", "--name-only", f"HEAD:{_FOLDER}/en"],
        capture_output=True,
        text=True,
        check=True,
    )
    sittings = sorted(name.split(".")[0] for name in listing.stdout.split())[:: int(every)]
    with Path(output).open("w", encoding="utf-8") as file:
        for sitting in sittings:
            for first, second in pairs(speeches(repository, "en", sitting), speeches(repository, language, sitting)):
                if fits(first, second):
                    file.write(f"{' '.join(first.split())}\t{' '.join(second.split())}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
