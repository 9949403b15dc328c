"""The text and models of the next study (docs/lab.md), for a machine that has a GPU and nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain, product
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.files import read_lines, write_atomically
from epicene.languages.codes import iso3
from epicene.languages.codes import pair as parse_pair
from epicene_lab import arrays, corpus, gather, pieces
from epicene_lab.corpus import PIECES, SentencePair
from epicene_lab.recipe import Recipe, load
from epicene_lab.shipped import CUES, MAIN

# What each arm reads beside free text, in folders of these names.
ARMS = {MAIN: ("open",), CUES: ("open", "cues")}
SHARE = 0.05  # of an epoch, at most: sentences of our own of each kind
SEEDS = 4  # of each architecture, language and arm
WORDS = 60  # in the longer side
LEARNT = 500_000  # pairs that the vocabulary is learnt from
NEWSTEST_LINES = 2000
TATOEBA_LINES = 1500
QUALITY, RECORD = "quality.npz", "text.json"


def prepare(recipe: str, data: Path, europarl: Path, out: Path, part: int) -> Iterator[str]:
    """Write all that training the study needs; yields a line per corpus."""
    plan = load(recipe)
    tests = (*sorted(data.glob("tatoeba_merged_test.*.gz")), *sorted(data.glob("*.newstest*.gz")))
    if not tests:
        raise InputError(f"{data} holds no tatoeba_merged_test.*.gz, so nothing could be kept apart")
    record: dict[str, Any] = {}
    parts: dict[str, list[str]] = {}
    for target in (parse_pair(langs).target for langs in plan.pairs):
        files = (data / f"tatoeba_eng-{iso3(target)}.tsv.gz",)
        order = gather.Order("en", target, europarl, files, words=WORDS, apart=tests, sets=("simplegen", "winomt"))
        gathered = gather.gather(order)
        text = list(gathered.base)
        random.Random(corpus.SEED).shuffle(text)
        most = int(len(text) * SHARE / (1 - SHARE))
        taught = {"open": gather.make_open(order, MAIN, most), "cues": gather.make_cues(order, most)}
        parts[target], kept = _write_parts(plan, text, taught, out / target, part)
        write_quality(out / target, _read_tested(data, target), {})
        shares = {name: round(pairs / (kept["text"] + pairs), 4) for name, pairs in kept.items() if name in taught}
        record[target] = {"pairs": kept, "shares": shares, "left out": dict(gathered.dropped.why)}
        yield f"en-{target}: {kept} pairs in {len(parts[target])} parts; left out: {gathered.dropped}"
    with write_atomically(out / RECORD) as stream:
        json.dump(record, stream, indent=1)
    jobs = list(list_jobs(plan, parts))
    with write_atomically(out / "jobs.json") as stream:
        json.dump(jobs, stream, indent=1)
    yield f"{len(jobs)} jobs in {out / 'jobs.json'}"


def list_jobs(recipe: Recipe, parts: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Any]]:
    """All models, the baselines first, then seed by seed, so that what is cut short is still balanced."""
    shapes = sorted(recipe.shapes, key=lambda shape: (shape.name != "6-6", -shape.decoder))
    for seed, shape, arm, target in product(range(1, SEEDS + 1), shapes, ARMS, parts):
        yield {
            "name": f"{arm}.{shape.name}.{target}.{seed}",
            "data": [*parts[target], *(f"{target}/{kind}" for kind in ARMS[arm])],
            "seed": seed,
            "shape": asdict(shape),
            "training": asdict(recipe.training),
        }


def _write_parts(
    recipe: Recipe, text: Sequence[SentencePair], taught: Mapping[str, Sequence[SentencePair]], folder: Path, part: int
) -> tuple[list[str], dict[str, int]]:
    """The folders of the text in parts that travel, the first of them ``folder`` itself, and the pairs kept by kind."""
    vocabulary = recipe.shapes[0].vocabulary
    if not (folder / PIECES).is_file():  # learnt from what both arms read
        sample = corpus.sample_lines(text, LEARNT)
        pieces.learn(chain.from_iterable((*sample, *taught["open"])), vocabulary, [], folder / PIECES)
    known = (folder / PIECES).read_bytes()
    starts = range(0, len(text), part)
    folders = [folder, *(folder / str(number) for number in range(1, len(starts)))]
    kept = {"text": 0}
    for place, start in zip(folders, starts, strict=True):
        pairs = {folder.name: text[start : start + part]}
        kept["text"] += corpus.prepare(pairs, vocabulary, recipe.training, place, known)
    for kind, sentences in taught.items():
        kept[kind] = corpus.prepare({folder.name: sentences}, vocabulary, recipe.training, folder / kind, known)
    return [str(place.relative_to(folder.parent)) for place in folders], kept


def _read_tested(data: Path, target: str) -> dict[str, list[str]]:
    newstest = next(iter(sorted(data.glob(f"eng-{iso3(target)}.newstest*.eng.gz"))), None)
    tatoeba = data / f"tatoeba_merged_test.eng-{iso3(target)}.tsv.gz"
    return {
        "simplegen": corpus.read_challenge_sentences("simplegen"),
        "winomt": corpus.read_challenge_sentences("winomt"),
        "tatoeba": [pair[0] for pair in corpus.read_test_pairs(tatoeba, TATOEBA_LINES)],
        "newstest": list(read_lines(newstest))[:NEWSTEST_LINES] if newstest else [],
    }


def write_quality(folder: Path, sentences: Mapping[str, Sequence[str]], tags: Mapping[str, str]) -> None:
    """Tokenise what quality is measured on, so that a machine without SentencePiece can decode it."""
    model = pieces.open_processor(folder / PIECES)
    tokenised: dict[str, Any] = {}
    for name, lines in sentences.items():
        sides = pieces.join_ragged(pieces.encode(model, lines, tags.get(name)))
        tokenised[name], tokenised[f"{name}.lengths"] = sides.pieces, sides.lengths.astype("uint16")
    arrays.save(folder / QUALITY, tokenised, arrays.PACKED)
