"""What becomes part of the package: a small model with its pairs and its card, or what it said of the occupations."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import epicene
from epicene.errors import InputError
from epicene.files import write_atomically
from epicene.flow.plan import open_set
from epicene.languages.codes import pair as parse_pair
from epicene.systems.local.bundled import PAIRS, read_pairs
from epicene.types import Pair
from epicene_lab.corpus import PIECES
from epicene_lab.export import export
from epicene_lab.recipes.bundled import measured
from epicene_lab.recipes.bundled.english import list_occupations

MODEL = 25_000_000  # bytes, of a model from English
SMALL = 8_000_000  # of one into English, for each of its languages, and never more than MODEL


def ship(model: Path, pairs: Sequence[str], card: Path, out: Path) -> Iterator[str]:
    """Export a trained model to where it is shipped from; ``pairs``: of a model that knows no tags."""
    export(model, out)
    if pairs:
        with write_atomically(out / PAIRS) as stream:
            json.dump([str(parse_pair(langs)) for langs in pairs], stream)
    with write_atomically(out / "README.md") as stream:
        stream.write(f"{card.read_text(encoding='utf-8').strip()}\n")
    size = sum(path.stat().st_size for path in out.iterdir())
    most = min(MODEL, SMALL * len(pairs)) if pairs else MODEL
    yield f"{out}: {', '.join(read_pairs(out))}; {size / 1e6:.1f} MB"
    if size > most:
        raise InputError(f"{out}: {size / 1e6:.1f} MB; at most {most / 1e6:.0f} MB are shipped: train a smaller model")


def keep(arrived: Path, data: Path, out: Path) -> Iterator[str]:
    """Write what a model said of the occupation sentences of each language, for ``epicene study occupations``."""
    for model, translations in measured.read_models(arrived, data / "all" / PIECES):
        for name, lines in translations.items():
            kind, _, language = name.partition(".")[0].partition("-")
            if kind != "occupations":
                continue
            sources = list_occupations(language)
            if len(sources) != len(lines):
                raise InputError(f"{model} {name}: {len(lines)} lines for {len(sources)} sentences; prepare it anew")
            rows = dict(zip(sources, lines, strict=True))
            plain = open_set("occupations").items(Pair(language, "en"))
            # What the check refuses is not kept: the study would refuse it, too.
            epicene.score("occupations", f"{language}-en", [rows[item.source] for item in plain])
            text = "".join(f"{source}\t{' '.join(line.split())}\n" for source, line in rows.items())
            path = out / f"{language}-en.tsv.gz"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
            yield f"{path}: {len(rows)} sentences, {path.stat().st_size / 1e3:.0f} kB"
