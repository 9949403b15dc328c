"""Lists English words for people: python people.py WORDNET OUTPUT.txt.gz.

WORDNET is the folder of Princeton WordNet 3.0 (Debian: wordnet-base). One word or phrase a line, in its base form;
those whose first sense is a person first, then, after an empty line, those that have another such sense.
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

from tables import key, people  # type: ignore[import-not-found]

_WORD = re.compile(r"[a-z]+(?:[ -][a-z]+)?")


def senses(folder: Path) -> dict[str, list[str]]:
    """Synsets of each noun, the most frequent first."""
    found = {}
    for line in (folder / "index.noun").read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            found[fields[0].replace("_", " ")] = fields[-int(fields[2]) :]
    return found


def main(folder: str, output: str) -> None:
    """Writes the list."""
    persons = people(Path(folder)).keys()
    first, other = set(), set()
    for word, synsets in senses(Path(folder)).items():
        if _WORD.fullmatch(word) and (places := [place for place, each in enumerate(synsets) if each in persons]):
            (first if places[0] == 0 else other).add(key(word))
    text = "\n".join(sorted(first)) + "\n\n" + "\n".join(sorted(other - first)) + "\n"
    Path(output).write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
