"""What one system's translations of one set into one language amount to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from epicene.errors import UnknownNameError
from epicene.output.table import Answer, Table
from epicene.types import OLD_KEYS, Measure, Verdict
from epicene.version import __version__

_CHECKSUM = re.compile(
    r"@(?:[0-9a-f]{6,}(?:\+[0-9a-f]{6,})*(?![0-9a-f])|[\d.]+:[a-z]{2}(?:-[a-z]{2})?\b)"
)  # or version
_OPTIONS = re.compile(r"\?[^+\s]*")
_HEADLINES = (("misgendered", "female"), ("misgendered", "male"), ("share", "masculine"))
_ENDING = re.compile(r"\.(?:txt|hyp|out|gz|tsv|[a-z]{2,3})$")


def name_system(identity: str, langs: str = "") -> str:
    """What tables and pages call a system: no checksums, no options, no folder, ending or language pair of a file."""
    run, _, rest = identity.rpartition(": file:") if ": file:" in identity else ("", "", identity)
    if not run and not rest.startswith("file:"):
        return _OPTIONS.sub("", _CHECKSUM.sub("", identity)) or identity
    name = rest.removeprefix("file:")
    while shorter := _ENDING.sub("", name):
        if shorter == name:
            break
        name = shorter
    pair = re.escape(langs).replace(r"\-", "[-_]")
    short = re.sub(rf"(^|[./_-])(?:{pair})(?=[./_-]|$)", "", name).strip("./_- ") if langs else name
    return f"{run}: {short or name}" if run else short or name


class Decoding(NamedTuple):
    """How long a system took for the sentences that were not in the cache."""

    sentences: int
    seconds: float


class Period(NamedTuple):
    """When translations were made, and by which models: what "Google Translate, April 2020" stands for."""

    first: str  # days, such as 2020-04-01
    last: str
    models: tuple[str, ...] = ()  # as the system itself names them, where it does

    def __str__(self) -> str:
        """``2020-04-01 … 2020-04-03, model X``."""
        days = self.first if self.first == self.last else f"{self.first} … {self.last}"
        return f"{days}, model {', '.join(self.models)}" if self.models else days


class RunSource(NamedTuple):
    """The run folder that a result was read from."""

    folder: str  # its name
    system: str  # as the run calls it
    day: str  # when the run was made, such as 2026-04-01


@dataclass(frozen=True, slots=True)
class Review:
    """What people decided about verdicts: how many, who, how far they agree, how well the detector read."""

    n: int
    unsettled: int  # sentences on which as many people say one thing as another, until somebody adjudicates
    reviewers: tuple[str, ...]
    measures: tuple[Measure, ...]  # kappa by pair of people; precision and recall by gender
    adjudicated: int = 0  # sentences on which people were divided, and that somebody settled
    refused: str = ""  # why no rate is corrected, and what it would take

    def as_dict(self) -> dict[str, Any]:
        """The review as JSON has it."""
        return {
            "n": self.n,
            "unsettled": self.unsettled,
            "reviewers": list(self.reviewers),
            "measures": [measure.as_dict() for measure in self.measures],
            "adjudicated": self.adjudicated,
            **({"refused": self.refused} if self.refused else {}),
        }


@dataclass(frozen=True, slots=True)
class Failure:
    """A system that could not be measured on a test set, and why."""

    set: str
    langs: str
    system: str
    reason: str
    exit_code: int

    def __str__(self) -> str:
        return f"{self.system} on {self.set} {self.langs}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Result(Answer):
    """Measures by name and group, with what they were computed from."""

    set: str
    langs: str
    system: str
    protocol: str
    signature: str
    n: int
    genders: dict[str, int]
    empty: int
    measures: tuple[Measure, ...]
    notes: tuple[str, ...] = field(default=(), repr=False)  # what the measures leave out, and why
    verdicts: tuple[Verdict, ...] = field(default=(), repr=False)
    decoding: Decoding | None = None
    review: Review | None = None
    translated: Period | None = None
    warnings: tuple[str, ...] = ()  # why these numbers should not be believed, where they were asked for anyway
    refused: int = 0  # of the empty ones, sentences that a service takes at no time
    sample: str = ""  # where not the whole set was translated: how much of it, and what interval that can give
    source: RunSource | None = None  # where it was read from, if it was
    spoken: bool = False  # whether the items of the set are recordings
    decided: Mapping[str, str] = field(default_factory=dict, repr=False)  # what people say, by the id of the sentence
    identity: str = ""  # of a system that the user named: all that can change its answers

    def __repr__(self) -> str:
        """What was measured, and how many are misgendered where the set states genders."""
        headline = next((f": {measure}" for measure in self.measures if measure.name == "misgendered"), "")
        return f"<Result {self.set} {self.langs}, {self.system}, protocol {self.protocol}{headline}>"

    def __getitem__(self, key: str | tuple[str, str]) -> Measure:
        """A measure by its name, or by name and group; the name alone is the first group that has it, "all" before."""
        name, group = (key, None) if isinstance(key, str) else key
        measures = [measure for measure in self.measures if measure.name == name and group in (None, measure.group)]
        if not measures:
            known = [f"{measure.name} {measure.group}" for measure in self.measures]
            raise UnknownNameError("measure", f"{name} {group or ''}".strip(), known)
        return next((measure for measure in measures if measure.group == "all"), measures[0])

    @property
    def headline(self) -> Measure:
        """The first number of the tables: women misgendered, or masculine translations where no gender is stated."""
        named = {(measure.name, measure.group): measure for measure in reversed(self.measures)}
        return next((named[key] for key in _HEADLINES if key in named), self.measures[0])

    @property
    def label(self) -> str:
        """What tables and pages call the system."""
        return self.system if self.identity else name_system(self.system, self.langs)

    @property
    def by_bundled(self) -> bool:
        """Whether the demo model answered, alone or in a cascade."""
        return "+bundled@" in f"+{self.identity or self.system}"

    @property
    def counted(self) -> str:
        """What ``n`` counts: recordings where the set is spoken, else sentences."""
        return "recordings" if self.spoken else "sentences"

    def rows(self) -> list[dict[str, Any]]:
        """One row per measure with all that tells it apart, as CSV and ``to_frame`` have them."""
        task = {"set": self.set, "langs": self.langs, "system": self.system, "protocol": self.protocol}
        names = ("name", "group", "value", "unit", "n", "count", "low", "high", "p", "undetected", "excluded", "why")
        fields = {name: name for name in names} | OLD_KEYS
        return [
            {
                **task,
                **{key: getattr(measure, name) for key, name in fields.items()},
                "signature": measure.signature or self.signature,
            }
            for measure in self.measures
        ]

    def tables(self) -> Iterable[Table]:
        """Rates by group, counts and other measures, with the tables that the set has of its own."""
        from epicene.output.results import list_tables

        return list_tables(self)

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON has it; what was not timed or reviewed is left out."""
        rest: dict[str, Any] = {}
        if self.decoding:
            rest["decoding"] = self.decoding._asdict()
        if self.sample:
            rest["sample"] = self.sample
        if self.translated:
            rest["translated"] = self.translated._asdict()
        if self.review:
            rest["review"] = self.review.as_dict()
        return {
            "epicene": __version__,
            "set": self.set,
            "langs": self.langs,
            "system": self.system,
            **({"identity": self.identity} if self.identity else {}),
            "protocol": self.protocol,
            "signature": self.signature,
            "n": self.n,
            "verdicts": {**self.genders, "empty": self.empty, **({"refused": self.refused} if self.refused else {})},
            "measures": [measure.as_dict() for measure in self.measures],
            "warnings": list(self.warnings),
            **({"notes": list(self.notes)} if self.notes else {}),
            **rest,
        }
