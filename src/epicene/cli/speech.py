"""``epicene speech``: sentences read aloud, and recordings written down."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.options import SetName
from epicene.cli.speech_score import score

_SHOWN = 3  # warnings

app = typer.Typer(no_args_is_help=True, help="List voices, read sets aloud, write recordings down, score that.")
app.command()(score)


@app.command()
def voices() -> None:
    """List the voices, one a line, with the command that installs those that are not here.

    Example: epicene speech voices
    """
    from epicene.speech.voices import available

    for offer in available():
        state = "installed" if offer.installed else f"run: {offer.install}"
        typer.echo(f"{offer.name:<12} {offer.speaker:<8} {offer.title}; {state}")


@app.command()
def synthesize(
    set_name: SetName,
    voice: Annotated[list[str], typer.Option("--voice", metavar="VOICE", help="Who speaks; may be given again.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the recordings go.")],
    langs: Annotated[
        str, typer.Option("--langs", "-l", metavar="PAIR", help="Language pair; its source is spoken.")
    ] = "en-de",
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, metavar="N", help="Only N sentences, drawn by the seed.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Which sentences --sample draws.")] = 1,
) -> None:
    """Read a set aloud into DIR/VOICE/ID.wav, with a manifest; a run that was killed goes on where it was.

    Example: epicene speech synthesize -t winomt --voice slt --voice rms -o spoken
    """
    from epicene import run
    from epicene.cli.progress import progress
    from epicene.errors import InputError
    from epicene.speech import manifest, synthesis
    from epicene.speech.voices import load

    chosen = [load(name) for name in voice]
    challenge = run.open_set(set_name)
    pair = run.open_pair(langs, challenge)
    if wrong := next((each for each in chosen if each.language != pair.source), None):
        raise InputError(f"voice {wrong.name} speaks {wrong.language}; the sentences of {langs} are in {pair.source}")
    sentences = [(item.id, item.source) for item in challenge.items(pair)]
    if sample is not None and sample < len(sentences):
        drawn = random.Random(seed).sample(range(len(sentences)), sample)
        sentences = [sentences[number] for number in sorted(drawn)]
    with progress("speaking") as bar:
        spoken = synthesis.synthesise(sentences, chosen, output, bar)
    for each in chosen:
        own = [clip for clip in manifest.read(output) if clip.voice == each.name]
        hours = sum(clip.seconds for clip in own) / 3600
        typer.echo(f"{each.name:<12} {each.speaker:<8} {len(own)} recordings, {hours:.2f} h, {each.identity}")
    typer.echo(f"{spoken} spoken now; listed in {output / manifest.NAME}")


@app.command()
def transcribe(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with a manifest, as synthesize makes it.")],
    recogniser: Annotated[str, typer.Option("--recogniser", "-r", metavar="RECOGNISER", help="Who listens.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="A table; - is the screen.")] = Path(
        "-"
    ),
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep transcripts.")] = False,
) -> None:
    """Write down what is said in recordings; what was recognised before is not recognised again.

    Example: epicene speech transcribe spoken -r pocketsphinx -o heard.tsv
    """
    from epicene.cli.progress import progress
    from epicene.engines import speech
    from epicene.files import written
    from epicene.speech import manifest, recognisers
    from epicene.store.cache import Cache

    listener = recognisers.load(recogniser)
    clips = manifest.read(folder)
    pace = speech.Pace()
    with progress("listening") as bar:
        texts = speech.transcribe(listener, clips, None if no_cache else Cache(), bar, pace)
    with written(output) as stream:
        stream.write("id\tvoice\tspeaker\ttext\ttranscript\n")
        for clip, text in zip(clips, texts, strict=True):
            cells = (clip.id, clip.voice, clip.speaker, clip.text, text)
            stream.write("\t".join(" ".join(cell.split()) for cell in cells) + "\n")
    for warning in pace.warnings[:_SHOWN]:
        typer.echo(f"warning: {warning}", err=True)
    if len(pace.warnings) > _SHOWN:
        typer.echo(f"warning: and {len(pace.warnings) - _SHOWN} recordings more", err=True)
    stored = len({clip.sha256 for clip in clips}) - pace.clips
    factor = f"real-time factor {pace.factor:.2f}, " if pace.factor else ""
    typer.echo(
        f"{listener.identity}: {pace.clips} recognised now ({pace.sound:.0f} s of sound in {pace.seconds:.0f} s, "
        f"{factor}{stored} stored before)",
        err=True,
    )
