"""``epicene lab``: train, speed up and measure small translation models, and train and measure word vectors."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import Several, argument, command, option
from epicene.cli.options import Protocol, note, progress
from epicene.output.table import Answer
from epicene_lab import cli_speech, cli_weat
from epicene_lab.recipe import Sizes
from epicene_lab.speed import Plan
from epicene_lab.vectors import Training

app = typer.Typer(no_args_is_help=True)
app.add_typer(cli_speech.app, name="speech")
app.add_typer(cli_weat.app, name="weat")
LangPair = Annotated[str, option("-l, --pair PAIR", "Language pair, such as en-es.")]
Apart = Annotated[tuple[Path, ...], option("--apart TEST.tsv", "Keep out all sentences of these.")]
Sets = Annotated[Several, option("-t, --set SET", "Keep out what is near to a challenge set.")]
Seed = Annotated[int, option("--seed", "All that is random follows from it.", min=0)]
_SETS = ("simplegen",)


class Device(StrEnum):
    """Where a model is trained."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


DeviceName = Annotated[Device, option("--device", "Where to train.")]


@app.callback()
def lab() -> None:
    """Train, speed up and measure small translation models, and train and measure word vectors."""


@command(app)
def prepare(
    pair: LangPair,
    output: Annotated[Path, option("-o, --output PAIRS.tsv.gz", "The corpus, for lab train.")],
    data: Annotated[tuple[Path, ...], option("--data PAIRS.tsv", "Source, a tab, target; may be gzipped.")] = (),
    text: Annotated[Several, option("--text SOURCE,TARGET", "Two files, line by line, with a comma between.")] = (),
    europarl: Annotated[
        Path | None, option("--europarl DIR", "A clone of Multilingual-Parallel-Direct-Europarl.")
    ] = None,
    most: Annotated[int, option("--most", "Pairs of Europarl, chosen by a seed; 0: all.", min=0)] = 0,
    words: Annotated[int, option("--words", "Longer pairs are left out.", min=1)] = 60,
    people: Annotated[str, option("--people SKEW", "Add sentences about people: labour, or 50 to 100.")] = "",
    apart: Apart = (),
    sets: Sets = (),
) -> None:
    """Gather a training corpus: cleaned, and apart from what is tested on.

    Example: epicene lab prepare -l en-es --europarl europarl/ --most 250000 --people labour -o pairs.tsv.gz
    """
    from epicene.languages.codes import pair as parse_pair
    from epicene_lab import gather

    langs, texts = parse_pair(pair), tuple(map(gather.join_files, text))
    order = gather.Order(langs.source, langs.target, europarl, data, texts, people, most, words, apart, sets or _SETS)
    corpus = gather.gather(order)
    for name, number in corpus.counts.items():
        typer.echo(f"{name}: {number} pairs", err=True)
    typer.echo(f"left out: {corpus.dropped}", err=True)
    typer.echo(f"{output}: {gather.write(corpus, output)} pairs")


@command(app)
def train(
    data: Annotated[Path, option("--data PAIRS.tsv", "Source, a tab, target; may be gzipped.")],
    pair: LangPair,
    output: Annotated[Path, option("-o, --output DIR", "Where the model is kept.")],
    recipe: Annotated[
        str | None, option("--recipe NAME", "A recipe: tiny, paper, plan, bundled, or a .toml file.")
    ] = None,
    sizes: Sizes = Sizes(),  # noqa: B008 - frozen
    seed: Seed = 1,
    apart: Apart = (),
    device: DeviceName = Device.AUTO,
    origin: Annotated[Path | None, option("--from MODEL", "Go on from this model: of lab train or lab export.")] = None,
    symbols: Annotated[
        Several, option("--symbol SYMBOL[=WORDS]", "With --from: a further piece, such as <F>=woman,she.")
    ] = (),
) -> None:
    """Train a model, or all of a recipe; a training that was killed goes on where it was.

    Example: epicene lab train --data pairs.tsv.gz --pair en-es --encoder 6 --decoder 2 --aan -o models/6-2-aan
    """
    from epicene.errors import InputError
    from epicene_lab import train as training
    from epicene_lab.recipe import load, parse

    if origin and (shape := sizes.shape):
        options = ", ".join(f"--{name}" for name in shape)
        raise InputError(f"{options}: with --from the sizes are those of {origin}; leave them out")
    if symbols and not origin:
        raise InputError("--symbol adds a piece to a trained vocabulary; name the model with --from")
    resized = sizes.resize(load(recipe) if recipe else parse("", "own", "own"))
    order = training.Order(data, pair, resized, seed, output, device.value, apart, origin, symbols)
    with progress("training") as bar:
        for folder in training.train(order, bar, note):
            typer.echo(folder)


@command(app)
def adapt(
    how: Annotated[
        str, argument("HOW", "balanced, tagged, counterfactual, instructed, general (a control), or a .toml file.")
    ],
    output: Annotated[Path, option("-o, --output DIR", "Where the adapted model goes.")],
    data: Annotated[
        Several, option("--data LANG=PAIRS.tsv", "Text by target language: English, a tab, the other.")
    ] = (),
    langs: Annotated[Several, option("-l, --langs PAIR", "Pairs without text, such as en-de.")] = (),
    origin: Annotated[str, option("--from MODEL", "bundled, or a folder of lab train or lab export.")] = "bundled",
    apart: Apart = (),
    sets: Sets = (),
    epochs: Annotated[float | None, option("--epochs", "Times over the data, in place of the recipe's.")] = None,
    seed: Seed = 1,
    device: DeviceName = Device.AUTO,
    data_only: Annotated[bool, option("--data-only", "Make the data, train nothing.")] = False,
) -> None:
    """Adapt a translator to women and men alike: data, training on, an 8-bit model; goes on where it was.

    Example: epicene lab adapt balanced --data de=pairs.de.tsv.gz --data es=pairs.es.tsv.gz -o models/balanced
    """
    from epicene_lab import adapt as adapting
    from epicene_lab.adaptation import Order, load, parse_texts

    adaptation, texts = load(how).times(epochs), parse_texts(data, langs)
    order = Order(adaptation, origin, texts, output, apart, sets or _SETS, seed, device.value)
    if data_only:
        adapting.prepare(order, note)
        typer.echo(output)
        return
    with progress("training") as bar:
        typer.echo(adapting.adapt(order, bar, note))


@command(app)
def vectors(
    texts: Annotated[list[Path], argument("TEXT", "Plain text, a sentence or paragraph a line.")],
    output: Annotated[Path, option("-o, --output FILE", ".vec, .bin (word2vec) or .npz.")],
    training: Training = Training(),  # noqa: B008 - frozen
    words: Annotated[Path | None, option("--words FILE", "Write only these words, one a line.")] = None,
) -> None:
    """Train word vectors on plain text: word2vec and fastText by gensim (extra vectors), or counts of neighbours.

    Example: epicene lab vectors europarl.de.txt -o europarl.de.npz --epochs 3
    """
    from epicene.files import refuse_overwrite
    from epicene_lab import vectors as trainer

    refuse_overwrite([output], [*texts, words])
    trainer.check(output)
    trained = trainer.train(texts, training, lambda line: typer.echo(line, err=True))
    written = trainer.write(trained, output, words)
    typer.echo(f"{output}: {written:,} of {len(trained.words):,} words from {trained.tokens:,}, {training.signature}")


@command(app)
def speed(
    models: Annotated[list[Path], argument("MODEL", "Folders of epicene lab train.")],
    plan: Plan,
    output: Annotated[Path, option("-o, --output RESULTS.csv", "Where points are added.")] = Path("results.csv"),
) -> None:
    """Decode with float and 8-bit weights, beam 1 and 5, one sentence at a time; what was measured is not repeated.

    Example: epicene lab speed models/6-6 models/6-2 --test test.tsv.gz -o results.csv
    """
    from epicene_lab import points
    from epicene_lab.speed import measure_speed

    for point in measure_speed(models, plan, output):
        typer.echo(points.write_line(point))


@command(app)
def table(
    results: Annotated[
        tuple[Path, ...],
        argument("RESULTS", "Files of points, joined, or a folder of outputs; the shipped one if none."),
    ] = (),
    protocol: Annotated[
        Protocol,
        option("--protocol", "paper: what the paper's own scripts compute; epicene: the best reading we have."),
    ] = Protocol.EPICENE,
    charts: Annotated[Path | None, option("--charts FILE", "Figures 1 and A2: .svg, or .json for Vega-Lite.")] = None,
) -> Iterator[Answer]:
    """Print Tables 4a and 4b of Renduchintala et al. 2021 for measured points, and the trends of its figures.

    Example: epicene lab table results.csv --charts figures.svg
    """
    from epicene.output.charts.study import write
    from epicene_lab.points import read
    from epicene_lab.shipped import Results, shipped
    from epicene_lab.studies.simplegen import study

    paths = results or (shipped(),)
    points = Results(paths[0]).points() if len(paths) == 1 and paths[0].is_dir() else read(paths)
    answer = study(points, protocol.value, "yours" if results else "ours")
    yield answer
    if charts:
        write(answer, charts)


@command(app)
def export(
    model: Annotated[Path, argument("MODEL", "A folder of epicene lab train.")],
    output: Annotated[Path, option("-o, --output DIR", "Where the exported model goes.")],
) -> None:
    """Write a model in 8 bits for CTranslate2, to be used as -s ctranslate2:DIR.

    Example: epicene lab export models/6-2 -o models/6-2.ct2
    """
    from epicene_lab.export import export as write

    write(model, output)


@command(app)
def pairs(
    how: Annotated[str, argument("HOW", "balanced, tagged, counterfactual or instructed.")],
    pair: LangPair,
    output: Annotated[Path, option("-o, --output PAIRS.tsv", "Where the pairs are written.")],
    data: Annotated[Path | None, option("--data PAIRS.tsv", "Source, a tab, target; may be gzipped.")] = None,
    seed: Seed = 1,
) -> None:
    """Make training data that mends gender: a few balanced sentences, tags, counterfactual copies, or instructions.

    Example: epicene lab pairs counterfactual --data pairs.tsv.gz --pair en-es -o augmented.tsv
    """
    from epicene.files import refuse_overwrite, write_atomically
    from epicene_lab.gendered import make_from_file

    refuse_overwrite([output], [data])
    made = make_from_file(how, data, pair, seed)
    with write_atomically(output) as stream:
        stream.writelines(f"{source}\t{target}\n" for source, target in made)
