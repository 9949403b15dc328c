"""Gender scores as text and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epicene.embeddings.genderscore import listed
from epicene.output.table import format_number as number
from epicene.output.terminal.tables import grid, latex

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

    from epicene.embeddings.genderscore import Chosen, GenderScores, WordGender

_SHOWN = 50  # words that are printed, half of them from each end
_NAMED = 20  # words that a note names


def heading(found: GenderScores) -> list[str]:
    """What each embedding has of the words and seeds."""
    total = len(found.words) + len(found.unscored)
    lines = []
    for each in found.coverage:
        lines.append(f"{each.embedding}: {total - len(each.missing)} of {total} words, {each.width} numbers each")
        seeds = (f"{there}/{of} {side} {name}" for (name, side), (there, of) in each.seeds.items())
        lines.append(f"  seeds: {', '.join(seeds)}")
    return lines


def ranking(found: GenderScores) -> Table:
    """Words, the most feminine first; of a long list both ends."""
    table = grid("word", "score", "95 % interval", "rank", "95 % interval", "parts")
    half = _SHOWN // 2
    words = found.words if len(found.words) <= _SHOWN else (*found.words[:half], None, *found.words[-half:])
    for each in words:
        table.add_row(*(_cells(each, len(found.columns)) if each else ("…",) * 6))
    return table


def _cells(each: WordGender, columns: int) -> tuple[str, ...]:
    return (
        each.word,
        f"{each.score:+.3f}",
        f"[{each.low:+.3f}, {each.high:+.3f}]",
        str(each.rank),
        f"[{each.rank_low}, {each.rank_high}]",
        f"{len(each.scores)}/{columns}",
    )


def notes(found: GenderScores) -> list[str]:
    """What is left out of the table, and the words that have no vector."""
    lines = []
    if len(found.words) > _SHOWN:
        lines.append(f"{len(found.words)} words scored; -o TSV writes them all")
    for each in found.unscored[:_NAMED]:
        why = "a phrase; embeddings hold words" if " " in each.word else "in no embedding"
        lines.append(f"not scored: {each.where}: {each.word} ({why})")
    if len(found.unscored) > _NAMED:
        lines.append(f"not scored: {len(found.unscored) - _NAMED} more, see -f json")
    unscored = {each.word for each in found.unscored}
    for embedding in found.coverage:
        partly = [word for word in embedding.missing if word not in unscored]
        if partly:
            more = f" and {len(partly) - _NAMED} more" if len(partly) > _NAMED else ""
            lines.append(f"not in {embedding.embedding}: {', '.join(partly[:_NAMED])}{more}")
    return lines


def chosen(found: Chosen, path: Path, verbs: bool) -> list[str]:
    """The words of a set of one's own, and the command that makes its sentences."""
    part = "verbs" if verbs else "adjectives"
    return [
        f"feminine: {listed(found.feminine)}",
        f"masculine: {listed(found.masculine)}",
        f"{path}: {len(found.feminine)} + {len(found.masculine)} words; "
        f"next: epicene sets export 'wibemt-{part}?{part}={path}'",
    ]


def as_latex(found: GenderScores) -> str:
    """One row a word."""
    rows = [
        [str(each.rank), each.word, *(number(value, 3) for value in (each.score, each.low, each.high))]
        for each in found.words
    ]
    return latex([found.signature], ["rank", "word", "score", "low", "high"], rows)
