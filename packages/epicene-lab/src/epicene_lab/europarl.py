"""Sentence pairs of the European Parliament's debates, from the repository Multilingual-Parallel-Direct-Europarl.

Its ``proceedings/xml`` holds a file per sitting and language. Paragraphs are matched by the speech they stand in and
their number there, sentences where both paragraphs have as many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

from epicene.errors import InputError
from epicene_lab.corpus import SentencePair

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+(?=[^\Wa-zà-ÿ]|[¿¡«\"“„])")
_FOLDER = "proceedings/xml"
_TRANSLATED = "20121120"  # later sittings were no longer translated: each speech stands there as it was held
Speeches = dict[str, list[str]]


def read_pairs(repository: Path, source: str, target: str, every: int = 1) -> Iterator[SentencePair]:
    """All sentence pairs of every so many sittings that both languages have."""
    for first, second in islice(_files(repository, source, target), 0, None, every):
        yield from _match(_speeches(first), _speeches(second))


def read_paragraphs(repository: Path, language: str) -> Iterator[str]:
    """All that was said in one language."""
    for (content,) in _files(repository, language):
        for said in _speeches(content).values():
            yield from said


def read_sentences(paragraph: str) -> list[str]:
    """A paragraph cut after each full stop that a capital follows."""
    return _SENTENCE_END.split(paragraph)


def _files(repository: Path, *languages: str) -> Iterator[tuple[bytes, ...]]:
    folders = [repository / _FOLDER / language for language in languages]
    for folder in folders:
        if not folder.is_dir():
            raise InputError(
                f"{repository} holds no {_FOLDER}/{folder.name}; expected a clone of "
                "UDS-SFB-B6-Datasets/Multilingual-Parallel-Direct-Europarl (de en es fr it nl pt)"
            )
    found = [
        _sittings(language, [path.name for path in each.glob("*.xml")])
        for language, each in zip(languages, folders, strict=True)
    ]
    for sitting in sorted(set.intersection(*found)):
        yield tuple(
            (each / f"{sitting}.{language.upper()}.xml").read_bytes()
            for language, each in zip(languages, folders, strict=True)
        )


def _sittings(language: str, names: list[str]) -> set[str]:
    ending = f".{language.upper()}.xml"
    sittings = {name.removesuffix(ending) for name in names if name.endswith(ending)}
    return {sitting for sitting in sittings if sitting <= _TRANSLATED}


def _speeches(content: bytes) -> Speeches:
    """The paragraphs of each speech of a sitting, by the speech's number."""
    root = ElementTree.fromstring(content)  # noqa: S314  a repository that one chose oneself
    return {
        speech.get("id", ""): ["".join(paragraph.itertext()).strip() for paragraph in speech.iter("p")]
        for speech in root.iter("intervention")
    }


def _match(ours: Speeches, theirs: Speeches) -> Iterator[SentencePair]:
    for number, speech in ours.items():
        other = theirs.get(number, [])
        if len(speech) != len(other):
            continue
        for first, second in zip(speech, other, strict=True):
            sources, targets = read_sentences(first), read_sentences(second)
            if len(sources) == len(targets):
                yield from zip(sources, targets, strict=True)
