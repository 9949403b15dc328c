"""``epicene weat``: association tests on word vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.options import Format, OutputFormat
from epicene.embeddings.settings import DRAWS, SEED, Method, Missing
from epicene.embeddings.vectors import Case, Pooling

if TYPE_CHECKING:
    from epicene.embeddings.outcome import Weat

app = typer.Typer()


@app.command()
def weat(
    embeddings: Annotated[
        list[str],
        typer.Option("--embedding", "-e", metavar="VECTORS", help="A file of word vectors, or huggingface:DIR."),
    ],
    tests: Annotated[
        list[str] | None,
        typer.Option(
            "--test",
            "-x",
            metavar="TEST",
            help="A test such as weat7 or ger-1, a language (en, de, fr) or FILE.toml; all if none is named.",
        ),
    ] = None,
    output: OutputFormat = Format.TEXT,
    words: Annotated[bool, typer.Option("--words", help="Show which words carry the association.")] = False,
    charts: Annotated[
        Path | None,
        typer.Option("--charts", metavar="FILE", help="Draw effect sizes, partitions and words: .svg or .json."),
    ] = None,
    method: Annotated[
        Method, typer.Option("--method", help="exact: count all partitions; mc: draw some; auto: exact where it fits.")
    ] = Method.AUTO,
    draws: Annotated[int, typer.Option("--draws", "-n", help="How many partitions mc draws.")] = DRAWS,
    seed: Annotated[int, typer.Option("--seed", help="The seed of mc.")] = SEED,
    ddof: Annotated[int, typer.Option("--ddof", help="1: the papers' standard deviation; 0: that of some tools.")] = 1,
    case: Annotated[
        Case,
        typer.Option("--case", help="exact: as listed; lower: all in lower case; any: as listed, else lower case."),
    ] = Case.EXACT,
    missing: Annotated[
        Missing,
        typer.Option("--missing", help="balance: leave out as many words on the other side; drop: do not; refuse."),
    ] = Missing.BALANCE,
    coverage: Annotated[
        float, typer.Option("--coverage", help="The least share of each list that must be found.")
    ] = 0.7,
    alpha: Annotated[float, typer.Option("--alpha", help="The level of the verdict.")] = 0.05,
    templates: Annotated[
        str | None,
        typer.Option("--templates", metavar="seat|FILE", help="Give an encoder sentences instead of words."),
    ] = None,
    pooling: Annotated[
        Pooling, typer.Option("--pooling", help="An encoder's vector of a sentence; auto: cls, else last.")
    ] = Pooling.AUTO,
) -> None:
    """Test word vectors for bias: effect sizes with exact p-values, in English, German and French.

    Example: epicene weat -e glove.840B.300d.txt -x weat7 -x weat8
    """
    from epicene.cli.progress import progress
    from epicene.embeddings.weat import weat as run_tests
    from epicene.output.charts import weat as weat_charts
    from epicene.output.charts.files import check

    if charts:
        check(charts)
    with progress("testing") as bar:
        found = run_tests(
            embeddings,
            tests,
            templates,
            bar,
            method=method,
            draws=draws,
            seed=seed,
            ddof=ddof,
            case=case,
            missing=missing,
            coverage=coverage,
            alpha=alpha,
            pooling=pooling,
        )
    how = f"paper: p two < {alpha:g} · bias: Holm ≤ {alpha:g} · ddof {ddof} · case {case} · missing {missing}"
    _show(found, output, words, how)
    if charts:
        weat_charts.write(found, charts)
    _enough(found, named=tests is not None)


def _show(found: Weat, output: Format, words: bool, how: str) -> None:
    from epicene.output.terminal import tables
    from epicene.output.terminal import weat as report

    if output is Format.JSON:
        typer.echo(tables.as_json(found.as_dicts()))
        return
    if output is Format.LATEX:
        typer.echo(report.as_latex(found))
        return
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for line in (*report.heading(found), how):
        console.print(line)
    if len(found):
        console.print(report.association_table(found))
        console.print(report.counts_table(found))
        console.print(report.LEGEND)
    for line in report.notes(found):
        console.print(line)
    for each in found if words else ():
        console.print(f"\n{each.test.name} on {each.embedding}: {each.test.title}")
        console.print(report.words_table(each))
    for each in found:
        console.print(each.signature, style="dim", soft_wrap=True)


def _enough(found: Weat, named: bool) -> None:
    """A test that was asked for and could not be run is no success."""
    from epicene.errors import EvidenceError

    if found.refused and (named or not len(found)):
        same = [each for each in found.refused if each.why]
        if same:
            raise EvidenceError(f"{same[0].test.name} on {same[0].embedding}: {same[0].why}; give other vectors")
        names = ", ".join(dict.fromkeys(refusal.test.name for refusal in found.refused))
        raise EvidenceError(f"not run for lack of words: {names}; lower --coverage, or give fuller vectors")
