"""All runs' outputs, read: one code a run and sentence. What several runs said alike is read once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from epicene.flow import plan
from epicene.flow.score import read as read_outputs
from epicene.languages.codes import pair as parse_pair
from epicene.types import Item, Output
from epicene_lab.outputs import Outputs
from epicene_lab.tables import table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Codes = npt.NDArray[np.int8]  # runs × sentences

RIGHT, WRONG, UNREAD = 1, 0, -1
_WORD = re.compile(r"[^\W\d_]+")
Stems = tuple[tuple[str, ...], ...]


@cache
def _stems(target: str) -> dict[str, tuple[str, ...]]:
    return {row["english"]: tuple(row[target].split("|")) for row in table("lab", "control.tsv")}


@cache
def list_stems(source: str, target: str) -> Stems:
    """The stems that a translation of each control word of a sentence may begin with."""
    known = _stems(target)
    return tuple(known[word] for word in _WORD.findall(source.casefold()) if word in known)


def count_stems(text: str, stems: Stems) -> int:
    """How many of the control words are there."""
    words = _WORD.findall(text.casefold())
    return sum(any(word.startswith(stem) for word in words) for stem in stems)


def read_items(name: str, langs: str) -> list[Item]:
    """The sentences of a set, in its order."""
    challenge = plan.open_set(name)
    return list(challenge.items(plan.open_pair(langs, challenge)))


def read_codes(outputs: Outputs, name: str, langs: str, protocol: str) -> tuple[Codes, str]:
    """The codes of all runs by one protocol, and the signature of whoever read them."""
    import numpy as np

    challenge = plan.open_set(name)
    task = plan.open_task(challenge, plan.open_pair(langs, challenge), protocol)
    distinct = [
        Output(item, "lab", parse_pair(langs).target, text)
        for item, texts in zip(read_items(name, langs), outputs.texts, strict=True)
        for text in texts
    ]
    flat = np.array([_code(verdict.output.item, verdict.gender) for verdict in read_outputs(task, distinct)], np.int8)
    return _spread(flat, outputs), task.detector.identity


def read_controlled(outputs: Outputs, name: str, langs: str) -> tuple[Codes, Sequence[int]]:
    """How many control words each run has right, sentence by sentence, and how many there are."""
    import numpy as np

    target = parse_pair(langs).target
    stems = [list_stems(item.source, target) for item in read_items(name, langs)]
    flat = [
        count_stems(text, sentence_stems)
        for sentence_stems, texts in zip(stems, outputs.texts, strict=True)
        for text in texts
    ]
    return _spread(np.array(flat, np.int8), outputs), [len(sentence_stems) for sentence_stems in stems]


def _code(item: Item, gender: str) -> int:
    if gender == item.expected:
        return RIGHT
    return WRONG if gender in ("feminine", "masculine") else UNREAD


def _spread(flat: Codes, outputs: Outputs) -> Codes:
    """From distinct translations to runs."""
    import numpy as np

    spread = np.empty((len(outputs.runs), len(outputs.texts)), np.int8)
    start = 0
    for number, (texts, which) in enumerate(zip(outputs.texts, outputs.which, strict=True)):
        spread[:, number] = flat[start : start + len(texts)][list(which)]
        start += len(texts)
    return spread
