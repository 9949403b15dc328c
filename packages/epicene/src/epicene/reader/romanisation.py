"""How words of other scripts would be spelt in Latin letters, closely enough to know a name again."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache

from epicene.tables import resource

_ALIKE_FROM = 3  # consonants by which a name is known again
_DOUBLED = re.compile(r"(.)\1+")
_NO_CONSONANT = re.compile(r"[^bcdfghjklmnpqrstvwxz]")
# Letters that transcriptions mix up.
_ALIKE = str.maketrans({"c": "k", "q": "k", "x": "k", "z": "s", "w": "v", "j": "g", "p": "b", "f": "v", "h": None})


@lru_cache(maxsize=1 << 16)
def romanise(word: str) -> str:
    """A word in Latin letters without accents."""
    plain = unicodedata.normalize("NFD", word.lower().translate(_letters()))
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


@lru_cache(maxsize=1 << 16)
def skeleton(word: str) -> str:
    """The consonants of a romanised word, those that transcriptions mix up as one."""
    return _DOUBLED.sub(r"\1", _NO_CONSONANT.sub("", word.replace("ph", "f").replace("th", "t")).translate(_ALIKE))


def transcribed(english: str, word: str) -> bool:
    """Whether a word of another script spells an English name."""
    first, second = skeleton(english), skeleton(romanise(word))
    return (
        romanise(word) != word
        and unicodedata.name(word[0], "")[:5] != "LATIN"
        and first[:_ALIKE_FROM] == second[:_ALIKE_FROM]
    )


@cache
def _letters() -> dict[int, str]:
    text = resource("languages", "romanisation.toml").read_text(encoding="utf-8")
    return {ord(sign): latin for script in tomllib.loads(text).values() for sign, latin in script.items()}
