"""Writes the shipped tables of forms."""

from __future__ import annotations

import lzma
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from epicene.reader.forms import bits
from epicene_lab.recipes.reading.forms_learn import Rule

_BITS = 10  # of the filter, for each word: about one other word in a hundred passes


def members(words: Collection[str]) -> bytes:
    """A Bloom filter of the words."""
    found = bytearray(1 + _BITS * len(words) // 8)
    for word in words:
        for bit in bits(word, 8 * len(found)):
            found[bit >> 3] |= 1 << (bit & 7)
    return bytes(found)


def write(path: Path, tables: Mapping[str, tuple[Sequence[Rule], Collection[str]]]) -> int:
    """Write the rules of a language and the words they were learnt from; the size of the file.

    A file is, packed by xz: a line with the size of the text; the text, whose first line has each table's name, the
    numbers of its labels and of its rules and the bytes of its filter, then the labels and the suffixes of each table
    one a line (suffixes reversed, which packs best); then for each table the rules' labels as little-endian numbers of
    two bytes, their confidences in per cent as one byte each, and the Bloom filter of the words.
    """
    head, text, numbers = [], [], b""
    for name, (rules, words) in tables.items():
        kinds = sorted({rule.label for rule in rules})
        places = {label: place for place, label in enumerate(kinds)}
        ordered = sorted(rules, key=lambda rule: rule.suffix[::-1])
        listed = members(words)
        head.append(f"{name} {len(kinds)} {len(ordered)} {len(listed)}")
        text.extend(kinds)
        text.extend(rule.suffix[::-1] for rule in ordered)
        numbers += np.array([places[rule.label] for rule in ordered], "<u2").tobytes()
        numbers += bytes(round(100 * rule.confidence) for rule in ordered) + listed
    lines = "\n".join(("\t".join(head), *text)).encode()
    packed = lzma.compress(f"{len(lines)}\n".encode() + lines + numbers, preset=9 | lzma.PRESET_EXTREME)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed)
    return len(packed)
