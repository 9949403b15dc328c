"""How pages speak of a set: what it asks, its headline, its table, its groups in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from epicene.result import Result
from epicene.types import Measure

_LONGEST = 40  # letters of the name of a voice


class PaperTable(NamedTuple):
    """The columns of a paper's table: measure, group (* for the first) and heading each."""

    caption: str
    columns: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class PageWords:
    """The words for one set, ``[words]`` of its ``set.toml``; without any, pages speak of women and men."""

    asks: str = ""  # what the set asks of a translator
    feminine: str = "the sentence is about *a woman*"  # how the headline begins; words between asterisks are stressed
    masculine: str = "it is about *a man*"
    main: str = ""  # the rate that charts show by group
    rates: str = "How often the translation says what the sentence says."  # what the main rate is, in a sentence
    axis: str = ""  # the same in a few words
    table: PaperTable | None = None
    compare: tuple[str, ...] = ()  # the two groups of the figure of speed against bias
    groups: Mapping[str, str] = field(default_factory=dict)  # what a group holds

    read: Mapping[str, str] = field(default_factory=dict)  # rates that count who is read so: tfg = "feminine"

    @classmethod
    def parse(cls, row: Mapping[str, Any]) -> PageWords:
        """The words as a table of TOML has them."""
        found = dict(row)
        if "table" in found:
            columns = tuple(tuple(column) for column in found["table"]["columns"])
            found["table"] = PaperTable(found["table"]["caption"], columns)
        return cls(**{**found, "compare": tuple(found.get("compare", ()))})

    def main_rates(self, result: Result) -> list[Measure]:
        """The main rate of every group that has sentences, as charts show it; "all" comes last."""
        name = self.main or next((measure.name for measure in result.measures if measure.unit == "%"), "")
        rates = [
            measure
            for measure in result.measures
            if measure.name == name and measure.unit == "%" and not measure.detail and measure.n
        ]
        return sorted(rates, key=lambda measure: measure.group == "all")

    def describe(self, group: str) -> str:
        """A group in plain words, or its own name."""
        return self.groups.get(group) or describe_voice(group) or group


def describe_voice(group: str) -> str | None:
    """A voice, or the voices of a gender, in plain words; None for other groups."""
    kind, _, name = group.partition(":")
    if kind == "speaker":
        return {"female": "women’s voices", "male": "men’s voices"}.get(name, "other voices")
    printable = "".join(letter for letter in name if letter.isprintable())
    return f"the voice {printable[:_LONGEST]}" if kind == "voice" else None
