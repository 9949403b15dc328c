"""The sentence on top of a report, and the numbers behind it: which system, on which test, into which language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from epicene.compare.headline import name_test
from epicene.measures.claims import Claim
from epicene.output.charts.page import Series
from epicene.output.page.standings import Standing
from epicene.output.table import format_number
from epicene.sets import page_words
from epicene.types import Gender

_STRESSED = re.compile(r"([*#])([^*#]+)\1")
_KINDS = {"*": "em", "#": "strong"}
_LISTED = 4  # rates that a sentence names; of more, the least and the greatest


@dataclass(frozen=True, slots=True)
class Headline:
    """A sentence as pieces of text with their stress: none, "em" for a word, "strong" for a number."""

    pieces: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "".join(text for text, _ in self.pieces)


def headline(series: Sequence[Series]) -> Headline:
    """What the results of a page's first set come to, with the words of that set; comparisons have another sentence."""
    total = sum(one.result.n for one in series)
    if sum(one.result.genders[Gender.UNKNOWN] for one in series) == total:
        return _parse(f"No gender was detected in any of {total:,} translations, so nothing can be said about them.")
    first = next((one for one in series if not one.is_open), series[0]).result.set
    own = [one for one in series if one.result.set == first]
    words, counted = page_words(first), own[0].result.counted
    systems = list(dict.fromkeys(one.label for one in own))
    languages = list(dict.fromkeys(one.into for one in own))
    who = f"*{_plain(systems[0])}* uses" if len(systems) == 1 else f"{len(systems)} systems use"
    where = f"into {languages[0]}" if len(languages) == 1 and " to " not in languages[0] else languages[0]
    place = f"{name_test(first)}, {where}" if len(languages) == 1 else name_test(first)
    names = [", ".join([_plain(one.label)] * (len(systems) > 1) + [one.into] * (len(languages) > 1)) for one in own]
    women, men = ([(name, one.claims[index]) for name, one in zip(names, own, strict=True)] for index in (0, 1))
    her, his = (" for her job", " for his") if words.job else ("", "")
    if own[0].is_open:
        text = f"When the source states no gender, {who} the masculine{_often(women, counted)}"
        text += f" and the feminine{_often(men)}"
    elif any(claim for _, claim in women):
        text = f"When {words.feminine}, {who} the masculine word{her}{_often(women, counted)}"
        if any(claim for _, claim in men):
            text += f"; when {words.masculine}, the feminine word{his}{_often(men)}"
    else:
        text = f"When {words.masculine}, {who} the feminine word{' for his job' if her else ''}{_often(men, counted)}"
    return _parse(f"{text} ({place}).{_warn([*women, *men], counted)}")


def _plain(name: str) -> str:
    return re.sub("[*#]", "", name)


def _often(claims: Sequence[tuple[str, Claim | None]], counted: str = "") -> str:
    """How often: "in 35 % of sentences", "in 33 % (German) and 35 % (Spanish)", the least and the greatest of many."""
    known = [(name, claim) for name, claim in claims if claim]
    is_range = len(known) > _LISTED
    if is_range:
        known.sort(key=lambda pair: pair[1].value)
        known = [known[0], known[-1]]
    parts = [f"#{claim.rounded} %#{f' ({name})' if name else ''}" for name, claim in known]
    text = " to ".join(parts) if is_range else " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
    return f" in {text}{f' of {counted}' if counted else ''}"


def _warn(claims: Sequence[tuple[str, Claim | None]], counted: str) -> str:
    """That a rate rests on few people, or that many of them have no detected gender."""
    known = [claim for _, claim in claims if claim]
    least = min(known, key=lambda claim: claim.n)
    alike = " each" if len(known) > 1 and len({claim.n for claim in known}) == 1 else ""
    text = f" Only {least.n} {counted}{alike}" if least.is_small else ""
    if any(claim.hides for claim in known):
        worst = max(known, key=lambda claim: claim.undetected / max(1, claim.n))
        undetected = f"o gender was detected in up to {worst.undetected:,} of {worst.n:,}, so the rates may be higher."
        return f"{text}; n{undetected}" if text else f" N{undetected}"
    if not text:
        return ""
    ends = "; the 95 % CI is {:.0f}–{:.0f} %".format(*least.interval) if least.interval and len(known) < 3 else ""
    return f"{text}{ends}."


def in_full(one: Series) -> str:
    """The numbers behind the sentence for one result: rates, n, intervals, and what was not detected."""
    result = one.result
    unknown = result.genders[Gender.UNKNOWN]
    if unknown == result.n:
        return ""
    names = ("Masculine", "Feminine") if one.is_open else ("Women misgendered", "Men misgendered")
    parts = []
    for name, claim in zip(names, one.claims, strict=True):
        if claim:
            ends = "–".join(map(format_number, claim.interval)) + " %" if claim.interval else "unknown: too few groups"
            most = f"; up to {claim.most:.1f} % if all undetected ones were" if claim.hides else ""
            fixed = claim.measure.corrected
            beside = f"; corrected by review {fixed.value:.1f} %, {fixed.low:.1f}–{fixed.high:.1f} %" if fixed else ""
            parts.append(f"{name}: {claim.value:.1f} % of {claim.n:,} (95 % CI {ends}{most}{beside}).")
    parts.append(f"Gender not detected: {unknown:,} of {result.n:,} {result.counted}.")
    return " ".join(parts).replace(" %", "\u00a0%")


def of_standings(tables: Sequence[Standing]) -> Headline | None:
    """What the systems of the first set come to; None where nothing is compared."""
    return Headline(tables[0].sentence) if tables and tables[0].sentence else None


def _parse(text: str) -> Headline:
    pieces, start = [], 0
    for match in _STRESSED.finditer(text):
        pieces += [(text[start : match.start()], ""), (match[2], _KINDS[match[1]])]
        start = match.end()
    return Headline(tuple(piece for piece in (*pieces, (text[start:], "")) if piece[0]))
