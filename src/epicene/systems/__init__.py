"""Systems: one file per way to translate, each with ``build(argument, options)``."""

from __future__ import annotations

from typing import cast

from epicene import registry
from epicene.systems._spec import Options, parse
from epicene.types import System

# Their argument is free text, so a question mark in it is theirs.
_FREE = frozenset({"command", "file"})


def load(spec: str) -> System:
    """The system that a name such as ``ctranslate2:DIR?beam=5`` stands for."""
    kind, argument, options = parse(spec, _FREE)
    system = registry.find("systems", kind).build(argument, options)
    options.done()
    return cast(System, system)


__all__ = ["Options", "load"]
