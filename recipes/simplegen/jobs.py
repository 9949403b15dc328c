"""From corpora to prepared jobs, for a machine that has a GPU and nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.files import written
from epicene.lab import arrays, augment, corpus, pieces
from epicene.lab import prepare as preparation
from epicene.lab.corpus import Dropped, SentencePair
from epicene.lab.recipe import Recipe, Shape
from epicene.languages.codes import iso3
from epicene.languages.codes import pair as parse_pair

HELD_OUT = 1000
# Table 4a's rows for a second language need these only.
FEW = ("6-6", "6-6-aan", "10-2", "6-2")


def prepare(recipe: Recipe, data: Path, folder: Path, seeds: Sequence[int]) -> Iterator[str]:
    """Write all that training a recipe needs, from a folder of Tatoeba files; yields a line per corpus."""
    tests = sorted(data.glob("tatoeba_merged_test.*.tsv.gz"))
    if not tests:
        raise InputError(f"{data} holds no tatoeba_merged_test.*.tsv.gz, so nothing could be kept apart from training")
    tested = frozenset(map(corpus.key, corpus.tested_sentences(tests)))
    targets = [parse_pair(langs).target for langs in recipe.pairs]
    found: dict[str, list[SentencePair]] = {}
    for target in targets:
        dropped = Dropped()
        found[target] = corpus.training_pairs(data / f"tatoeba_eng-{iso3(target)}.tsv.gz", tested, dropped)
        yield f"en-{target}: {len(found[target])} pairs; left out: {dropped}"
    prepared = _shared(recipe, found, tested, folder) if len(recipe.shapes) == 1 else _each(recipe, found, data, folder)
    yield from prepared
    jobs = _jobs(recipe, targets, seeds)
    with written(folder / "jobs.json") as stream:
        json.dump(jobs, stream, indent=1)
    yield f"{len(jobs)} jobs in {folder / 'jobs.json'}"


def _each(recipe: Recipe, found: Mapping[str, list[SentencePair]], data: Path, folder: Path) -> Iterator[str]:
    """One corpus a language: the study."""
    for target, pairs in found.items():
        kept = preparation.prepare({target: pairs}, recipe.shapes[0].vocabulary, recipe.training, folder / target)
        lines = [pair[0] for pair in corpus.test_pairs(data / f"tatoeba_merged_test.eng-{iso3(target)}.tsv.gz")]
        write_quality(folder / target, {"simplegen": corpus.challenge_sentences("simplegen"), "test": lines}, {})
        yield f"en-{target}: {kept} pairs prepared"


def _shared(
    recipe: Recipe, found: Mapping[str, list[SentencePair]], tested: frozenset[str], folder: Path
) -> Iterator[str]:
    """One corpus for all languages, with words for people taught evenly: the bundled translator."""
    corpora, held = {}, {}
    for target, pairs in found.items():
        chosen = set(random.Random(corpus.SEED).sample(range(len(pairs)), HELD_OUT))
        held[target] = [pairs[place] for place in sorted(chosen)]
        apart = frozenset(corpus.key(side) for pair in held[target] for side in pair)
        taught = list(corpus.apart(augment.pairs(target), tested, Dropped()))
        kept = corpus.apart((pair for place, pair in enumerate(pairs) if place not in chosen), apart, Dropped())
        corpora[target] = [*kept, *taught]
        yield f"en-{target}: {len(corpora[target])} pairs, {len(taught)} of them from the lexicon"
    number = preparation.prepare(corpora, recipe.shapes[0].vocabulary, recipe.training, folder / "all")
    sentences = {f"dev-{target}": [pair[0] for pair in pairs] for target, pairs in held.items()}
    sentences |= {f"simplegen-{target}": corpus.challenge_sentences("simplegen") for target in held}
    write_quality(folder / "all", sentences, {name: name.rpartition("-")[2] for name in sentences})
    with written(folder / "all" / "dev.json") as stream:
        json.dump(held, stream, ensure_ascii=False, indent=0)
    yield f"{number} pairs prepared"


def write_quality(folder: Path, sentences: Mapping[str, Sequence[str]], tags: Mapping[str, str]) -> None:
    """Tokenise what quality is measured on, so that a machine without SentencePiece can decode it."""
    model = pieces.processor(folder / preparation.PIECES)
    found: dict[str, Any] = {}
    for name, lines in sentences.items():
        sides = pieces.ragged(pieces.encode(model, lines, tags.get(name)))
        found[name], found[f"{name}.lengths"] = sides.pieces, sides.lengths.astype("uint16")
    arrays.save(folder / "quality.npz", found, packed=True)


def _jobs(recipe: Recipe, targets: Sequence[str], seeds: Sequence[int]) -> list[dict[str, Any]]:
    """All models of a recipe, seed by seed, so that what is cut short is still balanced."""
    if len(recipe.shapes) == 1:
        return [_job(recipe, recipe.shapes[0], "all", seed) for seed in seeds]
    first, *others = targets
    return [
        _job(recipe, shape, target, seed)
        for seed in seeds
        for target in (first, *others)
        for shape in sorted(recipe.shapes, key=lambda shape: -shape.decoder)
        if target == first or shape.name in FEW
    ]


def _job(recipe: Recipe, shape: Shape, data: str, seed: int) -> dict[str, Any]:
    name = f"{recipe.name}.{shape.name}.{data}.{seed}"
    return {"name": name, "data": data, "seed": seed, "shape": asdict(shape), "training": asdict(recipe.training)}
