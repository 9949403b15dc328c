"""Small models into English from languages whose pronouns tell no gender: Hungarian, Finnish, Turkish."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines, write_atomically
from epicene.flow.plan import open_set
from epicene.languages.codes import iso3
from epicene.languages.english import takes_an
from epicene.tables import rows
from epicene.types import Pair
from epicene_lab import corpus
from epicene_lab.corpus import Dropped, SentencePair
from epicene_lab.recipe import load
from epicene_lab.recipes.simplegen.jobs import write_quality

HELD_OUT = 1000
GRID = 6
OFTEN = 3  # how often a sentence that names a job is taught in an epoch: most jobs stand in no other
FRAMES = Path(__file__).with_name("jobs.tsv")
_VOWELS = "aáeéiíoóöőuúüű"


def into_english(recipe: str, pairs: Sequence[str], data: Path, out: Path) -> Iterator[str]:
    """Prepare one model from files of pairs, English first, such as ``hu=pairs.tsv.gz``."""
    plan = load(recipe)
    files = {name: Path(path) for name, _, path in (pair.partition("=") for pair in pairs)}
    tests = {language: data / f"tatoeba_merged_test.eng-{iso3(language)}.tsv.gz" for language in files}
    apart = frozenset(map(corpus.key, corpus.read_tested_sentences(sorted(data.glob("tatoeba_merged_test.*.tsv.gz")))))
    learnt: list[SentencePair] = []
    sentences: dict[str, Sequence[str]] = {}
    references: dict[str, Sequence[str]] = {}
    for language, path in files.items():
        dropped = Dropped()
        found = list(corpus.keep_apart(_pairs(path, dropped), apart, dropped))
        if tests[language].is_file():
            held = [(said, english) for english, said in corpus.read_test_pairs(tests[language])]
        else:
            random.Random(corpus.SEED).shuffle(found)
            held, found = found[:HELD_OUT], found[HELD_OUT:]
            keys = {corpus.key(side) for pair in held for side in pair}
            found = [pair for pair in found if keys.isdisjoint(map(corpus.key, pair))]
        jobs = list(name_jobs(language))
        learnt += found + jobs * OFTEN
        sentences[f"occupations-{language}"] = list_occupations(language)
        sentences[f"test-{language}"] = [pair[0] for pair in held]
        references[f"test-{language}"] = [pair[1] for pair in held]
        begun = Counter(said.partition(" ")[0] for _, said in found)
        yield (
            f"{language}-en: {len(found)} pairs, of which {begun['He']} begin with He and {begun['She']} with She, and "
            f"{OFTEN} times {len(jobs)} that name jobs; left out: {dropped}; {len(held)} to test on"
        )
    shape, training = plan.shapes[0], plan.training
    number = corpus.prepare({"en": learnt}, shape.vocabulary, training, out / "all")
    write_quality(out / "all", sentences, {})
    with write_atomically(out / "all" / "references.json") as stream:
        json.dump(references, stream, ensure_ascii=False, indent=0)
    name = f"{'-'.join(files)}.{shape.name}.all.1"
    job = {"name": name, "data": ["all"], "seed": 1, "shape": asdict(shape)}
    with write_atomically(out / "jobs.json") as stream:
        json.dump([{**job, "training": {**asdict(training), "grid": GRID}}], stream, indent=1)
    yield f"{number} pairs prepared; {sum(map(len, sentences.values()))} sentences to decode"


def name_jobs(language: str) -> Iterator[SentencePair]:
    """Sentences that name every job of the set, and nobody's gender: who is he or she is left to the other text."""
    frames = [row for row in rows(FRAMES.read_text(encoding="utf-8"), FRAMES.name) if row["language"] == language]
    items = open_set("occupations").items(Pair(language, "en"))
    for job, english in dict.fromkeys((item.labels["occupation"], item.labels["english"]) for item in items):
        article = "az" if job[0].lower() in _VOWELS else "a"
        for frame in frames:
            said = frame["said"].replace("{a}", article).replace("{job}", job)
            first = "İ" if language == "tr" and said[0] == "i" else said[0].upper()
            yield first + said[1:], _english(frame["english"], english)


def _english(frame: str, job: str) -> str:
    sentence = frame.replace("{an}", "an" if takes_an(job) else "a").replace("{job}", job)
    return sentence[0].upper() + sentence[1:]


def _pairs(path: Path, dropped: Dropped) -> Iterator[SentencePair]:
    """From English first to English last; further columns, such as who wrote a sentence, are left out."""
    lines = ("\t".join(line.split("\t")[:2]) for line in read_lines(path))
    for english, source in corpus.read_pairs(lines, str(path), dropped):
        yield source, english


def list_occupations(language: str) -> list[str]:
    """All sentences about occupations in a language."""
    items = open_set("occupations:all").items(Pair(language, "en"))
    sentences = [item.source for item in items]
    if not sentences:
        raise InputError(f"the set occupations has no sentence in {language}")
    return sentences
