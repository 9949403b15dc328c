"""Words from outside as a page shows them: as text, with every character to be seen, and the deciding words marked."""

from __future__ import annotations

from epicene.types import Evidence

LONGEST = 2000  # characters of a sentence that a page shows
# Characters that would be invisible, or turn the reading order of what follows, become one that is seen; each becomes
# exactly one, so that offsets stay right.
_SEEN = {code: chr(0x2400 + code) for code in range(0x20)}
_SEEN |= {0x7F: "\u2421"}
_SEEN |= dict.fromkeys([*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\u2426")
_SEEN |= dict.fromkeys([*range(0xD800, 0xE000), 0xFEFF, 0xFFFE, 0xFFFF], "\ufffd")


def shown(text: str) -> str:
    """A text whose control characters, direction overrides and broken surrogates are visible."""
    return text.translate(_SEEN)


def clipped(text: str) -> tuple[str, int]:
    """The text as far as a page shows it, and how many characters it leaves out."""
    return shown(text[:LONGEST]), max(0, len(text) - LONGEST)


def spans(evidence: tuple[Evidence, ...]) -> list[tuple[int, int]]:
    """Where the deciding words stand in the shown text, in order and without overlap."""
    found: list[tuple[int, int]] = []
    for each in sorted(evidence, key=lambda each: (each.start, each.end)):
        start, end = max(each.start, found[-1][1] if found else 0), min(each.end, LONGEST)
        if start < end:
            found.append((start, end))
    return found


def pieces(text: str, marks: list[tuple[int, int]]) -> list[tuple[str, bool]]:
    """A text cut into pieces, with whether each is marked."""
    position, found = 0, []
    for start, end in marks:
        found += [(text[position:start], False), (text[start:end], True)]
        position = end
    return [piece for piece in (*found, (text[position:], False)) if piece[0]]
