"""From corpora to prepared jobs, for a machine that has a GPU and nothing else."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.files import read_lines, write_atomically
from epicene.languages.codes import iso3
from epicene.languages.codes import pair as parse_pair
from epicene_lab import arrays, corpus, gather, pieces
from epicene_lab.corpus import CORPUS, PIECES
from epicene_lab.recipe import Recipe, Shape

RECORD = "text.json"


def cut(folder: Path, whole: Mapping[str, int], every: int, out: Path) -> Iterator[str]:
    """Write such a copy of prepared corpora; ``whole``: how many pairs at the beginning of each language's are kept."""
    record: dict[str, Any] = {"every": every, "whole": dict(whole), "sha256": {}}
    for language, first in whole.items():
        place = folder / language
        if not (place / CORPUS).is_file():
            raise InputError(
                f"{folder} holds no {language}/{CORPUS}; give what epicene_lab.recipes.simplegen prepare wrote"
            )
        kept = _kept(arrays.load(place / CORPUS), first, every, place / CORPUS)
        for path in sorted(place.glob(f"*/{CORPUS}")):
            _copied(path, out / language / path.parent.name / CORPUS)
        for name in (PIECES, "quality.npz"):
            _copied(place / name, out / language / name)
        arrays.save(out / language / CORPUS, kept, arrays.PACKED)
        for path in sorted((out / language).rglob(CORPUS)):
            record["sha256"][str(path.relative_to(out))] = hashlib.sha256(_content(path)).hexdigest()
        yield f"{language}: {int(kept['pairs'])} pairs: the first {first}, and every {every}. of the rest"
    with write_atomically(out / RECORD) as stream:
        json.dump(record, stream, indent=1)


def _kept(found: dict[str, Any], first: int, every: int, path: Path) -> dict[str, Any]:
    import numpy as np

    pairs = int(found["pairs"])
    if not 0 < first <= pairs or every < 1:
        raise InputError(f"{path} has {pairs} pairs; cannot keep the first {first} and every {every}. of the rest")
    there = np.arange(pairs) < first
    there[first::every] = True
    kept: dict[str, Any] = {"pairs": np.array(int(there.sum()))}
    for name in (key for key in found if f"{key}.lengths" in found):
        lengths = found[f"{name}.lengths"]
        kept[name] = found[name][np.repeat(there, lengths)]
        kept[f"{name}.lengths"] = lengths[there]
    return kept


def _content(path: Path) -> bytes:
    """What a corpus holds, however its file is packed."""
    found = arrays.load(path)
    return b"".join(name.encode() + found[name].tobytes() for name in sorted(found))


def _copied(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


MAIN = "labour"  # the skew that all architectures are trained with
DOSES = ("50", "75", "95")
DOSED = ("6-6", "6-1")  # the baseline and the fastest
THRICE = ("6-6", "6-1", "6-6-aan", "6-1-aan")  # the baseline and the fastest of each kind
# What sentences about people are taught, and how many times an epoch: fewer kinds in German, whose models came first.
TAUGHT = {"de": (gather.Lesson(("phrases",), rounds=0, open=4), 2), "es": (gather.Lesson(), 3)}
NEWSTEST_LINES = 2000
QUALITY = "quality.npz"
TATOEBA_LINES = 1500


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the text of the study lies."""

    data: Path  # the folder of the Tatoeba and newstest files
    europarl: Path
    most: int  # pairs of the European Parliament
    words: int = 30
    untranslated: bool = False


def prepare(recipe: Recipe, sources: Sources, folder: Path) -> Iterator[str]:
    """Write all that training the study needs; yields a line per corpus."""
    tests = (*sorted(sources.data.glob("tatoeba_merged_test.*.gz")), *sorted(sources.data.glob("*.newstest*.gz")))
    if not tests:
        raise InputError(f"{sources.data} holds no tatoeba_merged_test.*.gz, so nothing could be kept apart")
    targets = [parse_pair(langs).target for langs in recipe.pairs]
    for target in targets:
        order = gather.Order(
            "en",
            target,
            sources.europarl,
            (sources.data / f"tatoeba_eng-{iso3(target)}.tsv.gz",),
            people=MAIN,
            most=sources.most,
            words=sources.words,
            untranslated=sources.untranslated,
            apart=tests,
            sets=("simplegen", "winomt"),
            lesson=TAUGHT[target][0],
        )
        found = gather.gather(order)
        yield f"en-{target}: {found.counts}; left out: {found.dropped}"
        yield f"en-{target}: {_written(recipe, order, found, folder / target)} pairs prepared"
        write_quality(folder / target, _tested(sources.data, target), {})
    jobs = list(_jobs(recipe, targets))
    with write_atomically(folder / "jobs.json") as stream:
        json.dump(jobs, stream, indent=1)
    yield f"{len(jobs)} jobs in {folder / 'jobs.json'}"


def _written(recipe: Recipe, order: gather.Order, found: gather.Gathered, folder: Path) -> int:
    """One corpus that all models share, and one a skew."""
    vocabulary, target = recipe.shapes[0].vocabulary, order.target
    if not (folder / corpus.PIECES).is_file():
        pieces.learn(chain.from_iterable((*found.base, *found.people)), vocabulary, [], folder / corpus.PIECES)
    kept = corpus.prepare({target: found.base}, vocabulary, recipe.training, folder)
    for skew in (MAIN, *DOSES):
        (folder / skew).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / corpus.PIECES, folder / skew / corpus.PIECES)
        people = gather.make_people(order, skew)
        kept += corpus.prepare({target: people}, vocabulary, recipe.training, folder / skew) * (skew == MAIN)
        (folder / skew / corpus.PIECES).unlink()
    return kept


def _tested(data: Path, target: str) -> dict[str, list[str]]:
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
    model = pieces.open_processor(folder / corpus.PIECES)
    found: dict[str, Any] = {}
    for name, lines in sentences.items():
        sides = pieces.join_ragged(pieces.encode(model, lines, tags.get(name)))
        found[name], found[f"{name}.lengths"] = sides.pieces, sides.lengths.astype("uint16")
    arrays.save(folder / QUALITY, found, arrays.PACKED)


def _jobs(recipe: Recipe, targets: Sequence[str]) -> Iterator[dict[str, Any]]:
    """All models, the baselines first, then seed by seed, so that what is cut short is still balanced."""
    shapes = sorted(recipe.shapes, key=lambda shape: (shape.name != "6-6", -shape.decoder))
    dosed = [shape for shape in shapes if shape.name in DOSED]
    thrice = [shape for shape in shapes if shape.name in THRICE]
    rounds: list[tuple[int, Sequence[Shape], Sequence[str]]] = [
        (1, shapes, (MAIN,)),
        (1, dosed, DOSES),
        (2, shapes, (MAIN,)),
        (3, thrice, (MAIN,)),
        (2, dosed, DOSES),
    ]
    for seed, chosen, skews in rounds:
        for shape in chosen:
            for skew in skews:
                yield from (job(recipe, shape, target, skew, seed) for target in targets)


def job(recipe: Recipe, shape: Shape, target: str, skew: str, seed: int) -> dict[str, Any]:
    """A model of the study, as ``jobs.json`` has it; its data lies beside that file."""
    return {
        "name": f"{skew}.{shape.name}.{target}.{seed}",
        "data": [target, *[f"{target}/{skew}"] * TAUGHT[target][1]],
        "seed": seed,
        "shape": asdict(shape),
        "training": asdict(recipe.training),
    }
