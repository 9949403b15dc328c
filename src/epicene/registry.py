"""Finds sets, systems, measures and studies by name: a file in its package, or an entry point of another one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

from epicene.errors import UnknownNameError

# What a package is called in messages; its modules are the registered names.
FOLDERS = {
    "systems": ("systems.local", "systems.services"),
    "measures": ("measures.families",),
    "report": ("output.terminal.views",),
}
KINDS = {"sets": "set", "systems": "system", "studies": "study", "speech.recognisers": "recogniser"}


@cache
def _own(package: str) -> dict[str, str]:
    """Module paths by registered name; a leading underscore keeps a file out, "_" in a file name is "-" in a name."""
    found: dict[str, str] = {}
    for folder in FOLDERS.get(package, (package,)):
        root = importlib.import_module(f"epicene.{folder}")
        names = (module.name for module in pkgutil.iter_modules(root.__path__))
        found |= {name.replace("_", "-"): f"epicene.{folder}.{name}" for name in names if not name.startswith("_")}
    return found


@cache
def _plugins(package: str) -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=f"epicene.{package}")}


def names(package: str) -> list[str]:
    """All registered names of a package, sorted."""
    return sorted({**_plugins(package), **_own(package)})


def find(package: str, name: str) -> ModuleType:
    """The module registered under a name; unknown names raise with the nearest known one."""
    path = _own(package).get(name) or _plugins(package).get(name)
    if path is None:
        raise UnknownNameError(KINDS.get(package, package), name, names(package))
    return importlib.import_module(path)
