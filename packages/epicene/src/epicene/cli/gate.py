"""``epicene gate``: a yes or no for continuous integration."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from epicene.cli.command import Several, Without, command, option
from epicene.cli.options import AnyLangs, Protocol, note, progress, quiet
from epicene.errors import InputError, StoreError
from epicene.files import write_atomically
from epicene.options import Limits, Scoring
from epicene.output.table import Listing, Table

if TYPE_CHECKING:
    from epicene.gate.gate import Gate

app = typer.Typer()
SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"


class GateFormat(StrEnum):
    """How a gate's answer is printed."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    GITHUB = "github"
    CSV = "csv"
    LATEX = "latex"


@command(app)
def gate(
    limits: Limits,
    scoring: Annotated[Scoring, Without("protocol", "references", "contexts", "min_confidence")],
    config: Annotated[Path, option("-c, --config FILE", "Checks to run if there is no --candidate.")] = Path(
        "epicene.toml"
    ),
    update: Annotated[
        bool, option("--update", "Store the current translations as the baseline without judging them.")
    ] = False,
    init: Annotated[bool, option("--init", "Write an example of epicene.toml and exit.")] = False,
    baseline: Annotated[str | None, option("--baseline RUN_OR_HYP", "Translations to compare with.")] = None,
    candidate: Annotated[str | None, option("--candidate RUN_OR_HYP", "Translations to check.")] = None,
    system: Annotated[
        str | None, option("-s, --system SYSTEM", "Translator to use instead of the one in the file.")
    ] = None,
    set_name: Annotated[str | None, option("-t, --set SET", "Test set that the files translate.")] = None,
    langs: AnyLangs = None,
    groups: Annotated[Several, option("-g, --group GROUP", "Group or gap to check. Default: all.")] = (),
    protocol: Annotated[Protocol | None, option("--protocol", "How to detect gender. Default: epicene.")] = None,
    output_format: Annotated[GateFormat, option("-f, --format", "Output format.")] = GateFormat.TEXT,
) -> None:
    """Fail a build if gender bias exceeds your limits (exit code 0: pass, 1: fail, 3: unclear).

    A check passes if its whole 95 % CI, clustered by occupation, is within the limit, and fails if none of it is.
    The last line says pass, fail or unclear.

    Without --candidate, epicene runs the checks in epicene.toml against the baseline that --update stored.

    Example: epicene gate -t simplegen -l en-de --baseline float.de --candidate int8.de --max-drop 2

    Example: epicene gate --init; epicene gate --update; epicene gate -s ctranslate2:build/model -f github
    """
    from epicene.gate.gate import gate as judge
    from epicene.gate.gate import gate_file

    if init:
        _write_example(config)
        return
    if candidate is not None:
        if update or system:
            what = "--update" if update else f"--system {system}"
            raise InputError(f"{what} works with epicene.toml only, not with --candidate; remove one of them")
        scoring = replace(scoring, protocol=(protocol or Protocol.EPICENE).value)
        _show(judge(baseline, candidate, limits, set_name, langs, scoring, groups), output_format)
        return
    if baseline is not None:
        raise InputError(f"--baseline {baseline} needs --candidate RUN_OR_HYP; epicene.toml names its own baseline")
    texts = [str(Path(text).absolute()) for text in scoring.reference_text]  # a file's own are seen from where it lies
    overrides: dict[str, Any] = {"system": system, "set": set_name, "langs": langs, "groups": list(groups) or None}
    overrides |= {"protocol": protocol and protocol.value, "metric": list(scoring.metrics), "reference_text": texts}
    with progress("translating") as bar:
        gates = gate_file(config, update, scoring.anyway, bar, **overrides, **limits.as_dict())
    if update:
        note(f"baseline: {len(gates)} stored; commit it together with {config}")
    _show(gates, output_format, updated=update)


def _show(gates: Sequence[Gate], output: GateFormat, updated: bool = False) -> None:
    """Print the answer, and end with its exit code; nothing is judged while a baseline is stored."""
    from epicene.cli.command import show
    from epicene.gate import formats
    from epicene.gate.gate import exit_code
    from epicene.output.render import Format, render

    verdict = () if updated else (Table(formats.summary(gates)),)
    if output is GateFormat.JUNIT:
        typer.echo(formats.as_junit(gates))
    elif output is GateFormat.GITHUB:
        typer.echo(formats.as_github(gates))
        _summarise(render([Listing(verdict), *gates], Format.MARKDOWN))
    else:
        show([*gates, Listing(verdict)] if verdict else gates, output.value)
    if output not in (GateFormat.TEXT, GateFormat.MARKDOWN, GateFormat.GITHUB) and not quiet():
        judgements = (formats.judgement_table(gate) for gate in gates)
        typer.echo(render([Listing((*judgements, *verdict))], Format.TEXT), err=True)
    if not updated:
        raise typer.Exit(exit_code(gates))


def _summarise(text: str) -> None:
    """Add to the page of a GitHub job, where there is one."""
    if path := os.environ.get(SUMMARY_VARIABLE):
        try:
            with Path(path).open("a", encoding="utf-8") as stream:
                stream.write(text + "\n")
        except OSError as error:
            raise StoreError(f"cannot write {SUMMARY_VARIABLE}={path}: {error.strerror or error}") from None


def _write_example(path: Path) -> None:
    from epicene.gate.config import example

    if path.exists():
        raise InputError(f"{path} is there already; edit it, or choose another file with --config FILE")
    with write_atomically(path) as stream:
        stream.write(example())
    note(f"{path}: edit this file, then store a baseline with: epicene gate --update")
