"""What changes the result of an association test, given the words and their vectors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from epicene.embeddings.vectors import Case, Pooling
from epicene.errors import InputError

DRAWS = 100_000  # as in Kurpicz-Briki 2020
SEED = 20200623


class Method(StrEnum):
    """How partitions are counted."""

    AUTO = "auto"  # all of them where that fits, else drawn
    EXACT = "exact"  # all of them
    MC = "mc"  # drawn at random, seeded


class Missing(StrEnum):
    """What is done about target words that are not in the vocabulary."""

    BALANCE = "balance"  # leave out as many on the other side, those at the same place in the list
    DROP = "drop"  # leave them out, so that sizes may differ
    REFUSE = "refuse"  # do not run the test


@dataclass(frozen=True, slots=True)
class Settings:
    """How a test is run; the defaults are those of the papers, except that p is exact where it can be."""

    ddof: int = 1
    method: Method = Method.AUTO
    draws: int = DRAWS
    seed: int = SEED
    case: Case = Case.EXACT
    missing: Missing = Missing.BALANCE
    coverage: float = 0.7  # the least share of a list that must be found
    alpha: float = 0.05
    pooling: Pooling = Pooling.AUTO  # of an encoder's sentences

    def __post_init__(self) -> None:
        if self.ddof not in (0, 1):
            raise InputError(f"ddof {self.ddof} is not known; expected 1 (the papers') or 0")
        if self.draws < 1:
            raise InputError(f"{self.draws} draws cannot give a p-value; expected at least 1, better {DRAWS}")
        if self.seed < 0:
            raise InputError(f"seed {self.seed} is negative; expected a whole number from 0")
        if not 0 < self.coverage <= 1:
            raise InputError(f"coverage {self.coverage:g} is no share; expected more than 0 and at most 1")
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha {self.alpha:g} is no level; expected a number between 0 and 1, such as 0.05")

    @classmethod
    def of(cls, **given: Any) -> Settings:
        """Settings by name, with plain text for the choices."""
        choices: dict[str, type[StrEnum]] = {"method": Method, "case": Case, "missing": Missing, "pooling": Pooling}
        for name, value in given.items():
            if name not in cls.__dataclass_fields__:
                raise InputError(f"weat has no setting {name!r}; it knows: {', '.join(cls.__dataclass_fields__)}")
            if name in choices and value not in list(choices[name]):
                raise InputError(f"{name} {value!r} is not known; expected {', '.join(choices[name])}")
        return cls(**{**given, **{name: choices[name](given[name]) for name in choices if name in given}})
