"""Renews the figures of the documentation: runs the commands of its console blocks and writes what they print.

``python -m benchmarks.figures [WORD …]`` runs each ``python -m benchmarks.…`` of docs/ whose figures are stale, or
those whose command has one of the words, and each ``epicene`` command whose files are published. A comment above a
block of benchmarks names what its figures depend on, with its version; ``tests/docs/test_figures.py`` fails where that
is not today's. A block with an ellipsis keeps its choice of lines.
"""

from __future__ import annotations

import gzip
import os
import re
import shlex
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from benchmarks.intervals import CORRELATIONS, CROSSED, STRUCTURES, cover_crossed, intervals
from epicene.languages import folder as languages
from epicene.reader.reader import build
from epicene.sets import files
from epicene.systems import open_system

ROOT = Path(__file__).parents[1]
PAGES = sorted((*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")))
ELLIPSIS = "…"
_BLOCK = re.compile(r"^(?:<!-- figures of ([^\n]*) -->\n)?```console\n\$ ([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_BENCHMARK = "python -m benchmarks."
_LONG = re.compile(r"\d+\.\d{7,}")
# Files that the documentation names, in published data; an archive's after "!".
PUBLISHED = {
    "google.de": "winomt/translations/google.en-de.txt",
    "hyp.es": "simplegen/opus-mt.en-es.txt",
    "mt_geneval_sentences_en_de.csv": "mt-geneval.tar.gz!google/mt_geneval_sentences_en_de.csv",
    "verb_translations_deepl.tsv": "wibemt/verb_translations_deepl.tsv",
    "googlenews.vec": "weat/googlenews_word2vec_weat_subset.vec.gz",
}
STUDIES = {"epicene study occupations": ("prates", "occupations")}  # commands that name no file, and their data
SETS = {"mt-geneval": "mt-geneval.tar.gz", "wibemt-verbs": "wibemt", "winomt": "winomt"}


class Block(NamedTuple):
    """A command of a page, what it printed, and what that depends on: names with versions, or a machine."""

    page: Path
    depends: str
    command: str
    printed: str

    @property
    def is_benchmark(self) -> bool:
        return self.command.startswith(_BENCHMARK)

    @property
    def is_example(self) -> bool:
        """Whether it is a command of epicene whose files are all here or published."""
        words = shlex.split(self.command)
        named = [word for flag, word in pairwise(words) if flag in ("-e", "-x", "-i")]
        named += [word for flag, word in pairwise(words) if flag == "-t" and word.endswith(".toml")]
        known = bool(named) and all(name in PUBLISHED or (ROOT / name).exists() for name in named)
        return words[0] == "epicene" and (known or words[1] == "explain" or self.command in STUDIES)

    @property
    def is_stale(self) -> bool:
        """Whether what its figures depend on has changed since; those of a machine are never."""
        return self.is_benchmark and self.depends != describe(self.depends)


def list_blocks() -> Iterator[Block]:
    """The console blocks of all pages."""
    for page in PAGES:
        for depends, command, printed in _BLOCK.findall(page.read_text(encoding="utf-8")):
            yield Block(page, depends, command, printed)


def describe(depends: str) -> str:
    """The same names with today's versions: ``reader 5@1f0c, intervals 77ab``."""
    names = [part.split(" ")[0] for part in depends.split(", ")]
    return ", ".join(f"{name} {VERSIONS[name]()}" for name in names) if set(names) <= set(VERSIONS) else depends


@cache
def version_of_reader() -> str:
    """The version of the reader's code, and a checksum of the tables of all languages."""
    codes = sorted(path.name for path in (ROOT / "packages/epicene/src/epicene/languages").glob("??"))
    code = build("de").identity.partition("@")[0].removeprefix("reading")
    return f"{code}@{_digest(*map(languages.checksum, codes))}"


@cache
def version_of_intervals() -> str:
    """A checksum of what the rule of inference says of the same simulated sets, to six digits."""
    rows = [str(intervals(structure, 0.1, simulations=20)) for structure in STRUCTURES]
    chance = np.random.default_rng(1)
    units, templates, each, *rates = CROSSED[0]
    rows.append(str(list(cover_crossed(chance, (units, templates, each), rates, CORRELATIONS[1], 20))))
    return _digest(*(_LONG.sub(lambda number: f"{float(number[0]):.6f}", row) for row in rows))


@cache
def version_of_model() -> str:
    """The checksum of the demo model."""
    return open_system("bundled").identity.partition("@")[2].partition("?")[0]


@cache
def version_of_check() -> str:
    """A checksum of the bounds of the check of a file."""
    return _digest((ROOT / "packages/epicene/src/epicene/check/check.toml").read_text(encoding="utf-8"))


VERSIONS = {
    "reader": version_of_reader,
    "intervals": version_of_intervals,
    "check": version_of_check,
    "model": version_of_model,
}


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:8]


def lay_out(command: str, place: Path, published: Path) -> None:
    """Put the files and sets that a command names into a folder and into the data of this home."""
    words = set(shlex.split(command))
    (place / "docs").symlink_to(ROOT / "docs")
    for name in words & set(PUBLISHED):
        archive, _, member = PUBLISHED[name].partition("!")
        path = published / archive
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" and not member else path.read_bytes()
        if member:
            with tarfile.open(path) as opened:
                content = opened.extractfile(member).read()  # type: ignore[union-attr]
        (place / name).write_bytes(content)
    sets = [(name.removesuffix("-verbs"), SETS[name]) for name in words & set(SETS)]
    for name, source in [*sets, *([STUDIES[command]] if command in STUDIES else [])]:
        files.add(name, published / source)


def run(block: Block) -> str:
    """What a command prints today."""
    words = shlex.split(block.command)
    with TemporaryDirectory() as folder:
        place = ROOT if block.is_benchmark else Path(folder)
        if block.is_benchmark:
            words = words[1:]
        else:
            lay_out(block.command, place, Path(os.environ["EPICENE_TEST_DATA"]))
            words = ["-m", *words]
        done = subprocess.run(
            [sys.executable, *words],
            cwd=place,
            env={**os.environ, "COLUMNS": "80", "PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def place_lines(before: str, now: str) -> tuple[str, list[str]]:
    """The lines of a block as they are printed now, and those that have no counterpart: their words are not printed.

    A line's counterpart is the next one that is the same but for its numbers.
    """
    lines, missing = [], []
    rest = now.splitlines()
    for line in before.splitlines():
        if line.strip() in ("", ELLIPSIS):
            lines.append(line)
            continue
        place = next((number for number, new in enumerate(rest) if _words(new) == _words(line)), None)
        if place is None:
            missing.append(line)
            lines.append(line)
        else:
            lines.append(rest[place])
            rest = rest[place + 1 :]
    return "".join(f"{line}\n" for line in lines), missing


def _words(line: str) -> str:
    return re.sub(r"[^\w]|\d|_", "", line)


def renew(block: Block) -> list[str]:
    """Write what a command prints into its page; the lines that could not be placed."""
    printed, missing = run(block), []
    if not block.is_benchmark or ELLIPSIS in block.printed.split():
        printed, missing = place_lines(block.printed, printed)
    depends = describe(block.depends)
    text = block.page.read_text(encoding="utf-8")
    old, new = (
        (f"<!-- figures of {versions} -->\n" if versions else "") + f"```console\n$ {block.command}\n{lines}```"
        for versions, lines in ((block.depends, block.printed), (depends, printed))
    )
    if old not in text:
        raise ValueError(f"{block.page.name} changed while {block.command} ran")
    block.page.write_text(text.replace(old, new, 1), encoding="utf-8")
    return missing


def main() -> None:
    """Renew what is stale, or what is named."""
    words = sys.argv[1:]
    for block in list(list_blocks()):
        chosen = any(word in block.command for word in words) if words else block.is_stale or block.is_example
        if chosen and (block.is_benchmark or block.is_example):
            began = time.monotonic()
            missing = renew(block)
            print(f"{time.monotonic() - began:6.0f} s  {block.page.name}: {block.command}", flush=True)
            for line in missing:
                print(f"          write anew: {line}")


if __name__ == "__main__":
    main()
