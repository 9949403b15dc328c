"""Damaged files of every kind that epicene reads: each must end well or in one line, never in a traceback.

``python -m benchmarks.fuzz --cases 3000 --seed 1``; every so manieth case also runs as a program of its own.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from benchmarks._fuzzed import inputs

EVERY = 150  # cases of which one is run in a process of its own


def _reference(path: str) -> None:
    from epicene.labour.read import open_reference

    open_reference(path)


def _price(path: str) -> None:
    from epicene.systems.network import money

    os.environ[money.VARIABLE] = path
    try:
        money.price("deepl")
    finally:
        del os.environ[money.VARIABLE]


def _recipe(path: str) -> None:
    from epicene_lab.recipe import load

    load(path)


def _spoken(folder: str) -> None:
    from epicene.speech import audio, manifest

    for clip in manifest.read(Path(folder)):
        manifest.verify(clip)
        audio.inspect(clip.path)
    for path in Path(folder).glob("*.wav"):
        audio.load(path)


def _cache(path: str) -> None:
    from epicene.store.cache import Cache
    from epicene.types import Pair

    cache = Cache(Path(path))
    try:
        cache.known("scripted", Pair("en", "de"), ["The nurse is here."])
        cache.add("scripted", Pair("en", "de"), [("One more.", "Noch eins.")])
    finally:
        cache.close()


# What no command reads alone, or only with much else around it.
READERS: dict[str, Callable[[str], None]] = {
    "reference": _reference, "price": _price, "recipe": _recipe, "spoken": _spoken, "cache": _cache,
}  # fmt: skip


def crash(command: Sequence[str]) -> str:
    """The traceback that a command ends in; nothing if it ends well or is refused in one line."""
    from epicene.cli.app import app
    from epicene.errors import EpiceneError

    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            if command[0] in READERS:
                READERS[command[0]](command[1])
            else:
                app(list(command))
    except EpiceneError as error:
        return "" if "\n" not in str(error) else f"more than one line: {error!r}"
    except SystemExit:
        return ""
    except Exception:  # noqa: BLE001 - whatever else comes out is what is looked for
        return traceback.format_exc()
    return ""


def crash_apart(command: Sequence[str]) -> str:
    """The same of a program of its own, as a user runs it."""
    if command[0] in READERS:
        return ""
    done = subprocess.run([sys.executable, "-m", "epicene", *command], capture_output=True, text=True, check=False)
    return done.stderr if "Traceback" in done.stderr else ""


def run(cases: int, seconds: float, seed: int, apart: bool = True) -> tuple[Counter[str], list[str]]:
    """Try damaged inputs; how many of each kind there were, and what went wrong."""
    logging.disable(logging.CRITICAL)
    tried: Counter[str] = Counter()
    failures: list[str] = []
    ends = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["EPICENE_HOME"] = str(Path(scratch) / "home")
        for number, (kind, folder, command) in enumerate(inputs(seed, Path(scratch))):
            if number >= cases or time.monotonic() > ends:
                break
            problem = crash(command) or (crash_apart(command) if apart and number % EVERY == 0 else "")
            tried[kind] += 1
            if problem:
                failures.append(f"{kind}: epicene {' '.join(command)}\n{problem}")
            shutil.rmtree(folder, ignore_errors=True)
    logging.disable(logging.NOTSET)
    return tried, failures


def main() -> None:
    """Print what was tried; end with 1 if anything ended in a traceback."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=600, help="stop then, however many cases were tried")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tried, failures = run(given.cases, given.seconds, given.seed)
    for kind, count in sorted(tried.items()):
        print(f"{kind:<28} {count:>5}")
    print("\n".join(failures))
    print(f"{tried.total()} damaged inputs, {len(failures)} tracebacks")
    if failures:
        sys.exit(1)


if __name__ == "__main__":
    main()
