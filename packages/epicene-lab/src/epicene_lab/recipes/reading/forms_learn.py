"""Learns the shortest list of suffixes that says all that a lexicon says of its forms."""

from __future__ import annotations

import lzma
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from epicene.reader.forms import END, bits


class Entry(NamedTuple):
    """One reading of one form."""

    form: str
    pos: str  # N noun, A adjective, P participle, V verb, D determiner, O pronoun, M name, X anything else
    gender: str = "c"  # f, m, n (neuter), c: one form for both
    number: str = "-"  # s, p
    person: str = "?"  # + names a person, - does not, ? may
    fixed: str = "."  # !: the gender belongs to the word, not to the person
    case: str = "."  # n, a, d, g where the form tells it
    other: str = ""  # the form of the other gender


def code(entry: Entry) -> str:
    """A reading as the tables spell it; the counterpart as the letters to cut and to add."""
    if entry.pos == "X":
        return ""
    short = "".join(entry[1:7])
    return f"{short}:{rewriting(entry.form, entry.other)}" if entry.other else short


def rewriting(form: str, other: str) -> str:
    """How the other form is made of this one: ``letters cut from the end``>``letters added``."""
    shared = 0
    while shared < min(len(form), len(other)) and form[shared] == other[shared]:
        shared += 1
    if shared < 2 and len(other) > 3:  # a word of its own, as Arzt and Ärztin
        return f"={other}"
    return f"{len(form) - shared}>{other[shared:]}"


def labels(entries: Iterable[Entry], vocabulary: frozenset[str] | None = None) -> dict[str, str]:
    """All readings of each form as one label; forms that name no person only where ``vocabulary`` has them."""
    readings: dict[str, set[str]] = defaultdict(set)
    people: set[str] = set()
    for entry in entries:
        if not entry.form:
            continue
        readings[entry.form].add(code(entry))
        if entry.pos in "DO" or (entry.pos == "N" and entry.person == "+"):
            people.add(entry.form)
    found = {}
    for form, codes in readings.items():
        if vocabulary is None or form in people or form.lower() in vocabulary:
            found[form] = " ".join(_tidied(codes))
    return found


def _tidied(codes: set[str]) -> list[str]:
    """Codes in the order nouns, determiners, adjectives, participles, verbs; what a surer one says is left out."""
    order = "NODAPVM"
    kept = sorted(filter(None, codes), key=lambda item: (order.index(item[0]), item[3] != "+", item))
    with_other = {item.split(":")[0] for item in kept if ":" in item}
    kept = [item for item in kept if ":" in item or item not in with_other]
    surer: list[str] = []
    for item in kept:
        twin = item[:3] + "+"
        if item[0] == "N" and item[3] != "+" and any(other.startswith(twin) for other in surer):
            continue
        surer.append(item)
    return surer[:8]


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


class Rule(NamedTuple):
    """Words that end so have this label, unless a longer rule speaks."""

    suffix: str  # a whole word stands with ``^`` before it unless it counts as the end of longer ones
    label: str
    confidence: float


class _Node(NamedTuple):
    depth: int  # letters of the suffix at which the words of this node part from others
    low: int
    high: int
    children: tuple[_Node, ...]


def learn(lexicon: Mapping[str, str], shortest_head: int) -> list[Rule]:
    """Suffix rules that give every form of the lexicon its label.

    Each suffix has the label of most words that end so; only those are kept that differ from the next shorter one. A
    listed word of ``shortest_head`` letters or more also counts as the end of longer ones.
    """
    items = sorted((form[::-1] + END, label) for form, label in lexicon.items())
    words = [word for word, _ in items]
    marks = [label for _, label in items]
    root = _tree(words, marks, 0, len(words), 0)
    chosen: dict[str, str] = {}
    _choose(root, None, words, marks, chosen, shortest_head)
    return _with_confidence(chosen, words, marks)


def _tree(words: Sequence[str], marks: Sequence[str], low: int, high: int, depth: int) -> _Node:
    """The tree of the words from ``low`` to ``high``, which share ``depth`` letters with their neighbours."""
    if high - low == 1:
        return _Node(depth, low, high, ())
    first, last = words[low], words[high - 1]
    shared = depth
    while shared < min(len(first), len(last)) and first[shared] == last[shared]:
        shared += 1
    children = []
    start = low
    for place in range(low + 1, high + 1):
        if place == high or words[place][shared] != words[start][shared]:
            children.append(_tree(words, marks, start, place, shared + 1))
            start = place
    return _Node(depth, low, high, tuple(children))


def _choose(
    node: _Node, above: str | None, words: Sequence[str], marks: Sequence[str], chosen: dict[str, str], head: int
) -> None:
    counts = Counter(marks[node.low : node.high])
    most = max(counts.values())
    label = above if above is not None and counts[above] == most else min(m for m, n in counts.items() if n == most)
    if label != above:
        chosen[_key(node, words, head)] = label
    if len(counts) == 1:
        return
    for child in node.children:
        _choose(child, label, words, marks, chosen, head)


def _key(node: _Node, words: Sequence[str], head: int) -> str:
    """The suffix of a node: as short as it can be, but a single word whole."""
    word = words[node.low]
    if node.children:
        return word[: node.depth][::-1]
    ends_others = node.depth == len(word)
    return word[::-1] if ends_others or len(word) <= head else word[:-1][::-1]


def _with_confidence(chosen: Mapping[str, str], words: Sequence[str], marks: Sequence[str]) -> list[Rule]:
    """Each rule with the share of the words that it has right where no other word's own rule helped."""
    right: dict[str, int] = defaultdict(int)
    seen: dict[str, int] = defaultdict(int)
    for reversed_word, mark in zip(words, marks, strict=True):
        word = reversed_word[:-1][::-1]
        for size in range(len(word) - 1, -1, -1):
            suffix = word[len(word) - size :]
            if suffix in chosen:
                seen[suffix] += 1
                right[suffix] += chosen[suffix] == mark
                break
    return [Rule(suffix, label, (right[suffix] + 0.5) / (seen[suffix] + 1)) for suffix, label in sorted(chosen.items())]
