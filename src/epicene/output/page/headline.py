"""The one sentence on top of a report, which nobody needs to be trained to understand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from epicene.output.counts import Counts, Rate
from epicene.output.families import Family
from epicene.output.page.standings import Field, Standing
from epicene.types import Corrected, Gender

_STRESSED = re.compile(r"\*([^*]+)\*")
_TENS = (9.5, 94.5)  # between these, "6 of 10" says enough
_NAMED = 4  # systems that a sentence names


@dataclass(frozen=True, slots=True)
class Headline:
    """A sentence as pieces of text with their stress: none, "em" for a word, "strong" for a number."""

    pieces: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "".join(text for text, _ in self.pieces)


def headline(families: Sequence[Family], counts: Sequence[Counts], systems: int = 1) -> Headline:
    """What one or several results come to; for several, the least and the greatest rate is given."""
    wording = families[0] if len(set(map(_start, families))) == 1 else Family()
    who = "these systems write" if systems > 1 else "this system writes"
    if nothing := _unread(counts):
        return nothing
    women = [rate for each in counts if (rate := each.misgendered(Gender.FEMININE))]
    men = [rate for each in counts if (rate := each.misgendered(Gender.MASCULINE))]
    if not women and not men:
        return _open(who, counts)
    parts = []
    whole = max(_whole(women), _whole(men))  # one measure for both, so that they can be compared at a glance
    if women:
        parts.append(f"When {wording.feminine}, {who} a man in #{often(women, whole)}#")
    if men:
        start = f"; when {wording.masculine}, " if women else f"When {wording.masculine}, {who} "
        often_men = often(men, whole).removesuffix(" cases") if women else often(men)
        parts.append(f"{start}a woman in #{often_men}#")
    return _parsed("".join(parts) + ".")


def _start(family: Family) -> str:
    return family.feminine


def _unread(counts: Sequence[Counts]) -> Headline | None:
    """Where nothing could be read, that nothing can be said."""
    total = sum(each.cells.total() for each in counts)
    unread = sum(number for each in counts for (_, read), number in each.cells.items() if read is Gender.UNKNOWN)
    if unread < total:
        return None
    return _parsed(f"None of the {total:,} translations could be read, so nothing can be said about them.")


def _open(who: str, counts: Sequence[Counts]) -> Headline:
    """For sentences that leave the gender open."""
    shares = {}
    for gender in (Gender.MASCULINE, Gender.FEMININE):
        shares[gender] = [rate for each in counts if (rate := each.written(gender))]
    return _parsed(
        f"Where the sentence leaves the gender open, {who} a man in #{often(shares[Gender.MASCULINE])}# "
        f"and a woman in #{often(shares[Gender.FEMININE])}#."
    )


def in_full(counts: Counts, fixed: Sequence[Corrected | None] = (None, None)) -> str:
    """The numbers behind the sentence for one result: shares, how many sentences, intervals; and corrected ones."""
    if _unread([counts]):
        return ""
    women, men = (counts.misgendered(gender) for gender in (Gender.FEMININE, Gender.MASCULINE))
    said = [("Women are written as men", women), ("men as women", men)]
    if not women and not men:
        said = [("A man is written", counts.written(Gender.MASCULINE)), ("a woman", counts.written(Gender.FEMININE))]
    text = ", ".join(f"{what} in {_share(rate)}" for what, rate in said if rate)
    beside = [
        f"{what[0].lower()}{what[1:]} in {each.value:.1f} % ({each.low:.1f} to {each.high:.1f} %)"
        for (what, _), each in zip(said, fixed, strict=True)
        if each
    ]
    people = f" Corrected for what people found of the reader’s errors: {', '.join(beside)}." if beside else ""
    return f"{text[0].upper()}{text[1:]}.{people}".replace(" %", "\u00a0%")


def _share(rate: Rate) -> str:
    most = f"; up to {rate.most:.1f} % with the unread" if rate.doubtful else ""
    interval = "{:.1f} to {:.1f} %".format(*rate.interval) if rate.interval else "unknown: too few occupations"
    return f"{rate.value:.1f} % of {rate.n:,} sentences (95 % interval {interval}{most})"


def _ends(rates: Sequence[Rate]) -> tuple[Rate, Rate]:
    """The least and the most, with what is unread where it is much."""
    ends = [*rates, *(Rate(rate.count + rate.unread, rate.n) for rate in rates if rate.doubtful)]
    return min(ends, key=lambda rate: rate.value), max(ends, key=lambda rate: rate.value)


def _whole(rates: Sequence[Rate]) -> int:
    """Of how many cases is to be spoken: 10, 100 or 1,000."""
    if not rates:
        return 10
    low, high = _ends(rates)
    if high.count == 0 or low.count == low.n:
        return 10
    span = low.value < high.value
    return next((whole for whole in (10, 100) if all(_fits(rate, whole, span) for rate in (low, high))), 1000)


def often(rates: Sequence[Rate], whole: int = 0) -> str:
    """How often, in words: "4 of 10 cases", "1 of 100 cases", or a span of them, which takes in much that is unread."""
    low, high = _ends(rates)
    if high.count == 0:
        return f"none of {high.n:,} {'case' if high.n == 1 else 'cases'}" if len(rates) == 1 else "no case"
    if low.count == low.n:
        return f"all {low.n:,} cases" if len(rates) == 1 and low.n > 1 else "every case"
    whole = whole or _whole(rates)
    first, last = (_part(rate, whole) for rate in (low, high))
    return f"{last if first == last else f'{first} to {last}'} of {whole:,} cases"


def _fits(rate: Rate, whole: int, span: bool) -> bool:
    """Whether so many parts are fine enough: what is said must lie in the interval; a span may end below the least."""
    part = round(rate.value * whole / 100)
    if rate.count in (0, rate.n):
        return True
    if part in (0, whole):
        return span and whole > 10
    low, high = rate.interval or (0.0, 100.0)
    return (whole > 10 or _TENS[0] <= rate.value <= _TENS[1]) and low <= 100 * part / whole <= high


def _part(rate: Rate, whole: int) -> str:
    part = round(rate.value * whole / 100)
    if part == 0 and rate.count:
        return "fewer than 1"
    return f"more than {whole - 1:,}" if part == whole and rate.count < rate.n else f"{part:,}"


def of_standings(found: Sequence[Standing]) -> Headline | None:
    """Who misgenders women least and where, and who cannot be told apart; None where no two systems can be compared."""
    columns = [(each, into, _ranked(each, place)) for each in found for place, into in enumerate(each.languages)]
    columns = [column for column in columns if len(column[2]) > 1]
    if not columns:
        return None
    names = _short([field.each.label for *_, fields in columns for field in fields])
    best = [[names[field.each.label] for field in fields if field.place and field.place.rank == 1] for *_, fields in columns]
    if len(columns) == 1:
        return _of_one(columns[0][1], columns[0][2], best[0], names)
    unit = "languages" if len(found) == 1 else "sets and languages"
    wins = Counter(own[0] for own in best if len(own) == 1)
    ties = [own for own in best if len(own) > 1]
    parts = []
    for place, (name, number) in enumerate(wins.most_common(_NAMED)):
        where = f"#{number} of {len(columns)} {unit}#" if place == 0 else f"{number}"
        parts.append(f"*{name}* misgenders women least in {where}" if place == 0 else f"*{name}* in {where}")
    if ties:
        always = [name for name in dict.fromkeys(name for own in ties for name in own) if all(name in own for own in ties)]
        who = f"{_listed(always)} cannot be told apart" if len(always) > 1 else "the best cannot be told apart"
        parts.append(f"in {len(ties)} {who}" if wins else f"No system is clearly best: in #all {len(ties)} {unit}# {who}")
    return _parsed("; ".join(parts) + ".")


def _ranked(each: Standing, place: int) -> list[Field]:
    """The systems of a language that can be ranked and were read well enough."""
    fields = [fields[place] for *_, fields in each.rows]
    return [field for field in fields if field and field.place and field.women and not field.doubtful]


def _of_one(into: str, fields: Sequence[Field], best: Sequence[str], names: dict[str, str]) -> Headline:
    ends = sorted(fields, key=lambda field: field.women.value if field.women else 0.0)
    rates = [field.women for field in (ends[0], ends[-1]) if field.women]
    whole = _whole(rates)
    first, last = (often([rate], whole) for rate in rates)
    worst = f"{names[ends[-1].each.label]} in #{last.removesuffix(' cases')}#"
    if len(best) == 1:
        return _parsed(f"*{best[0]}* misgenders women least, in #{first}# into {into}; {worst}.")
    if len(best) == len(fields):
        return _parsed(f"{_listed(best)} cannot be told apart: they write women as men in #{often(rates)}# into {into}.")
    return _parsed(f"{_listed(best)} misgender women least into {into} and cannot be told apart; {worst}.")


def _listed(names: Sequence[str]) -> str:
    some = [f"*{name}*" for name in names]
    if len(some) > _NAMED:
        some = [*some[: _NAMED - 1], f"{len(some) - _NAMED + 1} others"]
    return f"{', '.join(some[:-1])} and {some[-1]}" if len(some) > 1 else some[0]


def _short(labels: Sequence[str]) -> dict[str, str]:
    """Names without what all begin and end with, cut where words end: "google" of ``file:google.en-de.txt``."""
    different = list(dict.fromkeys(labels))
    if len(different) < 2:
        return {label: _plain(label) for label in different}
    before = _alike(different)
    after = _alike([label[::-1] for label in different])
    start = len(re.sub(r"[^/?&@:. _-]*$", "", before))
    end = len(re.sub(r"[^/?&@:. _-]*$", "", after))
    return {label: _plain(label[start : len(label) - end]) or _plain(label) for label in different}


def _alike(texts: Sequence[str]) -> str:
    return "".join(column[0] for column in takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False)))


def _plain(name: str) -> str:
    """A name without the signs by which a sentence is marked up."""
    return name.replace("*", "∗").replace("#", "♯")[:60]


def _parsed(text: str) -> Headline:
    pieces = []
    for number, part in enumerate(text.split("#")):
        if number % 2:
            pieces.append((part, "strong"))
            continue
        for place, word in enumerate(_STRESSED.split(part)):
            pieces.append((word, "em" if place % 2 else ""))
    return Headline(tuple(piece for piece in pieces if piece[0]))
