"""A review as one person sees it: the next sentence, how far they are, and what they decide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.languages.codes import name as language_name
from epicene.languages.codes import right_to_left
from epicene.report.text import clipped, pieces, shown
from epicene.review.plan import BUDGET, Case, cases, queue
from epicene.review.votes import agreement
from epicene.store import runs
from epicene.store.reviews import Decision, Decisions
from epicene.types import Gender, Measure

LONGEST_NAME, LONGEST_COMMENT = 80, 2000
DATABASE = "review.sqlite"


class Session:
    """A run under review. It keeps no state but the file of decisions, so that a kill loses nothing."""

    def __init__(self, folder: Path, budget: int = BUDGET) -> None:
        found = cases(runs.read(folder))
        self.folder = folder
        self.queue, self.planned = queue(found, budget)
        self._cases = {case.key: case for case in found}
        self.decisions = Decisions(folder / DATABASE)

    def state(self, reviewer: str) -> dict[str, Any]:
        """What a person is shown: their next sentence, their progress, and how far people agree."""
        person = _person(reviewer)
        current = [each for each in self.decisions.all() if self._holds(each)]
        seen = {each.key: each.gender for each in current if each.reviewer == person}
        place = next((place for place, case in enumerate(self.queue) if case.key not in seen), None)
        planned = [case.key for case in self.queue[: self.planned]]
        return {
            "reviewer": person,
            "item": None if place is None else {"number": place, **_item(self.queue[place])},
            "decided": sum(seen.get(key) is not None for key in planned),
            "skipped": sum(key in seen and seen[key] is None for key in planned),
            "planned": self.planned,
            "beyond": len(seen.keys() - set(planned)),
            "finished": place is None or place >= self.planned,
            "agreement": [_kappa(each) for each in agreement(current)],
        }

    def decide(self, reviewer: str, number: int, gender: str | None, comment: str) -> None:
        """Keep a decision; when this returns it is on disk. No gender passes over the sentence."""
        if not 0 <= number < len(self.queue):
            raise InputError(f"no sentence {number}; this review has {len(self.queue)}")
        if gender is not None and gender not in tuple(Gender):
            raise InputError(f"gender {gender!r}; expected {', '.join(Gender)}, or none to skip")
        case = self.queue[number]
        chosen = Gender(gender) if gender else None
        text = comment.strip()[:LONGEST_COMMENT]
        self.decisions.add([Decision(case.key, case.verdict.output.text, _person(reviewer), chosen, text)])

    def undo(self, reviewer: str) -> None:
        """Take back a person's last decision; it is then their next sentence again."""
        self.decisions.undo(_person(reviewer))

    def _holds(self, decision: Decision) -> bool:
        """Whether a decision is about a translation that the run still has."""
        case = self._cases.get(decision.key)
        return case is not None and case.verdict.output.text == decision.output


def _person(name: str) -> str:
    person = " ".join(name.split())
    if not person or len(person) > LONGEST_NAME:
        raise InputError(f"the name of a reviewer has 1 to {LONGEST_NAME} characters; got {len(person)}")
    return person


def _item(case: Case) -> dict[str, Any]:
    """The sentence, without what the detector read: people must not be led."""
    output = case.verdict.output
    focus = output.item.focus
    source, _ = clipped(output.item.source)
    text, cut = clipped(output.text)
    return {
        "source": pieces(source, [(focus.start, focus.start + len(focus.text))]),
        "focus": shown(focus.text),
        "text": text,
        "cut": cut,
        "lang": output.target,
        "dir": "rtl" if right_to_left(output.target) else "ltr",
        "language": language_name(output.target),
        "about": f"{case.key.set} {shown(case.key.id)} · {shown(case.key.system)}",
    }


def _kappa(measure: Measure) -> dict[str, Any]:
    return {"people": shown(measure.group), "kappa": measure.value, "n": measure.n}
