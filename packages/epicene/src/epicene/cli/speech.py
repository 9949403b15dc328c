"""``epicene speech``: sentences read aloud, and recordings written down."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import Several, argument, command, option
from epicene.cli.options import SetName, note, progress
from epicene.errors import InputError
from epicene.files import write_atomically
from epicene.output.table import Answer, Column, Listing, Table

SpokenLangs = Annotated[str, option("-l, --langs PAIR", "Language pair; the recordings are in its source language.")]
_SHOWN = 3  # warnings, or sentences without a recording

app = typer.Typer(
    no_args_is_help=True,
    help="List voices; synthesize, add, transcribe and score recordings of test sets.\n\n"
    "Example: epicene speech synthesize -t winomt --voice slt -o spoken",
)


@command(app)
def score(
    set_name: Annotated[str, option("-t, --set SET", "Recordings: winost, winost:DIR or spoken:SET@DIR.")] = "winost",
    recognisers: Annotated[Several, option("-r, --recogniser RECOGNISER", "Speech recogniser.")] = (),
    inputs: Annotated[
        Several, option("-i, --input FILE", "Transcripts, one per line in the order of the recordings.")
    ] = (),
    langs: SpokenLangs = "en-de",
    no_cache: Annotated[bool, option("--no-cache", "Do not use the transcript cache.")] = False,
) -> Iterator[Answer]:
    """Score speech recognition only: word errors, wrong occupations and pronouns, by gender and voice.

    Example: epicene speech score -t winost:spoken -r pocketsphinx

    Example: epicene speech score -t winost -i heard.txt -f json
    """
    from epicene.flow import hear

    if not recognisers and not inputs:
        raise InputError("nothing to score; name a recogniser with -r, or a file of transcripts with -i")
    with progress("listening") as bar:
        for name in recognisers:
            yield hear.score_recognition(set_name, langs, name, not no_cache, bar)
    for path in inputs:
        yield hear.score_recognition(set_name, langs, Path(path))


@command(app)
def voices() -> Iterator[Answer]:
    """List voices, and the commands that install missing ones.

    Example: epicene speech voices
    """
    from epicene.speech.voices import available

    installed = {voice: voice.installed() for voice in available()}
    rows = tuple(
        (voice.usage, voice.speaker, "here" if here else "not here", voice.summary) for voice, here in installed.items()
    )
    needed: dict[str, list[str]] = {}
    for voice, here in installed.items():
        if not here:
            needed.setdefault(voice.install, []).append(voice.usage)
    notes = tuple(f"for {', '.join(names)} run: {command}" for command, names in needed.items())
    columns = (Column("voice"), *(Column(name, wraps=True) for name in ("speaker", "state", "title")))
    yield Listing((Table("", columns, rows, notes),))


@command(app)
def synthesize(
    set_name: SetName,
    voice: Annotated[list[str], option("--voice VOICE", "Voice; may be repeated.")],
    output: Annotated[Path, option("-o, --output DIR", "Folder for the recordings.")],
    langs: SpokenLangs = "en-de",
    sample: Annotated[int | None, option("--sample N", "Use a random sample of N sentences.", min=1)] = None,
    seed: Annotated[int, option("--seed", "Random seed of --sample.")] = 1,
) -> None:
    """Synthesize a test set as DIR/VOICE/ID.wav with a manifest; an interrupted run resumes where it stopped.

    Example: epicene speech synthesize -t winomt --voice slt --voice rms -o spoken
    """
    from epicene.speech import manifest, synthesis
    from epicene.speech.voices import load

    choices = [load(name) for name in voice]
    language, sentences = _sentences(set_name, langs)
    if wrong := next((choice for choice in choices if choice.language != language), None):
        raise InputError(f"voice {wrong.name} speaks {wrong.language}; the sentences of {langs} are in {language}")
    if sample is not None and sample < len(sentences):
        drawn = random.Random(seed).sample(range(len(sentences)), sample)
        sentences = [sentences[number] for number in sorted(drawn)]
    with progress("speaking") as bar:
        spoken = synthesis.synthesise(sentences, choices, output, bar)
    for choice in choices:
        spoken_clips = [clip for clip in manifest.read(output) if clip.voice == choice.name]
        hours = sum(clip.seconds for clip in spoken_clips) / 3600
        typer.echo(
            f"{choice.name:<12} {choice.speaker:<8} {len(spoken_clips)} recordings, {hours:.2f} h, {choice.identity}"
        )
    typer.echo(f"{spoken} spoken now; listed in {output / manifest.NAME}")


@command(app)
def add(
    folder: Annotated[Path, argument("DIR", "Folder with VOICE/ID.wav, named by the ids of the sentences.")],
    set_name: SetName,
    voice: Annotated[str, option("--voice VOICE", "Name of the voice and of its folder.")],
    speaker: Annotated[str, option("--speaker", "Gender of the speaker: female, male or unknown.")] = "unknown",
    lines: Annotated[
        bool, option("--lines", "Files are named by line number in 'sets export', from 1, instead of by id.")
    ] = False,
    table: Annotated[
        Path | None, option("--list TSV", "Table with the columns path, and id or text, for files with other names.")
    ] = None,
    langs: SpokenLangs = "en-de",
) -> None:
    """Add people's recordings of a test set to DIR's manifest; unsuitable files are reported and left out.

    Example: epicene speech add recorded -t winomt --voice anna --speaker female

    Example: epicene speech add recorded -t winomt --voice anna --speaker female --list files.tsv
    """
    from epicene.speech import manifest, readers

    if lines and table:
        raise InputError(
            f"--lines and --list {table}: the table already assigns files to sentences; use one of the two"
        )
    sentences = _sentences(set_name, langs)[1]
    taken = readers.take(folder, sentences, voice, speaker, lines, table)
    _warn(taken.warnings)
    for why in taken.left_out:
        note(f"left out: {why}")
    if taken.missing:
        more = " …" if len(taken.missing) > _SHOWN else ""
        first = ", ".join(taken.missing[:_SHOWN])
        note(f"{len(taken.missing):,} of {len(sentences):,} sentences have no recording by {voice}: {first}{more}")
    typer.echo(f"{voice}: {len(taken.clips)} recordings, listed in {folder / manifest.NAME}")


@command(app)
def transcribe(
    folder: Annotated[Path, argument("DIR", "Folder with a manifest, as written by synthesize.")],
    recogniser: Annotated[str, option("-r, --recogniser RECOGNISER", "Speech recogniser.")],
    output: Annotated[Path, option("-o, --output FILE", "Table to write; - is stdout.")] = Path("-"),
    no_cache: Annotated[bool, option("--no-cache", "Do not use the transcript cache.")] = False,
) -> None:
    """Transcribe recordings; finished ones are not transcribed again.

    Example: epicene speech transcribe spoken -r pocketsphinx -o heard.tsv
    """
    from epicene.flow import hear
    from epicene.speech import manifest, recognisers
    from epicene.store.cache import Cache

    listener = recognisers.load(recogniser)
    clips = manifest.read(folder)
    if not clips:
        raise InputError(f"{folder / manifest.NAME} lists no recording; run: epicene speech synthesize -o {folder}")
    pace = hear.Pace()
    with progress("listening") as bar:
        texts = hear.transcribe(listener, clips, None if no_cache else Cache(), bar, pace)
    with write_atomically(output) as stream:
        stream.write("id\tvoice\tspeaker\ttext\ttranscript\n")
        for clip, text in zip(clips, texts, strict=True):
            cells = (clip.id, clip.voice, clip.speaker, clip.text, text)
            stream.write("\t".join(" ".join(cell.split()) for cell in cells) + "\n")
    stored = len({clip.sha256 for clip in clips}) - pace.clips
    factor = f"real-time factor {pace.factor:.2f}, " if pace.factor else ""
    note(
        f"{listener.identity}: {pace.clips} recognised now ({pace.sound:.0f} s of sound in {pace.seconds:.0f} s, "
        f"{factor}{stored} stored before)"
    )


def _sentences(set_name: str, langs: str) -> tuple[str, list[tuple[str, str]]]:
    """The language of a set's sentences, and their ids and texts in official order."""
    from epicene.flow import plan

    test_set = plan.open_set(set_name)
    pair = plan.open_pair(langs, test_set)
    items = list(test_set.items(pair))
    if any(item.audio for item in items):
        raise InputError(f"set {set_name} has recordings already; use its text, as in -t winomt")
    return pair.source, [(item.id, item.source) for item in items]


def _warn(warnings: list[str]) -> None:
    for warning in warnings[:_SHOWN]:
        note(f"warning: {warning}")
    if len(warnings) > _SHOWN:
        note(f"warning: and {len(warnings) - _SHOWN} recordings more")
