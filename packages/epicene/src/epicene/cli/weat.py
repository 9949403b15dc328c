"""``epicene weat``: association tests on word vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.command import Several, command, option
from epicene.cli.options import progress
from epicene.embeddings.vectors import Settings
from epicene.errors import EvidenceError, InputError
from epicene.output.table import Answer, Listing

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
    embeddings: Annotated[list[str], option("-e, --embedding VECTORS", "File of word vectors, or huggingface:DIR.")],
    tests: Annotated[
        Several,
        option(
            "-t, --test TEST",
            "A test such as weat7 or ger-1, a language (en, de, fr) or FILE.toml. Default: all tests.",
        ),
    ] = (),
    words: Annotated[bool, option("--words", "Show how much each word contributes.")] = False,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    charts: Annotated[
        Path | None, option("--charts FILE", "Plot effect sizes and words to an .svg or .json file.")
    ] = None,
    templates: Annotated[
        str | None, option("--templates seat|FILE", "Put the words into sentences, for encoders.")
    ] = None,
    metrics: Annotated[
        tuple[Metric, ...], option("-m, --metric", "Another metric on the same words; may be repeated.")
    ] = (),
    after: Annotated[
        str | None, option("--after VECTORS|hard", "Compare with debiased vectors, or apply hard debiasing.")
    ] = None,
    contexts: Annotated[
        tuple[Path, ...], option("--contexts TEXT", "CEAT: use the words in the sentences of this text, for encoders.")
    ] = (),
    samples: Annotated[int, option("--samples", "Number of context samples that CEAT combines.")] = 1000,
    old_tests: Annotated[Several, option("-x TEST", hidden=True)] = (),
) -> Iterator[Answer]:
    """Test word vectors for bias in English, German and French, with effect sizes and exact p-values.

    Example: epicene weat -e glove.840B.300d.txt -t weat7 -t weat8
    """
    from epicene.embeddings.ceat import ceat
    from epicene.embeddings.debias import debiasing
    from epicene.embeddings.panel import NAMES, panel
    from epicene.embeddings.tables import word_tables
    from epicene.embeddings.weat import Weat as WeatResults
    from epicene.embeddings.weat import weat as run_tests
    from epicene.output.charts import weat as weat_charts
    from epicene.output.charts.vega import check_path

    named = [*tests, *old_tests] or None  # -x was their letter until 0.2
    if charts:
        check_path(charts)
    how = asdict(settings)
    others = {"--metric": set(metrics) - {Metric.WEAT}, "--after": after, "--contexts": contexts}
    asked = [name for name, given in others.items() if given]
    if len(asked) > 1 or (asked and (charts or templates)):
        given = asked + [name for name, value in (("--charts", charts), ("--templates", templates)) if value]
        raise InputError(f"{' and '.join(given)} do not go together; choose one of them")
    if asked and len(embeddings) > 1 and not metrics:
        raise InputError(f"{asked[0]} works with one embedding; {len(embeddings)} -e were given")
    answers: list[Weat | Panel | Ceat | Debiasing] = []
    if after:
        answers.append(debiasing(embeddings[0], after, named, **how))
    elif contexts:
        answers.append(ceat(embeddings[0], contexts, named, samples, **how))
    elif asked:
        wanted = [name for name in NAMES if name in metrics or Metric.ALL in metrics]
        answers.append(panel(embeddings, named, wanted, **how))
    if not asked or {Metric.ALL, Metric.WEAT} & set(metrics):
        with progress("testing") as bar:
            results = run_tests(embeddings, named, templates, bar, **how)
        # What WEAT refuses, it names; the metrics on the same words need not name it again.
        answers = [*(replace(each, refused=()) for each in answers), results]
        if charts:
            weat_charts.write(results, charts)
    for answer in answers:
        yield answer
        if words and isinstance(answer, WeatResults):
            yield Listing(tuple(word_tables(answer)))
    _refuse_too_few(answers, named is not None)


def _refuse_too_few(answers: Sequence[Weat | Panel | Ceat | Debiasing], named: bool) -> None:
    """Fail if a test that was asked for could not be run; all that could be is printed by then."""
    refused = [refusal for answer in answers for refusal in answer.refused]
    if not refused or not (named or not all(answer.results for answer in answers)):
        return
    for refusal in refused:
        if refusal.why:
            raise EvidenceError(f"{refusal.test.name} on {refusal.embedding}: {refusal.why}; give other vectors")
    names = ", ".join(dict.fromkeys(refusal.test.name for refusal in refused))
    raise EvidenceError(f"not run for lack of words: {names}; lower --coverage, or use vectors with more words")
