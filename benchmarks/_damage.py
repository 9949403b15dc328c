"""Ways in which files go bad on their way: cut, flipped, retyped by a spreadsheet, edited by hand."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from typing import Any

_NOISE = (
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b"\t",
    b"\n\n",
    b'"',
    b"\xe2\x80\xa8",
    b"{",
    b"]",
    b",",
)
_CELLS = ("", "NaN", "inf", "-1", "1e999", "9" * 400, "\u202e", "=1+1", "x" * 5000, "null", "’", "0", "é", '"')
_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 10**30, 2**53, 1.5, 1e308, "", "NaN", "x" * 999, [], {}, [[]], {"a": 1}, [None], "\ud800",
)  # fmt: skip


def _cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _flipped(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 3, 20)) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _inserted(content: bytes, chance: random.Random) -> bytes:
    place = chance.choice((0, len(content), chance.randrange(len(content) + 1)))
    return content[:place] + chance.choice(_NOISE) + content[place:]


def _lines(content: bytes, chance: random.Random) -> bytes:
    """Lines lost, doubled, shuffled or ended otherwise."""
    lines = content.split(b"\n")
    place = chance.randrange(len(lines))
    how = chance.randrange(5)
    if how == 0:
        del lines[place]
    elif how == 1:
        lines.insert(place, lines[place])
    elif how == 2:
        chance.shuffle(lines)
    return (b"\n", b"\r\n", b"\r")[max(0, how - 2)].join(lines)


def _cells(content: bytes, chance: random.Random) -> bytes:
    """A cell, word or number replaced."""
    for blank in chance.sample((b"\t", b",", b" ", b"="), 4):
        parts = content.split(blank)
        if len(parts) > 1:
            parts[chance.randrange(len(parts))] = chance.choice(_CELLS).encode()
            return blank.join(parts)
    return content


def _json(content: bytes, chance: random.Random) -> bytes:
    """A value of another type, or a key that is gone, in JSON or in one of its lines."""
    lines = [content] if content.startswith(b"[") or b"\n " in content else content.split(b"\n")
    place = chance.randrange(len(lines))
    try:
        record = json.loads(lines[place])
    except ValueError:
        return _flipped(content, chance)
    lines[place] = json.dumps(_changed(record, chance)).encode()
    return b"\n".join(lines)


def _changed(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        if chance.random() < 0.15:
            return {each: value[each] for each in value if each != key}
        return {**value, key: _changed(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        return [*value[:place], _changed(value[place], chance), *value[place + 1 :]]
    return chance.choice(_VALUES)


_WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (_cut, _flipped, _inserted, _lines, _cells)


def damaged(content: bytes, name: str, chance: random.Random) -> bytes:
    """The content of a file, damaged in one or more of the ways that fit its name."""
    ways = (*_WAYS, _json, _json, _json) if name.endswith((".json", ".jsonl")) else _WAYS
    if name.endswith(".gz") and chance.random() < 0.5:
        return gzip.compress(chance.choice(ways)(gzip.decompress(content), chance))
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        content = chance.choice(ways)(content, chance)
    return content
