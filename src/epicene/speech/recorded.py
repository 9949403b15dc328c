"""A challenge set read aloud: its sentences with the recordings that a folder's manifest lists."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.speech import manifest
from epicene.speech.manifest import Clip
from epicene.types import ChallengeSet, Item, Pair


def recorded(challenge: ChallengeSet, name: str, folder: Callable[[], Path]) -> ChallengeSet:
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

    return replace(challenge, name=name, items=items, version=version, of_file=None)


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


def _items(
    challenge: ChallengeSet, sentences: Sequence[Item], folder: Path, references: Mapping[str, str]
) -> list[Item]:
    spoken: dict[str, list[Clip]] = {}
    known = {item.id: item for item in sentences}
    for number, clip in enumerate(manifest.read(folder), 1):
        item = known.get(clip.id)
        where = f"{folder / manifest.NAME}:{number}"
        if item is None:
            raise InputError(
                f"{where}: sentence {clip.id!r} is not in {challenge.name}, which has {len(known)}; recordings of "
                "another set? For those of any set: -t spoken:SET@DIR"
            )
        if clip.text not in (item.source, item.variant):
            raise InputError(
                f"{where}: sentence {clip.id} of {challenge.name} is {item.source!r}, but the recording says "
                f"{clip.text!r}; recordings of another set? For those of any set: -t spoken:SET@DIR"
            )
        spoken.setdefault(clip.id, []).append(clip)
    if not spoken:
        raise InputError(
            f"{folder / manifest.NAME} lists no recording; run: epicene speech synthesize -t SET -o {folder}"
        )
    return [
        _item(item, clip, references.get(item.id))
        for item in sentences
        for clip in sorted(spoken.get(item.id, ()), key=lambda clip: clip.voice)
    ]


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
    variant = item.variant if clip.text == item.source else item.source
    return replace(
        item, id=f"{item.id}/{clip.voice}", source=clip.text, variant=variant, labels=labels, audio=clip.path
    )


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
