"""Speech: the shipped direct translator on held-out sentences, and what voices and recognisers cost."""

from __future__ import annotations

import csv
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from benchmarks import run_parts
from epicene import systems
from epicene.files import locate_cache, read_lines
from epicene.flow import ask, hear
from epicene.languages.codes import iso3
from epicene.measures.speech import words
from epicene.sets.simplegen import SET
from epicene.speech import audio, manifest, recognisers, synthesis, voices
from epicene.speech.manifest import Clip
from epicene.store.cache import Cache
from epicene.types import Cascade, Pair, Recogniser, SpeechSystem

SENTENCES = Path(__file__).with_name("speech_heldout.tsv")
UNSEEN = {"rms", "espeak-f", "flite:rms", "espeak-ng:en-us+f3"}
VOICES = os.environ.get("HELDOUT_VOICES", "rms,slt").split(",")
SYSTEMS = os.environ.get("HELDOUT_SYSTEMS", "direct:bundled,cascade:pocketsphinx+bundled").split(",")
KINDS = os.environ.get("HELDOUT_KINDS", "tatoeba,people").split(",")
LANGUAGES = ("de", "es", "fr")
Row = Mapping[str, str]
Scores = dict[str, float]  # by column


def print_heldout() -> None:
    """The shipped direct speech translator and a cascade on held-out sentences: word error rate and BLEU, by voice.

    Sentences of ``speech_heldout.tsv`` were kept out of the training of ``direct:bundled``: 149 about two people, of
    our own, and 300 everyday ones of Tatoeba, named by their checksum and found in ``$EPICENE_TEST_DATA/parallel``;
    without it they are left out. Columns de, es and fr are the teacher's translations, which the direct model was
    taught the like of; what people wrote comes from Tatoeba as well. Voices speak here, as ``epicene speech
    synthesize`` does; ``rms`` and ``espeak-f`` were never trained on. What was heard lies in the cache, so a second run
    is quick; the first takes a quarter of an hour of two cores.

    ``python -m benchmarks.speech heldout OUTPUTS.tsv`` reads a table of ``epicene lab speech decode`` instead.
    ``HELDOUT_VOICES=rms,slt,espeak-f,espeak-m`` takes other voices, ``HELDOUT_SYSTEMS=direct:DIR,cascade:…+…`` other
    systems, ``HELDOUT_KINDS=people`` one kind of sentences.
    """
    if sys.argv[1:]:
        decoded(Path(sys.argv[1]))
        return
    rows = list(sentences())
    opened = {name: systems.load_for_speech(name) for name in SYSTEMS}
    count = sum(row["kind"] in KINDS for row in rows)
    print(f"{count} held-out sentences; BLEU against the teacher's translations; *: people's, where there are some")
    heads = ["WER", *LANGUAGES, *(f"{code}*" for code in LANGUAGES)]
    print(f"{'voice':<17} {'system':<9} {' '.join(f'{head:>6}' for head in heads)}")
    found: dict[str, list[Scores]] = defaultdict(list)
    cache = Cache()
    for voice in VOICES:
        folder = locate_cache("benchmarks") / "heldout" / voice
        spoken = [(str(number), row["en"]) for number, row in enumerate(rows)]
        synthesis.synthesise(spoken, [voices.load(voice)], folder)
        clips = [clip for clip in manifest.read(folder) if rows[int(clip.id)]["kind"] in KINDS]
        for name, system in opened.items():
            scores = _scores(rows, clips, system, recognisers.load(name) if name.startswith("direct:") else None, cache)
            found[name].append(scores)
            title = f"{voice}, {'unseen' if voice in UNSEEN else 'seen'}"
            print(f"{title:<17} {name.partition(':')[0]:<9} {_cells(scores, heads)}", flush=True)
        if len(SYSTEMS) == 2:
            first, second = (found[name][-1] for name in SYSTEMS)
            shares = {head: 100 * first[head] / second[head] for head in heads[1:] if head in first}
            print(f"{'':<17} {'share, %':<9} {_cells(shares, heads)}", flush=True)
    cache.close()
    sizes = (f"{code} {sum(bool(row[f'people_{code}']) for row in rows if row['kind'] in KINDS)}" for code in LANGUAGES)
    print(f"sentences with people's translations: {', '.join(sizes)}; systems:")
    print("\n".join(system.identity for system in opened.values()))


def sentences() -> Iterator[Row]:
    """The held-out sentences with the teacher's translations, and people's where there are some, parted by bars."""
    data = os.environ.get("EPICENE_TEST_DATA")
    english: dict[str, str] = {}  # by checksum
    people: dict[str, dict[str, list[str]]] = {code: defaultdict(list) for code in LANGUAGES}
    for code in LANGUAGES if data else ():
        for line in read_lines(Path(data or "") / "parallel" / f"tatoeba_eng-{iso3(code)}.tsv.gz"):
            sentence, translation = line.split("\t")[:2]
            english[sha256(sentence.encode()).hexdigest()[:16]] = sentence
            people[code][sentence].append(translation)
    for row in _table(SENTENCES):
        if said := row["en"] if row["kind"] == "people" else english.get(row["en"]):
            written = {f"people_{code}": "|".join(people[code].get(said, ())) for code in LANGUAGES}
            yield {**row, **written, "en": said}


def _cells(scores: Scores, heads: Sequence[str]) -> str:
    return " ".join(f"{scores[head]:>6.1f}" if head in scores else " " * 6 for head in heads)


def _scores(
    rows: Sequence[Row],
    clips: Sequence[Clip],
    system: Cascade | SpeechSystem,
    listener: Recogniser | None,
    cache: Cache,
) -> Scores:
    """What a system makes of the recordings of one voice."""
    said = [rows[int(clip.id)] for clip in clips]
    if isinstance(system, Cascade):
        listener = system.recogniser
    heard = hear.transcribe(listener, clips, cache) if listener else [row["en"] for row in said]
    scores = {"WER": _wer([(row["en"], text) for row, text in zip(said, heard, strict=True)])}
    for code in LANGUAGES:
        pair = Pair("en", code)
        if isinstance(system, Cascade):
            texts = list(ask.translate(system.translator, heard, pair, cache))
        else:
            hears = _ByChecksum(system, {clip.sha256: clip for clip in clips})
            texts = list(ask.translate(hears, [clip.sha256 for clip in clips], pair, cache))
        for column, head in ((code, code), (f"people_{code}", f"{code}*")):
            known = [(row[column], text) for row, text in zip(said, texts, strict=True) if row[column]]
            if known:
                scores[head] = _bleu(known)
    return scores


class _ByChecksum:
    """A system for speech whose sources are checksums of recordings."""

    def __init__(self, system: SpeechSystem, clips: Mapping[str, Clip]) -> None:
        self._system, self._clips = system, clips
        self.identity, self.batch_size = system.identity, system.batch_size

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterator[str]:
        """The translations of the recordings with these checksums."""
        return iter(self._system.interpret([self._clips[source].path for source in sources], pair))


def decoded(path: Path) -> None:
    """Print a line for each voice of a table of outputs."""
    groups: dict[str, dict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for row in _table(path):
        if row["reference"]:
            for voice in (row["voice"], "unseen" if row["voice"] in UNSEEN else "seen", "all"):
                groups[voice][row["language"]].append((row["reference"], row["output"]))
    languages = sorted({code for found in groups.values() for code in found} - {"en"})
    print(f"{'voice':<30} {'n':>6} {'WER en':>7} " + " ".join(f"BLEU {code:<3}" for code in languages))
    for voice, found in sorted(groups.items(), key=lambda each: (":" not in each[0], each[0])):
        cells = [f"{_bleu(found[code]):>7.1f} " if found.get(code) else " " * 8 for code in languages]
        wer = f"{_wer(found['en']):>6.1f}%" if found.get("en") else " " * 7
        print(f"{voice + ' (unseen)' * (voice in UNSEEN):<30} {len(found['en']):>6} {wer} {' '.join(cells)}")


def _table(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def _wer(pairs: Sequence[tuple[str, str]]) -> float:
    """Word errors per word that was said, in per cent."""
    import jiwer

    said, heard = zip(*((" ".join(words(a)), " ".join(words(b))) for a, b in pairs), strict=True)
    return 100 * float(jiwer.wer(list(said), list(heard)))


def _bleu(pairs: Sequence[tuple[str, str]]) -> float:
    """BLEU; several references of a sentence are parted by bars."""
    import sacrebleu

    references = [one.split("|") for one, _ in pairs]
    columns = [
        [own[place] if place < len(own) else None for own in references] for place in range(max(map(len, references)))
    ]
    return float(sacrebleu.corpus_bleu([text for _, text in pairs], columns).score)


SPOKEN, HEARD, SEED = 120, 12, 1


def print_speed() -> None:
    """Speech: how many times faster than real time sets are read aloud and written down, and what the sound measures.

    Sentences are a seeded sample of SimpleGEN. Wall times depend on what else the machine does, so processor times
    stand beside them. ``flite alone`` runs the same program on the same sentences one after the other and throws the
    sound away.

    ``PIPER_VOICE=MODEL.onnx`` times a voice of Piper beside flite's. Without one, Piper itself is run with a voice of
    the tests that hums: what is timed then is the program, its start and the way of text and sound, not a network that
    speaks.
    """
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {SPOKEN} sentences a voice, with start-up")
    print(f"{'voice':<12} {'sound':>8} {'wall':>7} {'× real time':>12} {'processor':>10} {'× real time':>12}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for voice in voices.available():
            if voice.installed() and ":" not in voice.usage:
                _synthesis(voice.usage, folder / voice.usage)
        _piper(folder)
        if shutil.which("flite"):
            _alone()
        _sound([clip for part in sorted(folder.iterdir()) for clip in manifest.read(part)])
        for count in (30, 300):
            _, _, memory = _command("kal16", folder / f"memory-{count}", count)
            print(f"memory of the command that speaks {count:>4} sentences: {memory:.0f} MB")
        _recognition(folder / "slt")


def _piper(folder: Path) -> None:
    """Piper by the voice that is given, or by one that hums."""
    place = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        model = os.environ.get("PIPER_VOICE", "")
        name = "piper" if model else "piper, hums"
        if not model:
            from tests.speech.models import tiny_piper

            model = str(tiny_piper(place))
        _synthesis(f"piper:{model}", place / "spoken", name)
    except (ImportError, AssertionError):
        print(f"{'piper':<12} not here: pip install piper-tts onnx, or PIPER_VOICE=MODEL.onnx", flush=True)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _command(voice: str, folder: Path, count: int) -> tuple[float, float, float]:
    """Wall seconds, processor seconds with all programs, and peak megabytes of ``epicene speech synthesize``."""
    words = [sys.executable, "-m", "epicene", "speech", "synthesize", "-t", "simplegen", "--voice", voice]
    words += ["-o", str(folder), "--sample", str(count), "--seed", str(SEED)]
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _synthesis(voice: str, folder: Path, name: str = "") -> None:
    wall, processor, _ = _command(voice, folder, SPOKEN)
    sound = sum(clip.seconds for clip in manifest.read(folder))
    _row(name or voice, sound, wall, processor)


def _row(name: str, sound: float, wall: float, processor: float) -> None:
    times = f"{wall:>5.1f} s {sound / wall:>12.0f} {processor:>8.1f} s {sound / processor:>12.0f}"
    print(f"{name:<12} {sound:>6.0f} s {times}", flush=True)


def _alone() -> None:
    """flite itself on slt's sentences, one at a time."""
    items = list(SET.items(Pair("en", "de")))
    drawn = sorted(random.Random(SEED).sample(range(len(items)), SPOKEN))
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "spoken.wav"
        sound = 0.0
        for number in drawn:
            words = ["flite", "-voice", "slt", "-f", "/dev/stdin", "-o", str(path)]
            subprocess.run(words, input=items[number].source.encode(), check=True)
            sound += (path.stat().st_size - 44) / 32000
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    _row("flite alone", sound, time.perf_counter() - start, processor)


def _sound(clips: list[manifest.Clip]) -> None:
    """The extremes of what was asked for, over all voices."""
    found = [audio.inspect(clip.path) for clip in clips]
    for name, unit in (("level", "dB"), ("peak", "dB"), ("lead", "s"), ("trail", "s"), ("seconds", "s")):
        values = [getattr(sound, name) for sound in found]
        print(f"{name:<8} {min(values):>7.2f} to {max(values):>6.2f} {unit:<2} in {len(values)} recordings")
    print(f"clipped  {sum(sound.clipped for sound in found)}; forms: {', '.join({sound.form for sound in found})}")


def _recognition(folder: Path) -> None:
    """pocketsphinx with one process and with as many as there are cores."""
    clips = manifest.read(folder)[:HEARD]
    for workers in (1, os.cpu_count() or 1):
        recogniser = recognisers.load(f"pocketsphinx?workers={workers}")
        before, pace = resource.getrusage(resource.RUSAGE_CHILDREN), hear.Pace()
        hear.transcribe(recogniser, clips, pace=pace)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"{recogniser.identity}, {workers} process{'es' * (workers > 1)}: {pace.sound:.0f} s of sound in "
            f"{pace.seconds:.1f} s, real-time factor {pace.factor or 0:.2f} "
            f"({processor:.1f} s of processor, {processor / pace.sound:.2f})",
            flush=True,
        )


PARTS = {"heldout": print_heldout, "speed": print_speed}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
