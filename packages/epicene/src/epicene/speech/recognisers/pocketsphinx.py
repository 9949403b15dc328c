"""``pocketsphinx``: CMU's small recogniser with the English model of its wheel (extra ``speech``).

Options: workers (as many processes as cores). Each recording is heard on its own, so that order changes nothing.
"""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from epicene.errors import MissingExtraError, SystemFailure
from epicene.program import ResidentProgram, format_paths, read_patience
from epicene.registry import Options
from epicene.speech import audio
from epicene.speech.recognisers import RecogniserFactory


class PocketSphinx:
    """Hears in processes of its own, since the decoder lets no other thread work."""

    batch_size = None

    def __init__(self, options: Options) -> None:
        from importlib.metadata import PackageNotFoundError, version

        self._workers = options.number("workers", os.cpu_count() or 1)
        self._timeout = read_patience()
        try:
            self.identity = f"pocketsphinx@{version('pocketsphinx')}:en-us"
        except PackageNotFoundError:
            raise MissingExtraError("recogniser pocketsphinx", "speech") from None

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        """What is said, in order; nothing of a recording is held but its path."""
        count = max(1, min(self._workers, len(clips)))
        programs = [
            ResidentProgram([sys.executable, "-m", __name__], "pocketsphinx", self._timeout) for _ in range(count)
        ]
        idle: queue.SimpleQueue[ResidentProgram] = queue.SimpleQueue()
        for program in programs:
            idle.put(program)

        def hear(clip: Path) -> str:
            program = idle.get()
            try:
                return _ask(program, clip)
            finally:
                idle.put(program)

        pool = ThreadPoolExecutor(count)
        try:
            yield from pool.map(hear, clips)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for program in programs:
                program.close()


def _ask(program: ResidentProgram, clip: Path) -> str:
    audio.check(clip, audio.inspect(clip))
    answer = next(program.ask(*format_paths([clip])), None)
    if answer is None:
        code, complaint = program.code(), program.complaint()
        raise SystemFailure(f"pocketsphinx stopped with code {code} at {clip}{complaint and ': ' + complaint}")
    return answer.strip()


def open_decoder() -> Any:
    """The decoder with the English model of its wheel."""
    from pocketsphinx import Decoder

    return Decoder(samprate=audio.RATE, loglevel="FATAL")


def words(decoder: Any, clip: Path) -> str:
    """What is said in a recording, as if it were the first that the decoder hears."""
    samples = audio.whole(audio.load(clip))
    decoder.reinit_feat()  # else it adapts to the voices that came before
    decoder.start_utt()
    decoder.process_raw(samples.tobytes(), no_search=False, full_utt=True)
    decoder.end_utt()
    hypothesis = decoder.hyp()
    return hypothesis.hypstr if hypothesis else ""


def _listen() -> None:
    """Answer paths from standard input."""
    decoder = open_decoder()
    for line in sys.stdin:
        print(words(decoder, Path(line.rstrip("\n"))), flush=True)


RECOGNISER = RecogniserFactory(lambda _, options: PocketSphinx(options), __doc__, bare=True)

if __name__ == "__main__":
    _listen()
