"""What a comparison of many systems needs of verdicts: a few bytes a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from epicene.flow import plan
from epicene.measures.rates import Measures
from epicene.result import Result
from epicene.types import Gender, Verdict

CODES = {gender: number for number, gender in enumerate(Gender)}
OPEN = 8  # no gender is expected
OTHER_WORD = 16  # the gender was read from somebody else's word


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """One system on one set and language pair: what each sentence expects, and what was read."""

    system: str
    result: Result  # its measures, without verdicts
    ids: tuple[str, ...]
    units: tuple[str, ...]  # what each sentence stands or falls with
    strata: tuple[str, ...]
    expected: bytes
    read: bytes

    @property
    def task(self) -> str:
        """What was measured and how, whichever release did it."""
        return "|".join(part for part in self.result.signature.split("|") if not part.startswith("v:"))


@dataclass(slots=True)
class Collector:
    """Keeps what a matrix needs of verdicts as they go by: a few bytes each."""

    measures: Measures
    _rows: list[tuple[str, str, str]] = field(default_factory=list)
    _expected: bytearray = field(default_factory=bytearray)
    _read: bytearray = field(default_factory=bytearray)

    def add(self, verdict: Verdict) -> None:
        """Keep one verdict."""
        item = verdict.output.item
        self._rows.append((item.id, self.measures.unit(item), self.measures.stratum(item)))
        self._expected.append(OPEN if item.expected is None else CODES[item.expected])
        self._read.append(CODES[verdict.gender] | (OTHER_WORD if verdict.on_other_word else 0))

    def readings(self, result: Result, system: str = "") -> Readings:
        """What was kept, with the measures that go with it."""
        ids, units, strata = zip(*self._rows, strict=True) if self._rows else ((), (), ())
        bare = replace(result, verdicts=())
        return Readings(
            system or result.system,
            bare,
            ids,
            units,
            strata,
            bytes(self._expected),
            bytes(self._read),
        )


def readings_of(result: Result, system: str = "") -> Readings:
    """What a matrix needs of a result that carries its verdicts."""
    found = Collector(plan.measures_of(result.set))
    for verdict in result.verdicts:
        found.add(verdict)
    return found.readings(result, system)
