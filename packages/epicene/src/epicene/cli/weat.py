"""``epicene weat``: association tests on word vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from epicene.cli.options import OutputFormat
from epicene.embeddings.settings import DRAWS, SEED, Method, Missing
from epicene.embeddings.vectors import Case, Pooling
from epicene.output.render import Format

if TYPE_CHECKING:
    from epicene.embeddings.weat import Refusal, Weat

app = typer.Typer()


class Metric(StrEnum):
    """What is measured on the words of a test."""

    WEAT = "weat"
    RND = "rnd"
    RNSB = "rnsb"
    MAC = "mac"
    ECT = "ect"
    RIPA = "ripa"
    ALL = "all"


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
            "-t",
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
    metrics: Annotated[
        list[Metric] | None,
        typer.Option("--metric", "-m", help="Another metric on the same words; may be given many times."),
    ] = None,
    after: Annotated[
        str | None,
        typer.Option("--after", metavar="VECTORS|hard", help="Compare with vectors after debiasing, or hard debias."),
    ] = None,
    contexts: Annotated[
        list[Path] | None,
        typer.Option("--contexts", metavar="TEXT", help="CEAT: an encoder's words in the sentences of a text."),
    ] = None,
    samples: Annotated[int, typer.Option("--samples", help="How many choices of contexts CEAT combines.")] = 1000,
    old_tests: Annotated[list[str] | None, typer.Option("-x", hidden=True, metavar="TEST")] = None,
) -> None:
    """Test word vectors for bias: effect sizes with exact p-values, in English, German and French.

    Example: epicene weat -e glove.840B.300d.txt -t weat7 -t weat8
    """
    from epicene.cli.progress import progress
    from epicene.embeddings.weat import weat as run_tests
    from epicene.errors import InputError
    from epicene.output.charts import weat as weat_charts
    from epicene.output.charts.files import check

    tests = [*(tests or ()), *(old_tests or ())] or None  # -x was their letter until 0.2
    if charts:
        check(charts)
    settings = {"draws": draws, "seed": seed, "ddof": ddof, "case": case, "missing": missing, "coverage": coverage}
    settings |= {"method": method, "alpha": alpha, "pooling": pooling}
    others = {"--metric": metrics and set(metrics) - {Metric.WEAT}, "--after": after, "--contexts": contexts}
    asked = [name for name, given in others.items() if given]
    if len(asked) > 1 or (asked and (charts or templates)):
        given = asked + [name for name, value in (("--charts", charts), ("--templates", templates)) if value]
        raise InputError(f"{' and '.join(given)} do not go together; give one of them")
    if asked and len(embeddings) > 1 and not metrics:
        raise InputError(f"{asked[0]} compares with one embedding; {len(embeddings)} -e were given")
    if after:
        _show_change(embeddings[0], after, tests, output, settings)
        return
    if contexts:
        _show_contexts(embeddings[0], contexts, tests, samples, output, settings)
        return
    if asked:
        names = [each.value for each in (metrics or ())]
        _show_panel(embeddings, tests, names, output, settings)
        if "all" not in names and "weat" not in names:
            return
        if output is not Format.TEXT:
            raise InputError("-f json and -f latex give one kind of result; leave out weat, or give it alone")
    with progress("testing") as bar:
        found = run_tests(embeddings, tests, templates, bar, **settings)
    how = f"paper: p two < {alpha:g} · bias: Holm ≤ {alpha:g} · ddof {ddof} · case {case} · missing {missing}"
    _show(found, output, words, how)
    if charts:
        weat_charts.write(found, charts)
    _enough(found, named=tests is not None)


def _show(found: Weat, output: Format, words: bool, how: str) -> None:
    from epicene.cli.show import show_csv, show_markdown
    from epicene.output.terminal import tables
    from epicene.output.terminal import weat as report

    if output is Format.JSON:
        typer.echo(tables.as_json(found.as_dicts()))
        return
    if output is Format.LATEX:
        typer.echo(report.as_latex(found))
        return
    if output is Format.CSV:
        show_csv(found.rows())
        return
    if output is Format.MARKDOWN:
        tabled = [report.association_table(found), report.counts_table(found)] if len(found) else []
        per_word = [part for each in (found if words else ()) for part in (each.test.name, report.words_table(each))]
        lines = (*report.notes(found), *(each.signature for each in found))
        show_markdown([*report.heading(found), how, *tabled, report.LEGEND, *per_word, *lines])
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


def _show_panel(
    embeddings: list[str], tests: list[str] | None, names: list[str], output: Format, settings: dict[str, Any]
) -> None:
    """Other metrics than WEAT."""
    from epicene.embeddings.panel import NAMES, panel
    from epicene.output.terminal import embeddings as report
    from epicene.output.terminal import tables

    wanted = [name for name in NAMES if name in names or "all" in names]
    found = panel(embeddings, tests, wanted, **settings)
    if output is not Format.TEXT:
        typer.echo(tables.as_json(found.as_dicts()) if output is Format.JSON else report.panel_latex(found))
    else:
        heading = [f"{place}  {name}" for place, name in enumerate(found.embeddings, 1)]
        _print([*heading, *report.panel_groups(found), report.panel_table(found), report.PANEL_LEGEND])
        _print(list(report.refusals(found.refused)))
        _dim(each.signature for each in found.results)
    _none_refused(found.refused, tests, bool(found.results))


def _show_change(before: str, after: str, tests: list[str] | None, output: Format, settings: dict[str, Any]) -> None:
    """The same tests before and after debiasing."""
    from epicene.embeddings.debias import debiasing
    from epicene.output.terminal import embeddings as report
    from epicene.output.terminal import tables

    found = debiasing(before, after, tests, **settings)
    if output is not Format.TEXT:
        typer.echo(tables.as_json(found.as_dicts()) if output is Format.JSON else report.change_latex(found))
    else:
        lines = [f"before  {found.before}", f"after   {found.after}"]
        _print([*lines, report.change_table(found), report.CHANGE_LEGEND, *report.refusals(found.refused)])
        _dim(side.signature for each in found.changes for side in (each.before, each.after))
    _none_refused(found.refused, tests, bool(found.changes))


def _show_contexts(
    encoder: str, texts: list[Path], tests: list[str] | None, samples: int, output: Format, settings: dict[str, Any]
) -> None:
    """CEAT."""
    from epicene.embeddings.ceat import ceat
    from epicene.output.terminal import embeddings as report
    from epicene.output.terminal import tables

    found = ceat(encoder, texts, tests, samples, **settings)
    if output is not Format.TEXT:
        typer.echo(tables.as_json(found.as_dicts()) if output is Format.JSON else report.ceat_latex(found))
    else:
        _print([found.embedding, report.ceat_table(found), *report.refusals(found.refused)])
        _dim(each.signature for each in found.results)
    _none_refused(found.refused, tests, bool(found.results))


def _print(parts: list[Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for part in parts:
        console.print(part)


def _dim(signatures: Iterable[str]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for signature in dict.fromkeys(signatures):
        console.print(signature, style="dim", soft_wrap=True)


def _none_refused(refused: Sequence[Refusal], tests: list[str] | None, any_run: bool) -> None:
    """A test that was asked for and could not be run is no success."""
    from epicene.errors import EvidenceError

    if refused and (tests is not None or not any_run):
        first = refused[0]
        raise EvidenceError(f"{first.test.name} on {first.embedding}: {first.reason}; lower --coverage, or give more")


def _enough(found: Weat, named: bool) -> None:
    """A test that was asked for and could not be run is no success."""
    from epicene.errors import EvidenceError

    if found.refused and (named or not len(found)):
        same = [each for each in found.refused if each.why]
        if same:
            raise EvidenceError(f"{same[0].test.name} on {same[0].embedding}: {same[0].why}; give other vectors")
        names = ", ".join(dict.fromkeys(refusal.test.name for refusal in found.refused))
        raise EvidenceError(f"not run for lack of words: {names}; lower --coverage, or give fuller vectors")
