"""Text from outside: one spelling where it enters, and the one boundary that it passes before anybody sees it.

``normalised`` is applied once, where translations enter: composed letters (NFC), one apostrophe, one hyphen, one blank,
CEO for C.E.O., the letter for its HTML entity, as some services answer; what cannot be seen is taken out. Evidence
points into the text as it is after this.

``visible`` and ``scrub`` run at the exits: ``output.render``, ``cli.main`` with its log, pages and the gate's formats.
"""

from __future__ import annotations

import html
import re
import unicodedata

from epicene.types import Evidence

LONGEST = 2000  # characters of a sentence that a page shows
_APOSTROPHES = "\u2019\u2018\u02bc\u02b9\u2032\u02bb\u201b\uff07\u055a"
_HYPHENS = "\u2010\u2011\ufe63\uff0d"
# Soft hyphens, zero-width blanks, byte order marks, and marks that set the direction of text.
_UNSEEN = "\u00ad\u200b\u2060\ufeff\u180e\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Between letters of scripts that join, from Arabic to Sinhala, and between emoji these two spell; else they are noise.
_JOINERS = r"(?<=\w)(?<![\u0600-\u0dff])[\u200c\u200d]|(?<=\w)[\u200c\u200d](?![\u0600-\u0dff])"
# Whatever is blank or ends a line for somebody, tabs too, so that an answer is one line in every file.
_BLANKS = r"[\t\n\r\x0b\x0c\x1c-\x1f\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
_BREAKS = re.compile(r"\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_UNUSUAL = re.compile(f"[{_APOSTROPHES}{_HYPHENS}{_UNSEEN}\u200c\u200d]|{_BLANKS}")
# But for quotation marks, which whoever looks for quotations knows as entities too (reader/clauses.py).
_ENTITY = re.compile(r"&(?!quot;)(?:#\d{2,7}|#[xX][0-9a-fA-F]{2,6}|[a-zA-Z]{2,8});")
_DOTTED = re.compile(r"\b(?:[A-Z]\.){3,}")  # C.E.O., as speech translators write it
_SPELLINGS = (
    (re.compile(f"[{_APOSTROPHES}]"), "'"),
    (re.compile(f"[{_HYPHENS}]"), "-"),
    (re.compile(f"[{_UNSEEN}]|{_JOINERS}"), ""),
    (re.compile(_BLANKS), " "),
)
# Characters that would be invisible, or turn the reading order of what follows, become one that is seen; each becomes
# exactly one, so that offsets stay right.
_VISIBLE = {code: chr(0x2400 + code) for code in range(0x20)}
_VISIBLE |= {0x7F: "\u2421"}
_VISIBLE |= dict.fromkeys([*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\u2426")
_VISIBLE |= dict.fromkeys([*range(0xD800, 0xE000), 0xFEFF, 0xFFFE, 0xFFFF], "\ufffd")
_HIDDEN = "[key]"
_OWNER = re.compile(r"(?<=://)[^\s/]+@")  # the name and the password in an address
_secrets: set[str] = set()


def normalised(text: str) -> str:
    """The text in the one spelling that is read; what is so already comes back as it is."""
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if _UNUSUAL.search(text):
        for pattern, plain in _SPELLINGS:
            text = pattern.sub(plain, text)
    return _DOTTED.sub(_undotted, text) if "." in text[:-1] else text


def _undotted(match: re.Match[str]) -> str:
    """CEO for C.E.O.; at the end of a text the last full stop is the sentence's."""
    return match[0].replace(".", "") + ("." if match.end() == len(match.string) else "")


def one_line(text: str) -> str:
    """An answer as one line: whatever ends a line for somebody becomes a blank, and nothing else changes."""
    return _BREAKS.sub(" ", text)


def hide(secret: str) -> None:
    """From now on ``scrub`` takes this key out of every text."""
    _secrets.add(secret)


def scrub(text: str) -> str:
    """A text without any key that was given out, and without the owners of addresses.

    Services like to repeat what they were sent, and libraries the addresses of servers and proxies.
    """
    for secret in sorted(_secrets, key=len, reverse=True):  # a key may hold another one
        text = text.replace(secret, _HIDDEN)
    return _OWNER.sub("", text) if "://" in text else text


def visible(text: str) -> str:
    """A text whose control characters, direction overrides and broken surrogates are visible."""
    return text.translate(_VISIBLE)


def clean(text: str) -> str:
    """A text that leaves the program, as every exit shows it: without keys, all of it visible, in one line."""
    return visible(scrub(one_line(text)))


def clip(text: str) -> tuple[str, int]:
    """The text as far as a page shows it, and how many characters it leaves out."""
    return visible(text[:LONGEST]), max(0, len(text) - LONGEST)


def mark_spans(evidence: tuple[Evidence, ...]) -> list[tuple[int, int]]:
    """Where the deciding words stand in the clipped text, in order and without overlap."""
    spans: list[tuple[int, int]] = []
    for words in sorted(evidence, key=lambda words: (words.start, words.end)):
        start, end = max(words.start, spans[-1][1] if spans else 0), min(words.end, LONGEST)
        if start < end:
            spans.append((start, end))
    return spans


def cut_pieces(text: str, marks: list[tuple[int, int]]) -> list[tuple[str, bool]]:
    """A text cut into pieces, with whether each is marked."""
    position, pieces = 0, list[tuple[str, bool]]()
    for start, end in marks:
        pieces += [(text[position:start], False), (text[start:end], True)]
        position = end
    return [piece for piece in (*pieces, (text[position:], False)) if piece[0]]
