"""A review as one person sees it: the next sentence, how far they are, and what they decide."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.languages.codes import name as language_name
from epicene.languages.codes import pair
from epicene.output.page.sentences import direction
from epicene.output.text import clipped, pieces, shown, spans
from epicene.review.plan import BUDGET, Case, cases, queue
from epicene.review.votes import agreement
from epicene.store import runs
from epicene.store.reviews import Decision, Decisions, reviewer_name, writable
from epicene.types import Gender, Measure

LONGEST_COMMENT = 2000
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
        person = reviewer_name(reviewer)
        current = [each for each in self.decisions.all() if self._holds(each)]
        seen = {each.key: each.gender for each in current if each.reviewer == person}
        place = next((place for place, case in enumerate(self.queue) if case.key not in seen), None)
        planned = [case.key for case in self.queue[: self.planned]]
        everyone = Counter(each.reviewer for each in current if each.gender)
        return {
            "reviewer": shown(person),
            "item": None if place is None else {"number": place, **_item(self.queue[place])},
            "decided": sum(seen.get(key) is not None for key in planned),
            "skipped": sum(key in seen and seen[key] is None for key in planned),
            "planned": self.planned,
            "beyond": len(seen.keys() - set(planned)),
            "finished": place is None or place >= self.planned,
            "people": [{"name": shown(name), "decided": number} for name, number in sorted(everyone.items())],
            "agreement": [_kappa(each) for each in agreement(current)],
        }

    def decide(self, reviewer: str, number: int, gender: object, comment: str) -> None:
        """Keep a decision; when this returns it is on disk. No gender passes over the sentence."""
        if not 0 <= number < len(self.queue):
            raise InputError(f"no sentence {number}; this review has {len(self.queue)}")
        if gender not in (None, *Gender):
            raise InputError(f"gender {gender!r}; expected {', '.join(Gender)}, or none to skip")
        case = self.queue[number]
        chosen = Gender(str(gender)) if gender else None
        text = writable(comment).strip()[:LONGEST_COMMENT]
        person = reviewer_name(reviewer)
        self.decisions.add([Decision(case.key, case.verdict.output.text, person, chosen, text)])

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
    source, _ = clipped(output.item.source)
    source_language = pair(case.key.langs).source
    text, cut = clipped(output.text)
    return {
        "source": pieces(source, [(focus.start, focus.start + len(focus.text))]),
        "focus": shown(focus.text),
        "text": pieces(text, spans(case.verdict.evidence)),
        "cut": cut,
        "from": (source_language, direction(source_language)),
        "lang": output.target,
        "dir": direction(output.target),
        "language": language_name(output.target),
        "about": f"{case.key.set} {shown(case.key.id)} · {shown(case.key.system)}",
    }


def _kappa(measure: Measure) -> dict[str, Any]:
    return {
        "people": shown(measure.group),
        "kappa": measure.value,
        "low": measure.low,
        "high": measure.high,
        "n": measure.n,
    }
