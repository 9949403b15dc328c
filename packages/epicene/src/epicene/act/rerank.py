"""N-best lists → the best-scored candidate whose reading fits the gender that the source states.

The source alone says what is stated: nobody who translates a text has labels for it. A sentence that states nothing
keeps its first candidate, and so does one of which no candidate fits better than the first. Whoever selects must not be
the only judge, so a set's outputs are measured before and after by every protocol that it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from epicene.act.alternatives import Wanted, toward
from epicene.act.stated import Stated, stated
from epicene.errors import InputError
from epicene.reader import DETECTORS
from epicene.reader.people import others_than
from epicene.text import normalised
from epicene.types import Candidate, Gender, GuidedSystem, Item, Output, Pair, Person, Verdict

_EVEN = 1e-9
_TOLD = (Gender.FEMININE, Gender.MASCULINE)


class Choice(NamedTuple):
    """What was chosen of one list, and why."""

    source: str
    candidates: tuple[Candidate, ...]
    stated: tuple[Stated, ...]
    fits: tuple[float, ...]  # of each candidate: how much of what is stated it shows, 1 for each person in full
    chosen: int = 0

    @property
    def text(self) -> str:
        """The translation that was chosen."""
        return self.candidates[self.chosen].text

    @property
    def why(self) -> str:
        """Why this one."""
        if not self.stated:
            return "nothing stated"
        if self.chosen:
            return "changed"
        return "first fits" if self.fits[0] >= len(self.stated) - _EVEN else "none fits better"

    def as_dict(self) -> dict[str, Any]:
        """The choice as JSON has it."""
        return {
            "source": self.source,
            "stated": [str(each) for each in self.stated],
            "why": self.why,
            "chosen": self.chosen,
            "candidates": [
                {"text": each.text, "score": each.score, "fit": fit}
                for each, fit in zip(self.candidates, self.fits or (None,) * len(self.candidates), strict=True)
            ],
        }


@dataclass(frozen=True, slots=True)
class Lists:
    """Sources with their candidates, and what each source states."""

    sources: Sequence[str]
    candidates: Sequence[Sequence[Candidate]]
    stated: Sequence[tuple[Stated, ...]]


def from_source(sources: Sequence[str]) -> list[tuple[Stated, ...]]:
    """What the sources state themselves."""
    return [stated(source) for source in sources]


def from_labels(groups: Iterable[Sequence[Item]]) -> list[tuple[Stated, ...]]:
    """What a set's labels say of its people: an oracle, since a text to be translated has no labels."""
    return [
        tuple(
            Stated(item.expected, "label", (item.person,)) for item in group if item.expected in _TOLD and item.expected
        )
        for group in groups
    ]


def choose(lists: Lists, pair: Pair, max_loss: float | None = None) -> list[Choice]:
    """The best-scored candidate of each list that fits best, where it fits better than the first.

    ``max_loss``: how much less a candidate's score may be than that of the first.
    """
    if pair.source != "en":
        raise InputError(f"what a source states is read in English; the pair {pair} translates from {pair.source}")
    fits = _fits(lists, pair)
    return [
        _chosen(Choice(source, tuple(candidates), told, fit), max_loss)
        for source, candidates, told, fit in zip(lists.sources, lists.candidates, lists.stated, fits, strict=True)
    ]


def constrained(system: GuidedSystem, lists: Lists, choices: Sequence[Choice], pair: Pair) -> Lists:
    """The lists with candidates that the system was held to, for sentences of which none fits all that is stated."""
    short = [
        place
        for place, choice in enumerate(choices)
        if choice.stated and choice.fits[choice.chosen] < len(choice.stated) - _EVEN
    ]
    wanted = [
        (place, Wanted(lists.sources[place], each.people, each.gender, lists.candidates[place]))
        for place in short
        for each in lists.stated[place]
    ]
    longer = [list(candidates) for candidates in lists.candidates]
    for (place, _), found in zip(wanted, toward(system, [each for _, each in wanted], pair), strict=True):
        known = {each.text for each in longer[place]}
        longer[place] += [each for each in found if each.text not in known]
    return replace(lists, candidates=longer)


def _chosen(choice: Choice, max_loss: float | None) -> Choice:
    if not choice.fits:
        return choice
    first = choice.candidates[0].score
    may = [
        place
        for place, candidate in enumerate(choice.candidates)
        if max_loss is None or first is None or candidate.score is None or first - candidate.score <= max_loss
    ]
    best = max(choice.fits[place] for place in may)
    if best <= choice.fits[0] + _EVEN:
        return choice
    fitting = [place for place in may if choice.fits[place] >= best - _EVEN]
    scores = [choice.candidates[place].score for place in fitting]
    ranked = [(-score, place) for score, place in zip(scores, fitting, strict=True) if score is not None]
    return choice._replace(chosen=min(ranked)[1] if len(ranked) == len(fitting) else fitting[0])


def _fits(lists: Lists, pair: Pair) -> list[tuple[float, ...]]:
    """How well every candidate fits; nothing for a source that states nothing."""
    wanted = list(_wanted(lists, pair))
    detector = DETECTORS.find("reading").build(pair.target)
    read: dict[tuple[str, Person, str], Verdict] = {}
    for output, verdict in zip(wanted, detector.detect(wanted), strict=True):
        read[output.item.source, output.item.person, output.text] = verdict

    def shows(source: str, person: Person, text: str, gender: Gender) -> bool:
        verdict = read[source, person, normalised(text)]
        return verdict.gender is gender and not verdict.on_other_word

    return [
        tuple(_fit(told, source, each.text, shows) for each in candidates) if told else ()
        for source, candidates, told in zip(lists.sources, lists.candidates, lists.stated, strict=True)
    ]


def _fit(told: Sequence[Stated], source: str, text: str, shows: Callable[[str, Person, str, Gender], bool]) -> float:
    """One for each person in full; of people one of whom is meant, and the sentence does not say who, the share."""
    return sum(
        sum(shows(source, person, text, each.gender) for person in each.people) / len(each.people) for each in told
    )


def _wanted(lists: Lists, pair: Pair) -> Iterator[Output]:
    """Every person of whom something is stated in every candidate, once."""
    seen = set[tuple[str, Person, str]]()
    for source, candidates, told in zip(lists.sources, lists.candidates, lists.stated, strict=True):
        for person in dict.fromkeys(person for each in told for person in each.people):
            item = Item(f"{person.text}@{person.start}", source, person, None, others=others_than(person, source))
            for candidate in candidates:
                text = normalised(candidate.text)
                if (source, person, text) not in seen:
                    seen.add((source, person, text))
                    yield Output(item, "", pair.target, text)
