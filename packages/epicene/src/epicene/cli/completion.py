"""What a shell completes: sets, systems, language pairs, studies, ways and metrics, with a word about each."""

from __future__ import annotations

import os
from functools import cache
from typing import Annotated, Any

import typer

Offered = list[tuple[str, str]]  # what can be written, and what it is


def sets() -> Offered:
    """The names of all sets."""
    from epicene.sets import list_about

    return [(about.name, about.title) for about in list_about()]


def systems() -> Offered:
    """The names of all systems, those that take an argument with a colon."""
    from epicene.systems import SYSTEMS

    found = ((name, SYSTEMS.find(name)) for name in SYSTEMS.names())
    return [(f"{name}:" if factory.usage.startswith(f"{name}:") else name, factory.summary) for name, factory in found]


def pairs(ctx: typer.Context) -> Offered:
    """Language pairs, of the set that was named before where one was."""
    from epicene.errors import EpiceneError
    from epicene.flow import plan
    from epicene.languages import LANGUAGES
    from epicene.languages.codes import name

    sources: tuple[str, ...] = ("en",)
    targets = tuple(LANGUAGES.names())
    named = (ctx.params or {}).get("set_name") or (ctx.params or {}).get("sets") or ()
    try:
        for each in [named] if isinstance(named, str) else named:
            challenge = plan.open_set(each)
            sources, targets = challenge.about.sources, challenge.about.targets or targets
    except EpiceneError:
        pass  # the command itself will say what is wrong with the set
    return [
        (f"{source}-{target}", f"{name(source)} to {name(target)}")
        for source in sources
        for target in targets
        if source != target
    ]


def studies() -> Offered:
    """The names of all studies."""
    from epicene.studies import STUDIES

    return [(name, STUDIES.find(name).title) for name in STUDIES.names()]


def published() -> Offered:
    """The names of the published sets that can be downloaded or added."""
    from epicene.sets import files as published

    return [(entry.name, entry.title) for entry in published.entries()]


def recognisers() -> Offered:
    """The names of all recognisers."""
    from epicene.speech.recognisers import RECOGNISERS

    return [(name, RECOGNISERS.find(name).summary) for name in RECOGNISERS.names()]


def ways() -> Offered:
    """The ways to tell a system a gender."""
    from epicene.act.control import find_ways

    return [(way.name, way.text) for way in find_ways()]


def metrics() -> Offered:
    """The metrics of quality."""
    from epicene.measures.quality import METRICS

    return [(name, {"bleu": "sacreBLEU", "chrf": "sacreBLEU"}.get(name, "extra comet")) for name in METRICS]


_carrier = typer.Typer()


@_carrier.command()
def _carried(
    a: Annotated[str, typer.Option("--set", autocompletion=sets)],
    b: Annotated[str, typer.Option("--system", autocompletion=systems)],
    c: Annotated[str, typer.Option("--langs", autocompletion=pairs)],
    d: Annotated[str, typer.Option("--study", autocompletion=studies)],
    e: Annotated[str, typer.Option("--published", autocompletion=published)],
    f: Annotated[str, typer.Option("--recogniser", autocompletion=recognisers)],
    g: Annotated[str, typer.Option("--way", autocompletion=ways)],
    h: Annotated[str, typer.Option("--metric", autocompletion=metrics)],
) -> None: ...


# By what a parameter is called in the help: all commands call the same thing the same.
_METAVARS = {
    "SET": "--set",
    "SYSTEM": "--system",
    "PAIR": "--langs",
    "NAME": "--study",
    "RECOGNISER": "--recogniser",
    "WAY": "--way",
    "METRIC": "--metric",
}


@cache
def _completers() -> dict[str, Any]:
    return {option.opts[0]: option._custom_shell_complete for option in typer.main.get_command(_carrier).params}


def complete(command: Any, name: str) -> None:
    """Let a command's parameters be completed; only where a shell asks, since it takes time."""
    if not any(variable.startswith("_EPICENE") for variable in os.environ):
        return
    carried = _completers()
    for parameter in command.params:
        kind = _METAVARS.get(parameter.metavar or "")
        if kind == "--study" and name != "study":
            continue  # other commands call other things NAME
        if kind == "--set" and name == "data":
            kind = "--published"
        if kind and parameter._custom_shell_complete is None:
            parameter._custom_shell_complete = carried[kind]
