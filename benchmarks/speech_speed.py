"""Speech: how many times faster than real time sets are read aloud and written down, and what the sound measures.

Sentences are a seeded sample of SimpleGEN. Wall times depend on what else the machine does, so processor times stand
beside them. ``flite alone`` runs the same program on the same sentences one after the other and throws the sound away.

``PIPER_VOICE=MODEL.onnx`` times a voice of Piper beside flite's. Without one, Piper itself is run with a voice of the
tests that hums: what is timed then is the program, its start and the way of text and sound, not a network that speaks.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from epicene.flow import listening as speech
from epicene.sets.simplegen import SET
from epicene.speech import audio, manifest, recognisers, voices
from epicene.types import Pair

SPOKEN, HEARD, SEED = 120, 12, 1


def main() -> None:
    """Print synthesis by voice, the measured sound, memory, and recognition."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {SPOKEN} sentences a voice, with start-up")
    print(f"{'voice':<12} {'sound':>8} {'wall':>7} {'× real time':>12} {'processor':>10} {'× real time':>12}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for offer in voices.available():
            if offer.installed and ":" not in offer.name:
                _synthesis(offer.name, folder / offer.name)
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
        before, pace = resource.getrusage(resource.RUSAGE_CHILDREN), speech.Pace()
        speech.transcribe(recogniser, clips, pace=pace)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"{recogniser.identity}, {workers} process{'es' * (workers > 1)}: {pace.sound:.0f} s of sound in "
            f"{pace.seconds:.1f} s, real-time factor {pace.factor or 0:.2f} "
            f"({processor:.1f} s of processor, {processor / pace.sound:.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
