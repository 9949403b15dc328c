"""Languages: one folder for each whose gender can be read, which carries all of its own: codes, words, cues."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from epicene import registry
from epicene.tables import resource

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

CODES = "codes.toml"


@dataclass(frozen=True, slots=True)
class LanguageFolder:
    """A folder of tables, as ``docs/languages.md`` describes it."""

    path: Traversable


def _own() -> registry.Loaders:
    folders = (each for each in resource("languages").iterdir() if each.joinpath(CODES).is_file())
    return {folder.name: partial(LanguageFolder, folder) for folder in folders}


LANGUAGES = registry.Registry(
    "target language",
    "epicene.languages",
    (LanguageFolder,),
    _own,
    "To add one, write a folder as docs/languages.md describes.",
)
