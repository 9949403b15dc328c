"""``epicene weat``: association tests on word vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.command import Several, command, option
from epicene.cli.options import progress
from epicene.embeddings.vectors import Settings
from epicene.errors import EvidenceError
from epicene.output.table import Answer, Listing

if TYPE_CHECKING:
    from epicene.embeddings.tables import Refusal

app = typer.Typer()


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
    old_tests: Annotated[Several, option("-x TEST", hidden=True)] = (),
) -> Iterator[Answer]:
    """Test word vectors for bias in English, German and French, with effect sizes and exact p-values.

    Example: epicene weat -e glove.840B.300d.txt -t weat7 -t weat8
    """
    from epicene.embeddings.tables import word_tables
    from epicene.embeddings.weat import weat as run_tests
    from epicene.output.charts import weat as weat_charts
    from epicene.output.charts.vega import check_path

    named = [*tests, *old_tests] or None  # -x was their letter until 0.2
    if charts:
        check_path(charts)
    with progress("testing") as bar:
        answer = run_tests(embeddings, named, templates, bar, **asdict(settings))
    if charts:
        weat_charts.write(answer, charts)
    yield answer
    if words:
        yield Listing(tuple(word_tables(answer)))
    check_refused(answer.refused, named is not None or not answer.results)


def check_refused(refused: Sequence[Refusal], expected: bool) -> None:
    """Fail if tests that were expected to run could not be; all that could be is printed by then."""
    if not refused or not expected:
        return
    for refusal in refused:
        if refusal.why:
            raise EvidenceError(f"{refusal.test.name} on {refusal.embedding}: {refusal.why}; give other vectors")
    names = ", ".join(dict.fromkeys(refusal.test.name for refusal in refused))
    raise EvidenceError(f"not run for lack of words: {names}; lower --coverage, or use vectors with more words")
