"""Which language lines are in, by a naive Bayes identifier: asked where the dictionary leaves a doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from epicene.check.words import Line
from epicene.languages.codes import name


class Other(NamedTuple):
    """Lines that are in another language than they should be."""

    first: int
    last: int
    language: str
    share: float | None = None  # of them, where other lines stand between them


class Guess(NamedTuple):
    """What a text is most likely in, and by how much more than in the language that was asked about."""

    language: str
    margin: float  # logarithm of the odds, for each byte


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_pickled_model(MODEL_FILE)


def guess(text: str, target: str, alike: Sequence[str] = ()) -> Guess | None:
    """The likeliest language of a text; None where the identifier does not know the one that was asked about."""
    import numpy as np

    model, state = _identifier(), 0
    features: Counter[int] = Counter()
    for byte in text.encode():
        state = model.tk_nextmove[(state << 8) + byte]
        features.update(model.tk_output.get(state, ()))
    # The identifier multiplies all features, of which a text has few.
    counts = np.fromiter(features.values(), dtype=np.float64)
    odds = counts @ model.nb_ptc[np.fromiter(features, dtype=np.int64)] + model.nb_pc
    scores = dict(zip(model.nb_classes, map(float, odds), strict=True))
    if target not in scores:
        return None
    same = next((group.split() for group in alike if target in group.split()), [target])
    own = max(scores.get(language, float("-inf")) for language in same)
    best = max(scores, key=scores.__getitem__)
    return Guess(target, 0.0) if best in same else Guess(best, (scores[best] - own) / len(text.encode()))


def find_others(lines: Sequence[Line], size: int, target: str, bounds: Mapping[str, Any]) -> list[Other] | None:
    """The blocks of so many lines that are in another language; None where that cannot be judged."""
    others: list[Other] = []
    judged = False
    for start in range(0, len(lines), size):
        block = lines[start : start + size]
        text = "\n".join(dict.fromkeys(line.text for line in block[:: -(-len(block) // bounds["lines"])]))
        answer = guess(text, target, bounds["alike"]) if len(text.encode()) >= bounds["bytes"] else None
        judged = judged or answer is not None
        if answer and answer.margin > bounds["refuse"]:
            first = block[0].number
            if others and others[-1].language == answer.language:
                first = others.pop().first
            others.append(Other(first, block[-1].number, answer.language))
    if judged and not others:
        others = _find_scattered(lines, target, bounds)
    return others if judged else None


def _find_scattered(lines: Sequence[Line], target: str, bounds: Mapping[str, Any]) -> list[Other]:
    """Lines in another language among others, told one by one."""
    some = lines[:: -(-len(lines) // bounds["alone"])]
    guesses = [(line.number, guess(line.text, target, bounds["alike"])) for line in some]
    strange = [(number, answer.language) for number, answer in guesses if answer and answer.margin > bounds["refuse"]]
    for language, count in Counter(language for _, language in strange).most_common(1):
        if count > bounds["mixed"] * bounds["alone"]:
            numbers = [number for number, other in strange if other == language]
            return [Other(numbers[0], numbers[-1], language, count / len(some))]
    return []


def called(code: str) -> str:
    """A language by its English name, where we have one, else its code."""
    from epicene.errors import UnknownNameError

    try:
        return name(code)
    except UnknownNameError:
        return repr(code)
