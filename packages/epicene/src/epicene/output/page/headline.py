"""The one sentence on top of a report, which nobody needs to be trained to understand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from epicene.measures.claims import Claim, claim
from epicene.output.page.standings import Standing
from epicene.result import Result
from epicene.sets.about import PageWords
from epicene.types import Gender

_STRESSED = re.compile(r"\*([^*]+)\*")
_TENS = (9.5, 94.5)  # between these, "6 of 10" says enough


@dataclass(frozen=True, slots=True)
class Headline:
    """A sentence as pieces of text with their stress: none, "em" for a word, "strong" for a number."""

    pieces: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "".join(text for text, _ in self.pieces)


def headline(
    families: Sequence[PageWords], results: Sequence[Result], systems: Sequence[str] = ("",), others: bool = False
) -> Headline:
    """What one or several results come to; for several, the least and the greatest rate is given.

    A system is named where the page has others.
    """
    wording = families[0] if len(set(map(_start, families))) == 1 else PageWords()
    who = "these systems write" if len(systems) > 1 else "this system writes"
    if others and len(systems) == 1:
        who = f"*{re.sub('[*#]', '', systems[0])}* writes"
    if nothing := _unread(results):
        return nothing
    women, men = (_claims(results, "misgendered", group) for group in ("female", "male"))
    if not women and not men:
        return _open(who, results)
    parts = []
    whole = max(_whole(women), _whole(men))  # one measure for both, so that they can be compared at a glance
    if women:
        parts.append(f"When {wording.feminine}, {who} a man in #{often(women, whole)}#")
    if men:
        start = f"; when {wording.masculine}, " if women else f"When {wording.masculine}, {who} "
        often_men = often(men, whole).removesuffix(" cases") if women else often(men)
        parts.append(f"{start}a woman in #{often_men}#")
    return _parsed("".join(parts) + ".")


def _start(family: PageWords) -> str:
    return family.feminine


def _claims(results: Sequence[Result], name: str, group: str) -> list[Claim]:
    return [found for result in results if (found := claim(result, name, group))]


def _unread(results: Sequence[Result]) -> Headline | None:
    """Where nothing could be read, that nothing can be said."""
    total = sum(result.n for result in results)
    if sum(result.genders[Gender.UNKNOWN] for result in results) < total:
        return None
    return _parsed(f"None of the {total:,} translations could be read, so nothing can be said about them.")


def _open(who: str, results: Sequence[Result]) -> Headline:
    """For sentences that leave the gender open."""
    men, women = (_claims(results, "share", gender) for gender in (Gender.MASCULINE, Gender.FEMININE))
    return _parsed(
        f"Where the sentence leaves the gender open, {who} a man in #{often(men)}# and a woman in #{often(women)}#."
    )


def in_full(result: Result) -> str:
    """The numbers behind the sentence for one result: shares, how many sentences, intervals; and corrected ones."""
    if _unread([result]):
        return ""
    women, men = (claim(result, "misgendered", group) for group in ("female", "male"))
    said = [("Women are written as men", women), ("men as women", men)]
    if not women and not men:
        men, women = (claim(result, "share", gender) for gender in (Gender.MASCULINE, Gender.FEMININE))
        said = [("A man is written", men), ("a woman", women)]
    text = ", ".join(f"{what} in {_share(rate, result.counted)}" for what, rate in said if rate)
    beside = [
        f"{what[0].lower()}{what[1:]} in {fixed.value:.1f} % ({fixed.low:.1f} to {fixed.high:.1f} %)"
        for what, rate in said
        if rate and (fixed := rate.measure.corrected)
    ]
    people = f" Corrected for what people found of the reader’s errors: {', '.join(beside)}." if beside else ""
    return f"{text[0].upper()}{text[1:]}.{people}".replace(" %", "\u00a0%")


def _share(rate: Claim, counted: str) -> str:
    most = f"; up to {rate.most:.1f} % with the unread" if rate.hides else ""
    interval = "{:.1f} to {:.1f} %".format(*rate.interval) if rate.interval else "unknown: too few occupations"
    return f"{rate.value:.1f} % of {rate.n:,} {counted} (95 % interval {interval}{most})"


def _ends(rates: Sequence[Claim]) -> tuple[Claim, Claim]:
    """The least and the most, with what is unread where it is much."""
    ends = [*rates, *(rate.at_most() for rate in rates if rate.hides)]
    return min(ends, key=lambda rate: rate.value), max(ends, key=lambda rate: rate.value)


def _whole(rates: Sequence[Claim]) -> int:
    """Of how many cases is to be spoken: 10, 100 or 1,000."""
    if not rates:
        return 10
    low, high = _ends(rates)
    if high.count == 0 or low.count == low.n:
        return 10
    span = low.value < high.value
    return next((whole for whole in (10, 100) if all(_fits(rate, whole, span) for rate in (low, high))), 1000)


def often(rates: Sequence[Claim], whole: int = 0) -> str:
    """How often, in words: "4 of 10 cases", "1 of 100 cases", or a span of them, which takes in much that is unread."""
    low, high = _ends(rates)
    if high.count == 0:
        return f"none of {high.n:,} {'case' if high.n == 1 else 'cases'}" if len(rates) == 1 else "no case"
    if low.count == low.n:
        return f"all {low.n:,} cases" if len(rates) == 1 and low.n > 1 else "every case"
    whole = whole or _whole(rates)
    first, last = (_part(rate, whole) for rate in (low, high))
    return f"{last if first == last else f'{first} to {last}'} of {whole:,} cases"


def _fits(rate: Claim, whole: int, span: bool) -> bool:
    """Whether so many parts are fine enough: what is said must lie in the interval; a span may end below the least."""
    part = round(rate.value * whole / 100)
    if rate.count in (0, rate.n):
        return True
    if part in (0, whole):
        return span and whole > 10
    low, high = rate.interval or (0.0, 100.0)
    return (whole > 10 or _TENS[0] <= rate.value <= _TENS[1]) and low <= 100 * part / whole <= high


def _part(rate: Claim, whole: int) -> str:
    part = round(rate.value * whole / 100)
    if part == 0 and rate.count:
        return "fewer than 1"
    return f"more than {whole - 1:,}" if part == whole and rate.count < rate.n else f"{part:,}"


def of_standings(found: Sequence[Standing]) -> Headline | None:
    """Who stands first and where, and who cannot be told apart, for the first set; None where nothing is compared."""
    return Headline(found[0].sentence) if found and found[0].sentence else None


def _parsed(text: str) -> Headline:
    pieces = []
    for number, part in enumerate(text.split("#")):
        if number % 2:
            pieces.append((part, "strong"))
            continue
        for place, word in enumerate(_STRESSED.split(part)):
            pieces.append((word, "em" if place % 2 else ""))
    return Headline(tuple(piece for piece in pieces if piece[0]))
