"""Sentences about visits, translated into Esperanto: one of each kind that epicene finds by name."""

from __future__ import annotations

from importlib.resources import files

from epicene.languages import LanguageFolder

ESPERANTO = LanguageFolder(files(__name__).joinpath("eo"))
