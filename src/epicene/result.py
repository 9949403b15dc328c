"""What one system's translations of one set into one language amount to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from epicene.errors import UnknownNameError
from epicene.types import Measure, Verdict
from epicene.version import __version__


@dataclass(frozen=True, slots=True)
class Result:
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

    def __getitem__(self, key: str | tuple[str, str]) -> Measure:
        """A measure by its name, or by name and group; the name alone is the first group that has it, "all" before."""
        name, group = (key, None) if isinstance(key, str) else key
        found = [each for each in self.measures if each.name == name]
        if group is not None:
            found = [each for each in found if each.group == group]
        if not found:
            known = [f"{each.name} {each.group}" for each in self.measures]
            raise UnknownNameError("measure", f"{name} {group or ''}".strip(), known)
        return next((each for each in found if each.group == "all"), found[0])

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON has it."""
        return {
            "epicene": __version__,
            "set": self.set,
            "langs": self.langs,
            "system": self.system,
            "protocol": self.protocol,
            "signature": self.signature,
            "n": self.n,
            "verdicts": {**self.genders, "empty": self.empty},
            "measures": [measure.as_dict() for measure in self.measures],
            **({"notes": list(self.notes)} if self.notes else {}),
        }
