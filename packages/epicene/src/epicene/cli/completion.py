"""What a shell completes: sets, systems, language pairs, studies, ways and metrics, with a word about each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import typer.core

Offers = Iterable[tuple[str, str]]  # what can be written, and what it is
_COMPLETED = ("SET", "SYSTEM", "PAIR", "RECOGNISER", "WAY", "METRIC", "NAME")


def complete(command: Any, name: str) -> None:
    """Let a command's parameters be completed; only where a shell asks, since it takes time."""
    if not any(variable.startswith("_EPICENE") for variable in os.environ):
        return
    for parameter in command.params:
        if parameter.metavar in _COMPLETED:
            offer = partial(_complete, parameter.metavar, name)
            typer.core._typer_param_setup_autocompletion_compat(parameter, autocompletion=offer)


def _complete(metavar: str, command: str, context: Any, *_: object) -> list[tuple[str, str] | str]:
    """What is offered, in the form in which Typer asks for it."""
    return list(_list_offers(metavar, command, context))


def _list_offers(metavar: str, command: str, context: Any) -> Offers:
    """What can stand for a name of the help: all commands call the same thing the same."""
    match metavar:
        case "SET" if command == "data":
            from epicene.sets.files import entries

            return ((entry.name, entry.title) for entry in entries())
        case "SET":
            from epicene.sets import list_about

            return ((about.name, about.title) for about in list_about())
        case "SYSTEM":
            return _list_systems()
        case "PAIR":
            return _list_pairs(context)
        case "RECOGNISER":
            from epicene.speech.recognisers import RECOGNISERS

            return ((name, RECOGNISERS.find(name).summary) for name in RECOGNISERS.names())
        case "WAY":
            from epicene.act.control import find_ways

            return ((way.name, way.text) for way in find_ways())
        case "METRIC":
            from epicene.measures.metrics import UNITS

            return ((name, "extra comet" if name == "comet" else "sacreBLEU") for name in UNITS)
        case "NAME" if command == "study":
            from epicene.studies import STUDIES

            return ((name, STUDIES.find(name).title) for name in STUDIES.names())
    return ()


def _list_systems() -> Iterator[tuple[str, str]]:
    """The names of all systems, those that take an argument with a colon."""
    from epicene.systems import SYSTEMS

    for name in SYSTEMS.names():
        factory = SYSTEMS.find(name)
        yield f"{name}:" if factory.usage.startswith(f"{name}:") else name, factory.summary


def _list_pairs(context: Any) -> Iterator[tuple[str, str]]:
    """Language pairs, of the set that was named before where one was."""
    from epicene.errors import EpiceneError
    from epicene.flow import plan
    from epicene.languages import LANGUAGES
    from epicene.languages.codes import name

    sources: tuple[str, ...] = ("en",)
    targets = tuple(LANGUAGES.names())
    named = context.params.get("set_name") or context.params.get("sets") or ()
    try:
        for set_name in [named] if isinstance(named, str) else named:
            about = plan.open_set(set_name).about
            sources, targets = about.sources, about.targets or targets
    except EpiceneError:
        pass  # the command itself will say what is wrong with the set
    for source in sources:
        yield from (
            (f"{source}-{target}", f"{name(source)} to {name(target)}") for target in targets if target != source
        )
