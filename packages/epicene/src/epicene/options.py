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

    help: str
    metavar: str = ""
    least: float | None = None
    most: float | None = None
    turns_off: bool = False  # what is on otherwise
    names: tuple[str, ...] = ()  # where not as the field


@dataclass(frozen=True, slots=True)
class Scoring:
    """How gender is detected and measured."""

    protocol: Annotated[
        str,
        Flag("paper: as the paper's own scripts compute it; epicene: our most accurate detection.", "epicene|paper"),
    ] = "epicene"
    references: Annotated[
        tuple[str, ...],
        Flag(
            "Labour statistics or survey: us-acs-2018 (default), another included table, or a CSV file.",
            "NAME|CSV",
            names=("--reference",),
        ),
    ] = ()
    contexts: Annotated[
        tuple[str, ...],
        Flag(
            "How to pass the preceding sentence, if the set has one; repeat to measure the effect of context.",
            "joined|given|none",
            names=("--context",),
        ),
    ] = ()
    metrics: Annotated[
        tuple[str, ...],
        Flag(
            "Quality metric: bleu, chrf, comet or comet:MODEL. Default: bleu and chrf if there are references.",
            "METRIC",
            names=("--metric",),
        ),
    ] = ()
    reference_text: Annotated[
        tuple[str, ...],
        Flag(
            "References for BLEU, chrF and COMET, one per line; for several tasks: PAIR=FILE or SET@PAIR=FILE.", "FILE"
        ),
    ] = ()
    min_confidence: Annotated[
        float, Flag("Count less certain verdicts as undetected.", "SHARE", least=0.0, most=1.0)
    ] = 0.0
    anyway: Annotated[bool, Flag("Print unreliable numbers as well, with a warning.")] = False

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise InputError(f"protocol {self.protocol!r} is not known; expected {' or '.join(PROTOCOLS)}")
        if not 0 <= self.min_confidence <= 1:
            raise InputError(f"min_confidence {self.min_confidence:g} is no share; expected 0 to 1")


@dataclass(frozen=True, slots=True)
class Asking:
    """How systems translate: cache, budget, sample and engine."""

    cached: Annotated[bool, Flag("Do not use the translation cache.", names=("--no-cache",), turns_off=True)] = True
    budget: Annotated[
        float | None, Flag("Stop before the cost exceeds this amount, in the currency of the price.", "AMOUNT")
    ] = None
    sample: Annotated[int | None, Flag("Use a stratified sample of N sentences from each set.", "N")] = None
    seed: Annotated[int, Flag("Random seed of the sample.", "N")] = 1
    since: Annotated[
        str, Flag("Translate again if the cached answer is older than this day (2026-04-01, or today).", "DAY")
    ] = ""
    engine: Annotated[str, Flag("Where to run: local, or ray[:ADDRESS] for a Ray cluster.", "ENGINE")] = "local"
    progress: Progress | None = None  # is told how many are done of how many


SURE = 0.9  # confidence that a verdict must have to change a translation


@dataclass(frozen=True, slots=True)
class Reranking:
    """How translations are chosen from n-best lists."""

    n: Annotated[int, Flag("Number of candidates per sentence.", "N", least=2, names=("-n",))] = 12
    oracle: Annotated[bool, Flag("Take the gender from the set's labels, as published oracles do.")] = False
    max_loss: Annotated[
        float | None, Flag("How far a candidate's score may be below the first one's.", "SCORE", least=0.0)
    ] = None
    min_confidence: Annotated[
        float,
        Flag(
            "Confidence that the detector needs in a candidate that replaces the first.", "SHARE", least=0.0, most=1.0
        ),
    ] = SURE
    anyway: Annotated[bool, Flag("Print unreliable numbers as well, with a warning.")] = False


@dataclass(frozen=True, slots=True)
class Limits:
    """What a gate allows: losses, gaps, what stays undetected, and what each group or metric must reach."""

    max_drop: Annotated[float | None, Flag("How much a group may lose against the baseline.", "POINTS")] = None
    max_gap: Annotated[
        float | None,
        Flag(
            "Largest gap allowed (delta, delta_g, delta_s), or distance from 50 % women if the gender is open.",
            "POINTS",
        ),
    ] = None
    min_rate: Annotated[
        float | None,
        Flag("Lowest share of correct sentences allowed in a group.", "PERCENT", names=("--min-rate", "--min")),
    ] = None
    max_undetected: Annotated[float | None, Flag("Largest share of undetected sentences allowed.", "PERCENT")] = None
    max_quality_drop: Annotated[float | None, Flag("How much BLEU and chrF, or --metric, may drop.", "POINTS")] = None
    min_quality: Annotated[float | None, Flag("Lowest score allowed for each of them.", "SCORE")] = None

    def __post_init__(self) -> None:
        for name, value in self.as_dict().items():
            if value is not None and not 0 <= value <= 100:
                option = name.replace("_", "-")
                raise InputError(f"{option} {value:g} is not between 0 and 100; expected a number such as 2")

    def demand_any(self) -> Limits:
        """The limits, if there is anything to judge by."""
        if all(value is None for value in self.as_dict().values()):
            raise InputError(
                "nothing to judge by; set max-drop POINTS, max-gap POINTS, min-rate PERCENT, max-undetected PERCENT, "
                "max-quality-drop POINTS or min-quality SCORE"
            )
        return self

    @property
    def relative(self) -> bool:
        """Whether anything is asked that only a baseline can answer."""
        return self.max_drop is not None or self.max_quality_drop is not None

    @property
    def of_quality(self) -> bool:
        """Whether anything is asked that needs references."""
        return self.max_quality_drop is not None or self.min_quality is not None

    def as_dict(self) -> dict[str, float | None]:
        """The limits as JSON has them."""
        return {name: getattr(self, name) for name in Limits.__dataclass_fields__}


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
