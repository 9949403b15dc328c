"""The pipeline: what an audit opens, what ``epicene score -t winomt`` costs, and how much code a sentence passes."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

import ctranslate2 as library

import epicene
from epicene import api, published
from epicene.detectors.lexicon.reader import LexiconReader
from epicene.sets import simplegen
from epicene.systems.local import ctranslate2
from epicene.types import Pair

PAIRS = ("en-de", "en-es", "en-fr")
RUNS = 7
ROOT = Path(epicene.__file__).parent


@contextmanager
def counted(*wanted: tuple[Any, str]) -> Iterator[Counter[str]]:
    """How often functions are called meanwhile."""
    calls, patches = Counter[str](), []
    for owner, name in wanted:
        original = getattr(owner, name)

        def counting(*args: Any, _of: Any = original, _name: str = name, **options: Any) -> Any:
            calls[_name] += 1
            return _of(*args, **options)

        patches.append(patch.object(owner, name, counting))
    for each in patches:
        each.start()
    try:
        yield calls
    finally:
        for each in patches:
            each.stop()


def opened() -> str:
    """What an audit of one model over three pairs opens."""
    wanted = (library, "Translator"), (ctranslate2, "fingerprint"), (LexiconReader, "__init__")
    with counted(*wanted) as calls:
        api.audit(["simplegen"], PAIRS, ["bundled?beam=1"], cached=False, sample=20)
    loads, hashes, detectors = (calls[name] for _, name in wanted)
    return f"{loads} loads of the model, {hashes} hashes of its weights, {detectors} detectors built"


def seconds(path: Path) -> float:
    """The least processor time of several runs of ``epicene score``, its start-up included, modules compiled."""
    command = [sys.executable, "-m", "epicene", "score", "-t", "winomt", "-l", "en-de", "-i", str(path)]
    found = []
    with tempfile.TemporaryDirectory() as compiled:
        names = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        for _ in range(RUNS):
            process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, env={**names, "PYTHONPYCACHEPREFIX": compiled}
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            assert process.returncode == 0
            found.append(usage.ru_utime + usage.ru_stime)
    return min(found[1:])


def passed(work: Callable[[], object]) -> str:
    """How many files, packages and functions of ours are passed, once all is imported."""
    work()
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & inspect.CO_OPTIMIZED and ROOT in Path(code.co_filename).parents:
            seen.add(code)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    files = {Path(code.co_filename) for code in seen}
    return f"{len(files)} files of {len({path.parent for path in files})} packages, {len(seen)} functions"


def main() -> None:
    """Print all three."""
    print(f"audit, {len(PAIRS)} pairs, 1 model: {opened()}")
    sentence = simplegen.items(Pair("en", "de"))[:1]
    with patch.object(simplegen, "_generated", lambda: iter(sentence)):
        scored = passed(lambda: api.score("simplegen", "en-de", ["Die Ärztin beendete ihre Arbeit."]))
        audited = passed(lambda: api.audit(["simplegen"], ["en-de"], ["bundled"], cached=False))
    print(f"a sentence of SimpleGEN, scored: {scored}; translated and scored: {audited}")
    data = Path(os.environ["EPICENE_TEST_DATA"])
    with tempfile.TemporaryDirectory() as home, patch.dict(os.environ, {"EPICENE_HOME": home}):
        published.add("winomt", data / "winomt")
        used = seconds(data / "winomt" / "translations" / "google.en-de.txt")
    print(f"epicene score -t winomt -l en-de: {used:.2f} s of processor time (under 1 s wanted)")


if __name__ == "__main__":
    main()
