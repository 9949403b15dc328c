"""A review as one person sees it: the next sentence, how far they are, and what they decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.languages.codes import name as language_name
from epicene.languages.codes import pair
from epicene.output.page.sentences import direction
from epicene.review.plan import BUDGET, Case, cases, queue
from epicene.review.store import Decision, Decisions, Key, reviewer_name, writable
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
        every = cases(runs.read(folder))
        self.folder = folder
        self.queue, self.planned = queue(every, budget)
        self._cases = {case.key: case for case in every}
        self.decisions = Decisions(folder / DATABASE)

    def state(self, reviewer: str, number: int | None = None) -> dict[str, Any]:
        """What a person is shown: their next sentence or the one asked for, their progress, how far people agree.

        Nobody sees who else reviews: others are numbered in the order of their names.
        """
        person = reviewer_name(reviewer)
        current = self._current()
        votes = [vote for vote in current if not vote.final]
        seen = {vote.key: vote.gender for vote in votes if vote.reviewer == person}
        index = self._find_first(lambda key: key not in seen)
        if number is not None and 0 <= number < len(self.queue):
            index = number
        planned = [case.key for case in self.queue[: self.planned]]
        everyone = Counter(vote.reviewer for vote in votes if vote.gender)
        names = _hide_names(everyone, person)
        return {
            **self._show(person, index, final=False),
            "asked": number is not None,
            "decided": sum(seen.get(key) is not None for key in planned),
            "skipped": sum(key in seen and seen[key] is None for key in planned),
            "planned": self.planned,
            "beyond": len(seen.keys() - set(planned)),
            "finished": index is None or index >= self.planned,
            "divided": len(count_votes(current).divided),
            "people": [{"name": names[name], "decided": count} for name, count in sorted(everyone.items())],
            "agreement": [_describe_kappa(kappa, names) for kappa in agreement(votes)],
        }

    def adjudication(self, reviewer: str) -> dict[str, Any]:
        """What somebody is shown who settles the sentences on which people are divided: the next, and the votes."""
        person = reviewer_name(reviewer)
        current = self._current()
        votes = count_votes(current)
        index = self._find_first(lambda key: key in votes.divided)
        votes_on_it = [vote for vote in current if index is not None and vote.key == self.queue[index].key]
        genders = Counter(vote.gender for vote in votes_on_it if vote.gender)
        return {
            **self._show(person, index, final=True),
            "votes": [{"gender": gender, "people": count} for gender, count in sorted(genders.items())],
            "comments": [visible(vote.comment) for vote in votes_on_it if vote.comment],
            "decided": len(votes.adjudicated),
            "skipped": 0,
            "beyond": 0,
            "planned": len(votes.adjudicated) + len(votes.divided),
            "finished": index is None,
            "divided": len(votes.divided),
            "people": [],
            "agreement": [],
        }

    def _find_first(self, is_open: Callable[[Key], bool]) -> int | None:
        return next((index for index, case in enumerate(self.queue) if is_open(case.key)), None)

    def _show(self, person: str, index: int | None, final: bool) -> dict[str, Any]:
        """What a person sees of a sentence and of their own decisions, whether they vote or settle."""
        return {
            "reviewer": visible(person),
            "version": self.decisions.version(person, final),
            "item": None if index is None else {"number": index, **_describe_item(self.queue[index])},
            "history": self._list_history(person),
        }

    def _current(self) -> list[Decision]:
        return list(filter(self._holds, self.decisions.all()))

    def _list_history(self, person: str) -> list[dict[str, Any]]:
        """A person's last decisions, the newest first: what was replaced or taken back is among them."""
        places = {case.key: place for place, case in enumerate(self.queue)}
        events = [event for event in self.decisions.history() if event.decision.reviewer == person]
        return [
            {
                "number": places[decision.key],
                "source": clip(self.queue[places[decision.key]].verdict.output.item.source)[0],
                "gender": decision.gender or "",
                "at": decision.at,
                "final": decision.final,
                "undone": undone,
            }
            for decision, undone in reversed(events)
            if decision.key in places
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
        choice = Gender(str(gender)) if gender else None
        text = writable(comment).strip()[:LONGEST_COMMENT]
        decision = Decision(case.key, case.verdict.output.text, reviewer_name(reviewer), choice, text, final=final)
        self.decisions.add([decision], version)

    def undo(self, reviewer: str) -> str | None:
        """Take back a person's last decision, which makes it their next sentence again; its comment, or None."""
        taken = self.decisions.undo(reviewer_name(reviewer), self._holds)
        return None if taken is None else taken.comment

    def _holds(self, decision: Decision) -> bool:
        """Whether a decision is about a translation that the run still has."""
        case = self._cases.get(decision.key)
        return case is not None and case.verdict.output.text == decision.output


def _describe_item(case: Case) -> dict[str, Any]:
    """The sentence, without the gender that the detector read: people must not be led."""
    output = case.verdict.output
    focus = output.item.person
    source, _ = clip(output.item.source)
    source_language = pair(case.key.langs).source
    text, cut = clip(output.text)
    return {
        "source": cut_pieces(source, [(focus.start, focus.end)]),
        "focus": visible(focus.text),
        "text": cut_pieces(text, mark_spans(case.verdict.evidence)),
        "cut": cut,
        "from": (source_language, direction(source_language)),
        "lang": output.target,
        "dir": direction(output.target),
        "language": language_name(output.target),
        "about": f"{case.key.set} {visible(case.key.id)}",  # not by whom: reviewers are blind to systems
    }


def _hide_names(names: Iterable[str], person: str) -> dict[str, str]:
    """What others are called before a person: who they are must not lead anybody."""
    others = [name for name in sorted(names) if name != person]
    return {person: "you", **{name: f"reviewer {number}" for number, name in enumerate(others, 2)}}


def _describe_kappa(measure: Measure, names: Mapping[str, str]) -> dict[str, Any]:
    pairs = {f"{one} / {other}": f"{names[one]} / {names[other]}" for one in names for other in names}
    numbers = {"kappa": measure.value, "low": measure.low, "high": measure.high, "n": measure.n}
    return {"people": pairs[measure.group], **numbers}
