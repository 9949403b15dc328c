"""Builds the tables of forms: python -m epicene_lab.recipes.reading.forms SOURCES [LANGUAGE ...]."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import wordfreq

from epicene.languages.folder import load
from epicene.tables import resource
from epicene_lab.recipes.reading import (
    forms_english,
    forms_general,
    forms_german,
    forms_polish,
    forms_romance,
    forms_russian,
)
from epicene_lab.recipes.reading.forms_learn import Entry, labels, learn, write

_LANGUAGES = resource("languages")
_WORDS = Path(__file__).parent / "words"
_LONG_HEAD = 7
_HEADS = {"de": 4, "nl": 4, "is": 4}  # languages that write compounds as one word
_GENERAL = ["ar", "be", "bg", "cs", "el", "he", "hi", "hr", "is", "mk", "nl", "ro", "sk", "sl", "sr", "uk"]
Lexicon = Callable[[Path], Iterator[Entry]]
LEXICONS: dict[str, dict[str, Lexicon]] = {
    "de": {"nouns": forms_german.nouns, "words": forms_german.words},
    "es": {"words": forms_romance.spanish},
    "fr": {"words": forms_romance.french},
    "it": {"words": forms_romance.italian},
    "pt": {"words": forms_romance.portuguese},
    "en": {"words": forms_english.entries},
    "ru": {"words": forms_russian.entries},
    "pl": {"words": forms_polish.entries},
    "ca": {"words": forms_romance.catalan},
    **{code: {"words": partial(forms_general.entries, language=code)} for code in _GENERAL},
}


def heads(language: str) -> int:
    """How many letters a listed word has at least that also counts as the end of longer ones."""
    return _HEADS.get(language, _LONG_HEAD)


def listed(language: str) -> dict[str, str]:
    """The labels of the words that ``words/LANGUAGE.tsv`` lists; they go before all other sources."""
    path = _WORDS / f"{language}.tsv"
    found = {}
    if path.exists():
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                code, *words = line.split()
                for word in words:
                    found[word] = f"{found[word]} {code}" if word in found else code
    if language in forms_romance.LANGUAGES:
        for word, code in list(found.items()):
            if re.fullmatch(r"N[mfc]s...", code):
                for form in forms_romance.plural(word, language, code[1]):
                    found.setdefault(form, code.replace("s", "p", 1))
    return found


def lexicon(language: str, name: str, sources: Path) -> dict[str, str]:
    """All forms of a language with their labels."""
    vocabulary = None
    if language not in (*_GENERAL, "en"):
        vocabulary = frozenset(wordfreq.top_n_list(language, 1_000_000, wordlist="best"))
    entries = (entry._replace(form=entry.form.lower()) for entry in LEXICONS[language][name](sources))
    found = labels(entries, vocabulary)
    own = listed(language)
    if "nouns" in LEXICONS[language]:
        own = {word: code for word, code in own.items() if (code[0] == "N") == (name == "nouns")}
    found.update(own)
    for word in fixed(language):
        if word in found:
            found[word] = re.sub(r"\bN(..)[+?-]\.", r"N\1+!", found[word])
    return found


def fixed(language: str) -> list[str]:
    """Nouns that name people of any gender, as the reader lists them."""
    return sorted(load(language).fixed)


def main() -> None:
    """Build the tables of the languages that are named, or of all."""
    sources = Path(sys.argv[1])
    for language in sys.argv[2:] or LEXICONS:
        tables = {}
        for name in LEXICONS[language]:
            words = lexicon(language, name, sources)
            tables[name] = learn(words, heads(language)), words
            print(f"{language} {name}: {len(words)} forms, {len(tables[name][0])} rules", flush=True)
        print(f"{language}: {write(_LANGUAGES / language / 'forms.xz', tables)} bytes", flush=True)


if __name__ == "__main__":
    main()
