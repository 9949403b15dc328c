"""``epicene gate``: a yes or no for continuous integration."""

from __future__ import annotations

from typing import Annotated

import typer

from epicene.cli.options import Anyway, Format, OutputFormat, Protocol, ProtocolName

app = typer.Typer()
_EXIT = {"ok": 0, "improved": 0, "regression": 1, "unclear": 3}


@app.command()
def gate(
    baseline: Annotated[str, typer.Option("--baseline", metavar="RUN_OR_HYP", help="What was good enough.")],
    candidate: Annotated[str, typer.Option("--candidate", metavar="RUN_OR_HYP", help="What is to be released.")],
    max_drop: Annotated[
        float | None, typer.Option("--max-drop", metavar="POINTS", help="How much a group may lose.")
    ] = None,
    max_gap: Annotated[
        float | None,
        typer.Option("--max-gap", metavar="POINTS", help="How far groups may lie apart (delta, delta_g, delta_s)."),
    ] = None,
    minimum: Annotated[
        float | None, typer.Option("--min", metavar="PERCENT", help="How many right sentences a group must have.")
    ] = None,
    set_name: Annotated[
        str | None, typer.Option("--set", "-t", metavar="SET", help="What the files translate.")
    ] = None,
    langs: Annotated[str | None, typer.Option("--langs", "-l", metavar="PAIR")] = None,
    groups: Annotated[
        list[str] | None, typer.Option("--group", "-g", metavar="GROUP", help="A group or gap. Default: every one.")
    ] = None,
    protocol: ProtocolName = Protocol.EPICENE,
    anyway: Anyway = False,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Exit with 0 if all is within what is allowed, 1 if something is clearly not, 3 if that cannot be told.

    A drop, gap or rate passes where its whole 95 % interval is allowed and fails where none of it is; intervals are
    over occupations. What did better passes, and is called improved where that is clear.

    Example: epicene gate -t simplegen -l en-de --baseline float.de --candidate int8.de --max-drop 2
    """
    from epicene.cli.show import show_changes
    from epicene.measures.gate import ORDER
    from epicene.output.terminal import tables
    from epicene.pipeline.compare import gate as judge

    gates = judge(
        baseline,
        candidate,
        max_drop,
        set_name,
        langs,
        protocol.value,
        groups or (),
        max_gap=max_gap,
        minimum=minimum,
        anyway=anyway,
    )
    if output is Format.JSON:
        typer.echo(tables.as_json([each.as_dict() for each in gates]))
    elif output is Format.LATEX:
        typer.echo("\n\n".join(tables.changes_latex(each.comparison) for each in gates))
    for each in gates:
        if output is Format.TEXT:
            show_changes(each.comparison)
        for judgement in each.judgements:
            typer.echo(tables.judgement_line(judgement), err=output is not Format.TEXT)
    raise typer.Exit(_EXIT[min((each.answer for each in gates), key=ORDER.index)])
