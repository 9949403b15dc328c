"""``epicene weat``: association tests on word vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from epicene.cli.command import command
from epicene.embeddings.vectors import DRAWS, SEED, Case, Method, Missing, Pooling
from epicene.output.table import Answer

if TYPE_CHECKING:
    from epicene.embeddings.ceat import Ceat
    from epicene.embeddings.debias import Debiasing
    from epicene.embeddings.panel import Panel
    from epicene.embeddings.weat import Weat

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


@command(app)
def weat(
    embeddings: Annotated[
        list[str],
        typer.Option("--embedding", "-e", metavar="VECTORS", help="File of word vectors, or huggingface:DIR."),
    ],
    tests: Annotated[
        list[str] | None,
        typer.Option(
            "--test",
            "-t",
            metavar="TEST",
            help="A test such as weat7 or ger-1, a language (en, de, fr) or FILE.toml. Default: all tests.",
        ),
    ] = None,
    words: Annotated[bool, typer.Option("--words", help="Show how much each word contributes.")] = False,
    charts: Annotated[
        Path | None,
        typer.Option(
            "--charts", metavar="FILE", help="Plot effect sizes, partitions and words to an .svg or .json file."
        ),
    ] = None,
    method: Annotated[
        Method, typer.Option("--method", help="exact: all partitions; mc: a random sample; auto: exact if feasible.")
    ] = Method.AUTO,
    draws: Annotated[int, typer.Option("--draws", help="Number of partitions for mc.")] = DRAWS,
    seed: Annotated[int, typer.Option("--seed", help="Random seed for mc.")] = SEED,
    ddof: Annotated[
        int, typer.Option("--ddof", help="Standard deviation: 1 as in the papers; 0 as in some tools.")
    ] = 1,
    case: Annotated[
        Case,
        typer.Option(
            "--case", help="exact: as listed; lower: all in lower case; any: as listed, or else in lower case."
        ),
    ] = Case.EXACT,
    missing: Annotated[
        Missing,
        typer.Option(
            "--missing",
            help="balance: leave out as many words on the other side; drop: leave out missing words only; refuse.",
        ),
    ] = Missing.BALANCE,
    coverage: Annotated[
        float, typer.Option("--coverage", help="Lowest share of each word list that must have vectors.")
    ] = 0.7,
    alpha: Annotated[float, typer.Option("--alpha", help="Significance level of the verdict.")] = 0.05,
    templates: Annotated[
        str | None,
        typer.Option("--templates", metavar="seat|FILE", help="Put the words into sentences, for encoders."),
    ] = None,
    pooling: Annotated[
        Pooling, typer.Option("--pooling", help="How an encoder pools a sentence; auto: cls, or else last.")
    ] = Pooling.AUTO,
    metrics: Annotated[
        list[Metric] | None,
        typer.Option("--metric", "-m", help="Another metric on the same words; may be repeated."),
    ] = None,
    after: Annotated[
        str | None,
        typer.Option("--after", metavar="VECTORS|hard", help="Compare with debiased vectors, or apply hard debiasing."),
    ] = None,
    contexts: Annotated[
        list[Path] | None,
        typer.Option(
            "--contexts", metavar="TEXT", help="CEAT: use the words in the sentences of this text, for encoders."
        ),
    ] = None,
    samples: Annotated[int, typer.Option("--samples", help="Number of context samples that CEAT combines.")] = 1000,
    old_tests: Annotated[list[str] | None, typer.Option("-x", hidden=True, metavar="TEST")] = None,
) -> Iterator[Answer]:
    """Test word vectors for bias in English, German and French, with effect sizes and exact p-values.

    Example: epicene weat -e glove.840B.300d.txt -t weat7 -t weat8
    """
    from epicene.cli.options import progress
    from epicene.embeddings.ceat import ceat
    from epicene.embeddings.debias import debiasing
    from epicene.embeddings.panel import NAMES, panel
    from epicene.embeddings.tables import word_tables
    from epicene.embeddings.weat import Weat as WeatResults
    from epicene.embeddings.weat import weat as run_tests
    from epicene.errors import InputError
    from epicene.output.charts import weat as weat_charts
    from epicene.output.charts.vega import check_path
    from epicene.output.table import Listing

    tests = [*(tests or ()), *(old_tests or ())] or None  # -x was their letter until 0.2
    if charts:
        check_path(charts)
    settings: dict[str, Any] = {
        "draws": draws,
        "seed": seed,
        "ddof": ddof,
        "case": case,
        "missing": missing,
        "coverage": coverage,
    }
    settings |= {"method": method, "alpha": alpha, "pooling": pooling}
    others = {"--metric": metrics and set(metrics) - {Metric.WEAT}, "--after": after, "--contexts": contexts}
    asked = [name for name, given in others.items() if given]
    if len(asked) > 1 or (asked and (charts or templates)):
        given = asked + [name for name, value in (("--charts", charts), ("--templates", templates)) if value]
        raise InputError(f"{' and '.join(given)} do not go together; choose one of them")
    if asked and len(embeddings) > 1 and not metrics:
        raise InputError(f"{asked[0]} works with one embedding; {len(embeddings)} -e were given")
    answers: list[Weat | Panel | Ceat | Debiasing] = []
    if after:
        answers.append(debiasing(embeddings[0], after, tests, **settings))
    elif contexts:
        answers.append(ceat(embeddings[0], contexts, tests, samples, **settings))
    elif asked:
        wanted = [name for name in NAMES if name in (metrics or ()) or Metric.ALL in (metrics or ())]
        answers.append(panel(embeddings, tests, wanted, **settings))
    if not asked or {Metric.ALL, Metric.WEAT} & set(metrics or ()):
        with progress("testing") as bar:
            results = run_tests(embeddings, tests, templates, bar, **settings)
        # What WEAT refuses, it names; the metrics on the same words need not name it again.
        answers = [*(replace(each, refused=()) for each in answers), results]
        if charts:
            weat_charts.write(results, charts)
    for answer in answers:
        yield answer
        if words and isinstance(answer, WeatResults):
            yield Listing(tuple(word_tables(answer)))
    _refuse_too_few(answers, named=tests is not None)


def _refuse_too_few(answers: Sequence[Weat | Panel | Ceat | Debiasing], named: bool) -> None:
    """Fail if a test that was asked for could not be run; all that could be is printed by then."""
    from epicene.errors import EvidenceError

    refused = [refusal for answer in answers for refusal in answer.refused]
    if not refused or not (named or not all(answer.results for answer in answers)):
        return
    for refusal in refused:
        if refusal.why:
            raise EvidenceError(f"{refusal.test.name} on {refusal.embedding}: {refusal.why}; give other vectors")
    names = ", ".join(dict.fromkeys(refusal.test.name for refusal in refused))
    raise EvidenceError(f"not run for lack of words: {names}; lower --coverage, or use vectors with more words")
