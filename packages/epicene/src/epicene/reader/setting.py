"""What the reader knows of a language: its folder of tables, or as much as any language has where there is none."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from epicene.languages import LANGUAGES
from epicene.languages.folder import load
from epicene.languages.language import Cue, Language, Writing
from epicene.reader.forms import Forms, forms
from epicene.reader.forms import languages as with_forms
from epicene.types import Gender

_TABLE = files("epicene.reader.tables") / "languages.toml"


@cache
def setting(code: str) -> Language:
    """The language with this two-letter code."""
    return load(code) if code in LANGUAGES.names() else _plain(code)


def shown(code: str) -> Forms | None:
    """What the forms of a language show, where there is a table of them."""
    return forms(code) if code in with_forms() else None


def readable() -> tuple[str, ...]:
    """Codes of the languages whose translations can be read."""
    return tuple(sorted({*LANGUAGES.names(), *with_forms()}))


def _plain(code: str) -> Language:
    """A language without a folder: articles, conjunctions and pronouns from one table of all."""
    config = tomllib.loads(_TABLE.read_text(encoding="utf-8")).get(code, {})
    cues: dict[str, tuple[Cue, ...]] = {}
    for gender in (Gender.FEMININE, Gender.MASCULINE):
        for number, plural in (("singular", False), ("plural", True), ("any", None)):
            for word in config.get(gender.value, {}).get(number, "").split():
                cues[word] = (*cues.get(word, ()), Cue(word, "before", "", plural, gender, lexical=False))
        for word in config.get(gender.value, {}).get("meaning", "").split():
            for place in ("before", "after"):
                cues[word] = (*cues.get(word, ()), Cue(word, place, "", None, gender, lexical=True))
    pronouns = {
        word: gender
        for gender in (Gender.FEMININE, Gender.MASCULINE)
        for word in config.get(gender.value, {}).get("pronouns", "").split()
    }
    return Language(
        code=code,
        writing=Writing(re.compile(r"[\w\u0900-\u0963]+"), None, {}, None, config.get("compounds", False), (), False),
        forms={},
        cues=cues,
        suffix_cues={},
        inclusive=(),
        conjunctions=frozenset(config.get("conjunctions", "").split()),
        bystanders=frozenset(),
        clitics=frozenset(),
        stops=frozenset(config.get("stops", "").split()),
        window=3,
        determiner_wins=config.get("determiner_wins", False),
        verb_first=False,
        own_verb=False,
        oblique=None,
        oblique_words=frozenset(),
        pronouns=pronouns,
    )


def checksum(code: str) -> str:
    """What the tables of a language are, in eight letters."""
    root, digest = files("epicene.reader.tables"), sha256()
    for path in sorted(_tables(root, code), key=lambda path: path.name):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:8]


def _tables(folder: Traversable, code: str) -> Iterator[Traversable]:
    """Files of all languages, and those that are named after this one."""
    for path in folder.iterdir():
        if path.is_dir():
            yield from (each for each in path.iterdir() if each.is_file() and each.name.partition(".")[0] == code)
        elif path.name.endswith((".toml", ".gz")):
            yield path
