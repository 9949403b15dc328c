"""Learns which stems translate which English words: python learn.py LANGUAGE OUTPUT.tsv PAIRS...

PAIRS are files of tab-separated sentence pairs, English first, plain or gzipped, ``FILE:N`` for at most N of them,
evenly spread. Needs ``pip install eflomal``. Links on which both directions agree are counted.
Columns: English word in its base form, stem, how often they are linked, how often the English word occurs.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from eflomal import Aligner  # type: ignore[import-not-found]

from epicene.reader.align import base, stem
from epicene.reader.words import cut

_LONGEST = 50  # words
_SAME = 0.5  # share of words in common from which a pair is taken for untranslated


def read(name: str) -> Iterator[tuple[str, str]]:
    """Sentence pairs of a file."""
    path, _, most = name.partition(":")
    text = gzip.decompress(Path(path).read_bytes()) if path.endswith(".gz") else Path(path).read_bytes()
    lines = text.decode("utf-8").splitlines()
    step = max(1, len(lines) // int(most)) if most else 1
    for line in lines[::step]:
        first, second = line.split("\t")[:2]
        yield first, second


def words(language: str, names: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Base forms and stems of each sentence pair that can be aligned."""
    cut_stem = stem(language)
    for name in names:
        for first, second in read(name):
            source = [base(word.lower) for word in cut(first).words]
            target = [cut_stem(word.lower) for word in cut(second).words]
            if not 0 < len(source) <= _LONGEST or not 0 < len(target) <= _LONGEST:
                continue
            if len(source) > 4 and len({*source} & {*target}) > _SAME * len({*source}):
                continue
            yield source, target


def main(language: str, output: str, *names: str) -> None:
    """Writes the counts."""
    pairs = list(words(language, list(names)))
    with tempfile.TemporaryDirectory() as folder:
        forward, backward = Path(folder) / "forward", Path(folder) / "backward"
        Aligner(model=2, n_samplers=1, rel_iterations=0.5).align(
            (" ".join(source) for source, _ in pairs),
            (" ".join(target) for _, target in pairs),
            links_filename_fwd=str(forward),
            links_filename_rev=str(backward),
            quiet=True,
        )
        counts: Counter[tuple[str, str]] = Counter()
        totals: Counter[str] = Counter()
        ours, theirs = forward.read_text().splitlines(), backward.read_text().splitlines()
        for (source, target), first, second in zip(pairs, ours, theirs, strict=True):
            totals.update(source)
            for link in {*first.split()} & {*second.split()}:
                place, other = link.split("-")
                counts[source[int(place)], target[int(other)]] += 1
    with Path(output).open("w", encoding="utf-8") as file:
        for (english, found), count in sorted(counts.items()):
            if count > 1 or totals[english] < 20:
                file.write(f"{english}\t{found}\t{count}\t{totals[english]}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
