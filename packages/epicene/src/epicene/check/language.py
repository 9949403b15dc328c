"""Which language a file is in: a naive Bayes identifier over the whole file, in a few blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from epicene.languages.codes import name


class Other(NamedTuple):
    """Lines that are in another language than they should be, with how surely."""

    first: int
    last: int
    language: str


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
    scores = {language: float(score) for language, score in _identifier().rank(text)}
    if target not in scores:
        return None
    same = next((group.split() for group in alike if target in group.split()), [target])
    own = max(scores.get(each, float("-inf")) for each in same)
    best = max(scores, key=scores.__getitem__)
    return Guess(target, 0.0) if best in same else Guess(best, (scores[best] - own) / len(text.encode()))


def others(lines: Sequence[tuple[int, str]], target: str, bounds: Mapping[str, Any]) -> list[Other] | None:
    """The blocks of numbered lines that are in another language; None where that cannot be judged."""
    size = -(-len(lines) // (bounds["blocks"] if len(lines) >= bounds["blocks"] * bounds["lines"] else 1))
    found: list[Other] = []
    judged = False
    for start in range(0, len(lines), max(1, size)):
        block = lines[start : start + size]
        step = -(-len(block) // bounds["lines"])
        text = "\n".join(dict.fromkeys(text for _, text in block[::step]))
        answer = guess(text, target, bounds["alike"]) if len(text.encode()) >= bounds["bytes"] else None
        judged = judged or answer is not None
        if answer and answer.margin > bounds["refuse"]:
            _add(found, Other(block[0][0], block[-1][0], answer.language))
    return found if judged else None


def _add(found: list[Other], other: Other) -> None:
    """Append a block, joined to the one before it where both are in the same language."""
    if found and found[-1].language == other.language:
        other = found.pop()._replace(last=other.last)
    found.append(other)


def called(code: str) -> str:
    """A language by its English name, where we have one, else its code."""
    from epicene.errors import UnknownNameError

    try:
        return name(code)
    except UnknownNameError:
        return repr(code)
