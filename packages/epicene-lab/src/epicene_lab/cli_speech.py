"""``epicene lab speech``: make a small direct speech translator, stage by stage."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import Several, argument, command, option
from epicene.cli.options import note, progress

app = typer.Typer(no_args_is_help=True)
Recipe = Annotated[Path | None, option("--recipe FILE.toml", "Sizes and training; the shipped recipe if none.")]
DeviceName = Annotated[str, option("--device NAME", "Where to compute: auto, cpu or cuda.")]


@app.callback()
def speech() -> None:
    """Make a small direct speech translator: English speech to text in several languages (extra lab)."""


@command(app)
def text(
    output: Annotated[Path, option("-o, --output DIR", "Where the text is kept.")],
    data: Annotated[list[Path], option("--data FILE", "Pairs: English, a tab, another language. Repeatable.")],
    europarl: Annotated[
        Path | None, option("--europarl DIR", "A clone of Multilingual-Parallel-Direct-Europarl.")
    ] = None,
    apart: Annotated[tuple[Path, ...], option("--apart FILE", "Tests, which stay out. Repeatable.")] = (),
    recipe: Recipe = None,
) -> None:
    """Choose sentences to speak and have the bundled translator translate them; an interrupted run resumes.

    Example: epicene lab speech text --data tatoeba_eng-deu.tsv.gz --europarl europarl -o speech
    """
    from epicene_lab.speech import recipe as recipes
    from epicene_lab.speech.chosen import Sources
    from epicene_lab.speech.text import TEXT
    from epicene_lab.speech.text import prepare as run

    chosen, _ = recipes.load_plans(recipe)
    count = run(output, Sources(tuple(data), europarl, apart), chosen, note)
    typer.echo(f"{output / TEXT}: {count} sentences")


@command(app)
def speak(
    text: Annotated[Path, argument("TEXT.tsv.xz", "What epicene lab speech text made.")],
    output: Annotated[Path, option("-o, --output DIR", "Where the shards go.")],
    heldout: Annotated[
        bool, option("--heldout", "Every voice says every sentence, those never trained on too.")
    ] = False,
    voice: Annotated[Several, option("--voice PROGRAM:VOICE", "With --heldout: these. Repeatable.")] = (),
    most: Annotated[int, option("--most", "Sentences, the first of the text; 0: all.", min=0)] = 0,
    workers: Annotated[int, option("--workers", "0: one a core.", min=0)] = 0,
    minutes: Annotated[float | None, option("--minutes", "Begin no shard after that.", min=0.01)] = None,
    recipe: Recipe = None,
) -> None:
    """Speak the text with many voices, paces, pitches and noises, as features to train on; an interrupted run resumes.

    Example: epicene lab speech speak text.tsv.xz -o shards
    """
    from epicene_lab.speech import recipe as recipes
    from epicene_lab.speech.speak import Order
    from epicene_lab.speech.speak import speak as run

    _, manner = recipes.load_plans(recipe)
    spoken = run(Order(text, output, manner, heldout, voice, most, workers, minutes), note)
    typer.echo(f"{output}: {spoken.recordings} recordings, {spoken.seconds / 3600:.2f} h")


@command(app)
def prepare(
    text: Annotated[Path, argument("TEXT.tsv.xz", "Columns en, de, es, fr, it; a sentence a row.")],
    output: Annotated[Path, option("-o, --output DIR", "Where pieces and text are kept.")],
    recipe: Recipe = None,
    pieces: Annotated[Path | None, option("--pieces FILE.model", "Take these pieces; learn none.")] = None,
) -> None:
    """Learn a vocabulary from the text and cut the text into its pieces.

    Example: epicene lab speech prepare text.tsv.xz -o data
    """
    from epicene_lab.speech import recipe as recipes
    from epicene_lab.speech import targets

    typer.echo(f"{output}: {targets.prepare(text, recipes.load(recipe), output, pieces)} sentences")


@command(app)
def train(
    shards: Annotated[Path, argument("SHARDS", "A folder of epicene lab speech speak.")],
    data: Annotated[Path, option("--data DIR", "What epicene lab speech prepare made.")],
    output: Annotated[Path, option("-o, --output DIR", "Where the model is kept.")],
    recipe: Recipe = None,
    minutes: Annotated[
        float | None,
        option("--minutes", "Time limit in minutes; the learning rate falls to fit it.", min=0.01),
    ] = None,
    wait: Annotated[float, option("--wait", "Seconds to wait for the first shard.", min=0)] = 0.0,
    seed: Annotated[int, option("--seed", "All that is random follows from it.", min=0)] = 1,
    device: DeviceName = "auto",
) -> None:
    """Train the model: first to write down what is said, then to translate it as well.

    Shards that arrive while it trains are taken as they come; an interrupted run resumes from its last checkpoint.

    Example: epicene lab speech train shards --data data -o model --minutes 8
    """
    from epicene_lab.speech import recipe as recipes
    from epicene_lab.store import choose_device

    where = choose_device(device, "epicene lab speech train")
    from epicene_lab.speech.training import Order
    from epicene_lab.speech.training import train as run

    order = Order(recipes.load(recipe), data, shards, output, seed, where, minutes, wait)
    with progress("training") as bar:
        run(order, note, bar)
    typer.echo(output)


@command(app)
def decode(
    model: Annotated[Path, argument("MODEL", "A folder of epicene lab speech train.")],
    shards: Annotated[Path, argument("SHARDS", "Recordings that nobody trained on.")],
    text: Annotated[Path, option("--text TEXT.tsv", "The sentences that the shards speak.")],
    output: Annotated[Path, option("-o, --output FILE.tsv", "Where the outputs are written.")],
    languages: Annotated[str, option("--languages LIST", "Which to write.")] = "en,de,es,fr,it",
    beam: Annotated[int, option("--beam", "Hypotheses that are kept.", min=1)] = 1,
    most: Annotated[int, option("--most", "Recordings, evenly drawn; 0: all.", min=0)] = 0,
    device: DeviceName = "auto",
) -> None:
    """Write what a model makes of recordings in shards: sentence, voice, language, reference and output.

    Example: epicene lab speech decode model heldout --text heldout.tsv -o outputs.tsv
    """
    from epicene_lab.speech.decode import Decoding
    from epicene_lab.speech.decode import decode as run
    from epicene_lab.store import choose_device

    asked = tuple(code.strip() for code in languages.split(",") if code.strip())
    order = Decoding(
        model, text, shards, output, asked, beam, most=most, device=choose_device(device, "epicene lab speech decode")
    )
    typer.echo(f"{output}: {run(order, note)} lines")


@command(app)
def export(
    model: Annotated[Path, argument("MODEL", "A folder of epicene lab speech train.")],
    output: Annotated[Path, option("-o, --output DIR", "Where the exported model goes.")],
    languages: Annotated[str, option("--languages CODES", "What it shall be asked for; else all it was taught.")] = "",
) -> None:
    """Write a model in 8 bits for CTranslate2, to be used as -s direct:DIR.

    Example: epicene lab speech export model -o my-direct --languages de,es,fr
    """
    from epicene_lab.speech.export import export as write

    write(model, output, languages=[code.strip() for code in languages.split(",") if code.strip()])
    size = sum(path.stat().st_size for path in output.iterdir() if path.is_file())
    typer.echo(f"{output}: {size / 1e6:.1f} MB")
