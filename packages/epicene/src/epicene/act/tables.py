"""What is shown of reranked lists, of alternatives and of control."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from epicene.output.table import Cell, Column, Table, format_number, format_p, make_columns

if TYPE_CHECKING:
    from epicene.act.alternatives import Alternative, Alternatives
    from epicene.act.control import Control
    from epicene.act.rerank import Reranked
    from epicene.compare.pairs import Comparison

_RESULTS = ("obeyed", "ignored", "spilled")


def summarise_reranked(answer: Reranked) -> str:
    """What was done."""
    named = f"{answer.set or 'text'} {answer.langs} · {answer.system}"
    how = "gender from the set's labels (oracle)" if answer.oracle else "gender stated in the source"
    counted = ", ".join(f"{count:,} {why}" for why, count in answer.counts.items())
    lines = [f"{named} · {how}", f"{len(answer.choices):,} sentences: {counted}"]
    return "\n".join([*lines, *answer.notes])


def rerank_tables(answer: Reranked) -> Iterator[Table]:
    """What was done, then the rates before and after by every protocol."""
    yield Table(summarise_reranked(answer))
    for number, comparison in enumerate(answer.comparisons):
        yield _judge_table(comparison, selected=number == 0)


def _judge_table(comparison: Comparison, selected: bool) -> Table:
    protocol = next(part for part in comparison.signature.split("|") if part.startswith("protocol:"))
    title = f"\nScored with {protocol.replace(':', ' ')}{', whose detector chose' if selected else ''}"
    columns = make_columns(
        group="% correct", n="n", before="before", after="after", difference="difference", p_holm="p (Holm)"
    )
    rows: list[tuple[Cell, ...]] = []
    for change in comparison.changes:
        between = "" if change.low is None else f" [{change.low:+.1f}, {change.high:+.1f}]"
        rates = (format_number(change.before), format_number(change.after), f"{change.difference:+.1f}{between}")
        rows.append((change.group, change.n, *rates, format_p(change.p_holm)))
    notes = (f"gender not detected: {comparison.undetected[0]:.1f} % before, {comparison.undetected[1]:.1f} % after",)
    return Table(title, columns, tuple(rows), notes, (comparison.signature,))


def alternative_tables(answer: Alternatives) -> Iterator[Table]:
    """The versions of a text's sentences, then how many have both; of a set only how many."""
    if not answer.set:
        yield Table("\n\n".join(map(_describe_versions, answer.sentences)) + "\n")
    yield Table(summarise_alternatives(answer))


def _describe_versions(sentence: Alternative) -> str:
    if not sentence.both:
        return f"{sentence.first}\n  one version: {sentence.why}"
    return "\n".join(f"{gender:<9} {version.text}" for gender, version in sentence.versions.items())


def summarise_alternatives(answer: Alternatives) -> str:
    """How many sentences have both versions."""
    share = f"{100 * answer.both / answer.open:.1f} %" if answer.open else "–"
    lines = [f"{answer.set or 'text'} {answer.langs} · {answer.system}"]
    lines.append(f"both versions, differing only in gender: {answer.both:,} of {answer.open:,} sentences ({share})")
    lines.append(", ".join(f"{count:,} {why}" for why, count in answer.counts.items()))
    return "\n".join(lines)


def control_tables(answer: Control) -> Iterator[Table]:
    """Who obeyed, by way and gender, then each two ways beside each other."""
    columns = (Column("way", "%"), *(Column(name, name, 1) for name in _RESULTS))
    contest_columns = make_columns(
        ways="obeyed, points", n="n", first="first", second="second", difference="difference", p="p"
    )
    for system, langs in dict.fromkeys((outcome.system, outcome.langs) for outcome in answer.told):
        outcomes = [outcome for outcome in answer.told if (outcome.system, outcome.langs) == (system, langs)]
        rows: list[tuple[Cell, ...]] = []
        for outcome in outcomes:
            for name, group in {outcome.way: "all", "  women": "feminine", "  men": "masculine"}.items():
                rows.append((name, *(outcome[result, group] for result in _RESULTS)))
        undetected = ", ".join(
            f"{outcome.way} {outcome['obeyed'].undetected}" for outcome in outcomes if outcome["obeyed"].undetected
        )
        others = ", ".join(f"{outcome.way} {outcome['spilled'].n}" for outcome in outcomes)
        notes = (
            f"n = {outcomes[0]['obeyed'].n} people, half told as women, half as men; "
            f"gender not detected: {undetected or 'none'}",
            f"n of spilled (other people, who had the other gender untold): {others}",
        )
        yield Table(f"{system} {langs}", columns, tuple(rows), notes)
        contests: list[tuple[Cell, ...]] = []
        for contest in answer.contests:
            if (contest.system, contest.langs) == (system, langs):
                change = contest.change
                rates = (format_number(change.before), format_number(change.after), f"{change.difference:+.1f}")
                contests.append((f"{contest.first} → {contest.second}", change.n, *rates, format_p(change.p)))
        yield Table("", contest_columns, tuple(contests))
