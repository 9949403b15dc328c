"""From a ranking to a set of one's own: words to rank, those that stand out at either end, and their sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from epicene.embeddings import binary
from epicene.embeddings.ranking import GenderScores, WordGender
from epicene.embeddings.seeds import seed_lists
from epicene.embeddings.source import opened, read
from epicene.embeddings.text import HEADER
from epicene.errors import EvidenceError, InputError
from epicene.tables import table

SHIPPED = ("adjectives", "verbs")
VOCABULARY = "vocabulary"
FREQUENT = 20_000  # words of a vocabulary, which files list by frequency
PER_SIDE = 10  # as WiBeMT has adjectives
_SHORTEST = 3
_WORD = "{word}"
_OCCUPATION = "{occupation}"


def candidates(spec: str, embedding: str) -> list[str]:
    """Words to rank: ``adjectives`` or ``verbs`` of WiBeMT's lists, or the first of a file's ``vocabulary[:N]``.

    Seeds are left out; of a vocabulary, only words of small letters are taken.
    """
    seeds = {word for each in seed_lists() for side in (each.feminine, each.masculine) for word in side}
    if spec in SHIPPED:
        listed = [row["word"] for row in table("embeddings/tables", "candidates.tsv") if row["part"] == spec]
        return [word for word in listed if word not in seeds]
    name, _, count = spec.partition(":")
    if name != VOCABULARY or (count and not count.isdecimal()):
        raise InputError(f"candidates {spec!r}; expected {', '.join(SHIPPED)}, {VOCABULARY} or {VOCABULARY}:50000")
    first = islice(vocabulary(Path(embedding)), int(count or FREQUENT))
    found = [w for w in first if len(w) >= _SHORTEST and w.isalpha() and w == w.lower() and w not in seeds]
    if not found:
        raise EvidenceError(f"{embedding}: no words of small letters among the first {count or FREQUENT}")
    return list(dict.fromkeys(found))


def vocabulary(path: Path) -> Iterator[str]:
    """The words of a text file of vectors, in its order."""
    with opened(path) as stream:
        chunk = read(stream, f"{path}:1")
        if binary.is_binary(chunk) or path.suffix in (".npy", ".npz", ".safetensors", ".kv", ".bin"):
            raise InputError(f"{path}: candidates are taken from the vocabulary of a text file; give a list of words")
        rest, first = b"", True
        while chunk:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if not (first and HEADER.fullmatch(line)) and line.strip():
                    yield line.split(None, 1)[0].decode("utf-8", "replace")
                first = False
            chunk = read(stream, str(path))


@dataclass(frozen=True, slots=True)
class Chosen:
    """The words at either end that stand out, each end from its farthest."""

    feminine: tuple[WordGender, ...]
    masculine: tuple[WordGender, ...]

    def rows(self, sentence: str = "") -> list[list[str]]:
        """Lines of a set's file: word and class, and with a sentence the template of a verb."""
        found = [["verb", "class", "template"] if sentence else ["adjective", "class"]]
        for name, words in (("feminine", self.feminine), ("masculine", self.masculine)):
            found += [[each.word, name, *([sentence.replace(_WORD, each.word)] if sentence else [])] for each in words]
        return found


def choose(found: GenderScores, per_side: int = PER_SIDE, threshold: float = 0.0) -> Chosen:
    """The words at either end: beyond the threshold, and with an interval that leaves out zero."""
    feminine = [each for each in found.words if each.score <= -threshold and each.high < 0]
    masculine = [each for each in reversed(found.words) if each.score >= threshold and each.low > 0]
    short = [name for name, words in (("feminine", feminine), ("masculine", masculine)) if len(words) < per_side]
    if short:
        counts = f"{len(feminine)} feminine and {len(masculine)} masculine"
        raise EvidenceError(
            f"{counts} words are beyond {threshold:g} and sure of their side; {per_side} a side are wanted; "
            "give more words, or lower --per-side or --threshold"
        )
    return Chosen(tuple(feminine[:per_side]), tuple(masculine[:per_side]))


def check_sentence(sentence: str) -> None:
    """Refuse a sentence that cannot hold a word and an occupation."""
    if sentence.count(_WORD) != 1 or sentence.count(_OCCUPATION) != 1:
        raise InputError(
            f"--sentence {sentence!r}; expected one {_OCCUPATION} and one {_WORD} in it, "
            f"as in: The {_OCCUPATION} likes to {_WORD}."
        )


def listed(words: Sequence[WordGender]) -> str:
    """Words with their scores, in a line."""
    return ", ".join(f"{each.word} {each.score:+.2f}" for each in words)
