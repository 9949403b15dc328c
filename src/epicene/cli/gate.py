"""``epicene gate``: a yes or no for continuous integration."""

from __future__ import annotations

from typing import Annotated

import typer

from epicene.cli.options import Anyway, Format, OutputFormat, Protocol, ProtocolName

app = typer.Typer()
_EXIT = {"ok": 0, "regression": 1, "unclear": 3}


@app.command()
def gate(
    baseline: Annotated[str, typer.Option("--baseline", metavar="RUN_OR_HYP", help="What was good enough.")],
    candidate: Annotated[str, typer.Option("--candidate", metavar="RUN_OR_HYP", help="What is to be released.")],
    max_drop: Annotated[float, typer.Option("--max-drop", metavar="POINTS", help="How much a group may lose.")],
    set_name: Annotated[
        str | None, typer.Option("--set", "-t", metavar="SET", help="What the files translate.")
    ] = None,
    langs: Annotated[str | None, typer.Option("--langs", "-l", metavar="PAIR")] = None,
    groups: Annotated[
        list[str] | None, typer.Option("--group", "-g", metavar="GROUP", help="Default: every group.")
    ] = None,
    protocol: ProtocolName = Protocol.EPICENE,
    anyway: Anyway = False,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Exit with 0 if no group lost more than allowed, 1 if one did, 3 if there are too few sentences to tell.

    Example: epicene gate -t simplegen -l en-de --baseline float.de --candidate int8.de --max-drop 2
    """
    from epicene.cli.show import show_changes
    from epicene.output.terminal import tables
    from epicene.pipeline.compare import gate as judge

    gates = judge(baseline, candidate, max_drop, set_name, langs, protocol.value, groups or (), anyway)
    if output is Format.JSON:
        typer.echo(tables.as_json([each.as_dict() for each in gates]))
    elif output is Format.LATEX:
        typer.echo("\n\n".join(tables.changes_latex(each.comparison) for each in gates))
    for each in gates:
        if output is Format.TEXT:
            show_changes(each.comparison)
        changes = {change.group: change for change in each.comparison.changes}
        for group, judgement in each.judgements.items():
            change = changes[group]
            typer.echo(
                f"{group:<6} {judgement:<10} drop {-change.difference:+z.1f}, allowed {max_drop:g}, "
                f"smallest drop that {change.n} sentences show: {change.detectable:.1f}",
                err=output is not Format.TEXT,
            )
    order = ("regression", "unclear", "ok")
    raise typer.Exit(_EXIT[min((each.answer for each in gates), key=order.index)])
