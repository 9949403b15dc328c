"""``epicene rerank``: choose from n-best lists what fits the gender that the source states."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import command
from epicene.cli.options import Anyway, Langs
from epicene.cli.verbosity import note
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def rerank(
    langs: Langs,
    set_name: Annotated[str | None, typer.Option("--set", "-t", metavar="SET", help="A challenge set.")] = None,
    text: Annotated[
        str | None, typer.Option("--input", "-i", metavar="TEXT", help="A file, one sentence a line.")
    ] = None,
    system: Annotated[str, typer.Option("--system", "-s", metavar="SYSTEM", help="Who gives the lists.")] = "bundled",
    nbest: Annotated[
        Path | None,
        typer.Option("--nbest", metavar="FILE", help="Lists that are there: 'number ||| text ||| score' or JSONL."),
    ] = None,
    number: Annotated[int, typer.Option("-n", metavar="N", min=2, help="Candidates of each sentence.")] = 12,
    oracle: Annotated[
        bool, typer.Option("--oracle", help="Take the gender from the set's labels, as published oracles do.")
    ] = False,
    max_loss: Annotated[
        float | None,
        typer.Option("--max-loss", metavar="SCORE", min=0.0, help="How far below the first one's a score may lie."),
    ] = None,
    constrain: Annotated[
        bool, typer.Option("--constrain", help="Where none fits, hold the system to one that does.")
    ] = False,
    reference: Annotated[
        Path | None, typer.Option("--reference-text", metavar="FILE", help="References for BLEU and chrF, one a line.")
    ] = None,
    hypotheses: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="HYP", help="Write what was chosen, one a line.")
    ] = None,
    trail: Annotated[
        Path | None, typer.Option("--trail", metavar="FILE.jsonl", help="Write every list, and why what was chosen.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep translations.")] = False,
    anyway: Anyway = False,
) -> Iterator[Answer]:
    """Choose from n-best lists the best-scored candidate that fits the gender which the source states.

    Where the source states none, or nothing fits better, the first candidate stays. A set is judged before and after
    by every protocol that it has, since the reader that selects must not be the only judge.

    Example: epicene rerank -i news.en -l en-de -s ctranslate2:my-model -o news.de

    Example: epicene rerank -t winomt -l en-es --nbest enes.nbest.4 --oracle
    """
    from epicene.act import verbs as acting
    from epicene.act.tables import summarise_reranked
    from epicene.cli.progress import progress
    from epicene.errors import InputError
    from epicene.files import apart, read_lines, written
    from epicene.store.records import write_jsonl

    if (set_name is None) == (text is None):
        raise InputError("rerank needs either -t SET or -i TEXT")
    apart([hypotheses, trail], [text, nbest, reference, (set_name or "").partition(":")[2]])
    asked = set_name if set_name is not None else list(read_lines(text or ""))
    with progress("translating") as bar:
        found = acting.rerank(
            asked,
            langs,
            system,
            nbest,
            number,
            oracle,
            list(read_lines(reference)) if reference else (),
            max_loss,
            constrain,
            cached=not no_cache,
            progress=bar,
            anyway=anyway,
        )
    if hypotheses is not None or set_name is None:
        with written(hypotheses or "-") as stream:
            stream.writelines(f"{line}\n" for line in found.lines)
    if trail is not None:
        write_jsonl(trail, (choice.as_dict() for choice in found.choices))
    if set_name is None and hypotheses is None:
        note(summarise_reranked(found))  # the translations are on standard output
    else:
        yield found
