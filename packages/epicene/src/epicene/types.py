"""The records that flow from a test set to a report: few, frozen, free of third-party imports."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable


class Gender(StrEnum):
    """The gender that words show; it says nothing about a person's identity."""

    FEMININE = "feminine"
    MASCULINE = "masculine"
    NEUTRAL = "neutral"  # the form names no gender
    UNKNOWN = "unknown"  # could not be read


OTHER_WORD = "other-word"  # the step of a verdict that rests on a word for another occupation


@dataclass(frozen=True, slots=True)
class Pair:
    """A language pair, as two-letter codes where the language has one."""

    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"


class Kind(StrEnum):
    """What sort of word names a person."""

    NOUN = "noun"
    NAME = "name"
    PRONOUN = "pronoun"


@dataclass(frozen=True, slots=True)
class Person:
    """The words of the source that name a person."""

    text: str
    start: int  # offset of the first character in the source
    concept: str  # the word in the singular, as lexicons list it: "truck driver"
    plural: bool = False
    kind: Kind = Kind.NOUN

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return self.start + len(self.text)


class Accepted(NamedTuple):
    """A translation that is right; one that shows the person's gender says which."""

    text: str
    gender: Gender | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A person in a sentence of a test set; several people of one sentence are several items."""

    id: str
    source: str
    person: Person  # whose gender is measured
    expected: Gender | None
    labels: Mapping[str, str] = field(default_factory=dict)
    audio: Path | None = None
    variant: str | None = None  # how another published version words the source
    others: tuple[Person, ...] = ()  # the other people in the sentence
    context: tuple[str, ...] = ()  # the sentences before it
    references: tuple[Accepted, ...] = ()  # one for each gender, or alternatives of one
    line: str | None = None  # items of the same line, one after the other, are people of one translation

    @property
    def unit(self) -> str:
        """What stands or falls together: the pair, the occupation, whoever a noun names, or the sentence alone."""
        named = self.id if self.person.kind is Kind.PRONOUN else self.person.concept
        return self.labels.get("pair") or self.labels.get("occupation") or named


class Transcription(NamedTuple):
    """What a cascade wrote down of a recording, and how it translates the sentence that was really said."""

    transcript: str
    reference: str


@dataclass(frozen=True, slots=True)
class Output:
    """What a system answered for an item."""

    item: Item
    system: str
    target: str
    text: str
    heard: Transcription | None = None  # of a system that writes speech down before it translates
    refused: str = ""  # why there is no text, where a service takes the sentence at no time
    verbatim: str = ""  # as the system wrote it, where ``text`` has another spelling, which the reader wants

    @property
    def as_written(self) -> str:
        """The text in the system's own spelling, by which quality is measured."""
        return self.verbatim or self.text


class Evidence(NamedTuple):
    """Words of the translation that decided a verdict, and where they stand."""

    text: str
    start: int
    end: int


class Hearing(StrEnum):
    """What became of the words that tell a person's gender when speech was written down."""

    KEPT = "kept"
    CHANGED = "changed"  # another gender is written
    LOST = "lost"  # no word tells the gender
    NOBODY = "nobody"  # the gender is told, but the person is not named


class ErrorSource(StrEnum):
    """Where a wrong verdict on a cascade comes from."""

    RECOGNITION = "recognition"  # the cue was lost, and the translator has the sentence right
    TRANSLATION = "translation"  # the cue was there
    BOTH = "both"  # the cue was lost, and the translator has the sentence wrong as well
    UNDETECTED = "undetected"  # no gender was detected, so that nobody can say
    RIGHT = "right"
    LUCK = "luck"  # right, though the cue was lost

    @classmethod
    def _missing_(cls, value: object) -> ErrorSource | None:
        return cls.UNDETECTED if value == "unread" else None  # its name in runs of 0.2


class Attribution(NamedTuple):
    """Why a verdict on a cascade is what it is."""

    origin: ErrorSource
    cue: Hearing
    written: Gender  # read from the translation of the sentence that was really said


class Verdict(NamedTuple):
    """The gender read from an output, by which step and on which words."""

    output: Output
    gender: Gender
    step: str
    evidence: tuple[Evidence, ...] = ()
    cause: Attribution | None = None  # of a cascade
    confidence: float | None = None  # how often verdicts like it are right, where that was measured
    against: tuple[Evidence, ...] = ()  # words that speak for another gender
    inclusive: str | None = None  # how a form names everybody: doublet, star, schwa, …

    def __repr__(self) -> str:
        """Who has which gender, by which words, and how sure that is."""
        words = f" ({', '.join(words.text for words in self.evidence)})" if self.evidence else ""
        sure = "" if self.confidence is None else f", confidence {self.confidence:.2f}"
        return f"<Verdict {self.output.item.person.text}: {self.gender}, {self.step}{words}{sure}>"

    @property
    def on_other_word(self) -> bool:
        """Whether the gender was read from a word for somebody else, for want of one for the person."""
        return self.step == OTHER_WORD

    @property
    def right(self) -> bool:
        """Whether the person has the expected gender; a right gender on another's word is none of the person's."""
        return self.gender is self.output.item.expected and not self.on_other_word


class Corrected(NamedTuple):
    """A rate as people would read it, estimated from the sentences that they did read."""

    value: float
    low: float
    high: float


OLD_KEYS = {"unread": "undetected", "apart": "excluded"}  # written beside the new ones for one version


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with what is needed to judge it."""

    name: str
    group: str
    value: float | None  # None where the value is not defined, as a rate over nothing
    unit: str
    n: int
    count: int | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    undetected: int | None = None  # for how many of the n no gender was detected
    excluded: int | None = None  # for how many none was detected, where they are not among the n
    detail: bool | None = None  # True: one of very many, so in JSON but in no printed table
    corrected: Corrected | None = None  # for the detector's errors, where people have reviewed them
    why: str | None = None  # why there is no interval
    label: str | None = None  # what the group is called in English, where its name is not
    signature: str | None = None  # of the tool that computed it, where it has one of its own

    def __format__(self, spec: str) -> str:
        """The value as the specification says, such as ``.1f``; a dash where it is not defined."""
        if not spec:
            return str(self)
        return "–" if self.value is None else format(self.value, spec)

    def __str__(self) -> str:
        """Name, value, interval and n on a line."""
        unit = "" if self.unit not in ("%", "points") else f" {self.unit}"
        ends = f" [{self.low:.1f}, {self.high:.1f}]" if self.low is not None and self.high is not None else ""
        more = f", {self.undetected} undetected" if self.undetected else ""
        return f"{self.name} {self.group}: {self:.1f}{unit}{ends} (n = {self.n}{more})"

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends of the interval; None where there is none, or nothing that it is of."""
        if self.value is None or self.low is None or self.high is None:
            return None
        return self.low, self.high

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Where the rate would lie if none, or all, of the people without a detected gender counted for it."""
        n = self.n + (self.excluded or 0)
        undetected = self.excluded if self.excluded is not None else self.undetected
        if self.count is None or undetected is None or n == 0:
            return None
        return 100 * self.count / n, 100 * min(n, self.count + undetected) / n

    def as_dict(self) -> dict[str, Any]:
        """The measure as JSON has it; what is not defined for this measure is left out."""
        pairs = ((name, getattr(self, name)) for name in Measure.__dataclass_fields__)
        record = {name: value for name, value in pairs if value is not None or name == "value"}
        endless = [name for name in ("value", "low", "high", "p") if not math.isfinite(record.get(name) or 0.0)]
        if endless:  # JSON has no infinity
            record |= {**dict.fromkeys(endless), "why": self.why or f"not finite: {', '.join(endless)}"}
        if self.corrected is not None:
            record["corrected"] = self.corrected._asdict()
        return record | {old: record[name] for old, name in OLD_KEYS.items() if name in record}


class Backend(Protocol):
    """Anything that answers: it may be given so much at once, and its answers may be kept."""

    identity: str  # all that can change its answers, nothing else

    @property
    def batch_size(self) -> int | None:
        """How much to give it in one call; None: everything."""
        ...


@runtime_checkable
class System(Backend, Protocol):
    """Anything that translates text."""

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:
        """One translation per source, in order, each as soon as it is there."""
        ...


class Request(NamedTuple):
    """A sentence to translate, and what stands before it, for a system that can be given both."""

    text: str
    context: str = ""

    @property
    def line(self) -> str:
        """Both in one line, as programs read them and the cache stores them."""
        return f"{self.context}\t{self.text}"

    @classmethod
    def parse(cls, line: str) -> Request:
        """The request that a line holds."""
        context, _, text = line.rpartition("\t")
        return cls(text, context)


class Candidate(NamedTuple):
    """One of several translations of a source."""

    text: str
    score: float | None = None  # the higher the likelier, among candidates of one source; None: the system says none


@runtime_checkable
class CandidateSystem(System, Protocol):
    """A system that gives several translations of a source, its n-best list."""

    def candidates(self, sources: Sequence[str], pair: Pair, n: int) -> Iterable[list[Candidate]]:
        """For each source, in order, at most n different translations, the best first."""
        ...


@runtime_checkable
class GuidedSystem(CandidateSystem, Protocol):
    """A system that can continue from given words, and says how likely it holds a translation that others made."""

    def completions(
        self, sources: Sequence[str], beginnings: Sequence[str], pair: Pair, n: int
    ) -> Iterable[list[Candidate]]:
        """As ``candidates``, of translations that all begin as they are told to; whole translations are given."""
        ...

    def scores(self, sources: Sequence[str], translations: Sequence[str], pair: Pair) -> list[float]:
        """The mean log-probability of a translation's tokens, for each source and translation."""
        ...


@runtime_checkable
class ContextSystem(System, Protocol):
    """A system that can be given the sentences before the one that it translates."""

    def with_context(self) -> System:
        """The same for sources that are lines of a ``Request``, of which it translates the text alone."""
        ...


@runtime_checkable
class LocalModel(System, Protocol):
    """A system that computes on this machine, so that an engine must know what it needs."""

    gpu: bool


@runtime_checkable
class UnorderedSystem(System, Protocol):
    """A system whose answers come in any order, each with its source, as from the workers of a cluster."""

    def translate_unordered(self, sources: Iterable[str], pair: Pair) -> Iterable[list[tuple[str, str]]]:
        """Sources with their answers, as they are finished."""
        ...


_NAMED_BY_PAIR = re.compile(r"[A-Za-z]{2,3}(?:_[A-Z][a-z]{3})?[-_][A-Za-z]{2,3}(?:_[A-Z][a-z]{3})?(?:\.|$)")


@dataclass(frozen=True, slots=True)
class TranslationFile:
    """Translations that are there already, one a line in the order of a set; never cached, since it is the store."""

    path: str

    @property
    def identity(self) -> str:
        """The name of the file, with its folder where the file is called after the language pair alone."""
        path = Path(self.path)
        return f"file:{path.parent.name}/{path.name}" if _NAMED_BY_PAIR.match(path.name) else f"file:{path.name}"


@runtime_checkable
class SpeechSystem(Backend, Protocol):
    """Anything that translates speech without writing it down first."""

    def interpret(self, clips: Sequence[Path], pair: Pair) -> Iterable[str]:
        """One translation per recording, in order, each as soon as it is there."""
        ...


@runtime_checkable
class LimitedSpeechSystem(SpeechSystem, Protocol):
    """A system for speech that hears so much of a recording and no more."""

    longest: float  # seconds


class Detector(Protocol):
    """Reads the gender of a person from translations."""

    identity: str

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        ...


class Recogniser(Backend, Protocol):
    """Writes down what is said."""

    def transcribe(self, clips: Sequence[Path]) -> Iterable[str]:
        """The words of each recording, in order, each as soon as it is there."""
        ...


@dataclass(frozen=True, slots=True)
class Cascade:
    """A recogniser and a translator, each of which keeps its own answers: another translator hears nothing again."""

    recogniser: Recogniser | None  # None: what was really said is translated
    translator: System

    @property
    def identity(self) -> str:
        """Both identities."""
        return f"cascade:{self.recogniser.identity if self.recogniser else 'oracle'}+{self.translator.identity}"


AnySystem = System | SpeechSystem | Cascade | TranslationFile
