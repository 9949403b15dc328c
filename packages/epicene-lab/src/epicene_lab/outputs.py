"""What many models said of the same sentences, in one small file: each distinct translation of a sentence once.

Numbers are letters, one each. The first line is JSON: whose outputs these are. The second holds all words, so that a
letter stands for each. Then a line a sentence with its distinct translations, and as many lines with a letter a run
that says which of them is the run's.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import write_packed

_ENCODING = "utf-16-le"
# Two bytes a letter.
_PACKED = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 2, "lp": 1, "pb": 1}]
_FIRST = 0x100  # the letter that stands for nought: none before it is used, so no control character is
_SURROGATES = range(0xD800, 0xE000)  # are no letters


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


def write(path: Path, translations: Mapping[Run, Sequence[str]]) -> None:
    """Write what runs said of the same sentences, those beside each other that say nearly the same."""
    runs = sorted(translations, key=lambda run: (run.skew, run.model, run.seed, run.beam, run.precision))
    sentences = [
        [" ".join(text.split()) for text in each] for each in zip(*(translations[run] for run in runs), strict=True)
    ]
    texts = [list(dict.fromkeys(each)) for each in sentences]
    words = Counter(word for each in texts for text in each for word in text.split())
    letters = {word: _letter(place) for place, (word, _) in enumerate(words.most_common())}
    lines = [json.dumps([list(run) for run in runs]), " ".join(letters)]
    lines += ["\t".join("".join(letters[word] for word in text.split()) for text in each) for each in texts]
    for sentence, each in zip(sentences, texts, strict=True):
        places = {text: _letter(place) for place, text in enumerate(each)}
        lines.append("".join(places[text] for text in sentence))
    write_packed(path, lzma.compress("\n".join(lines).encode(_ENCODING), filters=_PACKED))


def read(path: Path) -> Outputs:
    """Read such a file."""
    try:
        head, words, *lines = lzma.decompress(path.read_bytes()).decode(_ENCODING).split("\n")
        runs = tuple(Run(*row) for row in json.loads(head))
        spelt = {ord(_letter(place)): f"{word} " for place, word in enumerate(words.split())}
    except (OSError, lzma.LZMAError, EOFError, UnicodeDecodeError, ValueError, TypeError) as error:
        raise InputError(f"cannot read outputs in {path}: {error}") from None
    half, odd = divmod(len(lines), 2)
    if odd:
        raise InputError(f"cannot read outputs in {path}: it is cut short")
    texts = tuple(tuple(text[:-1] for text in line.translate(spelt).split("\t")) for line in lines[:half])
    which = tuple(tuple(_place(letter) for letter in line) for line in lines[half:])
    for number, (each, places) in enumerate(zip(texts, which, strict=True), 1):
        if len(places) != len(runs) or not all(0 <= place < len(each) for place in places):
            raise InputError(
                f"{path}: sentence {number} has {len(places)} places for {len(runs)} runs and {len(each)} translations"
            )
    return Outputs(runs, texts, which)


def _letter(place: int) -> str:
    number = _FIRST + place
    return chr(number if number < _SURROGATES.start else number + len(_SURROGATES))


def _place(letter: str) -> int:
    number = ord(letter)
    return number - _FIRST - (len(_SURROGATES) if number >= _SURROGATES.stop else 0)
