"""What languages are called: by people, in pairs, by models and by services."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from epicene.errors import InputError, UnknownNameError
from epicene.languages import CODES, LANGUAGES
from epicene.tables import table
from epicene.types import Pair

MODELS = ("nllb", "m2m", "mbart", "opus")  # families of models that are told languages by tokens
# en-de, en_de, eng-deu, eng_Latn-deu_Latn
_PAIR = re.compile(r"([A-Za-z]{2,3})(?:_[A-Za-z]{4})?[-_]([A-Za-z]{2,3})(?:_[A-Za-z]{4})?")
_DIRECTIONS = {"ltr": False, "rtl": True}


@dataclass(frozen=True, slots=True)
class Codes:
    """The names of a language."""

    code: str  # of two letters where there is one (ISO 639-1)
    name: str  # in English
    iso3: tuple[str, ...]  # ISO 639-3, then other three-letter codes: 639-2/B, the variety that models have
    right_to_left: bool
    models: Mapping[str, tuple[str, ...]]  # by family: how its tokens name the language, the likeliest first
    services: Mapping[str, str] = field(default_factory=dict)  # where one spells it otherwise; "-" where it has it not
    tables: str = ""  # the language whose tables it shares, where its folder has none of a name


@cache
def known() -> Mapping[str, Codes]:
    """All languages by code: those with a folder, and those that only a table knows."""
    found = {code: _of_folder(code) for code in LANGUAGES.names()}
    irregular = {row.pop("code"): row for row in map(dict, table("languages/services.tsv"))}
    for row in table("languages/languages.tsv"):
        spelt = {service: spelling for service, spelling in irregular.get(row["code"], {}).items() if spelling}
        models = {family: tuple(row[family].split()) for family in MODELS}
        named = Codes(row["code"], row["name"], tuple(row["iso3"].split()), row["direction"] == "rtl", models, spelt)
        found.setdefault(row["code"], named)
    return dict(sorted(found.items()))


@cache
def _of_folder(code: str) -> Codes:
    file = LANGUAGES.find(code).path.joinpath(CODES)
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        models = {family: tuple(content["models"].get(family, "").split()) for family in MODELS}
        backwards = _DIRECTIONS[content["direction"]]
        services, tables = content.get("services", {}), content.get("tables", "")
        return Codes(code, content["name"], tuple(content["iso3"]), backwards, models, services, tables)
    except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
        wanted = "name, iso3, direction (ltr or rtl) and [models]"
        raise InputError(f"language {code}: {file}: {error or type(error).__name__}; expected {wanted}") from None


@cache
def _spellings() -> Mapping[str, str]:
    """Our code for each spelling of a language."""
    return dict(_spelt())


def _spelt() -> Iterator[tuple[str, str]]:
    for code, names in known().items():
        yield code, code
        yield from ((other, code) for other in names.iso3)


def codes_of(code: str) -> Codes:
    """The names of a language given by its two- or three-letter code."""
    code = language(code)
    return _of_folder(code) if code in LANGUAGES else known()[code]


def language(code: str) -> str:
    """The two-letter code of a language given by its two- or three-letter code."""
    if code.lower() in LANGUAGES:  # so that no other folder need be read
        return code.lower()
    found = _spellings().get(code.lower())
    if found is None:
        raise UnknownNameError("language", code, known())
    return found


def pair(text: str) -> Pair:
    """The pair that ``en-de``, ``en_de``, ``eng-deu`` or ``eng_Latn-deu_Latn`` names."""
    match = _PAIR.fullmatch(text.strip())
    if match is None:
        raise InputError(f"language pair {text!r} is not of the form en-de, en_de, eng-deu or eng_Latn-deu_Latn")
    return Pair(language(match[1]), language(match[2]))


def iso3(code: str) -> str:
    """The three-letter code of a language."""
    return codes_of(code).iso3[0]


def name(code: str) -> str:
    """The English name of a language."""
    return codes_of(code).name


def right_to_left(code: str) -> bool:
    """Whether the language is written from right to left."""
    return codes_of(code).right_to_left
