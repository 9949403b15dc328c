"""``epicene lab``: train, speed up and measure small translation models, and train word vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import OutputFormat
from epicene.cli.options import Protocol, note
from epicene.output.render import Format
from epicene_lab import cli_speech as lab_speech
from epicene_lab.vectors import Kind

app = typer.Typer(no_args_is_help=True)
app.add_typer(lab_speech.app, name="speech")
Results = Annotated[Path, typer.Option("--output", "-o", metavar="RESULTS.csv", help="Where points are added.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="All that is random follows from it.")]


class Device(StrEnum):
    """Where a model is trained."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


@app.callback()
def lab() -> None:
    """Train, speed up and measure small translation models, and train word vectors."""


@app.command()
def prepare(
    pair: Annotated[str, typer.Option("--pair", "-l", metavar="PAIR", help="Language pair, such as en-es.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="PAIRS.tsv.gz", help="The corpus, for lab train.")],
    data: Annotated[
        list[Path] | None, typer.Option("--data", metavar="PAIRS.tsv", help="Source, a tab, target; may be gzipped.")
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option("--text", metavar="SOURCE,TARGET", help="Two files, line by line, with a comma between."),
    ] = None,
    europarl: Annotated[
        Path | None,
        typer.Option("--europarl", metavar="DIR", help="A clone of Multilingual-Parallel-Direct-Europarl."),
    ] = None,
    most: Annotated[int, typer.Option("--most", min=0, help="Pairs of Europarl, chosen by a seed; 0: all.")] = 0,
    words: Annotated[int, typer.Option("--words", min=1, help="Longer pairs are left out.")] = 60,
    people: Annotated[
        str, typer.Option("--people", metavar="SKEW", help="Add sentences about people: labour, or 50 to 100.")
    ] = "",
    apart: Annotated[
        list[Path] | None, typer.Option("--apart", metavar="TEST", help="Keep out all sentences of these.")
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", "-t", metavar="SET", help="Keep out what is near to a challenge set.")
    ] = None,
) -> None:
    """Gather a training corpus: cleaned, and apart from what is tested on.

    Example: epicene lab prepare -l en-es --europarl europarl/ --most 250000 --people labour -o pairs.tsv.gz
    """
    from epicene.languages.codes import pair as parse_pair
    from epicene_lab import gather

    langs = parse_pair(pair)
    order = gather.Order(
        langs.source,
        langs.target,
        europarl,
        tuple(data or ()),
        tuple(gather.join_files(each) for each in text or ()),
        people,
        most,
        words,
        tuple(apart or ()),
        tuple(sets or ("simplegen",)),
    )
    found = gather.gather(order)
    for name, number in found.counts.items():
        typer.echo(f"{name}: {number} pairs", err=True)
    typer.echo(f"left out: {found.dropped}", err=True)
    typer.echo(f"{output}: {gather.write(found, output)} pairs")


@app.command()
def train(
    data: Annotated[Path, typer.Option("--data", metavar="PAIRS.tsv", help="Source, a tab, target; may be gzipped.")],
    pair: Annotated[str, typer.Option("--pair", "-l", metavar="PAIR", help="Language pair, such as en-es.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the model is kept.")],
    recipe: Annotated[
        str | None,
        typer.Option("--recipe", metavar="NAME", help="A recipe: tiny, paper, plan, bundled, or a .toml file."),
    ] = None,
    encoder: Annotated[int | None, typer.Option(min=1, help="Encoder layers.")] = None,
    decoder: Annotated[int | None, typer.Option(min=1, help="Decoder layers.")] = None,
    aan: Annotated[
        bool | None, typer.Option("--aan/--attention", help="Average attention in the decoder, or self-attention.")
    ] = None,
    dim: Annotated[int | None, typer.Option(min=1, help="Size of all vectors.")] = None,
    heads: Annotated[int | None, typer.Option(min=1, help="Attention heads.")] = None,
    ffn: Annotated[int | None, typer.Option(min=1, help="Size of the feed-forward layers.")] = None,
    vocabulary: Annotated[int | None, typer.Option(min=1, help="Byte pairs, shared by both sides.")] = None,
    epochs: Annotated[float | None, typer.Option(help="Times over the data.")] = None,
    batch_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of a batch, padding included.")] = None,
    seed: Seed = 1,
    apart: Annotated[
        list[Path] | None, typer.Option("--apart", metavar="TEST.tsv", help="Train on no sentence of these.")
    ] = None,
    device: Annotated[Device, typer.Option("--device", help="Where to train.")] = Device.AUTO,
    origin: Annotated[
        Path | None, typer.Option("--from", metavar="MODEL", help="Go on from this model: of lab train or lab export.")
    ] = None,
    rate: Annotated[float | None, typer.Option(help="The highest learning rate.")] = None,
    symbols: Annotated[
        list[str] | None,
        typer.Option("--symbol", metavar="SYMBOL[=WORDS]", help="With --from: a further piece, such as <F>=woman,she."),
    ] = None,
) -> None:
    """Train a model, or all of a recipe; a training that was killed goes on where it was.

    Example: epicene lab train --data pairs.tsv.gz --pair en-es --encoder 6 --decoder 2 --aan -o models/6-2-aan
    """
    from epicene.cli.options import progress
    from epicene.errors import InputError
    from epicene_lab import train as training
    from epicene_lab.recipe import load, parse

    sizes = {"encoder": encoder, "decoder": decoder, "aan": aan, "dim": dim, "heads": heads, "ffn": ffn}
    sizes |= {"vocabulary": vocabulary}
    how = {"epochs": epochs, "batch_tokens": batch_tokens, "rate": rate}
    if origin and (given_sizes := ", ".join(f"--{name}" for name in _given(sizes))):
        raise InputError(f"{given_sizes}: with --from the sizes are those of {origin}; leave them out")
    if symbols and not origin:
        raise InputError("--symbol adds a piece to a trained vocabulary; name the model with --from")
    given = training.resize(load(recipe) if recipe else parse("", "own", "own"), _given(sizes), _given(how))
    order = training.Order(
        data, pair, given, seed, output, device.value, tuple(apart or ()), origin, tuple(symbols or ())
    )
    with progress("training") as bar:
        for folder in training.train(order, bar, note):
            typer.echo(folder)


@app.command()
def adapt(
    how: Annotated[
        str,
        typer.Argument(
            metavar="HOW",
            help="balanced, tagged, counterfactual, instructed, general (a control), or a .toml file.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the adapted model goes.")],
    data: Annotated[
        list[str] | None,
        typer.Option("--data", metavar="LANG=PAIRS.tsv", help="Text by target language: English, a tab, the other."),
    ] = None,
    langs: Annotated[
        list[str] | None, typer.Option("--langs", "-l", metavar="PAIR", help="Pairs without text, such as en-de.")
    ] = None,
    origin: Annotated[
        str, typer.Option("--from", metavar="MODEL", help="bundled, or a folder of lab train or lab export.")
    ] = "bundled",
    apart: Annotated[
        list[Path] | None, typer.Option("--apart", metavar="TEST.tsv", help="Keep out all sentences of these.")
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", "-t", metavar="SET", help="Keep out what is near to a challenge set.")
    ] = None,
    epochs: Annotated[float | None, typer.Option(help="Times over the data, in place of the recipe's.")] = None,
    seed: Seed = 1,
    device: Annotated[Device, typer.Option("--device", help="Where to train.")] = Device.AUTO,
    data_only: Annotated[bool, typer.Option("--data-only", help="Make the data, train nothing.")] = False,
) -> None:
    """Adapt a translator to women and men alike: data, training on, an 8-bit model; goes on where it was.

    Example: epicene lab adapt balanced --data de=pairs.de.tsv.gz --data es=pairs.es.tsv.gz -o models/balanced
    """
    from epicene.cli.options import progress
    from epicene_lab import adapt as adapting
    from epicene_lab.adaptation import Order, load, parse_texts

    order = Order(
        load(how).times(epochs),
        origin,
        parse_texts(data or (), langs or ()),
        output,
        tuple(apart or ()),
        tuple(sets or ("simplegen",)),
        seed,
        device.value,
    )
    if data_only:
        adapting.prepare(order, note)
        typer.echo(output)
        return
    with progress("training") as bar:
        typer.echo(adapting.adapt(order, bar, note))


@app.command()
def vectors(
    texts: Annotated[list[Path], typer.Argument(metavar="TEXT", help="Plain text, a sentence or paragraph a line.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help=".vec, .bin (word2vec) or .npz.")],
    kind: Annotated[Kind, typer.Option("--kind", help="What is trained; counts: as GloVe counts, by SVD.")] = (
        Kind.WORD2VEC
    ),
    skipgram: Annotated[bool, typer.Option("--skipgram/--cbow", help="Predict neighbours, or from them.")] = False,
    dim: Annotated[int, typer.Option("--dim", min=1, help="Numbers of a vector.")] = 200,
    window: Annotated[int, typer.Option("--window", min=1, help="Neighbours on either side.")] = 5,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Times over the text.")] = 5,
    min_count: Annotated[int, typer.Option("--min", min=1, help="How often a word must stand there.")] = 5,
    lower: Annotated[bool, typer.Option("--lower", help="Take all words in lower case.")] = False,
    words: Annotated[
        Path | None, typer.Option("--words", metavar="FILE", help="Write only these words, one a line.")
    ] = None,
    seed: Seed = 1,
) -> None:
    """Train word vectors on plain text: word2vec and fastText by gensim (extra vectors), or counts of neighbours.

    Example: epicene lab vectors europarl.de.txt -o europarl.de.npz --epochs 3
    """
    from epicene.files import refuse_overwrite
    from epicene_lab import vectors as training

    refuse_overwrite([output], [*texts, words])
    training.check(output)
    how = training.Training(kind, skipgram, dim, window, epochs, min_count, lower, seed)
    found = training.train(texts, how, lambda line: typer.echo(line, err=True))
    kept = training.write(found, output, words)
    typer.echo(f"{output}: {kept:,} of {len(found.words):,} words from {found.tokens:,}, {how.signature}")


@app.command()
def speed(
    models: Annotated[list[Path], typer.Argument(metavar="MODEL", help="Folders of epicene lab train.")],
    test: Annotated[Path, typer.Option("--test", metavar="PAIRS.tsv", help="Sentences with references.")],
    output: Results = Path("results.csv"),
    sentences: Annotated[int, typer.Option("--sentences", min=1, help="How many are timed.")] = 100,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="MODEL", help="Timed in every turn, as 100 %. Default: the first."),
    ] = None,
    repeats: Annotated[int, typer.Option("--repeats", help="How often; at least 5.")] = 5,
    times_only: Annotated[bool, typer.Option("--times-only", help="Measure no BLEU and no SimpleGEN.")] = False,
) -> None:
    """Decode with float and 8-bit weights, beam 1 and 5, one sentence at a time; what was measured is not repeated.

    Example: epicene lab speed models/6-6 models/6-2 --test test.tsv.gz -o results.csv
    """
    from epicene_lab import points
    from epicene_lab.speed import Plan
    from epicene_lab.speed import measure_speed as measured

    plan = Plan(test, sentences, baseline, repeats, times_only=times_only)
    for point in measured(models, plan, output):
        typer.echo(points.write_line(point))


@app.command()
def table(
    results: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RESULTS", help="Files of points, joined, or a folder of outputs; the shipped one if none."
        ),
    ] = None,
    protocol: Annotated[
        Protocol,
        typer.Option(
            "--protocol", help="paper: what the paper's own scripts compute; epicene: the best reading we have."
        ),
    ] = Protocol.EPICENE,
    charts: Annotated[
        Path | None, typer.Option("--charts", metavar="FILE", help="Figures 1 and A2: .svg, or .json for Vega-Lite.")
    ] = None,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Print Tables 4a and 4b of Renduchintala et al. 2021 for measured points, and the trends of its figures.

    Example: epicene lab table results.csv --charts figures.svg
    """
    from epicene.cli.command import show
    from epicene.output.charts.study import write
    from epicene_lab.points import read
    from epicene_lab.shipped import Results, shipped
    from epicene_lab.studies.simplegen import study

    given = results or [shipped()]
    found = Results(given[0]).points() if len(given) == 1 and given[0].is_dir() else read(given)
    answer = study(found, protocol.value, "yours" if results else "ours")
    show([answer], output)
    if charts:
        write(answer, charts)


@app.command()
def export(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A folder of epicene lab train.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the exported model goes.")],
) -> None:
    """Write a model in 8 bits for CTranslate2, to be used as -s ctranslate2:DIR.

    Example: epicene lab export models/6-2 -o models/6-2.ct2
    """
    from epicene_lab.export import export as write

    write(model, output)


def _given(options: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in options.items() if value is not None}


@app.command()
def pairs(
    how: Annotated[str, typer.Argument(metavar="HOW", help="balanced, tagged, counterfactual or instructed.")],
    pair: Annotated[str, typer.Option("--pair", "-l", metavar="PAIR", help="Language pair, such as en-es.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="PAIRS.tsv", help="Where the pairs are written.")],
    data: Annotated[
        Path | None, typer.Option("--data", metavar="PAIRS.tsv", help="Source, a tab, target; may be gzipped.")
    ] = None,
    seed: Seed = 1,
) -> None:
    """Make training data that mends gender: a few balanced sentences, tags, counterfactual copies, or instructions.

    Example: epicene lab pairs counterfactual --data pairs.tsv.gz --pair en-es -o augmented.tsv
    """
    from epicene.errors import InputError
    from epicene.files import read_lines, refuse_overwrite, write_atomically
    from epicene.languages.codes import pair as parse_pair
    from epicene_lab.gendered import make

    refuse_overwrite([output], [data])
    langs = parse_pair(pair)
    if langs.source != "en":
        raise InputError(f"people are found in English sentences; the pair {pair} translates from {langs.source}")
    if (data is None) != (how == "balanced"):
        raise InputError(
            "balanced pairs are made from tables, so they take no --data; tagged, counterfactual and instructed need it"
        )

    def given() -> Iterator[tuple[str, str]]:
        for number, line in enumerate(read_lines(data) if data else (), 1):
            cells = line.split("\t")
            if len(cells) < 2:
                raise InputError(f"{data}:{number}: no tab; expected source TAB target")
            yield cells[0], cells[1]

    found = make(how, given(), langs.target, seed)
    with write_atomically(output) as stream:
        stream.writelines(f"{source}\t{target}\n" for source, target in found)
