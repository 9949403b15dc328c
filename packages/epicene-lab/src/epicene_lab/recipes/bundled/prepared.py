"""Chooses and packs the text, learns the vocabulary, and lists what quality is measured on."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from epicene.files import read_lines, write_atomically
from epicene.languages.codes import iso3
from epicene.languages.codes import pair as parse_pair
from epicene_lab import corpus, pieces
from epicene_lab.corpus import PIECES, Dropped, SentencePair
from epicene_lab.recipe import load
from epicene_lab.recipes.bundled import chosen, packed
from epicene_lab.recipes.bundled.tested import read_tested
from epicene_lab.recipes.simplegen.jobs import write_quality

HELD_OUT = 500
GRID = 6  # lengths in a batch are rounded up to a multiple of this: some 40 shapes
FEW = 500  # lines of the news
LEARNT = 120_000  # sentences of each part and language from which pieces are learnt


def choose(recipe: str, data: Path, europarl: Path, out: Path, most: int) -> Iterator[str]:
    """Write the packed text, the vocabulary, ``quality.npz`` and ``jobs.json``; a line for each part."""
    plan, folder, apart = load(recipe), out, read_tested(data)
    targets = [parse_pair(langs).target for langs in plan.pairs]
    shared = chosen.choose_parallel(europarl, targets, apart, most)
    held = {target: list(zip(shared["en"][:HELD_OUT], shared[target][:HELD_OUT], strict=True)) for target in targets}
    shared = {language: lines[HELD_OUT:] for language, lines in shared.items()}
    size = packed.write(folder, "europarl", shared)
    yield f"European Parliament: {chosen.describe(shared)}; {size / 1e6:.1f} MB"
    parts: dict[str, list[SentencePair]] = {}
    for target in targets:
        path = data / f"tatoeba_eng-{iso3(target)}.tsv.gz"
        if path.is_file():
            dropped = Dropped()
            pairs = corpus.read_training_pairs(path, apart, dropped)
            random.Random(corpus.SEED).shuffle(pairs)
            keys = {corpus.key(side) for pair in pairs[:HELD_OUT] for side in pair}
            held[target] = pairs[:HELD_OUT]
            kept = [pair for pair in pairs[HELD_OUT:] if keys.isdisjoint(map(corpus.key, pair))]
            parts[f"tatoeba-{target}"] = sorted(kept)
            yield f"Tatoeba en-{target}: {len(kept)} pairs; left out: {dropped}"
        for name, sentences in (
            ("people", chosen.make_people),
            ("done", chosen.make_deeds),
            ("everyday", chosen.make_everyday),
        ):
            if kept := [pair for pair in sentences(target) if corpus.key(pair[0]) not in apart]:
                parts[f"{name}-{target}"] = kept
                yield f"Our own, {name} en-{target}: {len(kept)} pairs"
    for part, pairs in parts.items():
        target = part.rpartition("-")[2]
        size += packed.write(folder, part, {"en": [pair[0] for pair in pairs], target: [pair[1] for pair in pairs]})
    _learn(folder / "all", plan.shapes[0].vocabulary, targets, shared, parts)
    _quality(folder / "all", data, held)
    shape = plan.shapes[0]
    job = {"name": f"{plan.name}.{shape.name}.all.1", "data": ["all"], "seed": 1}
    with write_atomically(folder / "jobs.json") as stream:
        training = {**asdict(plan.training), "grid": GRID}
        json.dump([{**job, "shape": asdict(shape), "training": training}], stream, indent=1)
    yield f"{size / 1e6:.1f} MB of text; next, on the GPU: python -m epicene_lab.recipes.bundled tokenise {folder}"


def _learn(
    folder: Path,
    vocabulary: int,
    targets: Sequence[str],
    shared: Mapping[str, Sequence[str]],
    parts: Mapping[str, Sequence[SentencePair]],
) -> None:
    """All languages have as many sentences in what pieces are learnt from, and English somewhat more."""
    generator = random.Random(corpus.SEED)
    lines = [line for side in shared.values() for line in generator.sample(list(side), min(len(side), LEARNT // 3))]
    for pairs in parts.values():
        some = generator.sample(list(pairs), min(len(pairs), LEARNT // 3))
        lines += [side for pair in some for side in pair]
    tags = [*map(pieces.name_tag, targets), *pieces.GENDERS]  # those of gender for a model that is to be told it, later
    pieces.learn(lines, vocabulary, tags, folder / PIECES)


def _quality(folder: Path, data: Path, held: Mapping[str, Sequence[SentencePair]]) -> None:
    sentences = {f"dev-{target}": [pair[0] for pair in pairs] for target, pairs in held.items()}
    sentences |= {f"simplegen-{target}": corpus.read_challenge_sentences("simplegen") for target in ("de", "es")}
    sentences |= {f"winomt-{target}": corpus.read_challenge_sentences("winomt")[::4] for target in held}
    references = {name: [pair[1] for pair in held[name.rpartition("-")[2]]] for name in sentences if name[:3] == "dev"}
    for target in held:
        test = data / f"tatoeba_merged_test.eng-{iso3(target)}.tsv.gz"
        if test.is_file():
            pairs = corpus.sample_lines(corpus.read_test_pairs(test), 1000)
            sentences[f"tatoeba-{target}"], references[f"tatoeba-{target}"] = map(list, zip(*pairs, strict=True))
        for source in sorted(data.glob(f"eng-{iso3(target)}.newstest*.eng.gz")):
            target_file = source.with_name(source.name.replace(".eng.gz", f".{iso3(target)}.gz"))
            news = corpus.sample_lines(list(zip(read_lines(source), read_lines(target_file), strict=True)), FEW)
            sentences[f"news-{target}"], references[f"news-{target}"] = map(list, zip(*news, strict=True))
    write_quality(folder, sentences, {name: name.rpartition("-")[2] for name in sentences})
    with write_atomically(folder / "references.json") as stream:
        json.dump(references, stream, ensure_ascii=False, indent=0)
