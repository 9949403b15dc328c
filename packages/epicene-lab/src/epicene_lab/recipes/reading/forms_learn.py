"""Learns the shortest list of suffixes that says all that a lexicon says of its forms."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from epicene.reader.forms import END


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
