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
        idle: queue.SimpleQueue[_Ear] = queue.SimpleQueue()
        ears = [_Ear(self._timeout) for _ in range(count)]
        for ear in ears:
            idle.put(ear)

        def hear(clip: Path) -> str:
            ear = idle.get()
            try:
                return ear.hear(clip)
            finally:
                idle.put(ear)

        pool = ThreadPoolExecutor(count)
        try:
            yield from pool.map(hear, clips)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for ear in ears:
                ear.close()


class _Ear:
    """A process that answers the path of a recording with the words in it; it ends when its input does."""

    def __init__(self, timeout: float) -> None:
        self._program = ResidentProgram([sys.executable, "-m", __name__], "pocketsphinx", timeout)

    def hear(self, clip: Path) -> str:
        audio.check(clip, audio.inspect(clip))
        (path,) = format_paths([clip])
        answer = next(self._program.ask(path), None)
        if answer is None:
            code, said = self._program.code(), self._program.complaint()
            raise SystemFailure(f"pocketsphinx stopped with code {code} at {clip}{said and ': ' + said}")
        return answer.strip()

    def close(self) -> None:
        self._program.close()


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
