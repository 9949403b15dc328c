"""The check before any number: whether these outputs can be believed at all.

Language, order, repetition, damaged, empty, unread and copied lines are judged against what good files show; the
bounds stand in ``check.toml``, and docs/metrics.md says where they come from.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from epicene.check.damage import Damage, Finding
from epicene.check.order import Disorder, Twins, lengths, order
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
    undetected: int = 0
    copied: int = 0
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
            self.undetected += verdict.gender is Gender.UNKNOWN
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
        refusals: list[str] = []
        notes: list[str] = []
        for stage in self._judge():
            for refuses, text in stage:
                (refusals if refuses else notes).append(text)
            if refusals:
                break
        return Findings(tuple(refusals), tuple(_NOTE + note for note in notes))

    def _judge(self) -> Iterator[Iterable[Finding]]:
        """One cause after the other; where one refuses, the next is not looked for."""
        bounds, filled = limits(), self.n - self.empty
        if not self.may_abstain:
            yield self._judge_share("empty", self.empty, self.n, "lines are empty")
        if not filled:
            return
        yield self._damage.judge(bounds["damage"])
        yield self._judge_repetition()
        words = compare(self._lines, self.pair.target, bounds["words"])
        yield self._judge_share("copied", self.copied, filled, "lines are the source itself")
        yield self._judge_language(words)
        yield self._damage.judge_letters(bounds["damage"], (line.text for line in self._lines))
        # Lines that are cut off hold too few words to say where they belong.
        yield self._damage.judge_size(bounds["size"])
        undetected = self._judge_share("unread", self.undetected, self.people, "genders could not be detected")
        yield [*self._judge_order(words), *self._twins.judge(bounds["twins"]), *undetected]

    def _judge_share(self, name: str, count: int, n: int, what: str) -> list[Finding]:
        bounds = limits()[name]
        refuses = count > bounds["refuse"] * n and n >= bounds.get("lines", 1)
        return [(refuses, f"{count:,} of {n:,} {what}")] if refuses or count > bounds["note"] * n else []

    def _judge_repetition(self) -> list[Finding]:
        repeated, distinct = limits()["repeated"], limits()["distinct"]
        sources, texts, most = _count_repeated(self._lines)
        if sources < repeated["lines"]:
            return []
        same = f"one translation answers {most:,} of {sources:,} different sentences"
        few = f"{sources:,} different sentences have only {texts:,} different translations"
        if most > repeated["refuse"] * sources and most >= repeated["lines"] // 2:
            return [(True, same)]
        if sources >= distinct["lines"] and texts < distinct["refuse"] * sources:
            return [(True, few)]
        if most > repeated["note"] * sources and most >= repeated["lines"]:
            return [(False, same)]
        return [(False, few)] if sources >= distinct["lines"] and texts < distinct["note"] * sources else []

    def _judge_language(self, words: Words) -> Iterator[Finding]:
        target, bounds = self.pair.target, limits()["language"]
        blocks = bounds["blocks"] if len(self._lines) >= bounds["blocks"] * bounds["lines"] else 1
        size = max(1, -(-len(self._lines) // blocks))
        if words.finds_most(size, bounds):
            return  # no other language can be meant, and the identifier need not be loaded
        from epicene.check.language import called, find_others

        others = find_others(self._lines, size, target, bounds)
        if others is None:
            yield False, f"too little text, or a language unknown to the identifier: not judged to be {target}"
        for other in others or ():
            lines = _lines(other.first, other.last)
            if other.share is not None:
                lines = f"{100 * other.share:.0f} % of the lines, scattered over {lines},"
            yield True, f"{lines} look like {called(other.language)}, not {called(target)}"

    def _judge_order(self, words: Words) -> Iterator[Finding]:
        bounds = limits()
        result = order(self._lines, words, bounds["order"]) or lengths(self._lines, bounds["length"])
        if result is None:
            yield False, "too few distinctive sentences to check the line order"
        elif result.disorder:
            yield True, self._describe_disorder(result.disorder)
        else:
            same = agreement(self._lines, words, self.pair.target, bounds["agreement"])
            if same is not None and same < bounds["agreement"]["refuse"]:
                yield True, "the words of the lines stand in no order"

    def _describe_disorder(self, disorder: Disorder) -> str:
        """Which lines are not at their place; a stretch that ends near an end of the file goes up to it."""
        first = 1 if disorder.first <= _EDGE * self.n + 1 else disorder.first
        lines = _lines(first, self.n if disorder.last >= (1 - _EDGE) * self.n else disorder.last)
        if disorder.lag is None:
            return f"{lines} do not translate the sentences at their places"
        return f"{lines} look shifted {'up' if disorder.lag > 0 else 'down'} by {_NUMBERS[abs(disorder.lag)]}"


def findings(verdicts: Iterable[Verdict], pair: Pair) -> Findings:
    """What speaks against verdicts that are all there."""
    check = Check(pair)
    for verdict in verdicts:
        check.add(verdict)
    return check.findings()


def check_results(results: Iterable[Result], anyway: bool) -> list[Result]:
    """Results that were kept, each refused or with warnings as if it were measured now."""
    checked = []
    for result in results:
        warnings = findings(result.verdicts, parse_pair(result.langs)).accept(result.system, anyway)
        checked.append(replace(result, warnings=tuple(dict.fromkeys((*result.warnings, *warnings)))))
    return checked


def _count_repeated(lines: Iterable[Line]) -> tuple[int, int, int]:
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
