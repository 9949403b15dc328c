"""What damages text on its way into a file.

Letters are lost, garbled or of another script, words are in pieces, the source stands in the same line.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple

from epicene.errors import UnknownNameError
from epicene.languages.codes import codes_of
from epicene.types import Pair

# What the bytes of UTF-8 become when they are read as Latin-1 or Windows-1252: "Ã¼" for "ü".
_GARBLED = re.compile("[ÂÃÄÅÐÑØÙ×][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ–—˜™š›œžŸ]|à[¤¥]")
_LOST = re.compile(r"\ufffd|\w\?\w")  # a replacement character, or a question mark within a word
_PIECES = re.compile(r"\u2581|@@ ")  # as subword models write them
# Letters of scripts, by the code that models have for them; what is missing here is not judged.
_LETTERS = {"Latn": "A-Za-zÀ-ɏ", "Cyrl": "Ѐ-ԯ", "Grek": "Ͱ-Ͽ", "Hebr": "א-ת", "Arab": "ء-ي"}
_LOOK_ALIKE = ("Latn", "Cyrl", "Grek")
_TWO_SCRIPTS = ("sr", "sh")  # languages that are written in either
# Letters that have lost something where they stand without: those that are written in two parts, and a few more.
_WITH_MARKS = "".join(
    letter for letter in map(chr, range(0xC0, 0x980)) if unicodedata.normalize("NFD", letter) != letter
)
_MARKED = re.compile(f"[{_WITH_MARKS}łŁøØæÆœßđðþı\u094d]")
_KINDS = {
    "garbled": "lines are garbled (Ã¼ for ü), UTF-8 read as another encoding",
    "lost": "lines have letters replaced by ? or \ufffd",
    "pieces": "lines are in pieces of words (@@ or \u2581), not joined",
    "beside": "lines hold the source beside the translation",
}
_SCRIPT = "script"
_OTHER = {_SCRIPT: "lines are written in letters of another script"}
Finding = tuple[bool, str]  # whether it refuses the outputs, and what is wrong
_LEAST = 12  # characters of a source that no translation holds by chance


class _Script(NamedTuple):
    """What shows that a line is in another script: no letter of its own, or a word that mixes look-alikes."""

    own: re.Pattern[str]
    other: re.Pattern[str] | None  # letters that are mixed up with its own
    mixed: re.Pattern[str] | None
    alone: bool  # whether the language has no second script

    def is_foreign(self, text: str) -> bool:
        """Whether a line is, at least in parts, in letters of another script."""
        if self.own.search(text) is None:
            return self.alone and any(map(str.isalpha, text))
        if self.other is None or self.mixed is None or self.other.search(text) is None:
            return False
        return self.mixed.search(text) is not None


@dataclass(slots=True)
class Damage:
    """Counts damaged lines as they go by."""

    pair: Pair
    n: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    _sizes: list[float] = field(default_factory=list)
    _script: _Script | None = field(init=False)
    _marked: int = 0  # lines with letters beyond ASCII

    def __post_init__(self) -> None:
        self._script = _script_of(self.pair.target)

    def add(self, text: str, source: str) -> None:
        """Look at the translation of a source."""
        self.n += 1
        if self._script:
            self.counts[_SCRIPT] += self._script.is_foreign(text)
        if not text.isascii():
            self.counts["garbled"] += _GARBLED.search(text) is not None
            self._marked += _MARKED.search(text) is not None
        if "?" in text or "\ufffd" in text:
            self.counts["lost"] += _LOST.search(text) is not None
        if "\u2581" in text or "@@" in text:
            self.counts["pieces"] += _PIECES.search(text) is not None
        if len(source) > _LEAST:
            self.counts["beside"] += len(text) > len(source) + _LEAST and source in text
            self._sizes.append(len(text) / len(source))

    def judge(self, bounds: Mapping[str, Any]) -> Iterator[Finding]:
        """Each kind of damage that goes beyond its bound, and whether it refuses."""
        for kind in _KINDS:
            yield from self._judge_kind(kind, bounds)

    def judge_letters(self, bounds: Mapping[str, Any], texts: Iterable[str]) -> Iterator[Finding]:
        """The same of letters, which another language would explain better; ``texts``: some of the translations."""
        yield from self._judge_kind(_SCRIPT, bounds)
        letters = bounds["marked"].get(self.pair.target)
        if not letters or self._marked >= bounds["unmarked"] * self.n:
            return
        if len({word for text in texts for word in text.lower().split() if word.isalpha()}) >= bounds["words"]:
            lines = f"{self._marked:,} of {self.n:,} lines"
            yield True, f"{lines} have letters such as {letters}, as if the marks were lost"

    def _judge_kind(self, kind: str, bounds: Mapping[str, Any]) -> Iterator[Finding]:
        count = self.counts[kind]
        if count > bounds["note"] * self.n:
            yield count > bounds["refuse"] * self.n, f"{count:,} of {self.n:,} {(_KINDS | _OTHER)[kind]}"

    def judge_size(self, bounds: Mapping[str, Any]) -> Iterator[Finding]:
        """Whether the length of the translations refuses them, and what is odd about it."""
        if len(self._sizes) < bounds["lines"] or self.pair.source in bounds["dense"]:
            return
        usual, half = median(self._sizes), "half of the translations have"
        low = bounds["short"].get(self.pair.target, bounds["low"])
        size = f"{100 * usual:.0f} % of their sentence's length"
        if usual < low:
            yield usual < bounds["refuse"] * low, f"{half} less than {size}, as if cut off"
        elif usual > bounds["high"]:
            yield False, f"{half} more than {size}"


def _script_of(target: str) -> _Script | None:
    """The script that a language is written in, where it is known."""
    try:
        script = codes_of(target).models["nllb"][0].partition("_")[2]
    except (UnknownNameError, KeyError, IndexError):
        return None
    if script not in _LETTERS:
        return None
    own = _LETTERS[script]
    others = [letters for name, letters in _LETTERS.items() if name != script and name in _LOOK_ALIKE]
    other = "".join(others) if script in _LOOK_ALIKE else ""
    mixed = re.compile(f"(?<=[{own}])[{other}]|[{other}](?=[{own}])") if other else None
    return _Script(re.compile(f"[{own}]"), mixed and re.compile(f"[{other}]"), mixed, target not in _TWO_SCRIPTS)
