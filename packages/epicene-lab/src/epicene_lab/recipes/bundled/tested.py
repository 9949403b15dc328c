"""What no training sentence may be: tests of translation and sentences of challenge sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines
from epicene_lab import corpus

SETS = ("simplegen", "winomt", "wibemt-verbs", "wibemt-adjectives")


def read_tested(data: Path) -> frozenset[str]:
    """Keys of both sides of all test files in a folder, and of the sentences of challenge sets."""
    pairs = sorted(data.glob("tatoeba_merged_test.*.tsv.gz"))
    news = sorted(data.glob("eng-*.newstest*.gz"))
    if not pairs or not news:
        raise InputError(f"{data} holds no tatoeba_merged_test.*.tsv.gz or eng-*.newstest*.gz to keep apart")
    return frozenset(filter(None, map(corpus.key, _lines(pairs, news))))


def _lines(pairs: list[Path], news: list[Path]) -> Iterator[str]:
    yield from corpus.read_tested_sentences(pairs)
    for path in news:
        yield from read_lines(path)
    for name in SETS:
        yield from corpus.read_challenge_sentences(name)
