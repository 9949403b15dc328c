"""A review as one person sees it: the next sentence, how far they are, and what they decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.languages.codes import name as language_name
from epicene.languages.codes import pair
from epicene.output.page.sentences import direction
from epicene.review.plan import BUDGET, Case, cases, queue
from epicene.review.store import Decision, Decisions, reviewer_name, writable
from epicene.review.votes import agreement, count_votes
from epicene.store import runs
from epicene.text import clip, cut_pieces, mark_spans, visible
from epicene.types import Gender, Measure

LONGEST_COMMENT = 2000
HISTORY = 20  # decisions that a person sees of their own
DATABASE = "review.sqlite"


class Session:
    """A run under review. It keeps no state but the file of decisions, so that a kill loses nothing."""

    def __init__(self, folder: Path, budget: int = BUDGET) -> None:
        found = cases(runs.read(folder))
        self.folder = folder
        self.queue, self.planned = queue(found, budget)
        self._cases = {case.key: case for case in found}
        self.decisions = Decisions(folder / DATABASE)

    def state(self, reviewer: str, number: int | None = None) -> dict[str, Any]:
        """What a person is shown: their next sentence or the one asked for, their progress, how far people agree.

        Nobody sees who else reviews: others are numbered in the order of their names.
        """
        person = reviewer_name(reviewer)
        current = self._current()
        votes = [each for each in current if not each.final]
        seen = {each.key: each.gender for each in votes if each.reviewer == person}
        place = next((place for place, case in enumerate(self.queue) if case.key not in seen), None)
        if number is not None and 0 <= number < len(self.queue):
            place = number
        planned = [case.key for case in self.queue[: self.planned]]
        everyone = Counter(each.reviewer for each in votes if each.gender)
        names = _hidden(everyone, person)
        return {
            "reviewer": visible(person),
            "version": self.decisions.version(person),
            "item": None if place is None else {"number": place, **_item(self.queue[place])},
            "asked": number is not None,
            "decided": sum(seen.get(key) is not None for key in planned),
            "skipped": sum(key in seen and seen[key] is None for key in planned),
            "planned": self.planned,
            "beyond": len(seen.keys() - set(planned)),
            "finished": place is None or place >= self.planned,
            "divided": len(count_votes(current).divided),
            "people": [{"name": names[name], "decided": number} for name, number in sorted(everyone.items())],
            "agreement": [_kappa(each, names) for each in agreement(votes)],
            "history": self._history(person),
        }

    def adjudication(self, reviewer: str) -> dict[str, Any]:
        """What somebody is shown who settles the sentences on which people are divided: the next, and what was said."""
        person = reviewer_name(reviewer)
        current = self._current()
        divided = count_votes(current).divided
        place = next((place for place, case in enumerate(self.queue) if case.key in divided), None)
        said = [each for each in current if place is not None and each.key == self.queue[place].key]
        settled = len(count_votes(current).adjudicated)
        return {
            "reviewer": visible(person),
            "version": self.decisions.version(person, final=True),
            "item": None if place is None else {"number": place, **_item(self.queue[place])},
            "votes": [
                {"gender": gender, "people": number}
                for gender, number in sorted(Counter(each.gender for each in said if each.gender).items())
            ],
            "comments": [visible(each.comment) for each in said if each.comment],
            "decided": settled,
            "skipped": 0,
            "beyond": 0,
            "planned": settled + len(divided),
            "finished": place is None,
            "divided": len(divided),
            "people": [],
            "agreement": [],
            "history": self._history(person),
        }

    def _current(self) -> list[Decision]:
        return [each for each in self.decisions.all() if self._holds(each)]

    def _history(self, person: str) -> list[dict[str, Any]]:
        """A person's last decisions, the newest first: what was replaced or taken back is among them."""
        places = {case.key: place for place, case in enumerate(self.queue)}
        own = [event for event in self.decisions.history() if event.decision.reviewer == person]
        return [
            {
                "number": places[each.key],
                "source": clip(self.queue[places[each.key]].verdict.output.item.source)[0],
                "gender": each.gender or "",
                "at": each.at,
                "final": each.final,
                "undone": undone,
            }
            for each, undone in reversed(own)
            if each.key in places
        ][:HISTORY]

    def decide(
        self,
        reviewer: str,
        number: int,
        gender: object,
        comment: str,
        version: int | None = None,
        final: bool = False,
    ) -> None:
        """Keep a decision; when this returns it is on disk. No gender passes over the sentence.

        ``version`` is that of the state that was shown; had anything been decided since, this one is refused.
        """
        if not 0 <= number < len(self.queue):
            raise InputError(f"no sentence {number}; this review has {len(self.queue)}")
        if gender not in (None, *Gender):
            raise InputError(f"gender {gender!r}; expected {', '.join(Gender)}, or none to skip")
        case = self.queue[number]
        chosen = Gender(str(gender)) if gender else None
        text = writable(comment).strip()[:LONGEST_COMMENT]
        person = reviewer_name(reviewer)
        made = Decision(case.key, case.verdict.output.text, person, chosen, text, final=final)
        self.decisions.add([made], version)

    def undo(self, reviewer: str) -> str | None:
        """Take back a person's last decision, which makes it their next sentence again; its comment, or None."""
        taken = self.decisions.undo(reviewer_name(reviewer), self._holds)
        return None if taken is None else taken.comment

    def _holds(self, decision: Decision) -> bool:
        """Whether a decision is about a translation that the run still has."""
        case = self._cases.get(decision.key)
        return case is not None and case.verdict.output.text == decision.output


def _item(case: Case) -> dict[str, Any]:
    """The sentence, without the gender that the detector read: people must not be led."""
    output = case.verdict.output
    focus = output.item.person
    source, _ = clip(output.item.source)
    source_language = pair(case.key.langs).source
    text, cut = clip(output.text)
    return {
        "source": cut_pieces(source, [(focus.start, focus.start + len(focus.text))]),
        "focus": visible(focus.text),
        "text": cut_pieces(text, mark_spans(case.verdict.evidence)),
        "cut": cut,
        "from": (source_language, direction(source_language)),
        "lang": output.target,
        "dir": direction(output.target),
        "language": language_name(output.target),
        "about": f"{case.key.set} {visible(case.key.id)}",  # not by whom: reviewers are blind to systems
    }


def _hidden(names: Iterable[str], person: str) -> dict[str, str]:
    """What others are called before a person: who they are must not lead anybody."""
    others = [name for name in sorted(names) if name != person]
    return {person: "you", **{name: f"reviewer {number}" for number, name in enumerate(others, 2)}}


def _kappa(measure: Measure, names: Mapping[str, str]) -> dict[str, Any]:
    pairs = {f"{one} / {other}": f"{names[one]} / {names[other]}" for one in names for other in names}
    return {
        "people": pairs[measure.group],
        "kappa": measure.value,
        "low": measure.low,
        "high": measure.high,
        "n": measure.n,
    }
