"""Writes the shipped tables of forms."""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from recipes.reading.forms_learn import Rule


def write(path: Path, tables: Mapping[str, Sequence[Rule]]) -> int:
    """Write the rules of a language; the size of the file.

    A file is, packed by xz: a line with the size of the text; the text, whose first line has each table's name, the
    number of its labels and that of its rules, then the labels and the suffixes of each table one a line (suffixes
    reversed, which packs best); then for each table the rules' labels as little-endian numbers of two bytes, and
    their confidences in per cent as one byte each.
    """
    head, text, numbers = [], [], b""
    for name, rules in tables.items():
        kinds = sorted({rule.label for rule in rules})
        places = {label: place for place, label in enumerate(kinds)}
        ordered = sorted(rules, key=lambda rule: rule.suffix[::-1])
        head.append(f"{name} {len(kinds)} {len(ordered)}")
        text.extend(kinds)
        text.extend(rule.suffix[::-1] for rule in ordered)
        numbers += np.array([places[rule.label] for rule in ordered], "<u2").tobytes()
        numbers += bytes(round(100 * rule.confidence) for rule in ordered)
    lines = "\n".join(("\t".join(head), *text)).encode()
    packed = lzma.compress(f"{len(lines)}\n".encode() + lines + numbers, preset=9 | lzma.PRESET_EXTREME)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed)
    return len(packed)
