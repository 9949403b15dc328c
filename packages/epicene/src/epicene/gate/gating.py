"""All checks of an ``epicene.toml``: each candidate against the stored baseline, and the baseline renewed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.compare import pairs as compare
from epicene.compare.pairs import Entry
from epicene.errors import EvidenceError, InputError
from epicene.flow import plan
from epicene.flow.translate import Asker, open_asker, translated
from epicene.gate import baseline as store
from epicene.gate.config import FILE, Check, GateFile, read
from epicene.gate.gate import Gate, judged
from epicene.gate.rules import ORDER
from epicene.options import Asking
from epicene.output.table import Answer, Row, Table
from epicene.store.hypotheses import Hypotheses, by_line

if TYPE_CHECKING:
    from epicene.flow.ask import Progress

__all__ = ["Checked", "check_all", "exit_code", "gate_file", "of_gates", "read", "renewed"]
EXIT = {"ok": 0, "improved": 0, "regression": 1, "unclear": 3}


@dataclass(frozen=True, slots=True)
class Checked(Answer):
    """A check and what came of it: a gate, or why there is none."""

    check: Check
    gate: Gate | None = None
    why: str = ""

    @property
    def answer(self) -> str:
        """``regression``, ``unclear``, ``improved`` or ``ok``."""
        return self.gate.answer if self.gate else "unclear"

    @property
    def exit_code(self) -> int:
        """What the command ends with, were there no other check."""
        return 0 if self.answer == "unclear" and self.check.unclear_passes else EXIT[self.answer]

    def tables(self) -> Iterable[Table]:
        """What the gate shows, or why there is none."""
        from epicene.gate.formats import gate_tables

        if self.gate is None:
            return [Table(f"{self.check.title}: unclear: {self.why}")]
        return gate_tables(self.gate)

    def rows(self) -> list[Row]:
        """One row per judgement."""
        named = {"name": self.check.name, "set": self.check.set, "langs": self.check.langs}
        return [{**named, **row} for row in (self.gate.rows() if self.gate else ())]

    def records(self) -> list[dict[str, Any]]:
        """The one object that JSON has of it."""
        return [self.as_dict()]

    def as_dict(self) -> dict[str, Any]:
        """The check as JSON has it."""
        named = {"set": self.check.set, "langs": self.check.langs, "name": self.check.name}
        found = self.gate.as_dict() if self.gate else {**self.check.limits.as_dict(), "judgements": [], "why": self.why}
        return {**named, **found, "answer": self.answer}


def exit_code(found: Iterable[Checked]) -> int:
    """What the command ends with: a regression anywhere, else doubt anywhere, else 0."""
    worst = min((each for each in found if each.exit_code), key=lambda each: ORDER.index(each.answer), default=None)
    return worst.exit_code if worst else 0


def of_gates(gates: Sequence[Gate]) -> list[Checked]:
    """Gates that no file asked for, told apart by what they measure."""
    found = []
    for each in gates:
        parts = each.comparison.signature.split("|")
        langs = next((part.partition(":")[2] for part in parts if part.startswith("langs:")), "")
        found.append(Checked(Check(parts[0], langs, each.limits), each))
    return found


def gate_file(
    config: str | Path = FILE,
    update: bool = False,
    anyway: bool = False,
    progress: Progress | None = None,
    **overrides: Any,
) -> list[Checked]:
    """Check all that an ``epicene.toml`` lists against its baseline, or with ``update`` store what is said now as one.

    ``overrides``: keys of a check that hold for all of them (``system``, ``max_drop`` …); ``set`` and ``langs`` leave
    out the other checks.
    """
    keys = {name.replace("_", "-"): value for name, value in overrides.items() if value not in (None, [])}
    asked = read(Path(config), keys)
    with open_asker(Asking(progress=progress)) as by:
        return (renewed if update else check_all)(asked, by, anyway)


def check_all(asked: GateFile, by: Asker, anyway: bool = False) -> list[Checked]:
    """Translate or read every candidate and judge it; one that cannot be believed does not keep others from it."""
    kept = store.read(asked.baseline)
    _open(asked)
    for check in asked.checks:
        if check.limits.relative:
            _baseline(check, kept, asked.baseline)
    return [_checked(check, kept, asked.baseline, by, anyway) for check in asked.checks]


def _checked(check: Check, kept: dict[store.Key, store.Entry], folder: Path, by: Asker, anyway: bool) -> Checked:
    try:
        system, lines = _candidate(check, by)
        after = _entry(check, lines, system, anyway)
        before = after
        if check.limits.relative:
            old = _baseline(check, kept, folder)
            before = _entry(check, old.lines, f"{folder.name}: {old.system} ({old.updated})", anyway)
        return Checked(check, judged(before, after, check.limits, check.groups, check.wanted))
    except EvidenceError as error:
        return Checked(check, why=str(error))
    except InputError as error:
        raise InputError(f"{check.where[0]}:{check.where[1]}: {check.title}: {error}") from None


def renewed(asked: GateFile, by: Asker, anyway: bool = False) -> list[Checked]:
    """Store what the candidates say now as the baseline, if it can be believed; what each became of the one before."""
    _open(asked)
    before = store.read_quietly(asked.baseline)
    entries, found = [], []
    for check in asked.checks:
        system, lines = _candidate(check, by)
        after = _entry(check, lines, system, anyway)  # refuses what should not be believed
        old = before.get(check.key)
        same = old is not None and old.version == _version(check.set)
        earlier = _entry(check, old.lines, f"{asked.baseline.name}: {old.system}", True) if old and same else after
        found.append(Checked(check, judged(earlier, after, check.limits, check.groups, check.wanted)))
        unchanged = old is not None and old.lines == tuple(lines) and old.system == system
        day = old.updated if old and unchanged else ""
        entries.append(store.Entry(*check.key, system, _version(check.set), tuple(lines), day))
    store.write(asked.baseline, entries)
    return found


def _open(asked: GateFile) -> None:
    """Refuse a system that there is not, or a file that is not there, before the first sentence is translated."""
    for check in asked.checks:
        at = f"{check.where[0]}:{check.where[1]}: {check.title}"
        if check.candidate is not None and not check.candidate.is_file():
            raise InputError(f"{at}: cannot read {check.candidate}: no such file")
        try:
            if check.candidate is None:
                plan.open_named(check.system)
        except InputError as error:
            raise InputError(f"{at}: {error}") from None


def _baseline(check: Check, kept: dict[store.Key, store.Entry], folder: Path) -> store.Entry:
    at = f"{check.where[0]}:{check.where[1]}"
    old = kept.get(check.key)
    if old is None:
        there = ", ".join(" ".join(filter(None, key)) for key in kept) or "nothing"
        raise InputError(f"{at}: the baseline {folder} has no {check.title} (it has {there}); {store.RENEW}")
    if old.version != _version(check.set):
        raise InputError(
            f"{at}: the baseline of {check.title} translates another version of the set ({old.version}, now "
            f"{_version(check.set)}); {store.RENEW}"
        )
    return old


def _version(set_name: str) -> str:
    return plan.open_set(set_name).version()


def _candidate(check: Check, by: Asker) -> tuple[str, list[str]]:
    """Who translated, and one line a sentence of the set."""
    if check.candidate is not None:
        return Hypotheses(check.candidate).name, list(Hypotheses(check.candidate).lines())
    challenge = plan.open_set(check.set)
    items = list(challenge.items(plan.open_pair(check.langs, challenge)))
    made = translated(plan.open_named(check.system), items, plan.parse_pair(check.langs), by).outputs
    texts = {output.item.id: output.text for output in made}
    return made[0].system, [texts[group[0].id] for group in by_line(items)]


def _entry(check: Check, lines: Sequence[str], name: str, anyway: bool) -> Entry:
    compare.with_answers(check.set)
    return compare.of_file(lines, check.set, check.langs, check.protocol, anyway, name, check.wanted, answers=True)
