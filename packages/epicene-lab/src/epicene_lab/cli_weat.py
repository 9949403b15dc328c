"""``epicene lab weat``: metrics of word vectors beyond WEAT, on the words of its tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import Several, Without, command, option
from epicene.cli.weat import check_refused
from epicene.embeddings.vectors import Settings
from epicene.output.table import Answer

app = typer.Typer(no_args_is_help=True)
Tests = Annotated[
    Several, option("-t, --test TEST", "A test such as weat7, a language or FILE.toml. Default: all tests.")
]


@app.callback()
def weat() -> None:
    """Measure word vectors on the words of WEAT: other metrics, before and after debiasing, words in context (CEAT)."""


@command(app)
def metrics(
    embeddings: Annotated[list[str], option("-e, --embedding VECTORS", "File of word vectors, or huggingface:DIR.")],
    tests: Tests = (),
    names: Annotated[
        Several, option("-m, --metric NAME", "rnd, rnsb, mac, ect or ripa; may be repeated. Default: all.")
    ] = (),
    settings: Annotated[Settings, Without("ddof", "method", "missing", "alpha", "pooling")] = Settings(),  # noqa: B008 - frozen
) -> Iterator[Answer]:
    """Measure word vectors by the metrics of other toolkits: RND, RNSB, MAC, ECT and RIPA, with intervals and p.

    Example: epicene lab weat metrics -e glove.840B.300d.txt -t weat8 -m rnd -m ripa
    """
    from epicene_lab.embeddings.panel import NAMES, panel

    answer = panel(embeddings, tests or None, names or NAMES, **asdict(settings))
    yield answer
    check_refused(answer.refused, bool(tests) or not answer.results)


@command(app)
def debias(
    before: Annotated[str, option("-e, --embedding VECTORS", "File of word vectors before debiasing.")],
    after: Annotated[
        str, option("--after VECTORS|hard", "File of debiased vectors, or hard: debias the English ones of -e.")
    ] = "hard",
    tests: Tests = (),
    settings: Annotated[Settings, Without("alpha", "pooling")] = Settings(),  # noqa: B008 - frozen
) -> Iterator[Answer]:
    """Run WEAT before and after debiasing, with a paired test of the change.

    Example: epicene lab weat debias -e a.vec -t weat7 --after debiased.vec
    """
    from epicene_lab.embeddings.debias import debiasing

    answer = debiasing(before, after, tests or None, **asdict(settings))
    yield answer
    check_refused(answer.refused, bool(tests) or not answer.results)


@command(app)
def ceat(
    encoder: Annotated[str, option("-e, --embedding huggingface:DIR", "Encoder of transformers.")],
    contexts: Annotated[list[Path], option("--contexts TEXT", "Plain text, one sentence per line; may be repeated.")],
    tests: Tests = (),
    samples: Annotated[int, option("--samples", "Number of context samples to combine.")] = 1000,
    settings: Annotated[Settings, Without("case", "missing", "pooling")] = Settings(),  # noqa: B008 - frozen
) -> Iterator[Answer]:
    """Test an encoder on words in real sentences: CEAT, a combined effect size for each test.

    Example: epicene lab weat ceat -e huggingface:DIR -t weat8 --contexts news.txt
    """
    from epicene_lab.embeddings.ceat import ceat as run_tests

    answer = run_tests(encoder, contexts, tests or None, samples, **asdict(settings))
    yield answer
    check_refused(answer.refused, bool(tests) or not answer.results)
