"""A test set read aloud: its sentences with the recordings that a folder's manifest lists."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.languages.english import joined
from epicene.speech import manifest
from epicene.speech.manifest import Clip
from epicene.text import normalised
from epicene.types import Item, Pair

if TYPE_CHECKING:
    from epicene.sets import About, TestSet

_log = logging.getLogger(__name__)


def recorded(challenge: TestSet, about: About, folder: Callable[[], Path]) -> TestSet:
    """The set with an item for each recording: the sentences in official order, each by all who speak it.

    The folder is asked for when its recordings are, so that what is known of the set can be told without it.
    """

    def items(pair: Pair) -> list[Item]:
        place, sentences = folder(), list(challenge.items(pair))
        references = _references(place, pair.target, {item.id for item in sentences})
        return _items(challenge, sentences, place, references)

    def version() -> str:
        digest = hashlib.sha256()
        for clip in manifest.read(folder()):
            digest.update(f"{clip.id}\t{clip.voice}\t{clip.sha256}\n".encode())
        return f"{challenge.version()}+{digest.hexdigest()[:8]}"

    return replace(challenge, about=about, items=items, version=version, read_outputs=None, variant=None)


def _references(folder: Path, target: str, known: Container[str]) -> dict[str, str]:
    """Translations by people, for BLEU: ``references.TARGET.tsv`` beside the manifest, id and text a line."""
    path = folder / f"references.{target}.tsv"
    found: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), 1) if path.is_file() else ():
        key, tab, text = line.partition("\t")
        if not tab or not text.strip() or key in found:
            raise InputError(f"{path}:{number}: expected a sentence's id, a tab and its translation, each id once")
        if key not in known:
            raise InputError(f"{path}:{number}: the set has no sentence {key!r}; expected ids as in the manifest")
        found[key] = text
    return found


def _items(challenge: TestSet, sentences: Sequence[Item], folder: Path, references: Mapping[str, str]) -> list[Item]:
    """The recordings of the set's sentences; a folder may hold those of other sets too, which are left out."""
    spoken: dict[str, dict[str, Clip]] = {}
    known, texts = {item.id: item for item in sentences}, _by_text(sentences)
    strays: list[str] = []
    listed = manifest.read(folder)
    for number, clip in enumerate(listed, 1):
        item = known.get(clip.id)
        if item is None or clip.text not in (item.source, item.variant):
            item = texts.get(_spelt(clip.text))
        if item is None or clip.voice in spoken.get(item.id, ()):
            strays.append(_stray(clip, known.get(clip.id), challenge, len(known), f"{folder / manifest.NAME}:{number}"))
        else:
            spoken.setdefault(item.id, {})[clip.voice] = clip
    if not listed:
        raise InputError(
            f"{folder / manifest.NAME} lists no recording; run: epicene speech synthesize -t SET -o {folder}"
        )
    if not spoken:
        raise InputError(f"{strays[0]}; recordings of another set? For those of any set: -t spoken:SET@DIR")
    if strays:
        _tell(
            f"{len(strays)} of {len(listed)} recordings are left out, since the set has no such sentence: {strays[0]}"
        )
    return [
        _item(item, spoken[item.id][voice], references.get(item.id))
        for item in sentences
        for voice in sorted(spoken.get(item.id, ()))
    ]


def _by_text(sentences: Sequence[Item]) -> dict[str, Item]:
    """Sentences by how they are spelt, the first of several alike: another set may number them otherwise."""
    return {_spelt(text): item for item in reversed(sentences) for text in (item.source, item.variant) if text}


def _spelt(text: str) -> str:
    """A text without what earlier versions and other tools write differently: blanks, quotes, "the nurse 's"."""
    return joined(" ".join(normalised(text).replace("’", "'").split()))


def _stray(clip: Clip, item: Item | None, challenge: TestSet, count: int, where: str) -> str:
    if item is None:
        return f"{where}: sentence {clip.id!r} is not in {challenge.name}, which has {count}"
    return f"{where}: sentence {clip.id} of {challenge.name} is {item.source!r}, but the recording says {clip.text!r}"


@cache
def _tell(message: str) -> None:
    """Warn once, however many languages the set is translated into."""
    _log.warning("warning: %s", message)


def _item(item: Item, clip: Clip, reference: str | None) -> Item:
    """A sentence as one voice says it; what was said counts where published versions differ."""
    labels = {
        **item.labels,
        "sentence": item.id,
        "voice": clip.voice,
        "speaker": clip.speaker,
        "seconds": f"{clip.seconds:g}",
        "sha256": clip.sha256,
        **({"translation": reference} if reference else {}),
    }
    other = item.variant is not None and clip.text == item.variant
    source, variant = (item.variant or "", item.source) if other else (item.source, item.variant)
    return replace(item, id=f"{item.id}/{clip.voice}", source=source, variant=variant, labels=labels, audio=clip.path)


def clip_of(item: Item) -> Clip:
    """The recording of an item."""
    if item.audio is None:
        raise InputError(f"sentence {item.id} has no recording")
    labels = item.labels
    return Clip(
        labels["sentence"],
        item.audio,
        item.source,
        labels["voice"],
        labels["speaker"],
        float(labels["seconds"]),
        labels["sha256"],
    )
