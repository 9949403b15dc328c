"""``epicene lab speech``: make a small direct speech translator, stage by stage."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.options import note

app = typer.Typer(no_args_is_help=True)
Recipe = Annotated[
    Path | None, typer.Option("--recipe", metavar="FILE.toml", help="Sizes and training; the shipped recipe if none.")
]
DeviceName = Annotated[str, typer.Option("--device", metavar="NAME", help="Where to compute: auto, cpu or cuda.")]


@app.callback()
def speech() -> None:
    """Make a small direct speech translator: English speech to text in several languages (extra lab)."""


@app.command()
def text(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the text is kept.")],
    data: Annotated[
        list[Path], typer.Option("--data", metavar="FILE", help="Pairs: English, a tab, another language. Repeatable.")
    ],
    europarl: Annotated[
        Path | None, typer.Option("--europarl", metavar="DIR", help="A clone of Multilingual-Parallel-Direct-Europarl.")
    ] = None,
    apart: Annotated[
        list[Path] | None, typer.Option("--apart", metavar="FILE", help="Tests, which stay out. Repeatable.")
    ] = None,
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
    count = run(output, Sources(tuple(data), europarl, tuple(apart or ())), chosen, note)
    typer.echo(f"{output / TEXT}: {count} sentences")


@app.command()
def speak(
    text: Annotated[Path, typer.Argument(metavar="TEXT.tsv.xz", help="What epicene lab speech text made.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the shards go.")],
    heldout: Annotated[
        bool, typer.Option("--heldout", help="Every voice says every sentence, those never trained on too.")
    ] = False,
    voice: Annotated[
        list[str] | None, typer.Option("--voice", metavar="PROGRAM:VOICE", help="With --heldout: these. Repeatable.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=0, help="Sentences, the first of the text; 0: all.")] = 0,
    workers: Annotated[int, typer.Option("--workers", min=0, help="0: one a core.")] = 0,
    minutes: Annotated[float | None, typer.Option("--minutes", min=0.01, help="Begin no shard after that.")] = None,
    recipe: Recipe = None,
) -> None:
    """Speak the text with many voices, paces, pitches and noises, as features to train on; an interrupted run resumes.

    Example: epicene lab speech speak text.tsv.xz -o shards
    """
    from epicene_lab.speech import recipe as recipes
    from epicene_lab.speech.speak import Order
    from epicene_lab.speech.speak import speak as run

    _, manner = recipes.load_plans(recipe)
    found = run(Order(text, output, manner, heldout, tuple(voice or ()), most, workers, minutes), note)
    typer.echo(f"{output}: {found.recordings} recordings, {found.seconds / 3600:.2f} h")


@app.command()
def prepare(
    text: Annotated[Path, typer.Argument(metavar="TEXT.tsv.xz", help="Columns en, de, es, fr, it; a sentence a row.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where pieces and text are kept.")],
    recipe: Recipe = None,
    pieces: Annotated[
        Path | None, typer.Option("--pieces", metavar="FILE.model", help="Take these pieces; learn none.")
    ] = None,
) -> None:
    """Learn a vocabulary from the text and cut the text into its pieces.

    Example: epicene lab speech prepare text.tsv.xz -o data
    """
    from epicene_lab.speech import recipe as recipes
    from epicene_lab.speech import targets

    typer.echo(f"{output}: {targets.prepare(text, recipes.load(recipe), output, pieces)} sentences")


@app.command()
def train(
    shards: Annotated[Path, typer.Argument(metavar="SHARDS", help="A folder of epicene lab speech speak.")],
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="What epicene lab speech prepare made.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the model is kept.")],
    recipe: Recipe = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", min=0.01, help="Time limit in minutes; the learning rate falls to fit it."),
    ] = None,
    wait: Annotated[float, typer.Option("--wait", min=0, help="Seconds to wait for the first shard.")] = 0.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="All that is random follows from it.")] = 1,
    device: DeviceName = "auto",
) -> None:
    """Train the model: first to write down what is said, then to translate it as well.

    Shards that arrive while it trains are taken as they come; an interrupted run resumes from its last checkpoint.

    Example: epicene lab speech train shards --data data -o model --minutes 8
    """
    from epicene.cli.options import progress
    from epicene_lab.speech import recipe as recipes
    from epicene_lab.store import choose_device

    where = choose_device(device, "epicene lab speech train")
    from epicene_lab.speech.training import Order
    from epicene_lab.speech.training import train as run

    order = Order(recipes.load(recipe), data, shards, output, seed, where, minutes, wait)
    with progress("training") as bar:
        run(order, note, bar)
    typer.echo(output)


@app.command()
def decode(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A folder of epicene lab speech train.")],
    shards: Annotated[Path, typer.Argument(metavar="SHARDS", help="Recordings that nobody trained on.")],
    text: Annotated[Path, typer.Option("--text", metavar="TEXT.tsv", help="The sentences that the shards speak.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE.tsv", help="Where the outputs are written.")],
    languages: Annotated[str, typer.Option("--languages", metavar="LIST", help="Which to write.")] = "en,de,es,fr,it",
    beam: Annotated[int, typer.Option("--beam", min=1, help="Hypotheses that are kept.")] = 1,
    most: Annotated[int, typer.Option("--most", min=0, help="Recordings, evenly drawn; 0: all.")] = 0,
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


@app.command()
def export(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A folder of epicene lab speech train.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the exported model goes.")],
    languages: Annotated[
        str, typer.Option("--languages", metavar="CODES", help="What it shall be asked for; else all it was taught.")
    ] = "",
) -> None:
    """Write a model in 8 bits for CTranslate2, to be used as -s direct:DIR.

    Example: epicene lab speech export model -o my-direct --languages de,es,fr
    """
    from epicene_lab.speech.export import export as write

    write(model, output, languages=[code.strip() for code in languages.split(",") if code.strip()])
    size = sum(path.stat().st_size for path in output.iterdir() if path.is_file())
    typer.echo(f"{output}: {size / 1e6:.1f} MB")
