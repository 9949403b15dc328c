"""``epicene.toml``: which sets and languages a gate checks, by which limits, against which stored baseline.

Settings of ``[gate]`` hold for every ``[[gate.check]]``, which may say otherwise; without any check, ``[gate]`` is one.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.files import read_text
from epicene.flow import plan
from epicene.flow.plan import QualityRequest
from epicene.languages.codes import pair as parse_pair
from epicene.measures.metrics import USUAL
from epicene.options import Limits
from epicene.tables import resource
from epicene.types import Pair

FILE = "epicene.toml"
BASELINE = "epicene-baseline"
LIMITS = ("max-drop", "max-gap", "min-rate", "max-undetected", "max-quality-drop", "min-quality")
_UNCLEAR = ("fail", "pass")
# By key: the type that is expected, as messages call it, and an example.
_TEXT, _TEXTS, _NUMBER = "a text", "a text or a list of texts", "a number"
_KEYS = {
    "name": (_TEXT, '"nightly"'),
    "set": (_TEXTS, '"simplegen"'),
    "langs": (_TEXTS, '["en-de", "en-es"]'),
    "system": (_TEXT, '"ctranslate2:build/model"'),
    "candidate": (_TEXT, '"build/{set}.{langs}.txt"'),
    "groups": (_TEXTS, '["all"]'),
    "protocol": (_TEXT, '"epicene"'),
    "unclear": (_TEXT, '"fail"'),
    "max-drop": (_NUMBER, "2"),
    "max-gap": (_NUMBER, "20"),
    "min-rate": (_NUMBER, "60"),
    "max-undetected": (_NUMBER, "10"),
    "max-quality-drop": (_NUMBER, "1"),
    "min-quality": (_NUMBER, "30"),
    "metric": (_TEXTS, '"bleu"'),
    "reference-text": (_TEXTS, '"data/{set}.{target}.txt"'),
}
_TOP = {"baseline": (_TEXT, f'"{BASELINE}"'), "check": ("tables [[gate.check]]", "")}
_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\s\"'-]+?)\s*\]\]?\s*(?:#.*)?$")
_ENTRY = re.compile(r"\s*([\w\"'.-]+?)\s*=")


@dataclass(frozen=True, slots=True)
class Check:
    """One set in one language pair, what translates it, and what is allowed."""

    set: str
    langs: str
    limits: Limits
    system: str = ""
    candidate: Path | None = None
    groups: tuple[str, ...] = ()
    protocol: str = "epicene"
    unclear_passes: bool = False
    name: str = ""
    where: tuple[str, int] = ("", 0)  # file and line
    wanted: QualityRequest | None = None  # what quality is judged by

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all others of a file."""
        return self.name, self.set, self.langs

    @property
    def title(self) -> str:
        """As it is shown."""
        return " ".join(filter(None, (self.name and f"{self.name}:", self.set, self.langs)))

    @property
    def place(self) -> str:
        """Where a file asks for it."""
        return f"{self.where[0]}:{self.where[1]}"


def parse_quality(limits: Limits, metrics: Sequence[str], texts: Sequence[str | Path]) -> QualityRequest | None:
    """The metrics and references that the limits need; a refusal of such as none needs."""
    if limits.of_quality:
        return QualityRequest.parse(metrics or USUAL, texts)
    if metrics or texts:
        unused = f"metric {', '.join(metrics)}" if metrics else f"reference-text {', '.join(map(str, texts))}"
        raise InputError(f"{unused} judges nothing by itself; add max-quality-drop POINTS or min-quality SCORE")
    return None


@dataclass(frozen=True, slots=True)
class GateFile:
    """All checks of a file, and the folder of the baseline that they share."""

    path: Path
    baseline: Path
    checks: tuple[Check, ...]


def example() -> str:
    """A file to begin with."""
    return resource("gate/gate.toml").read_text(encoding="utf-8")


def read_config(path: Path, overrides: Mapping[str, Any] | None = None) -> GateFile:
    """The checks of a file; ``overrides`` are keys that the command line sets for all checks.

    Of these, ``set`` and ``langs`` change nothing but leave out the other checks.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; write one with: epicene gate --init, or give --candidate RUN_OR_HYP")
    text = read_text(path)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise InputError(f"{path}{f':{line[1]}' if line else ''}: no TOML: {error}") from None
    return _Reader(path, _places(text), dict(overrides or {})).read(content)


@dataclass(frozen=True, slots=True)
class _Reader:
    path: Path
    places: Mapping[tuple[str, ...], int]
    overrides: dict[str, Any]

    def read(self, content: dict[str, Any]) -> GateFile:
        self._known(content, ("gate",), ())
        gate = content.get("gate")
        if not isinstance(gate, dict):
            raise self._error((), "no table [gate]; epicene gate --init writes an example")
        self._known(gate, (*_KEYS, *_TOP), ("gate",))
        tables = gate.get("check", [{}])
        if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
            raise self._error(("gate", "check"), "check is no list of tables; write [[gate.check]]")
        shared = {key: value for key, value in gate.items() if key not in _TOP}
        self._typed(gate, ("gate",))
        found: list[Check] = []
        for number, table in enumerate(tables):
            place = ("gate", "check", str(number)) if "check" in gate else ("gate",)
            self._known(table, _KEYS, place)
            self._typed(table, place)
            found += self._checks(self._overridden({**shared, **table}), place)
        for number, check in enumerate(found):
            if check.key in [other.key for other in found[:number]]:
                raise InputError(f"{check.place}: {check.title} is checked twice; give one of them a name")
        return GateFile(self.path, self._near(str(gate.get("baseline", BASELINE))), tuple(self._chosen(found)))

    def _overridden(self, given: dict[str, Any]) -> dict[str, Any]:
        if "system" in self.overrides:
            given.pop("candidate", None)
        return {**given, **{key: value for key, value in self.overrides.items() if key not in ("set", "langs")}}

    def _chosen(self, found: list[Check]) -> list[Check]:
        name, langs = (self.overrides.get(key) for key in ("set", "langs"))
        pair = str(parse_pair(langs)) if langs else None
        chosen = [each for each in found if name in (None, each.set) and pair in (None, each.langs)]
        if not chosen:
            asked = " ".join(filter(None, (name, pair)))
            there = ", ".join(each.title for each in found)
            raise InputError(f"{self.path}: nothing checks {asked}; it has {there}")
        return chosen

    def _checks(self, given: dict[str, Any], place: tuple[str, ...]) -> Iterable[Check]:
        for key in ("set", "langs"):
            if key not in given:
                raise self._error(place, f"no {key}; expected {key} = {_KEYS[key][1]}")
        if ("system" in given) == ("candidate" in given):
            raise self._error(place, "expected either system or candidate: who translates, or the file of translations")
        limits = {name: given.get(name) for name in LIMITS}
        if all(value is None for value in limits.values()):
            raise self._error(place, f"nothing to judge by; expected one of {', '.join(LIMITS)}")
        if given.get("unclear", "fail") not in _UNCLEAR:
            raise self._error((*place, "unclear"), f"unclear = {given['unclear']!r}; expected {' or '.join(_UNCLEAR)}")
        line = (str(self.path), self._line(place))
        for name in _list(given["set"]):
            for langs in _list(given["langs"]):
                pair = self._pair(name, langs, given.get("protocol", "epicene"), place)
                try:
                    judged = Limits(**{key.replace("-", "_"): value for key, value in limits.items()}).demand_any()
                except InputError as error:
                    key = str(error).split(" ", 1)[0]
                    raise self._error((*place, key), str(error)) from None
                words = {"set": _slug(name), "langs": str(pair), "source": pair.source, "target": pair.target}
                yield Check(
                    name,
                    str(pair),
                    judged,
                    given.get("system", ""),
                    self._candidate(given.get("candidate"), words, place),
                    tuple(_list(given.get("groups", []))),
                    given.get("protocol", "epicene"),
                    given.get("unclear") == "pass",
                    given.get("name", ""),
                    line,
                    self._wanted(judged, given, words, place),
                )

    def _pair(self, name: str, langs: str, protocol: str, place: tuple[str, ...]) -> Pair:
        """The pair of a check whose set, languages and protocol there are."""
        key = "set"
        try:
            challenge = plan.open_set(name)
            key = "langs"
            pair = plan.open_pair(langs, challenge)
            key = "protocol"
            plan.detector_of(challenge, protocol)
        except InputError as error:
            raise self._error((*place, key), str(error)) from None
        return pair

    def _candidate(self, given: str | None, words: Mapping[str, str], place: tuple[str, ...]) -> Path | None:
        return None if given is None else self._path("candidate", given, words, place)

    def _wanted(
        self, limits: Limits, given: Mapping[str, Any], words: Mapping[str, str], place: tuple[str, ...]
    ) -> QualityRequest | None:
        keys = ("metric", "reference-text")
        key = keys[0] if keys[0] in given else keys[1]
        own = any((*place, each) in self.places or each in self.overrides for each in keys)
        texts = [self._path("reference-text", each, words, place) for each in _list(given.get("reference-text", []))]
        if not limits.of_quality and not own:
            return None  # of all checks together, those that judge quality need them
        for text in texts:
            if not text.is_file():
                raise self._error((*place, "reference-text"), f"cannot read {text}: no such file")
        try:
            return parse_quality(limits, _list(given.get("metric", [])), texts)
        except InputError as error:
            raise self._error((*place, key), str(error)) from None

    def _path(self, key: str, given: str, words: Mapping[str, str], place: tuple[str, ...]) -> Path:
        try:
            return self._near(given.format(**words))
        except (KeyError, IndexError, ValueError):
            known = ", ".join(f"{{{word}}}" for word in words)
            raise self._error((*place, key), f"{key} = {given!r}; in braces there may be {known}") from None

    def _near(self, path: str) -> Path:
        """A path as seen from the file that names it."""
        return Path(path) if Path(path).is_absolute() else self.path.parent / path

    def _known(self, table: Mapping[str, Any], known: Iterable[str], place: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key.lower().replace("_", "-"), list(known), 1, 0.5)
                guess = f"did you mean {near[0]!r}? " if near else ""
                raise self._error((*place, key), f"unknown key {key!r}; {guess}known: {', '.join(known)}")

    def _typed(self, table: Mapping[str, Any], place: tuple[str, ...]) -> None:
        for key, value in table.items():
            expected, example = {**_KEYS, **_TOP}[key]
            if not _fits(value, expected):
                raise self._error((*place, key), f"{key} = {value!r}; expected {expected}, such as {key} = {example}")

    def _error(self, place: tuple[str, ...], message: str) -> InputError:
        return InputError(f"{self.path}:{self._line(place)}: {message}")

    def _line(self, place: tuple[str, ...]) -> int:
        """Where something stands: in its own table, for all checks in [gate], or else the table that lacks it."""
        if place not in self.places and len(place) > 2 and ("gate", place[-1]) in self.places:
            return self.places["gate", place[-1]]
        for length in range(len(place), 0, -1):
            if place[:length] in self.places:
                return self.places[place[:length]]
        return 1


def _fits(value: object, expected: str) -> bool:
    if expected == _NUMBER:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if expected == _TEXTS and isinstance(value, list):
        return bool(value) and all(isinstance(each, str) for each in value)
    return isinstance(value, str) if expected in (_TEXT, _TEXTS) else isinstance(value, list)


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _slug(name: str) -> str:
    """A set's name as part of a file's: ``custom:data/own.tsv`` is ``custom-own``."""
    kind, _, rest = name.partition(":")
    return re.sub(r"[^\w.-]+", "-", f"{kind}-{Path(rest).stem}" if rest else kind)


def _places(text: str) -> dict[tuple[str, ...], int]:
    """The line of every table and key, which the parser of TOML does not tell."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    counted: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = _parts(header[2])
            if header[1] == "[[":
                counted[table] = counted.get(table, -1) + 1
                table = (*table, str(counted[table]))
            found.setdefault(table, number)
        elif entry := _ENTRY.match(line):
            found.setdefault((*table, *_parts(entry[1])), number)
    return found


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in name.split("."))
