"""Languages: one folder for each whose gender can be read, which carries all of its own: codes, words, cues."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable

from epicene import registry

CODES = "codes.toml"


@dataclass(frozen=True, slots=True)
class LanguageFolder:
    """A folder of tables, as ``docs/languages.md`` describes it."""

    path: Traversable


def _own() -> registry.Loaders:
    folders = (each for each in files(__name__).iterdir() if each.joinpath(CODES).is_file())
    return {folder.name: partial(LanguageFolder, folder) for folder in folders}


LANGUAGES = registry.Registry(
    "target language",
    "epicene.languages",
    (LanguageFolder,),
    _own,
    "To add one, write a folder as docs/languages.md describes.",
)
