"""People who read a set aloud: each recording is looked at and listed; what is unfit is told and left out.

They stay as they were recorded: a voice's own loudness and silence are part of what is measured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import unquote

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.speech import audio, manifest
from epicene.speech.audio import Sound
from epicene.speech.manifest import Clip
from epicene.speech.recordings import check_inside, list_recordings, make_clip

_PACED = 5  # recordings from which a reader's pace is known
_CUT = 0.5  # of the time that the reader takes for so many letters: what is shorter was cut
_FASTEST = 0.02  # seconds a letter, where the pace is not known; nobody speaks faster


@dataclass(frozen=True, slots=True)
class Taken:
    """What was listed of a reader's recordings."""

    clips: list[Clip]
    warnings: list[str]  # about recordings that are listed
    left_out: list[str]  # why recordings are not
    missing: list[str]  # sentences of the set that have none


def take(
    folder: Path,
    sentences: Sequence[tuple[str, str]],
    voice: str,
    speaker: str,
    lines: bool = False,
    table: Path | None = None,
) -> Taken:
    """List a reader's recordings beside those of other voices; the rest goes on where one is unfit.

    They are called ``VOICE/ID.wav``; with ``lines`` by the sentence's line in the set, from 1; with a ``table`` as it
    says: ``path`` in the folder, and ``id`` or ``text``.
    """
    if not re.fullmatch(r"[\w-]+", voice):
        raise InputError(f"voice {voice!r}; expected a name of letters, digits, - and _, which is the folder's as well")
    if speaker not in manifest.SPEAKERS:
        raise InputError(f"speaker {speaker!r}; known: {', '.join(manifest.SPEAKERS)}")
    texts = dict(sentences)
    files = _read_list(table, folder, texts) if table else _find_named(folder, voice, texts, lines)
    fit, warnings, left_out = _inspect(folder, files)
    for key, why in _find_cut(fit, texts).items():
        del fit[key]
        left_out.append(why)
    if not fit:
        more = f"; and {len(left_out) - 1} more" if len(left_out) > 1 else ""
        raise InputError(f"no recording of {voice} is fit to be heard: {left_out[0]}{more}")
    clips = [make_clip(key, file, texts[key], voice, speaker, sound) for key, (file, sound) in fit.items()]
    _write(folder, clips, voice, texts)
    return Taken(clips, warnings, left_out, [key for key in texts if key not in fit])


def _find_named(folder: Path, voice: str, texts: Mapping[str, str], lines: bool) -> dict[str, Path]:
    """Recordings by the sentence that their names tell."""
    ids = list(texts)
    files: dict[str, Path] = {}
    for file in list_recordings((folder / voice).glob("*")):
        key = unquote(file.stem)
        if lines:
            number = int(key) if key.isdecimal() else 0
            if not 1 <= number <= len(ids):
                raise InputError(f"{file}: expected the number of a line of the set, from 1 to {len(ids)}")
            key = ids[number - 1]
        if key not in texts:
            raise InputError(
                f"{file}: the set has no sentence {key!r}; a recording is called as its sentence's id "
                "(or as its line, with --lines)"
            )
        if files.setdefault(key, file) != file:
            raise InputError(f"{file} and {files[key]} both are sentence {key}; remove one")
    if not files:
        raise InputError(
            f"{folder / voice} holds no WAV files; expected {folder / voice}/ID.wav for sentences of the set"
        )
    return files


def _read_list(table: Path, folder: Path, texts: Mapping[str, str]) -> dict[str, Path]:
    """Recordings by the sentence that a table says."""
    rows = read_lines(table)
    header = next(rows, "").split("\t")
    how = next((name for name in ("id", "text") if name in header), None)
    if "path" not in header or how is None:
        raise InputError(f"{table}: columns {', '.join(header)}; expected path, and id or text, tab-separated")
    ids = {text: key for key, text in reversed(list(texts.items()))}
    files: dict[str, Path] = {}
    for number, line in enumerate(rows, 2):
        cells = dict(zip(header, line.split("\t"), strict=False))
        cell = cells.get(how, "")
        key = cell if how == "id" else ids.get(" ".join(cell.split()), "")
        if key not in texts:
            raise InputError(f"{table}:{number}: the set has no sentence {cell!r}; expected its {how} as in the set")
        file = folder / cells["path"]
        if files.setdefault(key, file) != file:
            raise InputError(f"{table}:{number}: sentence {key} is there already ({files[key]})")
    if not files:
        raise InputError(f"{table} lists no recording; expected a line for each, with its path and its {how}")
    return files


def _inspect(folder: Path, files: Mapping[str, Path]) -> tuple[dict[str, tuple[Path, Sound]], list[str], list[str]]:
    """The recordings that can be heard, the warnings about them, and why the others cannot."""
    fit: dict[str, tuple[Path, Sound]] = {}
    warnings: list[str] = []
    left_out: list[str] = []
    for key, file in files.items():
        try:
            check_inside(file, folder)
            sound = audio.inspect(file)
            warnings += audio.check(file, sound)
        except InputError as error:
            left_out.append(str(error))
        else:
            fit[key] = file, sound
    return fit, warnings, left_out


def _find_cut(fit: Mapping[str, tuple[Path, Sound]], texts: Mapping[str, str]) -> dict[str, str]:
    """Recordings in which there cannot be all of their sentence, by the reader's own pace where it is known."""
    paces = {
        key: max(0.0, sound.seconds - sound.lead - sound.trail) / max(1, len(texts[key]))
        for key, (_, sound) in fit.items()
    }
    usual = median(paces.values()) if len(paces) >= _PACED else None
    least = _FASTEST if usual is None else max(_FASTEST, _CUT * usual)
    return {
        key: f"{fit[key][0]}: {pace * len(texts[key]):.1f} s of speech for {len(texts[key].split())} words, "
        + (f"where {usual * len(texts[key]):.1f} s are usual; " if usual is not None else "")
        + "cut short? Record it again"
        for key, pace in paces.items()
        if pace < least
    }


def _write(folder: Path, clips: Sequence[Clip], voice: str, texts: Mapping[str, str]) -> None:
    with manifest.hold(folder):
        others = [clip for clip in manifest.mend(folder) if clip.voice != voice]
        if other := next((clip for clip in others if texts.get(clip.id) != clip.text), None):
            raise InputError(
                f"{folder}: its sentence {other.id} is {other.text!r}, of another set; choose another folder"
            )
        order = {key: number for number, key in enumerate(texts)}
        manifest.write(folder, [*others, *sorted(clips, key=lambda clip: order[clip.id])])
