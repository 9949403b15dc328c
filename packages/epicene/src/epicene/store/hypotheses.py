"""Files of translations: one a line in the order of the sources, or ``source ||| target`` lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.reader.mentions import mentions
from epicene.types import Item, TranslationFile

_BAR = " ||| "


class TranslationLines:
    """A file of translations, or lines that are in memory already."""

    def __init__(self, source: str | Path | Iterable[str], path: str | Path | None = None) -> None:
        self._lines: Iterable[str] | None = None
        if isinstance(source, (str, Path)):
            self.path = str(source)
            self.name = "file:-" if self.path == "-" else TranslationFile(self.path).identity
        else:
            self._lines = source
            self.path = str(path or getattr(source, "name", None) or "translations")
            self.name = TranslationFile(self.path).identity

    def lines(self) -> Iterator[str]:
        """The lines as they stand."""
        if self._lines is None:
            return read_lines(self.path)
        return (self._line(number, line) for number, line in enumerate(self._lines, 1))

    def _line(self, number: int, line: object) -> str:
        if not isinstance(line, str):
            raise InputError(f"{self.path}:{number}: expected a line of text, got {line!r}")
        return line.rstrip("\r\n")

    def pair_with(self, items: Iterable[Item], target: str) -> Iterator[tuple[Item, str]]:
        """Items with their translations; a wrong number of lines or another source is refused."""
        sentences = barred = count = 0
        for group, line in zip_longest(group_by_line(items), self.lines()):
            sentences += group is not None
            count += line is not None
            if group is None or line is None:
                continue
            item = group[0]
            source, bar, text = line.partition(_BAR)
            barred += bool(bar)
            if bar and source.strip() not in (item.source, item.variant):
                raise InputError(
                    f"{self.path}:{count}: the source before '|||' is not the set's sentence {item.id}; "
                    f"got {_shorten(source)}, expected {_shorten(item.source)}"
                )
            if not bar and barred:
                raise InputError(
                    f"{self.path}:{count}: no '|||' here, but in the lines before; expected source ||| target"
                )
            yield from ((one, text if bar else line) for one in group)
        if count != sentences:
            raise InputError(self._describe_miscount(count, sentences, items, target))

    def _describe_miscount(self, count: int, sentences: int, items: Iterable[Item], target: str) -> str:
        name = "standard input" if self.path == "-" else self.path
        if count == 0:
            return f"{name} is empty; expected {sentences} lines, one per sentence of the set"
        message = f"{name} has {count} lines, the set has {sentences} sentences"
        if abs(count - sentences) == 1 and isinstance(items, Sequence) and self._lines is None and self.path != "-":
            line = find_shift(items, list(self.lines()), target)
            if line:
                what = "missing" if count < sentences else "too many"
                message += f"; from line {line} on the lines look shifted, so a line there is {what}"
        if 2 * count == sentences and isinstance(items, Sequence) and items[0].labels.get("pair"):
            message += ", of which one gender has half; give the feminine sentences and then the masculine ones"
        return message + "; expected one line per sentence, in the order of 'epicene sets export'"


def group_by_line(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Items together with those that are read from the same translation."""
    for _, group in groupby(enumerate(items), key=lambda pair: pair[1].line or pair[0]):
        yield [item for _, item in group]


def find_shift(items: Sequence[Item], lines: Sequence[str], target: str) -> int | None:
    """The first line that fits its neighbour's sentence better than its own, if the people in them can tell."""
    step = 1 if len(lines) < len(items) else -1
    straight = [mentions(item, line, target) for item, line in zip(items, lines, strict=False)]
    moved = [
        mentions(items[number + step], line, target) if 0 <= number + step < len(items) else False
        for number, line in enumerate(lines)
    ]
    # The best place to break: as many as possible fit straight before it and moved from it on.
    fit = sum(moved)
    best, place = fit, 0
    for number in range(len(straight)):
        fit += straight[number] - (moved[number] if number < len(moved) else 0)
        if fit > best:
            best, place = fit, number + 1
    tells = best > sum(straight) + 2 and best > 0.5 * len(lines)
    return place + 1 if tells and place < len(lines) else None


def _shorten(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else text[:57] + "…")
