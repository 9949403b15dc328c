"""What people decided about sentences that no detector could classify: written out, read back, and kept track of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import read_lines, written
from epicene.reader.mentions import candidates
from epicene.types import Gender, Output, Verdict

COLUMNS = ("id", "system", "source", "focus", "output", "method", "candidates", "decision", "by", "at", "comment")
_NEEDED = ("id", "decision", "by")
_TRAIL = ("id", "system", "source", "output", "before", "method", "after", "by", "at", "comment", "where")
_WORDS = {
    **{gender.value: gender for gender in Gender},
    **{gender.value[0]: gender for gender in Gender},
    "female": Gender.FEMININE,
    "male": Gender.MASCULINE,
    "wrong": Gender.UNKNOWN,
    "w": Gender.UNKNOWN,
}


class Decision(NamedTuple):
    """What somebody decided about a sentence, and where it is written."""

    gender: Gender
    by: str
    at: str
    comment: str
    output: str | None  # the translation that was looked at
    where: str


@dataclass(slots=True)
class Decisions:
    """Decisions by system and sentence; they settle verdicts and remember what they changed."""

    made: dict[tuple[str, str], Decision]
    trail: list[tuple[str, ...]] = field(default_factory=list)
    _used: set[tuple[str, str]] = field(default_factory=set)

    @property
    def identity(self) -> str:
        """A checksum of what was decided, whoever did."""
        text = "".join(f"{system}\t{name}\t{each.gender}\n" for (system, name), each in sorted(self.made.items()))
        return f"{len(self.made)}@{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    def settle(self, verdict: Verdict) -> Verdict:
        """The verdict as people decided it, or as it is."""
        output = verdict.output
        key = next((k for k in ((output.system, output.item.id), ("", output.item.id)) if k in self.made), None)
        if key is None:
            return verdict
        decision = self.made[key]
        if decision.output is not None and decision.output != _cell(output.text):
            raise InputError(
                f"{decision.where}: sentence {output.item.id} is translated otherwise now ({_cell(output.text)!r}); "
                "decide again"
            )
        self._used.add(key)
        self.trail.append(_trail_row(verdict, decision))
        return verdict._replace(gender=decision.gender, step="decision")

    def done(self) -> None:
        """Refuse decisions about sentences that did not come."""
        for key, decision in self.made.items():
            if key not in self._used:
                of = f" of {key[0]}" if key[0] else ""
                raise InputError(f"{decision.where}: no sentence {key[1]!r}{of} in this run; remove the line")

    def write_trail(self, path: Path) -> None:
        """Write what was decided by whom, and what the detector had said."""
        with written(path) as stream:
            for row in (_TRAIL, *self.trail):
                stream.write("\t".join(row) + "\n")


def read(paths: Sequence[str | Path]) -> Decisions:
    """Decisions from one or more files; lines without one are passed over, two that differ are refused."""
    found: dict[tuple[str, str], Decision] = {}
    for path in paths:
        for key, decision in _rows(path):
            other = found.setdefault(key, decision)
            if other.gender is not decision.gender:
                raise InputError(
                    f"{decision.where}: {decision.by} decided {_name(decision.gender)} for {key[1]}, "
                    f"{other.by} decided {_name(other.gender)} ({other.where}); settle it and keep one"
                )
    return Decisions(found)


def _rows(path: str | Path) -> Iterator[tuple[tuple[str, str], Decision]]:
    lines = read_lines(path)
    header = next(lines, "").split("\t")
    if missing := [name for name in _NEEDED if name not in header]:
        raise InputError(f"{path}:1: no column {', '.join(missing)}; expected a header with {', '.join(_NEEDED)}")
    for number, line in enumerate(lines, 2):
        where = f"{path}:{number}"
        cells = line.split("\t")
        if not line.strip():
            continue
        if len(cells) != len(header):
            raise InputError(f"{where}: {len(cells)} columns, expected {len(header)} ({', '.join(header)})")
        row = dict(zip(header, map(str.strip, cells), strict=True))
        if not row["decision"]:
            continue
        if row["decision"].lower() not in _WORDS:
            raise InputError(f"{where}: decision {row['decision']!r}; expected feminine, masculine, neutral or wrong")
        if not row["by"]:
            raise InputError(f"{where}: nobody stands in 'by'; expected who decided")
        gender = _WORDS[row["decision"].lower()]
        at, comment = row.get("at", ""), row.get("comment", "")
        yield (row.get("system", ""), row["id"]), Decision(gender, row["by"], at, comment, row.get("output"), where)


@contextmanager
def unclassified_file(path: Path | None) -> Iterator[Callable[[Verdict], None] | None]:
    """A sink that writes the sentences nobody could classify, with a column for a decision."""
    if path is None:
        yield None
        return
    with written(path) as stream:
        stream.write("\t".join(COLUMNS) + "\n")

        def sink(verdict: Verdict) -> None:
            if verdict.gender is Gender.UNKNOWN and verdict.step != "decision":
                stream.write("\t".join(_open_row(verdict)) + "\n")

        yield sink


def _open_row(verdict: Verdict) -> Iterable[str]:
    output, item = verdict.output, verdict.output.item
    found = "; ".join(f"{text}: {says}" for text, says in candidates(item, output.text, output.target))
    return (*_place(output)[:3], item.person.text, _cell(output.text), verdict.step, found, "", "", "", "")


def _trail_row(verdict: Verdict, decision: Decision) -> tuple[str, ...]:
    output = verdict.output
    before = (*_place(output), _cell(output.text), _name(verdict.gender), verdict.step)
    return (*before, _name(decision.gender), decision.by, decision.at, decision.comment, decision.where)


def _place(output: Output) -> tuple[str, str, str]:
    return output.item.id, output.system, _cell(output.item.source)


def _name(gender: Gender) -> str:
    return "wrong" if gender is Gender.UNKNOWN else gender.value


def _cell(text: str) -> str:
    """A text as it fits into one cell of a table."""
    return " ".join(text.split())
