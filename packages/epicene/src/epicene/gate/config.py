"""``epicene.toml``: which sets and languages a gate checks, by which limits, against which stored baseline.

Settings of ``[gate]`` hold for every ``[[gate.check]]``, which may say otherwise; without any check, ``[gate]`` is one.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
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

FILE = "epicene.toml"
BASELINE = "epicene-baseline"
LIMITS = tuple(name.replace("_", "-") for name in Limits.__dataclass_fields__)
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
    **dict(zip(LIMITS, ((_NUMBER, example) for example in ("2", "20", "60", "10", "1", "30")), strict=True)),
    "metric": (_TEXTS, '"bleu"'),
    "reference-text": (_TEXTS, '"data/{set}.{target}.txt"'),
}
_TOP = {"baseline": (_TEXT, f'"{BASELINE}"'), "check": ("tables [[gate.check]]", "")}
_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\s\"'-]+?)\s*\]\]?\s*(?:#.*)?$")
_ENTRY = re.compile(r"\s*([\w\"'.-]+?)\s*=")
Place = tuple[str, ...]  # the tables and the key that lead to a setting: ("gate", "check", "0", "set")


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
    return _Reader(path, _find_lines(text), dict(overrides or {})).read(content)


@dataclass(frozen=True, slots=True)
class _Reader:
    path: Path
    lines: Mapping[Place, int]
    overrides: dict[str, Any]

    def read(self, content: dict[str, Any]) -> GateFile:
        self._check_keys(content, {"gate": ("", "")}, ())
        gate = content.get("gate")
        if not isinstance(gate, dict):
            raise self._error((), "no table [gate]; epicene gate --init writes an example")
        tables = gate.get("check", [{}])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self._error(("gate", "check"), "check is no list of tables; write [[gate.check]]")
        self._check_keys(gate, {**_KEYS, **_TOP}, ("gate",))
        shared = {key: value for key, value in gate.items() if key not in _TOP}
        checks: list[Check] = []
        for number, table in enumerate(tables):
            place = ("gate", "check", str(number)) if "check" in gate else ("gate",)
            self._check_keys(table, _KEYS, place)
            settings = {**shared, **table}
            if "system" in self.overrides:
                settings.pop("candidate", None)
            settings |= {key: value for key, value in self.overrides.items() if key not in ("set", "langs")}
            checks += self._expand(settings, place)
        for number, check in enumerate(checks):
            if check.key in [other.key for other in checks[:number]]:
                raise InputError(f"{check.place}: {check.title} is checked twice; give one of them a name")
        return GateFile(self.path, self._near(str(gate.get("baseline", BASELINE))), tuple(self._choose(checks)))

    def _choose(self, checks: list[Check]) -> list[Check]:
        """The checks of the set and the pair that the command line names."""
        name, langs = (self.overrides.get(key) for key in ("set", "langs"))
        pair = str(parse_pair(langs)) if langs else None
        chosen = [check for check in checks if name in (None, check.set) and pair in (None, check.langs)]
        if not chosen:
            asked = " ".join(filter(None, (name, pair)))
            raise InputError(
                f"{self.path}: nothing checks {asked}; it has {', '.join(check.title for check in checks)}"
            )
        return chosen

    def _expand(self, settings: dict[str, Any], place: Place) -> Iterator[Check]:
        """A check for each set and pair that a table names."""
        for key in ("set", "langs"):
            if key not in settings:
                raise self._error(place, f"no {key}; expected {key} = {_KEYS[key][1]}")
        if ("system" in settings) == ("candidate" in settings):
            raise self._error(place, "expected either system or candidate: who translates, or the file of translations")
        asked = {key.replace("-", "_"): settings[key] for key in LIMITS if settings.get(key) is not None}
        if not asked:
            raise self._error(place, f"nothing to judge by; expected one of {', '.join(LIMITS)}")
        unclear, protocol = settings.get("unclear", "fail"), settings.get("protocol", "epicene")
        if unclear not in _UNCLEAR:
            raise self._error((*place, "unclear"), f"unclear = {unclear!r}; expected {' or '.join(_UNCLEAR)}")
        for name, langs in product(_list(settings["set"]), _list(settings["langs"])):
            with self._at(*place, "set"):
                challenge = plan.open_set(name)
            with self._at(*place, "langs"):
                pair = plan.open_pair(langs, challenge)
            with self._at(*place, "protocol"):
                plan.detector_of(challenge, protocol)
            try:
                limits = Limits(**asked)
            except InputError as error:
                raise self._error((*place, str(error).split(" ", 1)[0]), str(error)) from None
            words = {"set": _slug(name), "langs": str(pair), "source": pair.source, "target": pair.target}
            candidate = settings.get("candidate")
            yield Check(
                name,
                str(pair),
                limits,
                settings.get("system", ""),
                None if candidate is None else self._path("candidate", candidate, words, place),
                tuple(_list(settings.get("groups", []))),
                protocol,
                unclear == "pass",
                settings.get("name", ""),
                (str(self.path), self._line(place)),
                self._read_quality(limits, settings, words, place),
            )

    def _read_quality(
        self, limits: Limits, settings: Mapping[str, Any], words: Mapping[str, str], place: Place
    ) -> QualityRequest | None:
        keys = ("metric", "reference-text")
        if not limits.of_quality and not any((*place, key) in self.lines or key in self.overrides for key in keys):
            return None  # of all checks together, those that judge quality need them
        texts = [self._path(keys[1], text, words, place) for text in _list(settings.get(keys[1], []))]
        for text in texts:
            if not text.is_file():
                raise self._error((*place, keys[1]), f"cannot read {text}: no such file")
        with self._at(*place, keys[0] if keys[0] in settings else keys[1]):
            return parse_quality(limits, _list(settings.get(keys[0], [])), texts)

    def _path(self, key: str, pattern: str, words: Mapping[str, str], place: Place) -> Path:
        try:
            return self._near(pattern.format(**words))
        except (KeyError, IndexError, ValueError):
            known = ", ".join(f"{{{word}}}" for word in words)
            raise self._error((*place, key), f"{key} = {pattern!r}; in braces there may be {known}") from None

    def _near(self, path: str) -> Path:
        """A path as seen from the file that names it."""
        return self.path.parent / path

    def _check_keys(self, table: Mapping[str, Any], known: Mapping[str, tuple[str, str]], place: Place) -> None:
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key.lower().replace("_", "-"), list(known), 1, 0.5)
                guess = f"did you mean {near[0]!r}? " if near else ""
                raise self._error((*place, key), f"unknown key {key!r}; {guess}known: {', '.join(known)}")
        for key, value in table.items():
            expected, example = known[key]
            if not _fits(value, expected):
                raise self._error((*place, key), f"{key} = {value!r}; expected {expected}, such as {key} = {example}")

    @contextmanager
    def _at(self, *place: str) -> Iterator[None]:
        """What is wrong meanwhile, with the line that says so."""
        try:
            yield
        except InputError as error:
            raise self._error(place, str(error)) from None

    def _error(self, place: Place, message: str) -> InputError:
        return InputError(f"{self.path}:{self._line(place)}: {message}")

    def _line(self, place: Place) -> int:
        """Where something stands: in its own table, for all checks in [gate], or else the table that lacks it."""
        if place not in self.lines and len(place) > 2 and ("gate", place[-1]) in self.lines:
            return self.lines["gate", place[-1]]
        lengths = range(len(place), 0, -1)
        return next((self.lines[place[:length]] for length in lengths if place[:length] in self.lines), 1)


def _fits(value: object, expected: str) -> bool:
    if expected == _NUMBER:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if expected == _TEXTS and isinstance(value, list):
        return bool(value) and all(isinstance(text, str) for text in value)
    return isinstance(value, str) or expected not in (_TEXT, _TEXTS)


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _slug(name: str) -> str:
    """A set's name as part of a file's: ``custom:data/own.tsv`` is ``custom-own``."""
    kind, _, rest = name.partition(":")
    return re.sub(r"[^\w.-]+", "-", f"{kind}-{Path(rest).stem}" if rest else kind)


def _find_lines(text: str) -> dict[Place, int]:
    """The line of every table and key, which the parser of TOML does not tell."""
    lines: dict[Place, int] = {}
    table: Place = ()
    tables = Counter[Place]()
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = _split_key(header[2])
            if header[1] == "[[":
                tables[table] += 1
                table = (*table, str(tables[table] - 1))
            lines.setdefault(table, number)
        elif entry := _ENTRY.match(line):
            lines.setdefault((*table, *_split_key(entry[1])), number)
    return lines


def _split_key(name: str) -> Place:
    return tuple(part.strip().strip("\"'") for part in name.split("."))
