"""Options as records that the command line, Python and ``epicene.toml`` share; each checks itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from epicene.errors import InputError

Progress = Callable[[int, int], None]  # done, total
PROTOCOLS = ("epicene", "paper")


class Flag(NamedTuple):
    """How a field is spelt on the command line."""

    names: tuple[str, ...]
    help: str
    metavar: str = ""
    least: float | None = None
    most: float | None = None
    turns_off: bool = False  # what is on otherwise


@dataclass(frozen=True, slots=True)
class Scoring:
    """How translations are read and measured."""

    protocol: Annotated[
        str,
        Flag(
            ("--protocol",),
            "paper: what the paper's own scripts compute; epicene: the best reading we have.",
            "epicene|paper",
        ),
    ] = "epicene"
    references: Annotated[
        tuple[str, ...],
        Flag(
            ("--reference",),
            "What occupations are compared with: us-acs-2018 (default), another shipped table, or a CSV file.",
            "NAME|CSV",
        ),
    ] = ()
    contexts: Annotated[
        tuple[str, ...],
        Flag(
            ("--context",),
            "How the sentence before is given, where a set has one; several: what context is worth.",
            "joined|given|none",
        ),
    ] = ()
    metrics: Annotated[
        tuple[str, ...],
        Flag(
            ("--metric",),
            "Quality: bleu, chrf, comet or comet:MODEL. Default: bleu and chrf where there are references.",
            "METRIC",
        ),
    ] = ()
    reference_text: Annotated[
        tuple[str, ...],
        Flag(
            ("--reference-text",),
            "References for BLEU, chrF and COMET, one a line; of several tasks: PAIR=FILE or SET@PAIR=FILE.",
            "FILE",
        ),
    ] = ()
    min_confidence: Annotated[
        float, Flag(("--min-confidence",), "Count less sure verdicts as unread.", "SHARE", 0.0, 1.0)
    ] = 0.0
    anyway: Annotated[
        bool, Flag(("--anyway",), "Print numbers that should not be believed, with a warning beside them.")
    ] = False

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise InputError(f"protocol {self.protocol!r} is not known; expected {' or '.join(PROTOCOLS)}")
        if not 0 <= self.min_confidence <= 1:
            raise InputError(f"min_confidence {self.min_confidence:g} is no share; expected 0 to 1")


@dataclass(frozen=True, slots=True)
class Asking:
    """How systems are asked, how much of a set, and for how much money."""

    cached: Annotated[bool, Flag(("--no-cache",), "Neither read nor keep translations.", turns_off=True)] = True
    budget: Annotated[
        float | None, Flag(("--budget",), "Stop before this is exceeded, in the currency of the price.", "AMOUNT")
    ] = None
    sample: Annotated[
        int | None, Flag(("--sample",), "Only N sentences of each set, each group in its share.", "N")
    ] = None
    seed: Annotated[int, Flag(("--seed",), "What the sample is drawn from.", "N")] = 1
    since: Annotated[
        str, Flag(("--since",), "Ask again for answers from before that day (2026-04-01, or today).", "DAY")
    ] = ""
    engine: Annotated[
        str, Flag(("--engine",), "Where it runs: local, or ray[:ADDRESS] for a Ray cluster.", "ENGINE")
    ] = "local"
    progress: Progress | None = None  # is told how many are done of how many


def apply_options(options: Mapping[str, Any], *records: Any) -> list[Any]:
    """Records with single fields changed by name, as ``score(…, anyway=True)`` changes those of ``Scoring``."""
    known = [name for record in records for name in record.__dataclass_fields__]
    if unknown := sorted(set(options) - set(known)):
        raise InputError(f"no option {', '.join(unknown)}; known: {', '.join(known)}")
    plain = {
        name: tuple(map(str, value)) if isinstance(value, list | tuple) else value for name, value in options.items()
    }
    return [
        replace(record, **{name: value for name, value in plain.items() if name in record.__dataclass_fields__})
        for record in records
    ]
