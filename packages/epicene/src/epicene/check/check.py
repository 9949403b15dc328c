"""The check before any number: whether these outputs can be believed at all.

Language, order, repetition, damaged, empty, unread and copied lines are judged against what good files show; the
bounds stand in ``check.toml``, and docs/metrics.md says where they come from.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from epicene.check.damage import Damage
from epicene.check.halves import Twins
from epicene.check.language import Other, called, others
from epicene.check.order import Disorder, lengths, order
from epicene.check.words import Line, Words, agreement, compare
from epicene.errors import EvidenceError
from epicene.languages.codes import pair as parse_pair
from epicene.result import Result
from epicene.tables import resource
from epicene.types import Gender, Pair, Verdict

_BLOCK = 16  # neighbouring lines that are kept or let go together
_KEPT = 8_000  # lines that are kept at most
_NOTE = "check: "
_EDGE = 0.02  # of a file: a stretch that comes so near to its ends reaches them
_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


@dataclass(frozen=True, slots=True)
class Findings:
    """What speaks against outputs: reasons to print no number, and remarks to print beside them."""

    refusals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def accept(self, system: str, anyway: bool) -> tuple[str, ...]:
        """The warnings that go with the numbers; without ``anyway``, a refusal where there is any."""
        if self.refusals and not anyway:
            raise EvidenceError(f"{system}: {'; '.join(self.refusals)}; to see the numbers nevertheless: --anyway")
        return self.refusals


@dataclass(slots=True)
class Check:
    """Watches verdicts go by and judges at the end; what it keeps is small however long the file."""

    pair: Pair
    may_abstain: bool = False  # whether an empty line is an answer
    n: int = 0  # lines; several people of one line are looked at together
    empty: int = 0
    people: int = 0  # in lines that are not empty
    unread: int = 0
    copied: int = 0
    refusals: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _lines: list[Line] = field(default_factory=list)
    _twins: Twins = field(default_factory=Twins)
    _damage: Damage = field(init=False)
    _every: int = 1
    _line: str | None = None

    def __post_init__(self) -> None:
        self._damage = Damage(self.pair)

    def add(self, verdict: Verdict) -> None:
        """Look at one verdict, and keep what the judgement needs."""
        output, text = verdict.output, verdict.output.text.strip()
        self._twins.add(verdict)
        if text:
            self.people += 1
            self.unread += verdict.gender is Gender.UNKNOWN
        if (line := output.item.line) is None or line != self._line:
            self._add(Line(self.n + 1, output.item, text))
        self._line = line

    def _add(self, line: Line) -> None:
        source = line.item.source.strip()
        self.n += 1
        if not line.text:
            self.empty += 1
            return
        self.copied += line.text.casefold() == source.casefold()
        self._damage.add(line.text, source)
        if (self.n - 1) // _BLOCK % self._every == 0:
            self._lines.append(line)
        if len(self._lines) > _KEPT:
            self._every *= 2
            self._lines = [line for line in self._lines if (line.number - 1) // _BLOCK % self._every == 0]

    def findings(self) -> Findings:
        """What speaks against these outputs, the likeliest cause first."""
        if self.n == 0:
            return Findings()
        filled = self.n - self.empty
        bad = not self.may_abstain and self._share("empty", self.empty, self.n, "lines are empty")
        if filled and not (bad or self._judge(self._damage.told(limits()["damage"])) or self._repetition()):
            words = compare(self._lines, self.pair.target, limits()["words"])
            another = self._share("copied", self.copied, filled, "lines are the source itself") or self._language(words)
            texts = (line.text for line in self._lines)
            damaged = another or self._judge(self._damage.letters(limits()["damage"], texts))
            # Lines that are cut off hold too few words to say where they belong.
            if not damaged and not self._judge([self._damage.size(limits()["size"])]):
                self._order(words)
                if swapped := self._twins.refusal(limits()["twins"]):
                    self.refusals.append(swapped)
                self._share("unread", self.unread, self.people, "genders could not be detected")
        return Findings(tuple(self.refusals), tuple(_NOTE + note for note in self.notes))

    def _judge(self, findings: Iterable[tuple[bool, str]]) -> bool:
        """Keep what was found, by whether it refuses; a refusal is told to the caller."""
        for refused, what in findings:
            if what:
                (self.refusals if refused else self.notes).append(what)
        return bool(self.refusals)

    def _share(self, name: str, count: int, n: int, what: str) -> bool:
        """Judge a share; a refusal is told to the caller."""
        bounds = limits()[name]
        text = f"{count:,} of {n:,} {what}"
        if count > bounds["refuse"] * n and (n >= bounds.get("lines", 1)):
            self.refusals.append(text)
            return True
        if count > bounds["note"] * n:
            self.notes.append(text)
        return False

    def _repetition(self) -> bool:
        bounds = limits()
        sources, texts, most = _repeated(self._lines)
        if sources < bounds["repeated"]["lines"]:
            return False
        said = f"one translation answers {most:,} of {sources:,} different sentences"
        if most > bounds["repeated"]["refuse"] * sources and most >= bounds["repeated"]["lines"] // 2:
            self.refusals.append(said)
            return True
        few = f"{sources:,} different sentences have only {texts:,} different translations"
        if sources >= bounds["distinct"]["lines"] and texts < bounds["distinct"]["refuse"] * sources:
            self.refusals.append(few)
            return True
        if most > bounds["repeated"]["note"] * sources and most >= bounds["repeated"]["lines"]:
            self.notes.append(said)
        elif sources >= bounds["distinct"]["lines"] and texts < bounds["distinct"]["note"] * sources:
            self.notes.append(few)
        return False

    def _language(self, words: Words) -> bool:
        target = self.pair.target
        found = others(self._lines, words.known, target, limits()["language"])
        if found is None:
            self.notes.append(f"too little text, or a language unknown to the identifier: not judged to be {target}")
            return False
        self.refusals += [self._told_language(other) for other in found]
        return bool(found)

    def _told_language(self, other: Other) -> str:
        lines = _lines(other.first, other.last)
        if other.share is not None:
            lines = f"{100 * other.share:.0f} % of the lines, scattered over {lines},"
        return f"{lines} look like {called(other.language)}, not {called(self.pair.target)}"

    def _told(self, disorder: Disorder) -> str:
        """Which lines are not at their place; a stretch that ends near an end of the file goes up to it."""
        first = 1 if disorder.first <= _EDGE * self.n + 1 else disorder.first
        lines = _lines(first, self.n if disorder.last >= (1 - _EDGE) * self.n else disorder.last)
        if disorder.lag is None:
            return f"{lines} do not translate the sentences at their places"
        return f"{lines} look shifted {'up' if disorder.lag > 0 else 'down'} by {_NUMBERS[abs(disorder.lag)]}"

    def _order(self, words: Words) -> None:
        bounds = limits()
        found = order(self._lines, words, bounds["order"]) or lengths(self._lines, bounds["length"])
        if found is None:
            self.notes.append("too few distinctive sentences to check the line order")
        elif found.disorder:
            self.refusals.append(self._told(found.disorder))
        else:
            same = agreement(self._lines, words, self.pair.target, bounds["agreement"])
            if same is not None and same < bounds["agreement"]["refuse"]:
                self.refusals.append("the words of the lines stand in no order")


def findings(verdicts: Iterable[Verdict], pair: Pair) -> Findings:
    """What speaks against verdicts that are all there."""
    check = Check(pair)
    for verdict in verdicts:
        check.add(verdict)
    return check.findings()


def check_results(results: Iterable[Result], anyway: bool) -> list[Result]:
    """Results that were kept, each refused or with warnings as if it were measured now."""
    found = []
    for result in results:
        own = findings(result.verdicts, parse_pair(result.langs)) if result.verdicts else Findings()
        warnings = tuple(dict.fromkeys((*result.warnings, *own.accept(result.system, anyway))))
        found.append(replace(result, warnings=warnings))
    return found


def _repeated(lines: Iterable[Line]) -> tuple[int, int, int]:
    """Different sentences, different translations, and the most sentences that one translation answers."""
    pairs = {(line.item.source, line.text) for line in lines}
    answered = Counter(text for _, text in pairs)
    return len({source for source, _ in pairs}), len(answered), max(answered.values(), default=0)


def _lines(first: int, last: int) -> str:
    return f"lines {first:,}–{last:,}"


@cache
def limits() -> dict[str, Any]:
    """The bounds that outputs are judged by."""
    return tomllib.loads(resource("check/check.toml").read_text(encoding="utf-8"))
