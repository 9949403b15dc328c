"""Measures of the occupation study: which pronouns, how they change with the wording, and how far from each reference.

``he``, ``she``, ``neutral`` and ``undetected`` are shares of all sentences of a wording; the four changes (``she_she``
…) compare a wording with the plain one, occupation by occupation. What is compared with a reference stands in
``against``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from epicene.labour.reference import Reference
from epicene.measures.claims import WEAK
from epicene.measures.outcomes import Clusters, Outcomes
from epicene.measures.rates import Judged, Measures, Rate, reads
from epicene.sets.occupations.against import against, not_linked
from epicene.sets.occupations.conclusions import compare_adjectives, compare_opinions
from epicene.sets.occupations.jobs import Answer, judged, women_of
from epicene.stats import clustered
from epicene.stats.rates import holm
from epicene.types import Gender, Item, Measure

# The wording stands first.
_LABELS = ("variant", "occupation", "english", "sector", "feor08", "isco08", "soc", "words")
# What is said of lists by the label of their words.
_WORDS = {
    "weak": f"{WEAK} the words of this language are machine translations of US titles (2018), not read by a speaker: "
    "read these numbers as a first look",
    "hand": "words: common ones, chosen and linked by hand; not an official list",
}
_SAID = {
    "he": Gender.MASCULINE,
    "she": Gender.FEMININE,
    "neutral": Gender.NEUTRAL,
    "undetected": Gender.UNKNOWN,
}
_TO_SHE, _TO_HE = (Gender.MASCULINE, Gender.FEMININE), (Gender.FEMININE, Gender.MASCULINE)
PRONOUNS = {Gender.MASCULINE: "he", Gender.FEMININE: "she"}


def _own(outcomes: Outcomes) -> list[Measure]:
    """How pronouns change with the wording, and whether adjectives or occupations matter more."""
    wordings = _wordings(outcomes)
    return [*_changes(wordings), *compare_adjectives(wordings, "feor08")]


def _against(outcomes: Outcomes, references: Sequence[Reference]) -> list[Measure]:
    """The plain sentences against every reference, and against every survey beside every table of statistics."""
    answers = _base(_wordings(outcomes))
    found = [measure for reference in references for measure in against(reference, answers)]
    return [*found, *compare_opinions(references, answers)]


def _notes(outcomes: Outcomes, references: Sequence[Reference]) -> list[str]:
    """Every occupation that a reference says nothing about, and every row of a reference that names none."""
    answers = _base(_wordings(outcomes, only="plain") or _wordings(outcomes))
    words = [note for quality, note in _WORDS.items() if any(each.labels["words"] == quality for each in answers)]
    return words + _samples(answers) + [line for reference in references for line in not_linked(reference, answers)]


def _samples(answers: Sequence[Answer]) -> list[str]:
    """A warning where a sentence was asked several times and never answered in two ways."""
    said: dict[str, set[Gender]] = {}
    for answer in answers:
        said.setdefault(answer.labels["occupation"], set()).add(answer.said)
    if len(answers) == len(said) or any(len(genders) > 1 for genders in said.values()):
        return []
    return ["samples: all answers for an occupation are the same; draw them with other seeds, one line each"]


def _right(found: Sequence[Measure]) -> Callable[[Item, Gender], list[Judged]]:
    """What judges answers by the shares of women of a result; a wording other than the plain one is judged by none."""
    women = women_of(found)

    def judge(item: Item, said: Gender) -> list[Judged]:
        return judged(item.labels, said, women) if item.labels["variant"] == "plain" else []

    return judge


def _wordings(outcomes: Outcomes, only: str | None = None) -> dict[str, list[Answer]]:
    """Answers by wording, in the order of the set."""
    found: dict[str, list[Answer]] = {}
    for profile, outcome, number in outcomes.cells():
        if only in (None, profile.labels[0]):
            answer = Answer(dict(zip(_LABELS, profile.labels, strict=True)), outcome.gender)
            found.setdefault(profile.labels[0], []).extend([answer] * number)
    return found


def _base(wordings: dict[str, list[Answer]]) -> list[Answer]:
    """The plain sentences; the first wording where there are none."""
    return wordings.get("plain") or next(iter(wordings.values()))


def _category(answer: Answer) -> str:
    """The category of the national classification; an occupation without one is its own."""
    return answer.labels["feor08"] or answer.labels["occupation"]


def _changes(wordings: dict[str, list[Answer]]) -> list[Measure]:
    """How the pronoun of the plain sentence changes, with a test of the two directions over categories (Holm)."""
    if "plain" not in wordings:
        return []
    plain = {answer.labels["occupation"]: answer.said for answer in wordings["plain"]}
    found: list[Measure] = []
    tests: dict[str, float] = {}
    for variant, answers in wordings.items():
        if variant == "plain":
            continue
        pairs = [(_category(answer), plain.get(answer.labels["occupation"]), answer.said) for answer in answers]
        read = [pair for pair in pairs if pair[1] in PRONOUNS and pair[2] in PRONOUNS]
        clusters = Clusters.of((category, "") for category, _, _ in read)
        shares = {
            ends: clusters.share((category, (before, after) == ends, 1) for category, before, after in read)
            for ends in product((Gender.FEMININE, Gender.MASCULINE), repeat=2)
        }
        for (before, after), share in shares.items():
            found.append(clusters.rate(f"{PRONOUNS[before]}_{PRONOUNS[after]}", variant, share))
        to_she, to_he = (shares[ends] for ends in (_TO_SHE, _TO_HE))
        if read and (p := clustered.difference(to_she.counted, to_he.counted, to_she.of).p_value()) is not None:
            tests[variant] = float(p)
        changed = clusters.share((category, before is not after, 1) for category, before, after in read)
        found.append(clusters.rate("changed", variant, changed))
    adjusted = dict(zip(tests, holm(list(tests.values())), strict=True))
    return [replace(each, p=adjusted.get(each.group)) if each.name == "changed" else each for each in found]


def _wording(item: Item) -> tuple[str, ...]:
    return (item.labels["variant"],)


MEASURES = Measures(
    groups=_wording,
    rates=tuple(Rate(name, reads(gender), undetected=gender is not Gender.UNKNOWN) for name, gender in _SAID.items()),
    # The category of the national classification; an occupation without one is its own.
    unit=lambda item: item.labels.get("feor08") or item.labels["occupation"],
    labels=lambda item: tuple(item.labels.get(name, "") for name in _LABELS),
    own=_own,
    against=_against,
    notes=_notes,
    compared=_wording,
    right=_right,
)
