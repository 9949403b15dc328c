"""How pages speak of a family of measures: what it asks, its headline, its table, its groups in plain words."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from epicene import sets
from epicene.errors import InputError
from epicene.result import Result, is_spoken
from epicene.text import visible
from epicene.types import ChallengeSet, Measure


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a paper's table: measure, group and heading each."""

    caption: str
    columns: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Family:
    """The words for one family; one that the table of families does not know speaks of women and men."""

    asks: str = ""
    feminine: str = "the sentence is about *a woman*"
    masculine: str = "it is about *a man*"
    main: str = ""
    rates: str = "How often the translation says what the sentence says."
    axis: str = ""
    table: Table | None = None
    compare: tuple[str, ...] = ()
    groups: dict[str, str] = field(default_factory=dict)

    def main_rates(self, result: Result) -> list[Measure]:
        """The main rate of every group that has sentences, as charts show it; "all" comes last."""
        name = self.main or next((each.name for each in result.measures if each.unit == "%"), "")
        rates = [each for each in result.measures if each.name == name and each.unit == "%" and not each.detail]
        found = [each for each in rates if each.n]
        return sorted(found, key=lambda each: each.group == "all")

    def words(self, group: str) -> str:
        """A group in plain words, or its own name."""
        return self.groups.get(group) or voice_words(group) or group


def voice_words(group: str) -> str | None:
    """A voice, or the voices of a gender, in plain words; None for other groups."""
    kind, _, name = group.partition(":")
    if kind == "speaker":
        return {"female": "women’s voices", "male": "men’s voices"}.get(name, "other voices")
    return f"the voice {visible(name)[:40]}" if kind == "voice" else None


def family_name(set_name: str) -> str:
    """The family of a set, by the name that results carry."""
    return sets.family(set_name)


@cache
def family(set_name: str) -> Family:
    """The words for the family of a set."""
    row = dict(_families().get(family_name(set_name), {}))
    if is_spoken(set_name) and "all" in row.get("groups", {}):
        row["groups"] = {**row["groups"], "all": "all recordings"}
    if "table" in row:
        row["table"] = Table(row["table"]["caption"], tuple(tuple(each) for each in row["table"]["columns"]))
    return Family(**{**row, "compare": tuple(row.get("compare", ()))})


@cache
def _families() -> dict[str, dict]:  # type: ignore[type-arg]
    return tomllib.loads(files("epicene.output").joinpath("families.toml").read_text(encoding="utf-8"))


def challenge(set_name: str) -> ChallengeSet | None:
    """The set of a name, for its title and citation; None for a user's own, which may not be there any more."""
    try:
        return sets.plain(set_name) or sets.load(set_name)
    except InputError:
        return None


def title(set_name: str) -> str:
    """What a set is called on a page."""
    known = challenge(set_name)
    if known is None:
        return "Your own sentences"
    _, sign, variant = next((set_name.partition(sign) for sign in ":?" if sign in set_name), ("", "", ""))
    return known.title if not sign or set_name.startswith("spoken:") else f"{known.title} ({variant})"


def citations(results: Sequence[Result]) -> list[str]:
    """BibTeX of every set that results come from."""
    known = [challenge(name) for name in dict.fromkeys(result.set for result in results)]
    return [each.citation for each in known if each and each.citation]
