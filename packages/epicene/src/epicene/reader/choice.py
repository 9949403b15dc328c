"""Which of several mentions is the focus, given who else the sentence speaks of."""

from __future__ import annotations

from itertools import product

from epicene.reader.mentions import Mention, Text
from epicene.types import Item, Person

# What speaks against a mention, in shares of the sentence's length.
_COMPOUND = 0.2
_RANK = 0.03  # for each word that is more usual
_LAST_RANK = 10
_SWAPPED = 0.3  # the two people stand in the other order than in the source
_ALONE = 1.0  # nobody is left for the other person


def choose(text: Text, mentions: list[Mention], item: Item) -> Mention:
    """The mention that fits best: where it stands, how usual the word is, and whom it leaves for the others."""
    if len(mentions) == 1:
        return mentions[0]
    person, source = item.person, item.source
    costs = {mention.first: _cost(text, mention, person, source) for mention in mentions}
    if not item.others:
        return min(mentions, key=lambda mention: costs[mention.first])
    other = item.others[0]
    rest = [mention for mention in text.mentions if other.concept in mention.readings]

    def cost(pair: tuple[Mention, Mention | None]) -> float:
        mention, partner = pair
        if partner is None:
            return costs[mention.first] + _ALONE
        swapped = (mention.first < partner.first) != (person.start < other.start)
        return costs[mention.first] + _cost(text, partner, other, source) + _SWAPPED * swapped

    pairs = [(mention, partner) for mention, partner in product(mentions, [*rest, None]) if partner is not mention]
    return min(pairs, key=cost)[0]


def nearer(text: Text, mention: Mention, other: Person, item: Item) -> bool:
    """Whether a mention stands rather where the person does in the source than where the other person does."""
    return _away(text, mention, item.person, item.source) <= _away(text, mention, other, item.source)


def _away(text: Text, mention: Mention, person: Person, source: str) -> float:
    here = text.spans[mention.first][0] / max(1, len(text.text))
    return abs(here - person.start / max(1, len(source)))


def _cost(text: Text, mention: Mention, person: Person, source: str) -> float:
    rank = mention.ranks.get(person.concept, 0)  # where one is no word for the person, none is
    return _away(text, mention, person, source) + _RANK * min(rank, _LAST_RANK) + _COMPOUND * mention.compound
