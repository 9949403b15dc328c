"""``epicene rerank``: choose from n-best lists what fits the gender that the source states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import Without, command, option
from epicene.cli.options import AnySet, Langs, Text, note, progress, read_request
from epicene.files import write_atomically
from epicene.options import Asking, Reranking
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def rerank(
    langs: Langs,
    set_name: AnySet = None,
    text: Text = None,
    system: Annotated[str, option("-s, --system SYSTEM", "System that generates the lists.")] = "bundled",
    nbest: Annotated[
        Path | None, option("--nbest FILE", "File of n-best lists: 'number ||| text ||| score' or JSONL.")
    ] = None,
    hypotheses: Annotated[
        Path | None, option("-o, --output HYP", "Write the chosen translations, one per line.")
    ] = None,
    trail: Annotated[
        Path | None, option("--trail FILE.jsonl", "Write every list with the choice and its reason.")
    ] = None,
    reranking: Reranking = Reranking(),  # noqa: B008 - frozen
    asking: Annotated[Asking, Without("budget", "sample", "seed", "since", "engine")] = Asking(),  # noqa: B008 - frozen
) -> Iterator[Answer]:
    """Choose from n-best lists the best-scored candidate that has the gender stated in the source.

    If the source states no gender, or no candidate fits better, the first candidate stays. A test set is scored before
    and after with every protocol that it has, because the detector that chooses must not be the only judge.

    Example: epicene rerank -i news.en -l en-de -s ctranslate2:my-model -o news.de

    Example: epicene rerank -t winomt -l en-es --nbest enes.nbest.4 --oracle
    """
    from epicene.act import rerank as feature
    from epicene.store.records import write_jsonl

    asked = read_request("rerank", set_name, text, [hypotheses, trail], nbest)
    with progress("translating") as bar:
        answer = feature.rerank(asked, langs, system, nbest, reranking, replace(asking, progress=bar))
    if hypotheses is not None or set_name is None:
        with write_atomically(hypotheses or "-") as stream:
            stream.writelines(f"{line}\n" for line in answer.lines)
    if trail is not None:
        write_jsonl(trail, (choice.as_dict() for choice in answer.choices))
    if set_name is None and hypotheses is None:
        note(answer.summary)  # the translations are on standard output
    else:
        yield answer
