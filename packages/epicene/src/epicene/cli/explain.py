"""``epicene explain``: why one sentence is read as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.options import Langs, OutputFormat
from epicene.output.render import Format

if TYPE_CHECKING:
    from epicene.types import Evidence, Verdict

app = typer.Typer()


@app.command()
def explain(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="An English sentence.")],
    translation: Annotated[str, typer.Argument(metavar="TRANSLATION", help="What a translator made of it.")],
    langs: Langs,
    person: Annotated[
        str, typer.Option("--person", metavar="WORD", help="Whom to read. Default: everybody who is found.")
    ] = "",
    output: OutputFormat = Format.TEXT,
) -> None:
    """Say who was found in a translation, which step decided on which words, and what spoke against it.

    Example: epicene explain -l en-de "The astronaut slept." "Die Astronautin schlief."
    """
    from epicene.cli.show import show_csv
    from epicene.flow.explain import explain as read
    from epicene.output.terminal import tables
    from epicene.rows import as_markdown
    from epicene.store.codec import verdict_record

    verdicts = read(langs, source, translation, person)
    if output is Format.TEXT:
        typer.echo("\n\n".join(map(_text, verdicts)))
        return
    if output is Format.CSV:
        show_csv([_row(verdict) for verdict in verdicts])
        return
    if output in (Format.MARKDOWN, Format.LATEX):
        rows = [_row(verdict) for verdict in verdicts]
        cells = [[str(cell) for cell in row.values()] for row in rows]
        header = list(rows[0])
        typer.echo(as_markdown(header, cells) if output is Format.MARKDOWN else tables.latex([], header, cells))
        return
    typer.echo(tables.as_json([verdict_record(verdict) for verdict in verdicts]))


def _row(verdict: Verdict) -> dict[str, object]:
    person = verdict.output.item.person
    found = {"person": person.text, "kind": person.kind.value, "gender": verdict.gender.value, "step": verdict.step}
    words = {"words": _words(verdict.evidence), "against": _words(verdict.against)}
    return {**found, "confidence": verdict.confidence, **words}


def _text(verdict: Verdict) -> str:
    person = verdict.output.item.person
    lines = [f"{person.text} ({person.kind}): {verdict.gender}"]
    if verdict.step != "none":
        lines.append(f"  step     {verdict.step}, confidence {verdict.confidence:.2f}")
        lines.append(f"  words    {_words(verdict.evidence)}")
    else:
        lines.append("  step     none: no word of the translation could be taken for the person")
    if verdict.against:
        lines.append(f"  against  {_words(verdict.against)}")
    return "\n".join(lines)


def _words(evidence: tuple[Evidence, ...]) -> str:
    return ", ".join(f"{each.text} ({each.start}–{each.end})" for each in evidence) or "none"
