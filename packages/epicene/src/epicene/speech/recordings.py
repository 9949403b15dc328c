"""Recordings that users bring: which folder holds those of a set, and whether they are what was published.

The sound stays where it is: the folder gets a manifest, and ``$EPICENE_HOME`` notes where the folder is.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from epicene.errors import DataMissingError, InputError, StoreError
from epicene.files import checksum, full_disk, read_lines, set_folder, write_atomically
from epicene.languages.english import joined
from epicene.speech import audio, manifest
from epicene.speech.audio import Sound
from epicene.speech.manifest import Clip
from epicene.text import normalised
from epicene.types import Item, Pair

if TYPE_CHECKING:
    from epicene.sets import About, TestSet

# The set whose sentences are spoken, the name of the voice and its speaker.
SPOKEN = {"winost": ("winomt", "winost", "female")}
PLACE = "folder.txt"
_FORM = "48 kHz, 16 bit, mono"
_NUMBER = re.compile(r"(\d+)\D*$")
_SHOWN = 5
_LABELS = ("sentence", "voice", "speaker", "seconds", "sha256")  # of an item, what is known of its recording
SUFFIXES = (".wav", ".flac", ".ogg", ".mp3", ".aiff", ".aif")
_log = logging.getLogger(__name__)


def folder(name: str) -> Path:
    """The folder with the manifest of a set's recordings."""
    place = set_folder(name) / PLACE
    if not place.is_file():
        raise DataMissingError(f"the recordings of {name} are not on this machine; run: epicene data add {name} DIR")
    folder_of_set = Path(place.read_text(encoding="utf-8").removesuffix("\n"))
    if not (folder_of_set / manifest.NAME).is_file():
        raise DataMissingError(
            f"{folder_of_set} does not hold the recordings of {name} any more; run: epicene data add {name} DIR"
        )
    return folder_of_set


def add(
    name: str,
    path: Path,
    sentences: Sequence[tuple[str, str]],
    copy: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Check a folder of recordings, one for each sentence (id, text) in order, and note where it is.

    ``copy`` puts the recordings under ``$EPICENE_HOME``, for a folder that cannot be written to or will go away.
    """
    path = path.absolute()
    if not path.is_dir():
        raise InputError(f"{path} is no folder; expected one with {len(sentences)} WAV files, one for each sentence")
    files = _in_order(path, len(sentences))
    _, voice, speaker = SPOKEN[name]
    place = set_folder(name) / "recordings" if copy else path
    clips = []
    for number, (file, (key, text)) in enumerate(zip(files, sentences, strict=True), 1):
        if not copy:
            check_inside(file, path, "; add --copy to take what it points to")
        sound = audio.inspect(file)
        if sound.form != _FORM:
            raise InputError(f"{file}: {sound.form}; the recordings of {name} were published as {_FORM}")
        if copy:
            copied = place / f"{key}.wav"
            try:
                place.mkdir(parents=True, exist_ok=True)
                file = Path(shutil.copyfile(file, copied))
            except OSError as error:
                raise full_disk(error, copied) from None
        clips.append(make_clip(key, file, text, voice, speaker, sound))
        if progress:
            progress(number, len(sentences))
    try:
        manifest.write(place, clips)
    except StoreError as error:
        raise StoreError(f"{error}; to keep the recordings elsewhere, add --copy") from None
    with write_atomically(set_folder(name) / PLACE) as stream:
        stream.write(f"{place}\n")
    return place


def check_inside(file: Path, folder: Path, hint: str = "") -> None:
    if not file.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{file}: a link that leaves the folder{hint}")


def make_clip(key: str, file: Path, text: str, voice: str, speaker: str, sound: Sound) -> Clip:
    """A recording of a person, as the manifest lists it."""
    return Clip(key, file, text, voice, speaker, round(sound.seconds, 3), manifest.checksum(file) or "")


def list_recordings(paths: Iterable[Path]) -> list[Path]:
    """The recordings among paths; hidden ones, as macOS puts beside each file of an archive, are none."""
    return [
        path
        for path in sorted(paths)
        if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()
    ]


def _in_order(path: Path, count: int) -> list[Path]:
    """The recordings by the number in their names, which may start at 0 or 1 and have any words around it."""
    files = list_recordings(path.rglob("*"))
    if not files:
        raise InputError(f"{path} holds no WAV files; expected {count}, as 1.wav, 0001.wav or sentence_1.wav")
    numbered: dict[int, Path] = {}
    for file, name in zip(files, _strip_ending([path.stem for path in files]), strict=True):
        number_in_name = _NUMBER.search(name)
        if number_in_name is None:
            raise InputError(f"{file}: no number in the name; expected the sentence's, as 1.wav or sentence_1.wav")
        number = int(number_in_name.group(1))
        if number in numbered:
            raise InputError(f"{file} and {numbered[number]} both are number {number}; remove one")
        numbered[number] = file
    first = _find_first(numbered, count, path)
    return [numbered[number] for number in range(first, first + count)]


def _strip_ending(names: Sequence[str]) -> list[str]:
    """Names without the words that all of them end with, which may have numbers of their own: ``1_48kHz``."""
    backwards = [name[::-1] for name in names]
    alike = len(os.path.commonprefix([min(backwards), max(backwards)])) if len(names) > 1 else 0  # noqa: RUF071
    ending = backwards[0][:alike][::-1].lstrip("0123456789")
    return [name.removesuffix(ending) for name in names]


def _find_first(numbered: dict[int, Path], count: int, path: Path) -> int:
    """The number of the first sentence; a folder that is not complete is refused with what is missing."""
    have = set(numbered)
    wanted = {first: set(range(first, first + count)) for first in (1, 0)}
    for first, numbers in wanted.items():
        if numbers == have:
            return first
    likely = [first for first in wanted if have <= wanted[first]] or [0 if 0 in have else 1]
    missing = " or (counting from 0) ".join(
        _list_some([f"number {number}" for number in sorted(wanted[first] - have)]) for first in likely
    )
    beyond = [numbered[number].name for number in sorted(have - wanted[likely[0]])]
    message = f"{path} holds {len(numbered)} WAV files, expected {count}"
    message += f"; missing: {missing}" if missing else ""
    raise InputError(message + (f"; too many: {_list_some(beyond)}" if beyond else ""))


def _list_some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def make_recorded(challenge: TestSet, about: About, folder: Callable[[], Path]) -> TestSet:
    """The set with an item for each recording: the sentences in official order, each by all who speak it.

    The folder is asked for when its recordings are, so that what is known of the set can be told without it.
    """

    def items(pair: Pair) -> list[Item]:
        place, sentences = folder(), list(challenge.items(pair))
        references = _references(place, pair.target, {item.id for item in sentences})
        return _find_recorded(challenge, sentences, place, references)

    def version() -> str:
        clips = (f"{clip.id}\t{clip.voice}\t{clip.sha256}\n" for clip in manifest.read(folder()))
        return f"{challenge.version()}+{checksum(*clips)}"

    return replace(challenge, about=about, items=items, version=version, read_outputs=None, variant=None)


def _references(folder: Path, target: str, known: Container[str]) -> dict[str, str]:
    """Translations by people, for BLEU: ``references.TARGET.tsv`` beside the manifest, id and text a line."""
    path = folder / f"references.{target}.tsv"
    translations: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), 1) if path.is_file() else ():
        key, tab, text = line.partition("\t")
        if not tab or not text.strip() or key in translations:
            raise InputError(f"{path}:{number}: expected a sentence's id, a tab and its translation, each id once")
        if key not in known:
            raise InputError(f"{path}:{number}: the set has no sentence {key!r}; expected ids as in the manifest")
        translations[key] = text
    return translations


def _find_recorded(
    challenge: TestSet, sentences: Sequence[Item], folder: Path, references: Mapping[str, str]
) -> list[Item]:
    """The recordings of the set's sentences; a folder may hold those of other sets too, which are left out."""
    spoken: dict[str, dict[str, Clip]] = {}
    known, texts = {item.id: item for item in sentences}, _by_text(sentences)
    strays: list[str] = []
    listed = manifest.read(folder)
    for number, clip in enumerate(listed, 1):
        item = known.get(clip.id)
        if item is None or clip.text not in (item.source, item.variant):
            item = texts.get(_respell(clip.text))
        if item is None or clip.voice in spoken.get(item.id, ()):
            strays.append(f"{folder / manifest.NAME}:{number}: {_describe_stray(clip, known, challenge.name)}")
        else:
            spoken.setdefault(item.id, {})[clip.voice] = clip
    if not listed:
        raise InputError(
            f"{folder / manifest.NAME} lists no recording; run: epicene speech synthesize -t SET -o {folder}"
        )
    if not spoken:
        raise InputError(f"{strays[0]}; recordings of another set? For those of any set: -t spoken:SET@DIR")
    if strays:
        _warn(
            f"{len(strays)} of {len(listed)} recordings are left out, since the set has no such sentence: {strays[0]}"
        )
    return [
        _item(item, spoken[item.id][voice], references.get(item.id))
        for item in sentences
        for voice in sorted(spoken.get(item.id, ()))
    ]


def _by_text(sentences: Sequence[Item]) -> dict[str, Item]:
    """Sentences by how they are spelt, the first of several alike: another set may number them otherwise."""
    return {_respell(text): item for item in reversed(sentences) for text in (item.source, item.variant) if text}


def _respell(text: str) -> str:
    """A text without what earlier versions and other tools write differently: blanks, quotes, "the nurse 's"."""
    return joined(" ".join(normalised(text).replace("’", "'").split()))


def _describe_stray(clip: Clip, known: Mapping[str, Item], name: str) -> str:
    if clip.id not in known:
        return f"sentence {clip.id!r} is not in {name}, which has {len(known)}"
    return f"sentence {clip.id} of {name} is {known[clip.id].source!r}, but the recording says {clip.text!r}"


@cache
def _warn(message: str) -> None:
    """Warn once, however many languages the set is translated into."""
    _log.warning("warning: %s", message)


def _item(item: Item, clip: Clip, reference: str | None) -> Item:
    """A sentence as one voice says it; what was said counts where published versions differ."""
    recorded = (item.id, clip.voice, clip.speaker, f"{clip.seconds:g}", clip.sha256)
    labels = {**item.labels, **dict(zip(_LABELS, recorded, strict=True))}
    labels |= {"translation": reference} if reference else {}
    other = item.variant is not None and clip.text == item.variant
    source, variant = (item.variant or "", item.source) if other else (item.source, item.variant)
    return replace(item, id=f"{item.id}/{clip.voice}", source=source, variant=variant, labels=labels, audio=clip.path)


def clip_of(item: Item) -> Clip:
    """The recording of an item."""
    if item.audio is None:
        raise InputError(f"sentence {item.id} has no recording")
    sentence, voice, speaker, seconds, sha256 = (item.labels[name] for name in _LABELS)
    return Clip(sentence, item.audio, item.source, voice, speaker, float(seconds), sha256)
