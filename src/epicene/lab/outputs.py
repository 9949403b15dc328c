"""What many models said of the same sentences, in one small file: each distinct translation of a sentence once.

The first line is JSON: whose outputs these are. Then a line a sentence: its distinct translations and, last, a letter a
run that says which of them is the run's.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import write_packed

# One line is like the next: context of four letters, no alignment.
_PACKED = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
_FIRST = 0x4E00  # letters from here on count from nought: one letter a number, and no control character


class Run(NamedTuple):
    """A trained model and how it was decoded."""

    langs: str
    skew: str  # of open gender in its training text
    model: str  # the name of its shape
    seed: int
    precision: str
    beam: int


@dataclass(frozen=True, slots=True)
class Outputs:
    """Translations of a set's sentences by runs."""

    runs: tuple[Run, ...]
    texts: tuple[tuple[str, ...], ...]  # by sentence: the distinct ones
    which: tuple[tuple[int, ...], ...]  # by sentence: for each run the place of its own among them

    def of(self, run: Run) -> list[str]:
        """All translations of one run, in the set's order."""
        place = self.runs.index(run)
        return [texts[which[place]] for texts, which in zip(self.texts, self.which, strict=True)]


def write(path: Path, said: Mapping[Run, Sequence[str]]) -> None:
    """Write what runs said of the same sentences, those beside each other that say nearly the same."""
    runs = sorted(said, key=lambda run: (run.skew, run.model, run.seed, run.beam, run.precision))
    head = json.dumps([list(run) for run in runs])
    lines = [head, *(_line(sentence) for sentence in zip(*(said[run] for run in runs), strict=True))]
    write_packed(path, lzma.compress("".join(f"{line}\n" for line in lines).encode(), filters=_PACKED))


def read(path: Path) -> Outputs:
    """Read such a file."""
    try:
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as stream:
            runs = tuple(Run(*row) for row in json.loads(stream.readline()))
            rows = list(_rows(stream, len(runs), path))
    except (OSError, lzma.LZMAError, EOFError, UnicodeDecodeError, ValueError, TypeError) as error:
        raise InputError(f"cannot read outputs in {path}: {error}") from None
    return Outputs(runs, tuple(texts for texts, _ in rows), tuple(which for _, which in rows))


def _line(sentence: Sequence[str]) -> str:
    clean = [" ".join(text.split()) for text in sentence]
    places = {text: place for place, text in enumerate(dict.fromkeys(clean))}
    return "\t".join((*places, "".join(chr(_FIRST + places[text]) for text in clean)))


def _rows(stream: Iterator[str], runs: int, path: Path) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    for number, line in enumerate(stream, 2):
        *texts, letters = line.removesuffix("\n").split("\t")
        which = tuple(ord(letter) - _FIRST for letter in letters)
        if len(which) != runs or not all(0 <= place < len(texts) for place in which):
            raise InputError(f"{path}:{number}: {len(which)} places for {runs} runs and {len(texts)} translations")
        yield tuple(texts), which
