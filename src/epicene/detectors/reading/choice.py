"""Which of several mentions is the focus, given who else the sentence speaks of."""

from __future__ import annotations

from itertools import product

from epicene.detectors.reading.people import Mention, Text
from epicene.types import Focus

# What speaks against a mention, in shares of the sentence's length.
_COMPOUND = 0.2
_RANK = 0.03  # for each word that is more usual
_LAST_RANK = 10
_SWAPPED = 0.3  # the two people stand in the other order than in the source
_ALONE = 1.0  # nobody is left for the other person
_FOREIGN = 0.3  # the mention is no word for the concept at all


def choose(text: Text, mentions: list[Mention], focus: Focus, source: str) -> Mention:
    """The mention that fits best: where it stands, how usual the word is, and whom it leaves for the others."""
    if len(mentions) == 1:
        return mentions[0]
    costs = {mention.first: _cost(text, mention, focus, source) for mention in mentions}
    if not focus.others:
        return min(mentions, key=lambda mention: costs[mention.first])
    other = focus.others[0]
    rest = [mention for mention in text.mentions if other.concept in mention.readings]
    best: tuple[float, Mention] | None = None
    for mention, partner in product(mentions, [*rest, None]):
        if partner is mention:
            continue
        cost = costs[mention.first] + _ALONE
        if partner is not None:
            swapped = (mention.first < partner.first) != (focus.start < other.start)
            cost = costs[mention.first] + _cost(text, partner, other, source) + _SWAPPED * swapped
        if best is None or cost < best[0]:
            best = cost, mention
    return best[1] if best else mentions[0]


def nearer(text: Text, mention: Mention, focus: Focus, other: Focus, source: str) -> bool:
    """Whether a mention stands rather where the focus does in the source than where the other person does."""
    return _away(text, mention, focus, source) <= _away(text, mention, other, source)


def _away(text: Text, mention: Mention, focus: Focus, source: str) -> float:
    here = text.spans[mention.first][0] / max(1, len(text.text))
    return abs(here - focus.start / max(1, len(source)))


def _cost(text: Text, mention: Mention, focus: Focus, source: str) -> float:
    rank = mention.ranks.get(focus.concept)
    unusual = _FOREIGN if rank is None else _RANK * min(rank, _LAST_RANK)
    return _away(text, mention, focus, source) + unusual + _COMPOUND * mention.compound
