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
# Notes on lists, by the label of their words.
_WORDS = {
    "weak": f"{WEAK} the words of this language are machine translations of US titles (2018), not read by a speaker: "
    "read these numbers as a first look",
    "hand": "words: common ones, chosen and linked by hand; not an official list",
}
_READ = {
    "he": Gender.MASCULINE,
    "she": Gender.FEMININE,
    "neutral": Gender.NEUTRAL,
    "undetected": Gender.UNKNOWN,
}
_TO_SHE, _TO_HE = (Gender.MASCULINE, Gender.FEMININE), (Gender.FEMININE, Gender.MASCULINE)
PRONOUNS = {Gender.MASCULINE: "he", Gender.FEMININE: "she"}


def _own(outcomes: Outcomes) -> list[Measure]:
    """How pronouns change with the wording, and whether adjectives or occupations matter more."""
    wordings = _answers_by_wording(outcomes)
    return [*_changes(wordings), *compare_adjectives(wordings, "feor08")]


def _against(outcomes: Outcomes, references: Sequence[Reference]) -> list[Measure]:
    """The plain sentences against every reference, and against every survey beside every table of statistics."""
    answers = _plain_answers(outcomes)
    measures = [measure for reference in references for measure in against(reference, answers)]
    return [*measures, *compare_opinions(references, answers)]


def _notes(outcomes: Outcomes, references: Sequence[Reference]) -> list[str]:
    """Every occupation that a reference says nothing about, and every row of a reference that names none."""
    answers = _plain_answers(outcomes)
    qualities = {answer.labels["words"] for answer in answers}
    notes = [note for quality, note in _WORDS.items() if quality in qualities]
    distinct = {(answer.labels["occupation"], answer.said) for answer in answers}
    if len(answers) > len(distinct) == len({occupation for occupation, _ in distinct}):
        notes.append("samples: all answers for an occupation are the same; draw them with other seeds, one line each")
    return notes + [line for reference in references for line in not_linked(reference, answers)]


def _right(measures: Sequence[Measure]) -> Callable[[Item, Gender], list[Judged]]:
    """What judges answers by the shares of women of a result; a wording other than the plain one is judged by none."""
    women = women_of(measures)

    def judge(item: Item, gender: Gender) -> list[Judged]:
        return judged(item.labels, gender, women) if item.labels["variant"] == "plain" else []

    return judge


def _answers_by_wording(outcomes: Outcomes) -> dict[str, list[Answer]]:
    """Answers by wording, in the order of the set."""
    wordings: dict[str, list[Answer]] = {}
    for profile, outcome, number in outcomes.cells():
        answer = Answer(dict(zip(_LABELS, profile.labels, strict=True)), outcome.gender)
        wordings.setdefault(answer.labels["variant"], []).extend([answer] * number)
    return wordings


def _plain_answers(outcomes: Outcomes) -> list[Answer]:
    """The answers to the plain sentences; to the first wording where there are none."""
    wordings = _answers_by_wording(outcomes)
    return wordings.get("plain") or next(iter(wordings.values()))


def _changes(wordings: dict[str, list[Answer]]) -> list[Measure]:
    """How the pronoun of the plain sentence changes, with a test of the two directions over categories (Holm)."""
    plain = {answer.labels["occupation"]: answer.said for answer in wordings.get("plain", ())}
    measures: list[Measure] = []
    tests: dict[str, float] = {}
    for variant, answers in wordings.items():
        if variant == "plain" or not plain:
            continue
        # The category of the national classification; an occupation without one is its own.
        pairs = [
            (answer.labels["feor08"] or answer.labels["occupation"], before, answer.said)
            for answer in answers
            if (before := plain.get(answer.labels["occupation"])) in PRONOUNS and answer.said in PRONOUNS
        ]
        clusters = Clusters.of((category, "") for category, _, _ in pairs)
        shares = {
            ends: clusters.share((category, (before, after) == ends, 1) for category, before, after in pairs)
            for ends in product((Gender.FEMININE, Gender.MASCULINE), repeat=2)
        }
        for (before, after), share in shares.items():
            measures.append(clusters.rate(f"{PRONOUNS[before]}_{PRONOUNS[after]}", variant, share))
        to_she, to_he = (shares[ends] for ends in (_TO_SHE, _TO_HE))
        if pairs and (p := clustered.difference(to_she.counted, to_he.counted, to_she.of).p_value()) is not None:
            tests[variant] = float(p)
        changed = clusters.share((category, before is not after, 1) for category, before, after in pairs)
        measures.append(clusters.rate("changed", variant, changed))
    adjusted = dict(zip(tests, holm(list(tests.values())), strict=True))
    return [
        replace(measure, p=adjusted.get(measure.group)) if measure.name == "changed" else measure
        for measure in measures
    ]


def _wording(item: Item) -> tuple[str, ...]:
    return (item.labels["variant"],)


MEASURES = Measures(
    groups=_wording,
    rates=tuple(Rate(name, reads(gender), undetected=gender is not Gender.UNKNOWN) for name, gender in _READ.items()),
    # The category of the national classification; an occupation without one is its own.
    unit=lambda item: item.labels.get("feor08") or item.labels["occupation"],
    labels=lambda item: tuple(item.labels.get(name, "") for name in _LABELS),
    own=_own,
    against=_against,
    notes=_notes,
    compared=_wording,
    right=_right,
)
