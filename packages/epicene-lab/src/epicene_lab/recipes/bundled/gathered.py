"""Everyday sentence pairs of Tatoeba, from a clone of OPUS-MT-train: with English, or through a third language.

Its history keeps OPUS's Tatoeba by pairs of languages. Pairs with German, Spanish or French serve too: the sentence in
the third language is looked up among those that have English.
"""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines, write_packed
from epicene.languages.codes import iso3
from epicene_lab import corpus
from epicene_lab.corpus import SentencePair

THROUGH = ("fr", "de", "es")
CODES = {"pt": "pt_br+pt_BR+pt_PT+pt"}
OF_EACH = 2  # how many English sentences a sentence in a third language is joined to at most


def gather(opus: Path, data: Path, languages: Sequence[str], out: Path) -> Iterator[str]:
    """Write ``tatoeba_eng-XXX.tsv.gz``, and a test for a language that has none yet; a line for each language.

    A language may come with a file of further pairs: ``pt=pairs.tsv``.
    """
    blobs = _kept(opus)
    for language, _, path in (entry.partition("=") for entry in languages):
        code, name = CODES.get(language, language), f"tatoeba_merged_test.eng-{iso3(language)}.tsv.gz"
        last = [(english, said) for said, english in _part(opus, blobs, f"{code}-en/test")]
        test = [] if (data / name).is_file() else list(_once(last))
        direct = [(english, said) for said, english in _direct(opus, blobs, f"{code}-en")] + ([] if test else last)
        more = [(*line.split("\t"), "")[:2] for line in read_lines(path)] if path else []
        joined = list(_joined(opus, blobs, code, data))
        tested = {corpus.key(side) for pair in test for side in pair}
        found = [pair for pair in _once([*direct, *more, *joined]) if tested.isdisjoint(map(corpus.key, pair))]
        if not found:
            raise InputError(f"{opus} holds no sentences of Tatoeba in {language!r}; expected a clone of OPUS-MT-train")
        _write(out / f"tatoeba_eng-{iso3(language)}.tsv.gz", found)
        if test:
            _write(out / name, test)
        counts = f"{len(direct)} with English, {len(more)} beside, {len(joined)} through another language"
        yield f"{language}: {len(found)} pairs ({counts}); {len(test)} to test on"


def _git(clone: Path, *words: str, given: str = "") -> bytes:
    done = subprocess.run(["git", "-C", str(clone), *words], input=given.encode(), capture_output=True, check=False)
    if done.returncode:
        raise InputError(f"git {words[0]} in {clone}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def _kept(clone: Path) -> dict[str, str]:
    """The newest content that is here of every file of Tatoeba that ever stood there; links to others are left out."""
    log = _git(clone, "log", "--all", "--raw", "--no-abbrev", "--no-renames", "--format=", "--", "work-spm").decode()
    rows = [line.split("\t") for line in log.splitlines() if "/Tatoeba." in line]
    versions = [(path, fields.split()[3]) for fields, path in rows if fields.split()[1] == "100644"]
    checked = _git(clone, "cat-file", "--batch-check", given="".join(f"{blob}\n" for _, blob in versions)).decode()
    here = {line.split()[0] for line in checked.splitlines() if not line.endswith(" missing")}
    return {path.removeprefix("work-spm/"): blob for path, blob in reversed(versions) if blob in here}


def _direct(clone: Path, blobs: Mapping[str, str], pair: str) -> Iterator[SentencePair]:
    """All of a pair of languages that is here, but for its test."""
    if blob := blobs.get(f"{pair}/val/Tatoeba.src.shuffled.gz"):
        for line in gzip.decompress(_git(clone, "cat-file", "blob", blob)).decode().split("\n"):
            source, _, target = line.partition("\t")
            yield corpus.clean(source), corpus.clean(target)
    yield from _part(clone, blobs, f"{pair}/val")


def _part(clone: Path, kept: Mapping[str, str], name: str) -> Iterator[SentencePair]:
    blobs = [kept.get(f"{name}/Tatoeba.{side}") for side in ("src", "trg")]
    if None not in blobs:
        sides = [_git(clone, "cat-file", "blob", str(blob)).decode().split("\n") for blob in blobs]
        yield from ((corpus.clean(source), corpus.clean(target)) for source, target in zip(*sides, strict=True))


def _joined(clone: Path, blobs: Mapping[str, str], code: str, data: Path) -> Iterator[SentencePair]:
    for third in THROUGH:
        path = data / f"tatoeba_eng-{iso3(third)}.tsv.gz"
        pairs = [*_direct(clone, blobs, f"{third}-{code}"), *_part(clone, blobs, f"{third}-{code}/test")]
        if not pairs or not path.is_file():
            continue
        english: dict[str, list[str]] = {}
        for line in read_lines(path):
            source, _, said = line.partition("\t")
            english.setdefault(corpus.key(said), []).append(source)
        for said, target in pairs:
            said = said.split("<< ")[-1]  # some begin with a tag of the language that is wanted
            yield from ((source, target) for source in english.get(corpus.key(said), ())[:OF_EACH])


def _once(pairs: Iterable[Sequence[str]]) -> Iterator[SentencePair]:
    seen: set[tuple[str, str]] = set()
    for source, target in pairs:
        keys = corpus.key(source), corpus.key(target)
        if all(keys) and keys not in seen:
            seen.add(keys)
            yield source, target


def _write(path: Path, pairs: Iterable[SentencePair]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_packed(path, "".join(f"{source}\t{target}\n" for source, target in pairs).encode())
