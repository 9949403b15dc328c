"""The first screen of a page: the sentence on top, three examples that contrast, and one chart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from epicene.compare.headline import name_test
from epicene.languages.english import word_lists
from epicene.measures.claims import Claim
from epicene.output.page.figures import DOUBT, Bar, Figure, rate_figure
from epicene.output.page.filters import link_rates, outcome, person
from epicene.output.page.sentences import Row, row
from epicene.output.page.series import Series
from epicene.output.page.standings import Standing
from epicene.output.table import format_number
from epicene.sets import page_words
from epicene.text import visible
from epicene.types import Gender, Item, Verdict

Pieces = tuple[tuple[str, str], ...]  # of a sentence, with their stress: none, "em" for a word, "strong" for a number
_STRESSED = re.compile(r"([*#])([^*#]+)\1")
_KINDS = {"*": "em", "#": "strong"}
_LISTED = 4  # rates that a sentence names; of more, the least and the greatest
_SHORT = 160  # characters of a sentence that can be read at a glance
# What the three examples show, and whether each is rather of a person whom the ones before are of.
_STATED = (
    ((Gender.FEMININE, "wrong"), False),
    ((Gender.MASCULINE, "right"), True),
    ((Gender.FEMININE, "right"), False),
)
_OPEN = tuple(((None, gender), False) for gender in (Gender.MASCULINE, Gender.FEMININE, Gender.NEUTRAL))


def headline(series: Sequence[Series]) -> Pieces:
    """What the results of a page's first set come to, with the words of that set; comparisons have another sentence."""
    total = sum(system.result.n for system in series)
    if sum(system.result.genders[Gender.UNKNOWN] for system in series) == total:
        return _parse(f"No gender was detected in any of {total:,} translations, so nothing can be said about them.")
    first = next((system for system in series if not system.is_open), series[0]).result.set
    of_set = [system for system in series if system.result.set == first]
    words, counted = page_words(first), of_set[0].result.counted
    systems = list(dict.fromkeys(system.label for system in of_set))
    languages = list(dict.fromkeys(system.into for system in of_set))
    who = f"*{_plain(systems[0])}* uses" if len(systems) == 1 else f"{len(systems)} systems use"
    where = f"into {languages[0]}" if " to " not in languages[0] else languages[0]
    place = f"{name_test(first)}, {where}" if len(languages) == 1 else name_test(first)
    names = [
        ", ".join([_plain(system.label)] * (len(systems) > 1) + [system.into] * (len(languages) > 1))
        for system in of_set
    ]
    women, men = (
        [(name, system.claims[index]) for name, system in zip(names, of_set, strict=True)] for index in (0, 1)
    )
    her, his = (" for her job", " for his") if words.job else ("", "")
    if of_set[0].is_open:
        text = f"When the source states no gender, {who} the masculine{_often(women, counted)}"
        text += f" and the feminine{_often(men)}"
    elif any(claim for _, claim in women):
        text = f"When {words.feminine}, {who} the masculine word{her}{_often(women, counted)}"
        if any(claim for _, claim in men):
            text += f"; when {words.masculine}, the feminine word{his}{_often(men)}"
    else:
        text = f"When {words.masculine}, {who} the feminine word{' for his job' if her else ''}{_often(men, counted)}"
    return _parse(f"{text} ({place}).{_warn([claim for _, claim in (*women, *men) if claim], counted)}")


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


def _warn(claims: Sequence[Claim], counted: str) -> str:
    """That a rate rests on few people, or that many of them have no detected gender."""
    least = min(claims, key=lambda claim: claim.n)
    alike = " each" if len(claims) > 1 and len({claim.n for claim in claims}) == 1 else ""
    text = f" Only {least.n} {counted}{alike}" if least.is_small else ""
    if any(claim.hides for claim in claims):
        worst = max(claims, key=lambda claim: claim.undetected / max(1, claim.n))
        undetected = f"o gender was detected in up to {worst.undetected:,} of {worst.n:,}, so the rates may be higher."
        return f"{text}; n{undetected}" if text else f" N{undetected}"
    if not text:
        return ""
    ends = "; the 95 % CI is {:.0f}–{:.0f} %".format(*least.interval) if least.interval and len(claims) < 3 else ""
    return f"{text}{ends}."


def _parse(text: str) -> Pieces:
    """A sentence in which words are stressed as ``*word*`` and numbers as ``#number#``."""
    parts = _STRESSED.split(text)  # text, mark, stressed text, and again
    pieces = [(parts[index], _KINDS.get(parts[index - 1], "") if index % 3 == 2 else "") for index in range(len(parts))]
    return tuple(piece for index, piece in enumerate(pieces) if index % 3 != 1 and piece[0])


def in_full(system: Series) -> str:
    """The numbers behind the sentence for one result: rates, n, intervals, and what was not detected."""
    result = system.result
    unknown = result.genders[Gender.UNKNOWN]
    if unknown == result.n:
        return ""
    names = ("Masculine", "Feminine") if system.is_open else ("Women misgendered", "Men misgendered")
    parts = []
    for name, claim in zip(names, system.claims, strict=True):
        if claim:
            ends = "–".join(map(format_number, claim.interval)) + " %" if claim.interval else "unknown: too few groups"
            most = f"; up to {claim.most:.1f} % if all undetected ones were" if claim.hides else ""
            fixed = claim.measure.corrected
            beside = f"; corrected by review {fixed.value:.1f} %, {fixed.low:.1f}–{fixed.high:.1f} %" if fixed else ""
            parts.append(f"{name}: {claim.value:.1f} % of {claim.n:,} (95 % CI {ends}{most}{beside}).")
    parts.append(f"Gender not detected: {unknown:,} of {result.n:,} {result.counted}.")
    return " ".join(parts).replace(" %", "\u00a0%")


def contrast(series: Sequence[Series]) -> list[Row]:
    """A woman who is misgendered, a man of the same occupation who is not, and a woman who is not, of one result.

    The source says *she* or *he* where any does: of *talented women* the translation may say that they are women. Where
    no gender is stated: a masculine, a feminine and a neutral translation.
    """
    system = next((system for system in series if system.result.verdicts), None)
    if system is None:
        return []

    fitting: dict[tuple[Gender | None, str], list[Verdict]] = {}
    for verdict in system.result.verdicts:
        if len(verdict.output.text) <= _SHORT:
            shown = (None, verdict.gender) if system.is_open else (verdict.output.item.expected, outcome(verdict))
            fitting.setdefault(shown, []).append(verdict)
    chosen: list[Verdict] = []
    for wanted, same_person in _OPEN if system.is_open else _STATED:
        known = {person(verdict.output.item) for verdict in chosen}
        verdicts = fitting.get(wanted, [])
        verdicts = [verdict for verdict in verdicts if _has_pronoun(verdict.output.item)] or verdicts
        verdicts.sort(key=lambda verdict: (person(verdict.output.item) in known) is not same_person)
        if verdicts:
            chosen.append(verdicts[0 if chosen else len(verdicts) // 2])  # the first sentences of a set are alike
    return [row(system, verdict) for verdict in chosen]


def _has_pronoun(item: Item) -> bool:
    """Whether the source states the person's gender by a pronoun."""
    words = re.findall(r"\w+", item.source.lower())
    return not word_lists("coreference").get(item.expected or "", frozenset()).isdisjoint(words)


def main_figure(tables: Sequence[Standing], series: Sequence[Series]) -> Figure | None:
    """The rates of the headline: every system of the first comparison, or every result."""
    if not tables:
        is_open = all(shown.is_open for shown in series)
        return rate_figure("first", _name_rates(is_open), _list_results(series), is_open)
    table = tables[0]
    means = len(table.languages) > 1 and not table.open
    where = f", mean of {len(table.languages)} languages" if means else ""
    bars: list[Bar] = []
    for system in table.rows:
        fields = (system.mean,) if means else (system.women[0], system.men[0])
        is_doubtful = not table.open and any(field and not field.rank for field in fields)
        name = f"{system.system} {DOUBT}" if is_doubtful else system.system
        bars.append((name, tuple((field.claim, field.link) if field else None for field in fields)))
    return rate_figure("first", f"{_name_rates(table.open)}{where}", bars, table.open)


def _name_rates(is_open: bool) -> str:
    return "Which gender the translation uses" if is_open else "Who is misgendered"


def _list_results(series: Sequence[Series]) -> list[Bar]:
    several_systems, several_sets = (
        len({system.label for system in series}) > 1,
        len({system.result.set for system in series}) > 1,
    )
    bars: list[Bar] = []
    for system in series:
        parts = [system.label] * several_systems + [system.into] + [visible(system.result.set)] * several_sets
        bars.append((", ".join(parts), link_rates(system)))
    return bars
