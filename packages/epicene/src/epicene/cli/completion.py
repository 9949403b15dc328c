"""What a shell completes: sets, systems, language pairs, studies, ways and metrics, with a word about each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import typer.core

Offered = Iterable[tuple[str, str]]  # what can be written, and what it is


def _sets(_: Any) -> Offered:
    from epicene.sets import list_about

    return ((about.name, about.title) for about in list_about())


def _systems(_: Any) -> Iterator[tuple[str, str]]:
    """The names of all systems, those that take an argument with a colon."""
    from epicene.systems import SYSTEMS

    for name in SYSTEMS.names():
        factory = SYSTEMS.find(name)
        yield f"{name}:" if factory.usage.startswith(f"{name}:") else name, factory.summary


def _pairs(context: Any) -> Offered:
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
            challenge = plan.open_set(set_name)
            sources, targets = challenge.about.sources, challenge.about.targets or targets
    except EpiceneError:
        pass  # the command itself will say what is wrong with the set
    return (
        (f"{source}-{target}", f"{name(source)} to {name(target)}")
        for source in sources
        for target in targets
        if source != target
    )


def _studies(_: Any) -> Offered:
    from epicene.studies import STUDIES

    return ((name, STUDIES.find(name).title) for name in STUDIES.names())


def _published(_: Any) -> Offered:
    from epicene.sets.files import entries

    return ((entry.name, entry.title) for entry in entries())


def _recognisers(_: Any) -> Offered:
    from epicene.speech.recognisers import RECOGNISERS

    return ((name, RECOGNISERS.find(name).summary) for name in RECOGNISERS.names())


def _ways(_: Any) -> Offered:
    from epicene.act.control import find_ways

    return ((way.name, way.text) for way in find_ways())


def _metrics(_: Any) -> Offered:
    from epicene.measures.metrics import UNITS

    return ((name, {"bleu": "sacreBLEU", "chrf": "sacreBLEU"}.get(name, "extra comet")) for name in UNITS)


# By what a parameter is called in the help: all commands call the same thing the same.
_OFFERED = {
    "SET": _sets,
    "SYSTEM": _systems,
    "PAIR": _pairs,
    "RECOGNISER": _recognisers,
    "WAY": _ways,
    "METRIC": _metrics,
}
_OF_COMMAND = {"study": {"NAME": _studies}, "data": {"SET": _published}}


def complete(command: Any, name: str) -> None:
    """Let a command's parameters be completed; only where a shell asks, since it takes time."""
    if not any(variable.startswith("_EPICENE") for variable in os.environ):
        return
    offered = {**_OFFERED, **_OF_COMMAND.get(name, {})}
    for parameter in command.params:
        if offer := offered.get(parameter.metavar or ""):
            typer.core._typer_param_setup_autocompletion_compat(parameter, autocompletion=partial(_complete, offer))


def _complete(offer: Callable[[Any], Offered], context: Any, *_: object) -> list[tuple[str, str] | str]:
    """What is offered, in the form in which Typer asks for it."""
    return list(offer(context))
