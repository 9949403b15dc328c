"""Compare two snapshots leaf by leaf, and leave out what ``changed.toml`` declares."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Leaf = Any  # a number, a string, None, lines of text (list), or coded verdicts (dict)
Flat = Mapping[str, Leaf]
KINDS = ("renamed", "removed", "changed", "added")
TOLERANCE = 1e-9
# Fields that name an element of a list, so that its path does not depend on its position.
_NAMES = (
    "name", "group", "set", "langs", "system", "protocol", "test", "embedding", "metric", "words", "word", "first",
    "second", "measure", "language", "rule", "reference", "id",
)  # fmt: skip
_LONGEST_NAME = 80  # a longer one is a sentence
_VERDICT_FIELDS = ("gender", "step", "evidence")


class Difference(NamedTuple):
    """One leaf that is not what it was."""

    path: str
    kind: str  # removed, changed or added
    old: Leaf
    new: Leaf


class Change(NamedTuple):
    """A declared change; ``*`` in ``where`` and ``old`` stands for any text, and ``to`` takes it over."""

    where: str
    kind: str
    why: str
    to: str = ""
    old: str | None = None  # changed: only this value, and only to ``to``
    moves: str = ""  # changed: only a number, and only to one that is lower, or higher

    def rename(self, path: str) -> str:
        """The new name of a path, or the path itself if it is not meant."""
        return _substitute(self.where, self.to, path) or path if self.kind == "renamed" else path

    def covers(self, difference: Difference) -> bool:
        """Whether a difference was meant."""
        if self.kind != difference.kind or not _pattern(self.where).fullmatch(difference.path):
            return False
        if self.moves and not _moves(difference.old, difference.new, self.moves):
            return False
        return self.old is None or _substitute(self.old, self.to, str(difference.old)) == difference.new


def _moves(old: Leaf, new: Leaf, where: str) -> bool:
    """Whether a number became lower, or higher."""
    if not all(isinstance(value, int | float) for value in (old, new)):
        return False
    return bool(new < old if where == "lower" else new > old)


def _pattern(text: str) -> re.Pattern[str]:
    """A text in which ``*`` stands for any text, as a regular expression."""
    return re.compile("(.*)".join(map(re.escape, text.split("*"))), re.DOTALL)


def _substitute(old: str, new: str, text: str) -> str | None:
    """A text that fits ``old``, as ``new`` says it with what each ``*`` stood for; None where it does not fit."""
    match = _pattern(old).fullmatch(text)
    if match is None:
        return None
    first, *rest = new.split("*")
    return first + "".join(group + part for group, part in zip(match.groups(), rest, strict=True))


def read_changes(path: Path) -> list[Change]:
    """The declared changes, in order; a slip in the file is an error."""
    changes = [Change(**row) for row in tomllib.loads(path.read_text(encoding="utf-8")).get("change", [])]
    for change in changes:
        if change.kind not in KINDS or not change.why or change.moves not in ("", "lower", "higher"):
            raise ValueError(
                f"{path}: {change.where}: expected a kind of {', '.join(KINDS)}, why, and lower or higher if it moves"
            )
        taken = change.where if change.kind == "renamed" else change.old
        if taken is not None and change.to.count("*") != taken.count("*"):
            raise ValueError(f"{path}: {change.where}: 'to' needs as many * as {taken!r}")
    return changes


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, Leaf]]:
    """Every leaf of a JSON value with its path; elements of a list go by name where their names differ."""
    if isinstance(value, dict) and value:
        for key in sorted(value):
            yield from flatten(value[key], f"{path}/{key}" if path else key)
    elif isinstance(value, list) and value:
        for name, element in zip(_name_elements(value), value, strict=True):
            yield from flatten(element, f"{path}[{name}]")
    else:
        yield path, str(value) if isinstance(value, dict | list) else value


def _name_elements(elements: Sequence[Any]) -> list[str]:
    if len(elements) > 1 and all(isinstance(element, dict) for element in elements):
        keys = [key for key in _NAMES if all(isinstance(element.get(key), str) for element in elements)]
        names = [",".join(element[key] for key in keys) for element in elements]
        if len(set(names)) == len(names) and max(map(len, names)) <= _LONGEST_NAME:
            return names
    return [str(index) for index in range(len(elements))]


def compare(old: Flat, new: Flat, changes: Sequence[Change] = ()) -> list[Difference]:
    """What differs and was not declared, in order of the paths."""
    renamings = [change for change in changes if change.kind == "renamed"]
    stored = {}
    for path, leaf in old.items():
        for change in renamings:
            path = change.rename(path)
        stored[path] = leaf
    differences: list[Difference] = []
    for path in sorted(stored.keys() | new.keys()):
        if path not in new:
            differences.append(Difference(path, "removed", stored[path], None))
        elif path not in stored:
            differences.append(Difference(path, "added", None, new[path]))
        else:
            differences.extend(_compare_leaf(path, stored[path], new[path]))
    return [item for item in differences if not any(change.covers(item) for change in changes)]


def _compare_leaf(path: str, old: Leaf, new: Leaf) -> Iterator[Difference]:
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _compare_verdicts(path, old, new)
    elif isinstance(old, list) and isinstance(new, list):
        lines = [line for line in difflib.unified_diff(old, new, n=0, lineterm="") if not line.startswith("@@")][2:]
        if lines:
            yield Difference(path, "changed", *("\n".join(line for line in lines if line[0] == sign) for sign in "-+"))
    elif not is_same(old, new):
        yield Difference(path, "changed", old, new)


def is_same(old: Leaf, new: Leaf) -> bool:
    """Whether two leaves are equal: numbers to 1e-9, all else exactly."""
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (old, new))
    return math.isclose(old, new, rel_tol=TOLERANCE, abs_tol=TOLERANCE) if numbers else bool(old == new)


def _compare_verdicts(path: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Difference]:
    if old == new:
        return
    before, after = _decode(old), _decode(new)
    if len(before) != len(after):
        yield Difference(f"{path}/lines", "changed", len(before), len(after))
    for line, (first, second) in enumerate(zip(before, after, strict=False), 1):
        for field, one, other in zip(_VERDICT_FIELDS, first, second, strict=True):
            if one != other:
                yield Difference(f"{path}/{line}/{field}", "changed", one, other)


def _decode(verdicts: dict[str, Any]) -> list[tuple[str, str, str]]:
    steps = [verdicts["names"][ord(code) - ord("A")] for code in verdicts["steps"]]
    return list(zip(verdicts["genders"], steps, verdicts["evidence"], strict=True))


def encode_verdicts(rows: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    """Rows of gender, step and a mark of the evidence (a letter) as three strings and the names of the steps."""
    names = sorted({step for _, step, _ in rows})
    return {
        "genders": "".join(gender for gender, _, _ in rows),
        "steps": "".join(chr(ord("A") + names.index(step)) for _, step, _ in rows),
        "evidence": "".join(mark for _, _, mark in rows),
        "names": names,
    }
